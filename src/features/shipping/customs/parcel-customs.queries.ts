/** What a parcel needs at the borders that it crosses: the facts of the database for the one pure decision. */
import { sql } from 'kysely'
import * as z from 'zod'
import type { ErrorCode } from '#contract/error-codes.ts'
import { convertedLines } from '#domain/customs/conversion.ts'
import { type CustomsFinding, type Decision, decide, type FindingCode, type RegistrationNumber } from '#domain/customs/decision.ts'
import { declaredValue, type Goods, type GoodsFlag, goodsFlags } from '#domain/customs/goods.ts'
import { areaOf, needsCustoms, type Place } from '#domain/customs/places.ts'
import { norwegianVat, transitCurrency } from '#domain/customs/transit.ts'
import { withVat } from '#domain/money.ts'
import { isOneOf } from '#domain/objects.ts'
import { numbersOnDay } from '#features/company/customs-numbers/customs-numbers.queries.ts'
import { convertedBy, type DayRates, ratesOnDay } from '#features/company/exchange-rates/exchange-rates.queries.ts'
import type { Capabilities, CustomsData, Finding, ParcelLine } from '#integrations/couriers/courier.ts'
import type { Db } from '#platform/database/database.ts'
import { type OrderReason, orderReasons } from './customs.codes.ts'

/** What an order says for customs. */
export const StoredCustoms = z
  .object({
    reason: z.enum(orderReasons).nullable().catch(null),
    incoterm: z.string().nullable().catch(null),
    voec: z.string().nullable().catch(null),
    ioss: z.string().nullable().catch(null),
    eori: z.string().nullable().catch(null),
  })
  .catch({ reason: null, incoterm: null, voec: null, ioss: null, eori: null })
type StoredCustoms = z.output<typeof StoredCustoms>

const reasons: Record<OrderReason, CustomsData['reason']> = {
  sale_of_goods: 'sale',
  gift: 'gift',
  documents: 'documents',
  commercial_sample: 'sample',
  returned_goods: 'returned',
  other: 'other',
}

/** What a person wrote into the form that makes labels, as an order says it. */
export function asStored({ reason, terms, numbers }: CustomsData): StoredCustoms {
  const of = (kind: CustomsData['numbers'][number]['kind']) => numbers.find(one => one.kind === kind)?.value ?? null
  return {
    reason: orderReasons.find(one => reasons[one] === reason) ?? null,
    incoterm: terms,
    ...{ voec: of('voec'), ioss: of('ioss'), eori: of('eori') },
  }
}

export interface ParcelFacts {
  company_id: number
  /** The company’s own VAT number, in the country from which it sends. */
  vat_no: string
  operation: 'outbound' | 'return'
  from: Place
  to: Place & { company?: string | null }
  lines: readonly ParcelLine[]
  weight_g: number
  /** Local dates of the sender. */
  on: string
  ordered_on: string | null
  /** `orders.customs`. */
  stored: unknown
  capabilities: Capabilities
  method: string
}

export interface ParcelCustoms {
  decision: Decision
  reason: CustomsData['reason']
  terms: string | null
  /** As they are declared: in one currency, at the cost price where nothing was paid. */
  lines: ParcelLine[]
  /** For the courier; null where it takes none, or needs none. */
  data: CustomsData | null
}

