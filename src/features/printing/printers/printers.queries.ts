/** Printers in the database: the last that their provider said of them, and what people set. */
import { type Selectable, sql } from 'kysely'
import * as z from 'zod'
import type { Db } from '#platform/database/database.ts'
import type { PrintersRow } from '#platform/database/schema.ts'
import { paperOf } from './printers.rules.ts'
import type { Printer } from './printers.schemas.ts'

const Papers = z.record(z.string(), z.tuple([z.number(), z.number()])).catch({})

export const printerColumns = [
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
  'agent_id',
  'fallback_printer_id',
  'seen_at',
  'last_print_at',
  'proved_at',
] as const
type Row = Pick<Selectable<PrintersRow>, (typeof printerColumns)[number]>

export interface KnownPrinter extends Printer {
  company_id: number
}

function printerOf(row: Row): KnownPrinter {
  const papers = Papers.parse(row.papers)
  const raw = row.raw_override ?? row.raw
  return { ...row, state: row.state as Printer['state'], papers, raw, paper: paperOf({ ...row, papers, raw }) }
}

export async function printerById(db: Db, id: number): Promise<KnownPrinter | undefined> {
  const row = await db.selectFrom('printers').select(printerColumns).where('id', '=', id).executeTakeFirst()
  return row && printerOf(row)
}

/** Whether a station prints on it, or another printer has it as its backup. */
export async function isUsedPrinter(db: Db, id: number): Promise<boolean> {
  const [backup, station] = await Promise.all([
    db.selectFrom('printers').select('id').where('fallback_printer_id', '=', id).limit(1).executeTakeFirst(),
    db
      .selectFrom('station_printers')
      .select('printer_id')
      .where(eb => eb.or([eb('printer_id', '=', id), eb('fallback_printer_id', '=', id)]))
      .limit(1)
      .executeTakeFirst(),
  ])
  return backup !== undefined || station !== undefined
}

/** The label printers of the network that a company added. */
export const rawPrintersOf = (db: Db, company_id: number) =>
  db
    .selectFrom('printers')
    .select(['id', 'remote_id', 'name'])
    .where('company_id', '=', company_id)
    .where('kind', '=', 'raw9100')
    .where('state', '<>', 'gone')
    .orderBy('id')
    .execute()

/** The printers of one company; those that are gone only while something still points at them. */
export async function printersOf(db: Db, company_id: number): Promise<KnownPrinter[]> {
  const rows = await db
    .selectFrom('printers')
    .select(printerColumns)
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
