/** Tables of a backup: which there are, their rows as COPY text in a fixed order, and what binds them while they are filled. */
import { createHash, type Hash } from 'node:crypto'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { TableSum } from './archive.ts'

export interface BackupTable {
  /** With its schema, as `public.orders`. */
  name: string
  columns: string[]
  /** Expressions of the primary key: text by its bytes, so that every server sorts alike. */
  order: string[]
  /** The owner too is bound by row-level security and reads as `pakhus_system`. */
  forced: boolean
}

const schemas = ['public', 'graphile_worker']
/** What migrations record of themselves: a restore runs them. */
const recorded = ['public.migrations', 'public.migrations_lock', 'graphile_worker.migrations']

export async function tablesOf(client: pg.Client): Promise<BackupTable[]> {
  const { rows } = await client.query<BackupTable>(
    `select n.nspname || '.' || c.relname as name, c.relforcerowsecurity as forced,
       array(select a.attname::text from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attname collate "C") as columns,
       array(select quote_ident(a.attname) || case when a.attcollation <> 0 then ' collate "C"' else '' end
         from pg_index i cross join unnest(i.indkey::smallint[]) with ordinality k(attnum, n)
         join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
         where i.indrelid = c.oid and i.indisprimary order by k.n) as "order"
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any ($1) and c.relkind in ('r', 'p') and not c.relispartition and n.nspname || '.' || c.relname <> all ($2)
     order by 1`,
    [schemas, recorded],
  )
  return rows
}

const quotedColumns = (client: pg.Client, columns: readonly string[]) => columns.map(name => client.escapeIdentifier(name)).join(', ')

/** Rows as COPY text: one line each. The settings of `fixText` must hold, or equal rows differ between servers. */
export async function* rowsOf(client: pg.Client, { name, columns, order }: BackupTable): AsyncGenerator<Buffer> {
  const by = order.length > 0 ? order.join(', ') : 't::text collate "C"'
  yield* client.query(copyTo(`copy (select ${quotedColumns(client, columns)} from ${name} t order by ${by}) to stdout`))
}

/** Equal values are equal text on every server and in every time zone; nothing ends a session that waits for files. */
export async function fixText(client: pg.Client): Promise<void> {
  await client.query(`set datestyle = 'ISO, MDY'; set timezone = 'UTC'; set intervalstyle = 'postgres'; set bytea_output = 'hex';
    set extra_float_digits = 1; set client_encoding = 'UTF8'; set statement_timeout = 0; set lock_timeout = 0;
    set idle_in_transaction_session_timeout = 0`)
}

/** Counts and hashes the text of one table. */
export class TableSummer {
  #hash: Hash = createHash('sha256')
  #rows = 0
  add(piece: Uint8Array): void {
    this.#hash.update(piece)
    for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) this.#rows++
  }
  sum(): TableSum {
    return { rows: this.#rows, sha256: this.#hash.digest('hex') }
  }
}

export const copyInStatement = (client: pg.Client, { name, columns }: Pick<BackupTable, 'name' | 'columns'>): string =>
  `copy ${name} (${quotedColumns(client, columns)}) from stdin`

/**
 * Frees all tables of foreign keys, triggers and forced row-level security for the length of the transaction and empties them; answers what binds
 * them again, which also checks every reference. COPY into a table does not work under forced row-level security.
 */
export async function unbindTables(client: pg.Client, tables: readonly BackupTable[]): Promise<() => Promise<void>> {
  const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(
    `select k.conrelid::regclass::text as table, quote_ident(k.conname) as name, pg_get_constraintdef(k.oid) as definition
     from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
     where k.contype = 'f' and k.conparentid = 0 and n.nspname = any ($1) order by 1, 2`,
    [schemas],
  )
  const { rows: forced } = await client.query<{ table: string }>(
    `select c.oid::regclass::text as table from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any ($1) and c.relkind in ('r', 'p') and c.relforcerowsecurity order by 1`,
    [schemas],
  )
  // Rules of ours about single changes, such as no new orders at a closed company: the rows of a backup are what they were.
  const { rows: ruled } = await client.query<{ table: string }>(
    `select distinct t.tgrelid::regclass::text as table from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where c.relnamespace = 'public'::regnamespace and not t.tgisinternal and t.tgparentid = 0 order by 1`,
  )
  for (const { table } of ruled) await client.query(`alter table ${table} disable trigger user`)
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`)
  for (const { table } of forced) await client.query(`alter table ${table} no force row level security`)
  if (tables.length > 0) await client.query(`truncate ${tables.map(({ name }) => name).join(', ')}`)
  return async () => {
    for (const { table, name, definition } of keys) await client.query(`alter table ${table} add constraint ${name} ${definition}`)
    for (const { table } of forced) await client.query(`alter table ${table} force row level security`)
    for (const { table } of ruled) await client.query(`alter table ${table} enable trigger user`)
  }
}

export interface SequenceValue {
  name: string
  last_value: string
  is_called: boolean
}

/** Read after the rows: a sequence knows no snapshot, and may be ahead of the rows but not behind. */
export async function sequencesOf(client: pg.Client): Promise<SequenceValue[]> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(n.nspname) || '.' || quote_ident(c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any ($1) and c.relkind = 'S' order by 1`,
    [schemas],
  )
  const values: SequenceValue[] = []
  for (const { name } of rows) {
    const value = await client.query<Omit<SequenceValue, 'name'>>(`select last_value::text, is_called from ${name}`)
    if (value.rows[0]) values.push({ name, ...value.rows[0] })
  }
  return values
}

export async function setSequences(client: pg.Client, sequences: readonly SequenceValue[]): Promise<void> {
  for (const { name, last_value, is_called } of sequences)
    await client.query('select setval($1::regclass, $2::bigint, $3)', [name, last_value, is_called])
}