/** Undefined where no border is crossed. */
export async function customsOfParcel(db: Db, facts: ParcelFacts): Promise<ParcelCustoms | undefined> {
  const { company_id, from, to, on, capabilities } = facts
  const norwegian = areaOf(from) === 'NO' && areaOf(to) === 'NO'
  if (!needsCustoms(from, to) && !norwegian) return undefined
  const stored = StoredCustoms.parse(facts.stored)
  const goods = await goodsOf(db, facts.lines)
  const rates = await ratesOnDay(db, company_id, on)
  const ordered = facts.ordered_on === null || facts.ordered_on === on ? rates : await ratesOnDay(db, company_id, facts.ordered_on)
  const own = ownNumbers(stored)
  // A number of the order's own clears it alone, whatever the terms.
  const ownScheme = own.some(one => one.kind === 'voec' || one.kind === 'ioss')
  const company = await numbersOnDay(db, company_id, on)
  const vat: RegistrationNumber[] =
    facts.vat_no === '' || company.some(one => one.kind === 'vat' && one.country === from.country)
      ? []
      : [{ kind: 'vat', country: from.country, value: facts.vat_no }]
  const reason = facts.operation === 'return' ? 'returned' : (reasons[stored.reason ?? 'sale_of_goods'] ?? 'sale')
  const together = facts.operation === 'outbound' && !ownScheme ? await clearedTogether(db, facts) : null
  const decision = decide({
    ...{ from, to, on, reason, goods },
    business: (to.company ?? '').trim() !== '',
    weight_g: facts.weight_g,
    numbers: [...own, ...company, ...vat],
    transport: isPostal(capabilities, to.country) ? 'postal' : 'courier',
    courier: capabilities.customs
      ? {
          agent_code: capabilities.agent_code,
          name: capabilities.name,
          method: facts.method,
          numbers: capabilities.customs.numbers,
          max_lines: capabilities.customs.max_lines,
        }
      : undefined,
    bulk: together !== null,
    entry: together?.entry ?? null,
    transit_by: { name: capabilities.name, carries: capabilities.transit ?? false },
    vat_at_delivery: stored.incoterm === 'DAP' && !ownScheme,
    convert: convertedBy(rates),
    convertAsOrdered: convertedBy(ordered),
  })
  const free = decision.regime === 'none'
  const declared = free
    ? [...facts.lines]
    : declaredLines(facts.lines, goods, decision.currency, decision.regime === 'voec' ? ordered : rates)
  const transit = decision.transit && capabilities.transit ? inTransit(facts.lines, goods, rates) : undefined
  if (transit) decision.findings.push(...transit.findings)
  const lines = declared.map((line, i) => ({ ...line, ...(transit?.values[i] && { transit_value: transit.values[i] }) }))
  if (free) return { decision, reason, terms: stored.incoterm, lines, data: null }
  return { decision, reason, terms: stored.incoterm, lines, data: dataFor(capabilities, decision, { reason, own, terms: stored.incoterm }) }
}

const isPostal = ({ postal }: Capabilities, country: string): boolean => postal === 'all' || (postal?.includes(country) ?? false)

const ownNumbers = (stored: StoredCustoms): RegistrationNumber[] =>
  (['voec', 'ioss', 'eori'] as const).flatMap(kind => {
    const value = stored[kind]
    return value === null || value === '' ? [] : [{ kind, country: '', value }]
  })

/** Every number that the order names goes to the courier, which refuses what it cannot carry; the company's own where it takes them. */
function dataFor(
  { customs }: Capabilities,
  { regime, numbers }: Decision,
  { reason, own, terms }: { reason: CustomsData['reason']; own: readonly RegistrationNumber[]; terms: string | null },
): CustomsData | null {
  if (!customs || regime === 'none' || regime === 'bulk') return null
  const carried = numbers.filter(one => customs.numbers.includes(one.kind))
  const byKind = new Map([...carried, ...own].map(one => [one.kind, one.value]))
  return { reason, terms, numbers: [...byKind].map(([kind, value]) => ({ kind, value })), documents: [] }
}

interface TaxedGoods extends Goods {
  /** Decimal text; null where the order names none. */
  vat_percent: string | null
}

/** Cost price, flags and VAT of the products of lines. */
async function goodsOf(db: Db, lines: readonly ParcelLine[]): Promise<TaxedGoods[]> {
  const ids = lines.flatMap(line => line.order_line_id ?? [])
  const rows =
    ids.length === 0
      ? []
      : await db
          .selectFrom('order_lines as l')
          .innerJoin('orders as o', 'o.id', 'l.order_id')
          .leftJoin('products as p', 'p.id', 'l.product_id')
          .select(['l.id', 'l.vat_percent', 'p.customs_flags'])
          .select(eb => [
            eb.fn.coalesce('l.cost_price', 'p.cost_price').as('cost_price'),
            eb
              .case()
              .when('l.cost_price', 'is not', null)
              .then(eb.ref('o.currency'))
              .else(eb.ref('p.cost_currency'))
              .end()
              .as('cost_currency'),
          ])
          .where('l.id', '=', sql<number>`any(${ids})`)
          .execute()
  const byLine = new Map(rows.map(row => [row.id, row]))
  return lines.map(({ order_line_id, net_weight_g, gross_weight_g, ...line }) => {
    const product = byLine.get(order_line_id ?? 0)
    return {
      ...line,
      net_g: net_weight_g,
      gross_g: gross_weight_g ?? null,
      cost:
        typeof product?.cost_price === 'number' && typeof product.cost_currency === 'string'
          ? { amount: product.cost_price * line.quantity, currency: product.cost_currency }
          : null,
      vat_percent: product?.vat_percent ?? null,
      flags: product?.customs_flags?.filter((flag): flag is GoodsFlag => isOneOf(goodsFlags, flag)) ?? [],
    }
  })
}

