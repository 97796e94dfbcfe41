/** Changes of printers: what their providers list, what people set, and when they last printed. */
import { sql } from 'kysely'
import { entriesOf } from '#domain/objects.ts'
import type { RemotePrinter } from '#integrations/printers/printer.ts'
import type { Db } from '#platform/database/database.ts'
import { nextNumber } from '#platform/database/number-series.ts'
import { printerColumns } from './printers.queries.ts'

/** Stores what a provider lists. A printer that it no longer lists is `gone`. Returns true when anything changed. */
export async function storePrinters(
  db: Db,
  company_id: number,
  kind: 'printnode' | 'file',
  seen: readonly RemotePrinter[],
  at: Date,
): Promise<boolean> {
  const before = await db
    .selectFrom('printers')
    .select(printerColumns)
    .where('company_id', '=', company_id)
    .where('kind', '=', kind)
    .orderBy('id')
    .execute()
  let changed = false
  for (const printer of seen) {
    const known = before.find(row => row.remote_id === printer.remote_id)
    const { remote_id, name, description, computer, state, raw } = printer
    const now = { name, description, computer, state, raw }
    const same = known && entriesOf(now).every(([key, value]) => known[key] === value) && sameJson(known.papers, printer.papers)
    if (!same) changed = true
    const row = { ...now, papers: JSON.stringify(printer.papers), seen_at: at.toISOString() }
    await db
      .insertInto('printers')
      .values({ company_id, kind, remote_id, ...row })
      .onConflict(conflict => conflict.columns(['operator_id', 'company_id', 'kind', 'remote_id']).doUpdateSet(row))
      .execute()
  }
  const gone = before.filter(row => row.state !== 'gone' && !seen.some(printer => printer.remote_id === row.remote_id)).map(row => row.id)
  if (gone.length > 0) {
    changed = true
    await db.updateTable('printers').set({ state: 'gone' }).where('id', '=', sql<number>`any(${gone})`).execute()
  }
  return changed
}

/** Ignores the order of keys: jsonb has its own. */
const sameJson = (a: unknown, b: unknown) => sorted(a) === sorted(b)
const sorted = (value: unknown): string => JSON.stringify(Object.entries(value ?? {}).sort(([a], [b]) => a.localeCompare(b)))

export async function changePrinter(
  db: Db,
  id: number,
  change: { fallback_printer_id?: number | null; raw_override?: boolean | null },
): Promise<void> {
  if (Object.keys(change).length > 0) await db.updateTable('printers').set(change).where('id', '=', id).execute()
}

/** A person has scanned the code of the printer's test page. */
export async function confirmPrinter(db: Db, id: number, at: Date): Promise<void> {
  await db.updateTable('printers').set({ proved_at: at.toISOString() }).where('id', '=', id).execute()
}

/** The next number for a test page of this company. */
export const nextTestNumber = (db: Db, company_id: number): Promise<number> => nextNumber(db, company_id, 'test_print', 1_000)

export const printedOn = (db: Db, printer_id: number, now: Date) =>
  db.updateTable('printers').set({ last_print_at: now.toISOString() }).where('id', '=', printer_id).execute()
