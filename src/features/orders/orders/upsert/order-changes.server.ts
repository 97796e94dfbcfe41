/** What a change changed, in words that the timeline shows. */

import { isRecord, valueAt } from '#domain/objects.ts'
import { contentCells } from './columns.queries.ts'
import type { Known } from './order-upsert.rules.ts'
import type { Prepared } from './prepare-orders.server.ts'
import { json } from './sql.queries.ts'

export interface Before {
  id: number
  row: Record<string, unknown>
  lines: { external_id: string; name: string; sku: string | null; qty: number }[]
}

interface Change {
  field: string
  from: unknown
  to: unknown
}

const compared = [
  'order_no',
  'payment_state',
  'currency',
  'locale',
  'ordered_at',
  'customer_name',
  'customer_email',
  'customer_phone',
  'ship_to',
  'bill_to',
  'service_point',
  'shipping_title',
  'shipping_code',
  'delivery',
  'customs',
  'attributes',
  'total_incl_vat',
] as const

const mostChanges = 40

/** What a change changed, field by field: `ship_to.address1`, `lines[TS001-WH].qty`. */
export function changesOf(row: Prepared & Known, before: Before | undefined): Change[] {
  if (!before) return []
  const changes: Change[] = []
  const cells = new Map(contentCells.map(([name, type, of]) => [name, { type, value: of(row) }]))
  const differ = (field: string, from: unknown, to: unknown) => {
    if (json(from ?? null) !== json(to ?? null)) changes.push({ field, from: short(from), to: short(to) })
  }
  for (const name of compared) {
    const { type, value } = valueAt(cells, name)
    const old = before.row[name]
    if (type === 'jsonb') {
      const written: unknown = typeof value === 'string' ? JSON.parse(value) : {}
      const [one, other] = [isRecord(old) ? old : {}, isRecord(written) ? written : {}]
      for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) differ(`${name}.${key}`, one[key], other[key])
    } else if (type === 'timestamptz') differ(name, typeof old === 'string' ? new Date(old).toISOString() : old, value)
    else differ(name, old, value)
  }
  if (row.known.cancelled) changes.push({ field: 'cancelled', from: true, to: false })
  if (row.order.status === 'closed') changes.push({ field: 'status', from: row.known.work_state, to: 'closed' })
  const lines = new Map(before.lines.map(line => [line.external_id, line]))
  for (const line of row.order.lines) {
    const old = lines.get(line.external_id)
    const name = `lines[${line.sku ?? line.name}]`
    if (!old) changes.push({ field: name, from: null, to: line.qty })
    else {
      differ(`${name}.qty`, old.qty, line.qty)
      differ(`${name}.name`, old.name, line.name)
      differ(`${name}.sku`, old.sku, line.sku)
    }
    lines.delete(line.external_id)
  }
  for (const old of lines.values()) changes.push({ field: `lines[${old.sku ?? old.name}]`, from: old.qty, to: null })
  return changes.slice(0, mostChanges)
}

/** Fields whose values name no one; of the others outside systems learn only that they changed. */
const impersonal: ReadonlySet<string> = new Set([
  'order_no',
  'payment_state',
  'currency',
  'locale',
  'ordered_at',
  'shipping_code',
  'total_incl_vat',
  'cancelled',
  'status',
])

/** Changes as outside systems learn of them: lines as one field, since their names may be texts of a person. */
export const changedFields = (changes: readonly Change[]): Record<string, readonly [unknown, unknown] | true> =>
  Object.fromEntries(
    changes.map(({ field, from, to }) => [
      field.replace(/^lines\[.*$/s, 'lines').replace(/^(attributes|customs|delivery|service_point)\..*$/s, '$1'),
      impersonal.has(field) ? [from, to] : true,
    ]),
  )

const short = (value: unknown): unknown => (typeof value === 'string' ? value.slice(0, 200) : (value ?? null))