/** Values with VAT in kroner of Norway. Without a rate there are none, and it is asked for. */
function inTransit(lines: readonly ParcelLine[], goods: readonly TaxedGoods[], rates: DayRates) {
  const inKroner = declaredLines(lines, goods, transitCurrency, rates)
  const values = inKroner.map(({ value }, i) =>
    value?.currency === transitCurrency
      ? { amount: withVat(value.amount, goods[i]?.vat_percent ?? norwegianVat), currency: transitCurrency }
      : undefined,
  )
  const other = inKroner.find(line => line.value && line.value.currency !== transitCurrency)?.value?.currency
  const findings: CustomsFinding[] =
    other === undefined
      ? []
      : [
          {
            ...{ code: 'rate_missing', severity: 'error', line: null, text: 'Enter the rate for {{from}} to {{to}}' },
            values: { from: other, to: transitCurrency },
          },
        ]
  return { values, findings }
}

/** A configuration of bulk invoicing is on for the way, and no line is left out of it: the postcode of its importer in the country. */
async function clearedTogether(db: Db, { company_id, capabilities, to, lines }: ParcelFacts): Promise<{ entry: string | null } | null> {
  const ids = lines.flatMap(line => line.order_line_id ?? [])
  const { rows } = await sql<{ entry: string | null }>`
    select case when c.importer ->> 'country' = c.country then nullif(c.importer ->> 'postcode', '') end entry
    from bulk_invoice_configs c where c.operator_id = current_operator_id() and c.company_id = ${company_id}
      and c.agent_code = ${capabilities.agent_code} and c.country = ${to.country} and c.active
      and not exists (select from bulk_invoice_skips k where k.operator_id = current_operator_id() and k.order_line_id = any (${ids}::bigint[]))`.execute(
    db,
  )
  return rows[0] ?? null
}

/** All in one currency: that of the rule, else that of the first line. Without a rate they stay as they are. */
function declaredLines(lines: readonly ParcelLine[], goods: readonly Goods[], asked: string | null, rates: DayRates): ParcelLine[] {
  const declared = lines.map((line, i) => ({ ...line, value: goods[i] ? (declaredValue(goods[i]) ?? line.value) : line.value }))
  const to = asked ?? declared.find(line => line.value)?.value?.currency
  if (to === undefined) return declared
  for (const from of new Set(declared.flatMap(line => line.value?.currency ?? []))) {
    const rate = from === to ? undefined : rates.rate(from, to)
    if (rate === undefined) continue
    const of = declared.filter(line => line.value?.currency === from)
    const amounts = convertedLines(
      of.map(line => line.value?.amount ?? 0),
      { from, to, rate },
    )
    for (const [i, line] of of.entries()) line.value = { amount: amounts[i]?.amount ?? 0, currency: to }
  }
  return declared
}

const refusals: Partial<Record<FindingCode, readonly [code: ErrorCode, field: string]>> = {
  goods_missing: ['customs_lines_missing', 'lines'],
  hs_missing: ['customs_line_incomplete', 'hs_code'],
  hs_short: ['hs_code_short', 'hs_code'],
  origin_missing: ['customs_line_incomplete', 'origin'],
  value_zero: ['line_value_missing', 'value'],
  net_missing: ['line_weight_missing', 'net_weight_g'],
  net_over_gross: ['customs_line_incomplete', 'net_weight_g'],
  description_missing: ['line_description_missing', 'description'],
  number_not_carried: ['number_not_carried', 'customs.numbers'],
  too_many_lines: ['too_many_customs_lines', 'parcels'],
}

/** Nothing is missing: papers can be drawn. */
export const isComplete = ({ decision }: ParcelCustoms): boolean => decision.findings.every(one => one.severity !== 'error')

/** The first problem that keeps a parcel from being booked, as a refusal in the form that makes labels. */
export function customsRefusal({ decision }: ParcelCustoms): Finding | undefined {
  if (decision.regime === 'none' && !decision.transit) return undefined
  const wrong = decision.findings.find(one => one.severity === 'error')
  if (!wrong) return undefined
  const [code, field] = refusals[wrong.code] ?? ['customs_data_missing', 'customs']
  return {
    code,
    severity: 'error',
    field: field.includes('.') || field === 'customs' || field === 'parcels' ? field : pathOf(wrong, field),
    text: wrong.text,
    values: wrong.values,
  }
}

const pathOf = ({ line }: CustomsFinding, field: string): string =>
  line === null ? `parcels.0.${field}` : `parcels.0.lines.${line}.${field}`
