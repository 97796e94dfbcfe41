/** Changes of printers: what their providers list, what people set, and when they last printed. */
import { sql } from 'kysely'
import { entriesOf } from '#domain/objects.ts'
import type { PrinterKind, RemotePrinter } from '#integrations/printers/printer.ts'
import type { Db } from '#platform/database/database.ts'
import { nextNumber } from '#platform/database/number-series.ts'
import { printerColumns } from './printers.queries.ts'

/** Stores what a provider or an agent lists. A printer that it no longer lists is `gone`. Returns true when anything changed. */
export async function storePrinters(
  db: Db,
  company_id: number,
  { kind, agent_id = null }: { kind: PrinterKind; agent_id?: number | null },
  seen: readonly RemotePrinter[],
  at: Date,
): Promise<boolean> {
  const before = await db
    .selectFrom('printers')
    .select(printerColumns)
    .where('company_id', '=', company_id)
    .where('kind', '=', kind)
    .where('agent_id', 'is not distinct from', agent_id)
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
      .values({ company_id, kind, agent_id, remote_id, ...row })
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

/** Whether the label printers of the network answer. Returns true when anything changed; what was removed meanwhile stays removed. */
export async function storeStates(
  db: Db,
  printers: readonly { id: number; remote_id: string }[],
  seen: readonly RemotePrinter[],
): Promise<boolean> {
  let changed = false
  for (const { id, remote_id } of printers) {
    const state = seen.find(one => one.remote_id === remote_id)?.state
    if (!state) continue
    const { numUpdatedRows } = await db
      .updateTable('printers')
      .set({ state })
      .where('id', '=', id)
      .where('state', 'not in', [state, 'gone'])
      .executeTakeFirstOrThrow()
    changed ||= numUpdatedRows > 0n
  }
  return changed
}

/** Ignores the order of keys: jsonb has its own. */
const sameJson = (a: unknown, b: unknown) => sorted(a) === sorted(b)
const sorted = (value: unknown): string => JSON.stringify(Object.entries(value ?? {}).sort(([a], [b]) => a.localeCompare(b)))

/** Adds a label printer of the network, or takes back one that was removed; undefined where its address is in use already. */
export async function addRawPrinter(
  db: Db,
  { company_id, remote_id, name }: { company_id: number; remote_id: string; name: string },
  at: Date,
): Promise<number | undefined> {
  const row = { name, description: 'ZPL', computer: remote_id, state: 'online', raw: true, seen_at: at.toISOString() }
  const added = await db
    .insertInto('printers')
    .values({ company_id, kind: 'raw9100', remote_id, ...row })
    .onConflict(conflict =>
      conflict.columns(['operator_id', 'company_id', 'kind', 'remote_id']).doUpdateSet(row).where('printers.state', '=', 'gone'),
    )
    .returning('id')
    .executeTakeFirst()
  return added?.id
}

/** Removes a printer from the lists: its print jobs still name it. */
export const removePrinter = (db: Db, id: number) =>
  db.updateTable('printers').set({ state: 'gone', fallback_printer_id: null }).where('id', '=', id).execute()

export async function changePrinter(
  db: Db,
  id: number,
  change: { fallback_printer_id?: number | null; raw_override?: boolean | null },
): Promise<void> {
  if (Object.keys(change).length > 0) await db.updateTable('printers').set(change).where('id', '=', id).execute()
}

/** The printers of agents that have been silent since `before` are off line, of all operators: only the system role sees them. */
export const storeLostAgents = (db: Db, before: Date) =>
  db
    .updateTable('printers')
    .set({ state: 'offline' })
    .where('kind', '=', 'agent')
    .where('state', '=', 'online')
    .where(eb =>
      eb.exists(
        eb
          .selectFrom('print_agents as a')
          .select(sql`1`.as('one'))
          .whereRef('a.operator_id', '=', 'printers.operator_id')
          .whereRef('a.id', '=', 'printers.agent_id')
          .where('a.last_seen_at', '<', before.toISOString()),
      ),
    )
    .returning(['operator_id', 'company_id'])
    .execute()

/** A person has scanned the code of the printer's test page. */
export async function confirmPrinter(db: Db, id: number, at: Date): Promise<void> {
  await db.updateTable('printers').set({ proved_at: at.toISOString() }).where('id', '=', id).execute()
}

/** The next number for a test page of this company. */
export const nextTestNumber = (db: Db, company_id: number): Promise<number> => nextNumber(db, company_id, 'test_print', 1_000)

export const printedOn = (db: Db, printer_id: number, now: Date) =>
  db.updateTable('printers').set({ last_print_at: now.toISOString() }).where('id', '=', printer_id).execute()
