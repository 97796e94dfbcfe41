/** Reads of rates. What a company entered itself holds before what was published. */
import { sql } from 'kysely'
import { converted, crossRate } from '#domain/customs/conversion.ts'
import type { Amount } from '#domain/customs/goods.ts'
import { addDays } from '#domain/local-time.ts'
import type { Db } from '#platform/database/database.ts'
import { mostRates, oldestRateDays } from './exchange-rates.codes.ts'
import { ManualRate, type PublishedRates } from './exchange-rates.schemas.ts'

const rateColumns = ['id', 'from_currency', 'to_currency', 'rate', 'valid_from', 'valid_to', 'note'] as const

export async function manualRates(db: Db, company_id: number): Promise<ManualRate[]> {
  const rows = await db
    .selectFrom('manual_rates')
    .select(rateColumns)
    .where('company_id', '=', company_id)
    .orderBy('valid_from', 'desc')
    .orderBy('id', 'desc')
    .limit(mostRates)
    .execute()
  return rows.map(row => ManualRate.parse(row))
}

/** The list of the last day on or before `day`: on a Sunday that of Friday. None where it is older than a week. */
export async function publishedRates(db: Db, day: string): Promise<PublishedRates> {
  const rows = await db
    .selectFrom('exchange_rates')
    .select(['day', 'currency', 'rate'])
    .where('day', '=', eb =>
      eb
        .selectFrom('exchange_rates as r')
        .select(one => one.fn.max('r.day').as('day'))
        .where('r.day', '<=', day)
        .where('r.day', '>=', addDays(day, -oldestRateDays)),
    )
    .orderBy('currency')
    .execute()
  return { day: rows[0]?.day ?? null, rates: rows.map(({ currency, rate }) => ({ currency, rate })) }
}

/** Rates of one day. */
export interface DayRates {
  /** What one unit is worth, as decimal text; undefined without a rate. */
  rate(from: string, to: string): string | undefined
  /** Currencies that can be converted into this one. */
  into(to: string): Map<string, string>
}

export async function ratesOnDay(db: Db, company_id: number, day: string): Promise<DayRates> {
  const own = await db
    .selectFrom('manual_rates')
    .select(['from_currency', 'to_currency', 'rate'])
    .distinctOn(['from_currency', 'to_currency'])
    .where('company_id', '=', company_id)
    .where('valid_from', '<=', day)
    .where(sql<boolean>`(valid_to is null or valid_to >= ${day})`)
    .orderBy('from_currency')
    .orderBy('to_currency')
    .orderBy('valid_from', 'desc')
    .execute()
  const { rates } = await publishedRates(db, day)
  const manual = new Map(own.map(row => [`${row.from_currency} ${row.to_currency}`, row.rate]))
  const perEuro = new Map([...rates.map(row => [row.currency, row.rate] as const), ...(rates.length > 0 ? [['EUR', '1'] as const] : [])])
  const rate = (from: string, to: string): string | undefined => {
    const written = manual.get(`${from} ${to}`)
    if (written !== undefined) return written
    const [one, other] = [perEuro.get(from), perEuro.get(to)]
    return one === undefined || other === undefined ? undefined : crossRate(one, other)
  }
  return {
    rate,
    into: to => {
      const known = [...perEuro.keys(), ...own.flatMap(row => (row.to_currency === to ? [row.from_currency] : []))]
      return new Map(
        [...new Set(known)]
          .filter(from => from !== to)
          .toSorted()
          .flatMap(from => {
            const found = rate(from, to)
            return found === undefined ? [] : [[from, found] as const]
          }),
      )
    },
  }
}

/** Minor units in another currency; null without a rate. */
export const convertedBy =
  (rates: DayRates) =>
  ({ amount, currency }: Amount, to: string): number | null => {
    if (currency === to) return amount
    const rate = rates.rate(currency, to)
    return rate === undefined ? null : converted(amount, { from: currency, to, rate })
  }
