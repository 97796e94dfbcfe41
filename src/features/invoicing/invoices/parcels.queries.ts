/** Reads of parcels that are invoiced: what they hold for customs, and whether they may stand on an invoice. */
import { type RawBuilder, sql } from 'kysely'
import { valueAt } from '#domain/objects.ts'
import type { Db } from '#platform/database/database.ts'
import { gapsOf, type ParcelItem } from './invoice-calculation.rules.ts'
import type { CheckedParcel } from './invoice-checks.rules.ts'

/**
 * A parcel's items. What its label did not say is read from the order's line or the product, where people correct it later; what it said
 * stays.
 */
const items = sql`
  select l.operator_id, l.company_id, l.shipment_id, l.line_no, l.sku, l.description, l.quantity, l.value, l.currency, l.order_line_id,
    coalesce(nullif(l.hs_code, ''), nullif(ol.hs_code, ''), p.hs_code) hs_code, coalesce(l.origin, ol.origin, p.origin) origin,
    coalesce(nullif(l.net_weight_g, 0), ol.weight_g * l.quantity, p.weight_g * l.quantity) net_g
  from shipment_lines l
  left join order_lines ol on ol.operator_id = l.operator_id and ol.id = l.order_line_id
  left join products p on p.operator_id = ol.operator_id and p.id = ol.product_id`

/** The same as `gapsOf`, of the items of a row with `operator_id` and `shipment_id`. */
export const isComplete = (parcel: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`parcel_is_complete(${parcel}.operator_id, ${parcel}.shipment_id)`

/** Of a shipment `s`: one of its lines is left out of bulk invoicing. */
export const isSkipped = sql<boolean>`exists (select from bulk_invoice_skips k join shipment_lines l
  on l.operator_id = k.operator_id and l.order_line_id = k.order_line_id
  where k.operator_id = s.operator_id and k.order_id = s.order_id and l.shipment_id = s.id)`

/** Of a shipment `s`: its booking has a number by which it is cleared alone. */
export const isClearedAlone = sql<boolean>`coalesce(jsonb_path_exists(s.request, '$.customs.numbers[*] ? (@.kind == "voec" || @.kind == "ioss")'), false)`

/** Of a shipment `s`: the label holds, whether the courier has it or not. */
export const isBooked = sql<boolean>`(s.operation_code = 'outbound' and s.state not in ('draft', 'booking', 'unknown', 'cancelled', 'blocked', 'error'))`

/** Of a shipment `s`: it stands on an invoice that counts. */
export const isInvoiced = sql<boolean>`exists (select from trade_invoice_parcels t where t.operator_id = s.operator_id and t.shipment_id = s.id and t.live)`

export interface ParcelFacts extends Omit<CheckedParcel, 'gaps' | 'right_way'> {
  company_id: number
  agent_code: string
  country: string
  postcode: string
}

/** In the order of their ids. */
export async function parcelFacts(db: Db, ids: readonly number[]): Promise<ParcelFacts[]> {
  const { rows } = await sql<ParcelFacts>`
    select s.id shipment_id, s.company_id, s.order_id, o.order_no, s.tracking_no, s.weight_g, s.agent_code,
      coalesce(r.party ->> 'country', '') country, coalesce(r.party ->> 'postcode', '') postcode,
      ${isBooked} booked, ${isSkipped} skipped, ${isClearedAlone} cleared_alone,
      (select i.invoice_no from trade_invoice_parcels t join trade_invoices i on i.operator_id = t.operator_id and i.id = t.invoice_id
        where t.operator_id = s.operator_id and t.shipment_id = s.id and t.live) on_invoice,
      s.handed_over_at is not null or exists (select from collect_parcels c
        where c.operator_id = s.operator_id and c.shipment_id = s.id and c.live and c.state = 'scanned') scanned
    from shipments s
    left join orders o on o.operator_id = s.operator_id and o.id = s.order_id
    left join shipment_parties r on r.operator_id = s.operator_id and r.shipment_id = s.id and r.role = 'recipient'
    where s.operator_id = current_operator_id() and s.company_id = any (current_company_ids()) and s.id = any (${ids}::bigint[])
    order by s.id`.execute(db)
  return rows
}

/** By parcel, those without contents too. */
export async function itemsOfParcels(db: Db, ids: readonly number[]): Promise<Map<number, ParcelItem[]>> {
  const { rows } = await sql<ParcelItem & { shipment_id: number }>`
    select shipment_id, sku, description, quantity, hs_code, origin, value, currency, net_g from (${items}) i
    where i.operator_id = current_operator_id() and i.company_id = any (current_company_ids()) and i.shipment_id = any (${ids}::bigint[])
    order by shipment_id, line_no`.execute(db)
  const found = new Map<number, ParcelItem[]>(ids.map(id => [id, []]))
  for (const { shipment_id, ...item } of rows) found.get(shipment_id)?.push(item)
  return found
}

/** Facts and contents of parcels, for an invoice to one country with one courier. */
export async function checkedParcels(
  db: Db,
  ids: readonly number[],
  way: { company_id: number; agent_code: string; country: string },
): Promise<(CheckedParcel & ParcelFacts & { items: readonly ParcelItem[] })[]> {
  const facts = await parcelFacts(db, ids)
  const contents = await itemsOfParcels(
    db,
    facts.map(one => one.shipment_id),
  )
  return facts.map(one => {
    const of = valueAt(contents, one.shipment_id)
    const right_way = one.company_id === way.company_id && one.agent_code === way.agent_code && one.country === way.country
    return { ...one, items: of, gaps: gapsOf(of), right_way }
  })
}
