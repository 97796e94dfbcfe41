/** Prices as a file: every cell is checked first, then all rows are stored or none. */
import { sql } from 'kysely'
import { conflict } from '#contract/errors.ts'
import { csvFileSentences, detectSeparator } from '#domain/csv-text.ts'
import type { NamedCompany } from '#features/company/companies/companies.queries.ts'
import { methodsOf } from '#features/shipping/shipping-methods/shipping-methods.queries.ts'
import { readRows, underHeader } from '#platform/csv/csv-rows.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { type CellErrors, cellsUnder, type PriceCells, type ReadPrice, readPrice } from './price-csv.rules.ts'
import { mostImported, priceWords } from './prices.codes.ts'
import { endPrices, fitPeriod, keyOfPrice, lockPrices, mustHaveSpace } from './prices.commands.ts'
import { zonesOf } from './prices.queries.ts'
import type { ImportRow, PriceImport } from './prices.schemas.ts'

type Tools = Pick<Context, 'db' | 'principal' | 'recordEvent' | 'notify'>
type Cells = { row: number; cells: PriceCells }

/** The rows of a file under its head. */
export async function rowsOfFile(text: string): Promise<Cells[]> {
  const { headers, rows } = await underHeader(readRows([text], { separator: detectSeparator(text.slice(0, 100_000)) }))
  const cellsOf = cellsUnder(headers)
  const found: Cells[] = []
  for await (const some of rows) {
    for (const { row, cells } of some) found.push({ row, cells: cellsOf(cells) })
    if (found.length > mostImported)
      throw conflict('price_file_too_long', 'The file has more than {{rows}} rows. Split it.', { rows: mostImported })
  }
  if (found.length === 0) throw conflict('csv_no_rows', csvFileSentences.no_rows)
  return found
}

interface Good extends Omit<ReadPrice, 'zone'> {
  zone_id: number | null
}

export async function importPrices(tools: Tools, company: NamedCompany, given: readonly Cells[], save: boolean): Promise<PriceImport> {
  const { db, recordEvent, notify } = tools
  await lockPrices(tools, company)
  const [methods, zones, stored] = await Promise.all([
    methodsOf(db, company.id),
    zonesOf(db, company.id),
    db
      .selectFrom('courier_prices')
      .select(['id', 'agent_code', 'shipping_method', 'zone_id', 'max_g', 'max_length_mm', 'max_side_sum_mm', 'valid_from', 'valid_to'])
      .where('company_id', '=', company.id)
      .orderBy('valid_from')
      .execute(),
  ])
  const couriers = new Set(methods.map(method => method.agent_code))
  const known = new Set(methods.map(method => `${method.agent_code} ${method.shipping_method}`))
  const zoneOf = new Map(zones.map(zone => [zone.name.toUpperCase(), zone.id]))
  const same = Map.groupBy(stored, keyOfPrice)
  const inFile = new Map<string, { row: number; valid_from: string; valid_to: string | null }[]>()
  const rows: ImportRow[] = []
  const good: { price: Good; fit: NonNullable<ReturnType<typeof fitPeriod>> }[] = []
  for (const { row, cells } of given) {
    const { price, errors } = readPrice(cells)
    const wrong: CellErrors = { ...errors }
    const agent_code = cells.agent_code ?? ''
    const shipping_method = cells.shipping_method ?? ''
    if (agent_code !== '' && !couriers.has(agent_code))
      wrong.agent_code = { text: 'There is no courier {{agent_code}}', values: { agent_code } }
    else if (agent_code !== '' && shipping_method !== '' && !known.has(`${agent_code} ${shipping_method}`))
      wrong.shipping_method = { text: 'The courier has no method {{method}}', values: { method: shipping_method } }
    const zone_id = cells.zone ? zoneOf.get(cells.zone.toUpperCase()) : null
    if (zone_id === undefined) wrong.zone = { text: 'There is no zone {{zone}}', values: { zone: cells.zone ?? '' } }
    if (price && zone_id !== undefined && Object.keys(wrong).length === 0) {
      const { zone: _zone, ...fields } = { ...price, zone_id }
      const key = keyOfPrice(fields)
      const before = inFile.get(key) ?? []
      const last = fields.valid_to ?? '9999-12-31'
      const twin = before.find(one => one.valid_from <= last && (one.valid_to ?? '9999-12-31') >= fields.valid_from)
      const fit = fitPeriod(same.get(key) ?? [], fields)
      if (twin) wrong.valid_from = { text: 'Row {{row}} has a price for the same on these days', values: { row: twin.row } }
      else if (!fit) wrong.valid_to = { text: priceWords.overlap }
      else good.push({ price: fields, fit })
      inFile.set(key, [...before, { row, valid_from: fields.valid_from, valid_to: fields.valid_to }])
    }
    rows.push({ row, cells, errors: wrong })
  }
  const wrong = rows.filter(row => Object.keys(row.errors).length > 0).length
  const replaced = good.filter(one => one.fit.replaces !== null).length
  const answer = {
    rows,
    wrong,
    added: good.length - replaced,
    replaced,
    ended: new Set(good.flatMap(one => one.fit.ends)).size,
  }
  if (!save || wrong > 0) return { ...answer, saved: false }
  await mustHaveSpace(tools, company, answer.added)
  for (const [valid_from, some] of Map.groupBy(good, one => one.price.valid_from))
    await endPrices(
      tools,
      some.flatMap(one => one.fit.ends),
      valid_from,
    )
  const replacing = good.flatMap(one => one.fit.replaces ?? [])
  if (replacing.length > 0) await db.deleteFrom('courier_prices').where('id', 'in', replacing).execute()
  // One statement holds 65,535 values.
  for (let at = 0; at < good.length; at += 1_000)
    await db
      .insertInto('courier_prices')
      .values(
        good.slice(at, at + 1_000).map(({ price, fit }) => ({
          ...price,
          valid_to: fit.valid_to,
          company_id: company.id,
          updated_at: sql<string>`now()`,
        })),
      )
      .execute()
  await recordEvent({
    kind: 'courier_price.imported',
    subject: 'courier_price',
    company_id: company.id,
    data: { added: answer.added, replaced, ended: answer.ended },
  })
  notify('price', undefined, company.id)
  return { ...answer, saved: true }
}
