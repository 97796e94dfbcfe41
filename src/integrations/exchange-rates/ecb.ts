/** The euro foreign exchange reference rates of the European Central Bank: published XML, read in one pass without a parser. */
import { askCourier, type CourierQuestion } from '#integrations/couriers/courier-http.ts'

export interface RateSource {
  /** Without a slash at its end. */
  url: string
  fetch?: typeof globalThis.fetch
}

export interface FetchedDay {
  /** YYYY-MM-DD. */
  day: string
  /** What one euro buys, as decimal text. */
  rates: { currency: string; rate: string }[]
}

const bank = 'The European Central Bank'
const files = { daily: 'eurofxref-daily.xml', ninety_days: 'eurofxref-hist-90d.xml' } as const
const mostLetters = 1_000_000
/** The bank lists about thirty; a shorter list is cut off or another file. */
const fewestCurrencies = 20

const dayTag = /^<Cube\s+time=['"](\d{4}-\d{2}-\d{2})['"]\s*>/
const rateTag = /^<Cube\s+currency=['"]([A-Z]{3})['"]\s+rate=['"](\d{1,9}(?:\.\d{1,8})?)['"]\s*\/>/

/** @throws Error with a sentence where the text is no such list */
export function readReferenceRates(xml: string): FetchedDay[] {
  if (xml.length > mostLetters) throw new Error('The list of rates is too long')
  // The published file declares none.
  if (/<!(DOCTYPE|ENTITY)/i.test(xml)) throw new Error('The list of rates declares entities')
  const days: FetchedDay[] = []
  for (let at = xml.indexOf('<Cube'); at >= 0; at = xml.indexOf('<Cube', at + 5)) {
    const tag = xml.slice(at, at + 120)
    const day = dayTag.exec(tag)?.[1]
    if (day !== undefined) days.push({ day, rates: [] })
    const [, currency, rate] = rateTag.exec(tag) ?? []
    if (currency !== undefined && rate !== undefined && Number(rate) > 0) days.at(-1)?.rates.push({ currency, rate })
  }
  if (days.length === 0) throw new Error('The list of rates names no day')
  if (
    days.some(
      ({ rates }) =>
        new Set(rates.map(one => one.currency)).size < fewestCurrencies || new Set(rates.map(one => one.currency)).size !== rates.length,
    )
  )
    throw new Error('The list of rates is not complete')
  return days
}

export async function fetchReferenceRates(source: RateSource, file: keyof typeof files, signal: AbortSignal): Promise<FetchedDay[]> {
  const question: CourierQuestion = { courier: bank, purpose: 'read', url: `${source.url}/${files[file]}`, signal, fetch: source.fetch }
  const answer = await askCourier(question)
  if (!answer.ok) throw new Error(`${bank} answered with the status ${answer.status}`)
  return readReferenceRates(answer.text)
}
