/** How returns are spoken of. */
import { isKeyOf } from '#domain/objects.ts'
import { StateBadge, type Tone } from '#ui/kit/StateBadge.tsx'
import { t, useT } from '#ui/kit/translate.ts'
import { wordsFor } from './return-policy.rules.ts'
import { reasonWords } from './return-reasons.rules.ts'
import type { Condition, Custody, Decision, MoneyState, ReturnMethod, ReturnOutcome, ReturnSource, ReturnStatus } from './returns.codes.ts'
import type { ReturnItem } from './returns.schemas.ts'

const statusTones: Record<ReturnStatus, Tone> = {
  requested: 'soon',
  approved: 'plain',
  in_transit: 'busy',
  arrived: 'busy',
  awaiting_review: 'soon',
  decided: 'busy',
  resolved: 'done',
  rejected: 'quiet',
  cancelled: 'quiet',
  expired: 'quiet',
}

const statusWord = (status: ReturnStatus): string =>
  ({
    requested: t('Requested'),
    approved: t('Approved'),
    in_transit: t('On its way'),
    arrived: t('Arrived'),
    awaiting_review: t('To review'),
    decided: t('Decided'),
    resolved: t('Resolved'),
    rejected: t('Rejected'),
    cancelled: t('Cancelled'),
    expired: t('Expired'),
  })[status]

export function ReturnBadge({ status }: { status: ReturnStatus }) {
  useT()
  return <StateBadge tone={statusTones[status]}>{statusWord(status)}</StateBadge>
}

const custodyTones: Record<Custody, Tone> = {
  advised: 'plain',
  in_transit: 'busy',
  received: 'busy',
  added: 'soon',
  inspected: 'soon',
  restocked: 'done',
  scrapped: 'done',
  sent_back: 'done',
  repaired: 'busy',
  kept: 'done',
  missing: 'stop',
  cancelled: 'quiet',
  rejected: 'quiet',
  expired: 'quiet',
}

const custodyWord = (custody: Custody): string =>
  ({
    advised: t('Expected'),
    in_transit: t('On its way'),
    received: t('Received'),
    added: t('Not announced'),
    inspected: t('Inspected'),
    restocked: t('Restocked'),
    scrapped: t('Scrapped'),
    sent_back: t('Sent back'),
    repaired: t('In repair'),
    kept: t('Customer keeps'),
    missing: t('Missing'),
    cancelled: t('Cancelled'),
    rejected: t('Rejected'),
    expired: t('Expired'),
  })[custody]

export function CustodyBadge({ custody }: { custody: Custody }) {
  useT()
  return <StateBadge tone={custodyTones[custody]}>{custodyWord(custody)}</StateBadge>
}

const moneyTones: Record<MoneyState, Tone> = {
  none: 'quiet',
  pending: 'plain',
  proposed: 'busy',
  in_doubt: 'stop',
  confirmed: 'done',
  denied: 'quiet',
}

export const moneyWord = (money: MoneyState): string =>
  ({
    none: t('No refund'),
    pending: t('Refund open'),
    proposed: t('Proposed'),
    in_doubt: t('In doubt'),
    confirmed: t('Refunded'),
    denied: t('Refund denied'),
  })[money]

export function MoneyBadge({ money }: { money: MoneyState }) {
  useT()
  return <StateBadge tone={moneyTones[money]}>{moneyWord(money)}</StateBadge>
}

export const sourceWord = (source: ReturnSource): string =>
  ({ portal: t('Return portal'), desk: t('Returns desk'), undelivered: t('Not delivered'), orphan: t('Unknown parcel') })[source]

export const methodWord = (method: ReturnMethod): string =>
  ({ label: t('Return label'), qr: t('QR code'), own_label: t('Own label'), bring: t('Brought in'), none: t('Not chosen') })[method]

export const outcomeWord = (outcome: ReturnOutcome): string =>
  ({ refund: t('Refund'), exchange: t('Exchange'), credit: t('Store credit'), repair: t('Repair') })[outcome]

export const conditionWord = (condition: Condition): string =>
  ({ A: t('A: as new'), B: t('B: opened'), C: t('C: used'), scrap: t('Unusable') })[condition]

export const decisionWord = (decision: Decision): string =>
  ({
    restock: t('Restock'),
    send_back: t('Send back'),
    scrap: t('Scrap'),
    repair: t('Repair'),
    keep: t('Let the customer keep it'),
  })[decision]

/** A reason in the words of the company, else in the product's own. */
export const reasonWord = (reason: { code: string; words: Readonly<Record<string, string>> }, locale: string): string =>
  reason.words[locale] ||
  (isKeyOf(reasonWords, reason.code) ? t(reasonWords[reason.code]) : wordsFor(reason.words, locale, 'en_GB') || reason.code)

/** What was found of the serial number, in words beside its badge. */
export function SerialNote({ item }: { item: Pick<ReturnItem, 'serial' | 'serial_check' | 'serial_order_no'> }) {
  const say = useT()
  const { serial, serial_check, serial_order_no } = item
  if (serial_check === 'wrong')
    return (
      <>
        <StateBadge tone="stop">{say('Wrong serial')}</StateBadge>
        <span>
          {serial_order_no
            ? say('{{serial}} belongs to order {{order_no}}', { serial, order_no: serial_order_no })
            : say('{{serial}} did not go out with this order', { serial })}
        </span>
      </>
    )
  if (serial_check === 'right') return <span>{serial}</span>
  if (serial_check === 'accepted') return <span>{say('{{serial}}, accepted', { serial })}</span>
  return serial_check === 'unreadable' ? <span>{say('Serial number not readable')}</span> : null
}
