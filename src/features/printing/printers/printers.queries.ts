/** Printers in the database: the last that their provider said of them, and what people set. */
import { type Selectable, sql } from 'kysely'
import * as z from 'zod'
import type { RemotePrinter } from '#integrations/printers/printer.ts'
import type { Db } from '#platform/database/database.ts'
import type { PrintersRow } from '#platform/database/schema.ts'
import type { Printer } from './printers.contract.ts'
import { paperOf } from './printers.rules.ts'

const Papers = z.record(z.string(), z.tuple([z.number(), z.number()])).catch({})

const columns = [
  'id',
  'company_id',
  'kind',
  'remote_id',
  'name',
  'description',
  'computer',
  'state',
  'papers',
  'raw',
  'raw_override',
  'fallback_printer_id',
  'seen_at',
  'last_print_at',
  'proved_at',
] as const
type Row = Pick<Selectable<PrintersRow>, (typeof columns)[number]>

export interface KnownPrinter extends Printer {
  company_id: number
}

function printerOf(row: Row): KnownPrinter {
  const papers = Papers.parse(row.papers)
  const raw = row.raw_override ?? row.raw
  return { ...row, state: row.state as Printer['state'], papers, raw, paper: paperOf({ ...row, papers, raw }) }
}

export async function printerById(db: Db, id: number): Promise<KnownPrinter | undefined> {
  const row = await db.selectFrom('printers').select(columns).where('id', '=', id).executeTakeFirst()
  return row && printerOf(row)
}

/** The printers of one company; those that are gone only while something still points at them. */
export async function printersOf(db: Db, company_id: number): Promise<KnownPrinter[]> {
  const rows = await db
    .selectFrom('printers')
    .select(columns)
    .where('company_id', '=', company_id)
    .where(eb =>
      eb.or([
        eb('state', '<>', 'gone'),
        eb.exists(
          eb
            .selectFrom('printers as other')
            .select(sql`1`.as('one'))
            .whereRef('other.operator_id', '=', 'printers.operator_id')
            .whereRef('other.fallback_printer_id', '=', 'printers.id'),
        ),
      ]),
    )
    .orderBy('kind', 'desc')
    .orderBy('name')
    .orderBy('id')
    .execute()
  return rows.map(printerOf)
}

/** Writes down what a provider said. Those that it no longer lists are gone. Answers true when anything looks different now. */
export async function keepPrinters(
  db: Db,
  company_id: number,
  kind: 'printnode' | 'file',
  seen: readonly RemotePrinter[],
  at: Date,
): Promise<boolean> {
  const before = await db
    .selectFrom('printers')
    .select(columns)
    .where('company_id', '=', company_id)
    .where('kind', '=', kind)
    .orderBy('id')
    .execute()
  let changed = false
  for (const printer of seen) {
    const known = before.find(row => row.remote_id === printer.remote_id)
    const { remote_id, name, description, computer, state, raw } = printer
    const now = { name, description, computer, state, raw }
    const same =
      known &&
      Object.entries(now).every(([key, value]) => known[key as keyof typeof now] === value) &&
      sameJson(known.papers, printer.papers)
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

/** Key order aside: jsonb keeps its own. */
const sameJson = (a: unknown, b: unknown) => sorted(a) === sorted(b)
const sorted = (value: unknown): string => JSON.stringify(Object.entries((value ?? {}) as object).sort(([a], [b]) => a.localeCompare(b)))

export async function changePrinter(
  db: Db,
  id: number,
  change: { fallback_printer_id?: number | null; raw_override?: boolean | null },
): Promise<void> {
  if (Object.keys(change).length > 0) await db.updateTable('printers').set(change).where('id', '=', id).execute()
}

export async function provedPrinter(db: Db, id: number, at: Date): Promise<void> {
  await db.updateTable('printers').set({ proved_at: at.toISOString() }).where('id', '=', id).execute()
}

/** The next of the numbers that a company's test pages carry. */
export async function nextTestNumber(db: Db, company_id: number): Promise<number> {
  const { next } = await db
    .insertInto('number_series')
    .values({ company_id, name: 'test_print', next: 1001 })
    .onConflict(conflict =>
      conflict.columns(['operator_id', 'company_id', 'name']).doUpdateSet(eb => ({ next: eb('number_series.next', '+', 1) })),
    )
    .returning('next')
    .executeTakeFirstOrThrow()
  return next
}
