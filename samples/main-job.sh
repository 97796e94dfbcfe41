#!/bin/sh
# The main job, as an integrator would do it: a shop's order becomes a packed, labelled, printed and followed parcel.
#
#   samples/main-job.sh [http://demo.localhost:8080]
#
# Needs curl alone, and a running server. Uses the demo's logins unless PAKHUS_ADMIN, PAKHUS_ADMIN_PASSWORD, PAKHUS_PACKER and
# PAKHUS_PACKER_PASSWORD say otherwise. Leaves the label as label.pdf in the folder LABEL_DIR (default: the present one).
# Exits 0 only if the parcel was labelled and printed.
set -eu

base=${1:-http://demo.localhost:8080}
base=${base%/}
host=${base#*://}
company=${host%%.*}
port=${host##*:}
[ "$port" = "$host" ] && port=80
api=$base/api/$company
station='Main job'
label=${LABEL_DIR:-.}/label.pdf
# Not every system resolves *.localhost; browsers and curl may be told.
case $host in *.localhost*) resolve="--resolve ${host%%:*}:$port:127.0.0.1" ;; *) resolve= ;; esac

say() { printf '%s\n' "$*"; }
fail() { printf 'main-job: %s\n' "$*" >&2; exit 1; }

# ask METHOD path token [body]: prints the answer, or the server's own sentence and stops.
ask() {
  method=$1 path=$2 token=$3
  shift 3
  [ $# -gt 0 ] && set -- -H 'content-type: application/json' --data "$1"
  # shellcheck disable=SC2086
  answer=$(curl -sS $resolve -X "$method" -H "authorization: $token" -H 'x-packing-station: Main%20job' -w '\n%{http_code}' "$@" "$api/$path") || fail "$base does not answer"
  status=$(printf '%s' "$answer" | tail -n 1)
  answer=$(printf '%s' "$answer" | sed '$d')
  [ "$status" -lt 400 ] || fail "$method $path: $status $answer"
  printf '%s' "$answer"
}

# first name: the first value of this name in a JSON text; enough for answers whose shape is known.
first() {
  awk -v name="\"$1\":" 'BEGIN { RS = "\001" } {
    at = index($0, name)
    if (!at) exit
    text = substr($0, at + length(name))
    if (substr(text, 1, 1) == "\"") { text = substr(text, 2); sub(/".*/, "", text) } else sub(/[],}].*/, "", text)
    printf "%s", text
  }'
}

login() {
  ask POST session '' "{\"login\":\"$1\",\"password\":\"$2\"}" | first token
}

admin=$(login "${PAKHUS_ADMIN:-admin}" "${PAKHUS_ADMIN_PASSWORD:-pakhus-demo-admin-2026}")
packer=$(login "${PAKHUS_PACKER:-packer}" "${PAKHUS_PACKER_PASSWORD:-pakhus-demo-packer-2026}")

say '1. A key for the shop'
key_answer=$(ask POST cms/authorization "$admin" "{\"name\":\"main-job $(date +%s)\"}")
key=$(printf '%s' "$key_answer" | first key)
[ -n "$key" ] || fail 'no key came back'

say '2. The shop sends an order'
number=MJ-$(date +%s)-$$
order=$(ask POST cms/orders "$key" "{
  \"external_id\": \"$number\", \"order_no\": \"$number\", \"currency\": \"DKK\", \"payment_status\": \"paid\",
  \"ship_to\": { \"name\": \"Lene Prøve\", \"address1\": \"Prøvevej 52\", \"postcode\": \"5000\", \"city\": \"Odense C\", \"country\": \"DK\", \"phone\": \"20123456\", \"email\": \"lene@example.test\" },
  \"lines\": [
    { \"external_id\": \"1\", \"sku\": \"MJ-MUG\", \"barcode\": \"2000000041001\", \"name\": \"Enamel mug\", \"qty\": \"2\", \"unit_price_excl_vat\": \"60.00\", \"vat_percent\": \"25\", \"weight_g\": 310 },
    { \"external_id\": \"2\", \"sku\": \"MJ-CANDLE\", \"barcode\": \"2000000041049\", \"name\": \"Beeswax candle\", \"qty\": \"1\", \"unit_price_excl_vat\": \"79.20\", \"vat_percent\": \"25\", \"weight_g\": 240 }
  ] }")
order_id=$(printf '%s' "$order" | first order_id)
case $order_id in '' | null) fail "the order was not taken: $order" ;; esac
say "   order $number has the id $order_id"

say '3. The packer opens it and scans every piece'
ask POST "packing/order_start/$order_id" "$packer" "{\"station\":\"$station\",\"take_over\":true}" >/dev/null
uuid() {
  if [ -r /proc/sys/kernel/random/uuid ]; then cat /proc/sys/kernel/random/uuid; else uuidgen | tr 'A-Z' 'a-z'; fi
}
for code in 2000000041001 2000000041001 2000000041049; do
  result=$(ask POST "packing/order/$order_id/scan" "$packer" "{\"scan_id\":\"$(uuid)\",\"code\":\"$code\"}" | first result)
  say "   $code: $result"
done
[ "$result" = order_done ] || fail "the last scan did not finish the order: $result"

say '4. The parcel is closed, its label booked and printed'
printers=$(ask GET print_node/printers/list "$packer")
# The built-in label printer writes into a folder; `PRINTER_ID` names another.
printer=${PRINTER_ID:-$(printf '%s' "$printers" | sed 's/},{/}\
{/g' | grep '"kind":"file"' | grep -i label | head -n 1 | first id)}
[ -n "$printer" ] || fail 'there is no label printer'
closed=$(ask POST "packing/order/$order_id/close" "$packer" "{\"label_printer_id\":$printer}")
outcome=$(printf '%s' "$closed" | first outcome)
case $outcome in labelled | label_check) ;; *) fail "closing ended as $outcome: $closed" ;; esac
printed=$(printf '%s' "$closed" | sed 's/.*"print_jobs":\[//' | first state)
say "   $outcome, print job $printed"
case $printed in accepted | done | sent) ;; *) fail "the label was not printed: $printed" ;; esac

say '5. The label as a file'
# shellcheck disable=SC2086
curl -sSf $resolve -H "authorization: $packer" -o "$label" "$api/orders/download_shipping_label/$order_id/from/Main%20job" || fail 'the label cannot be fetched'
head -c 5 "$label" | grep -q '%PDF-' || fail 'the label is no PDF'
say "   $label, $(wc -c <"$label" | tr -d ' ') bytes"

say '6. What the recipient sees'
shipment=$(ask GET "label_status/order/$order_id" "$packer")
link=$(printf '%s' "$shipment" | first tracking_url)
tracking=$(ask GET "tracking/order?${link#*\?}" '')
case $tracking in *"$(printf '%s' "$shipment" | first tracking_no)"*) ;; *) fail "the tracking page does not know the parcel: $tracking" ;; esac
say "   $link"
say 'Done: labelled, printed and on the tracking page.'
