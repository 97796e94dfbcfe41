/** The clock of a simulated database: what its tables and statements take for the present is a row that the simulation writes. */
import { syncBuiltinESMExports } from 'node:module'
import promises from 'node:timers/promises'
import pg from 'pg'

/** Days before and after it are days of work; sessions of users, which end by the real clock, outlive it. */
export const morning = new Date('2026-03-11T06:00:00Z')

/**
 * Functions of the schema `simulation` stand before those of `pg_catalog` in the path, and defaults of columns are bound to them anew.
 * Functions of the queue have a path of their own and keep the real clock.
 */
const setUp = `
  create schema simulation;
  create table simulation.clock (at timestamptz not null);
  insert into simulation.clock values ('${morning.toISOString()}');
  create function simulation.now() returns timestamptz language sql stable as 'select at from simulation.clock';
  create function simulation.clock_timestamp() returns timestamptz language sql stable as 'select at from simulation.clock';
  grant usage on schema simulation to public;
  grant select on simulation.clock to public;
  do $$
  declare one record;
  begin
    for one in
      select d.adrelid::regclass as name, a.attname, pg_get_expr(d.adbin, d.adrelid) as text
      from pg_attrdef d join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum join pg_class c on c.oid = d.adrelid
      where c.relnamespace = 'public'::regnamespace and a.attgenerated = '' and not c.relispartition
        and pg_get_expr(d.adbin, d.adrelid) ~ '(^|[^_a-z])(now|clock_timestamp)\\(\\)'
    loop
      execute format('alter table %s alter column %I set default %s', one.name, one.attname,
        regexp_replace(one.text, '(^|[^_a-z])(now|clock_timestamp)\\(\\)', '\\1simulation.\\2()', 'g'));
    end loop;
    execute format('alter database %I set search_path = simulation, pg_catalog, public', current_database());
  end $$;`

export async function installClock(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(setUp)
  await client.end()
}

/** Moves the clock of the database. */
export const setClock = (root: pg.Client, at: Date) => root.query('update simulation.clock set at = $1', [at.toISOString()])

/** Everything later than this was written by the real clock. */
export const realTime = '2026-06-01T00:00:00Z'

/** Milliseconds of real time from which on a wait is a deadline. */
const shortestDeadline = 200

/**
 * Deadlines of real time say nothing of a virtual day: on a slow machine they would pass in the midst of a step. Those that begin while
 * `isInside` holds never pass, until the returned function is called.
 */
export function withoutDeadlines(isInside: () => boolean): () => void {
  const { setTimeout } = globalThis
  const { timeout } = AbortSignal
  const wait = promises.setTimeout
  const endless = (milliseconds: number | undefined) => isInside() && (milliseconds ?? 0) >= shortestDeadline
  const later = ((work: () => void, milliseconds?: number, ...values: unknown[]) =>
    endless(milliseconds) ? setTimeout(work, 2 ** 31 - 1).unref() : setTimeout(work, milliseconds, ...values)) as typeof setTimeout
  globalThis.setTimeout = Object.assign(later, { __promisify__: setTimeout.__promisify__ })
  AbortSignal.timeout = milliseconds => (endless(milliseconds) ? new AbortController().signal : timeout.call(AbortSignal, milliseconds))
  promises.setTimeout = (milliseconds, value, options) =>
    endless(milliseconds)
      ? new Promise((_, refuse) => options?.signal?.addEventListener('abort', () => refuse(new Error('It is over')), { once: true }))
      : wait(milliseconds, value, options)
  syncBuiltinESMExports()
  return () => {
    globalThis.setTimeout = setTimeout
    AbortSignal.timeout = timeout
    promises.setTimeout = wait
    syncBuiltinESMExports()
  }
}
