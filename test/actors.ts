/** Actors of a fault test: packing stations that keep packing through every failure, and the checks of the result. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { Permission } from '#contract/access.ts'
import { hashToken, newToken } from '#platform/crypto/vault.ts'
import type { Database } from '#platform/database/database.ts'
import { type BuiltOperator, buildUser, scopeOfCompany } from '../src/app/demo/builders.ts'
import { placeOrderOnce } from './orders.ts'
import { recoveryTime, untilConfirmed } from './retries.ts'
import { type HttpReply, type ServerProcess, sendUntilAnswered } from './server-process.ts'

export const rows = async <T extends object>(client: pg.Client | pg.Pool, text: string): Promise<T[]> => (await client.query<T>(text)).rows

/** Invariants of every packed order after any number of failures; `among` the orders `o` that stations pack. */
export async function ledger(client: pg.Client | pg.Pool, among = 'true'): Promise<Record<string, unknown[]>> {
  const of = (text: string) => rows(client, text)
  return {
    'packed twice or not at all': await of(`select o.order_no, o.work_state from orders o where ${among} and (
      (select count(*) from packing_sessions s where s.order_id = o.id and s.state = 'done') <> 1 or o.work_state <> 'packed')`),
    'pieces that are not the scans': await of(`select o.order_no from orders o where ${among} and
      (select sum(packed_qty) from order_lines l where l.order_id = o.id) is distinct from
      (select sum(quantity) from packing_scans s where s.order_id = o.id and undone_by is null)`),
    'parcels with none or several live labels': await of(`select o.order_no from orders o where ${among} and
      (select count(*) from shipments s where s.order_id = o.id and s.state not in ('cancelled', 'blocked', 'draft', 'error')) <> 1`),
    'labels without exactly one finished print':
      await of(`select s.id, s.order_id from shipments s where s.state = 'booked' and s.label_printer_id is not null and
      (select array_agg(p.state) from print_jobs p where p.shipment_id = s.id and p.document = 'label') is distinct from array['done']`),
    'dispatch notes not printed exactly once': await of(`select o.order_no from orders o where ${among} and
      exists (select from shipments s where s.order_id = o.id and s.state = 'booked' and s.a4_printer_id is not null) and
      (select array_agg(p.state) from print_jobs p where p.order_id = o.id and p.document = 'slip') is distinct from array['done']`),
    'numbers given twice': await of('select tracking_no from shipments group by 1 having count(*) > 1'),
    'sessions still open': await of('select order_id, state from packing_sessions where ended_at is null'),
    'shipments still in doubt': await of(`select id, state from shipments where state in ('booking', 'unknown')`),
  }
}
export const clean = {
  'packed twice or not at all': [],
  'pieces that are not the scans': [],
  'parcels with none or several live labels': [],
  'labels without exactly one finished print': [],
  'dispatch notes not printed exactly once': [],
  'numbers given twice': [],
  'sessions still open': [],
  'shipments still in doubt': [],
}
/** As if the leases had run out and the queue's waiting time were over. */
export async function endWaits(pool: pg.Pool): Promise<void> {
  await pool.query('update shipments set leased_until = now() where leased_until > now()')
  await pool.query('update print_jobs set leased_until = now() where leased_until > now()')
  await pool.query('update graphile_worker._private_jobs set run_at = now() where locked_at is null and run_at > now()')
}

/** The sheets of paper that came out. */
export function sheets(data_dir: string, code: string, printer: 'labels' | 'a4' = 'labels'): number {
  const folder = join(data_dir, 'prints', code, printer)
  return existsSync(folder) ? readdirSync(folder).filter(name => name.endsWith('.json')).length : 0
}

export interface Actors {
  /** Everything that the server confirmed to a client and that must still exist; what it refused with 503; connections that broke. */
  confirmed: { scans: string[]; closed: number[]; refused: string[]; broken: string[]; answers: number }
  hire(name: string, permissions: Permission[]): Promise<{ token: string }>
  /** Sends until the server answers, as the packing station does: the same scan under the same id. */
  insist(token: string, path: string, body: object): Promise<Record<string, unknown>>
  /** Scans an order to its last piece. */
  scanAll(token: string, station: string): Promise<number>
  /** Packs order after order until `stop` returns true; answers how many. */
  pack(station: string, stop: () => boolean): Promise<number>
  /** Ends all waits. Throws what is wrong then; `but` leaves invariants out. */
  settle(but?: readonly (keyof typeof clean)[]): Promise<void>
  nothingLost(): Promise<void>
}

export interface Site {
  database: Database
  pool: pg.Pool
  operator: BuiltOperator
  data_dir: string
  server(): ServerProcess
  /** SQL: the orders `o` that stations pack, where there are others. */
  among?: string
  /** The printers that a packing station sends when it closes an order. */
  printers(): { label_printer_id: number; a4_printer_id: number }
}

const messageOf = ({ body }: HttpReply): string => String((body as { message?: string }).message ?? body)

export function createActors({ database, pool, operator, data_dir, server, printers, among }: Site): Actors {
  /** An attempt that was not confirmed may leave a second user of this name, who does nothing. */
  const hire = (name: string, permissions: Permission[]): Promise<{ token: string }> =>
    untilConfirmed(async () => {
      const scope = scopeOfCompany(operator)
      const user_id = await buildUser(database, scope, { name, permissions })
      const token = newToken()
      await database.transaction(scope, db =>
        db
          .insertInto('sessions')
          .values({ user_id, token_hash: hashToken(token), expires_at: new Date(Date.now() + 86_400_000).toISOString() })
          .execute(),
      )
      return { token }
    })

  const confirmed: Actors['confirmed'] = { scans: [], closed: [], refused: [], broken: [], answers: 0 }

  async function insist(token: string, path: string, body: object): Promise<Record<string, unknown>> {
    const until = Date.now() + recoveryTime
    while (Date.now() < until) {
      const asked = { method: 'POST', path, company: operator.main.code, token, body }
      const reply = await sendUntilAnswered(server, asked, (why, refusal) => {
        const said = refusal && messageOf(refusal)
        if (said !== undefined && /^[A-Z].*\.$/.test(said)) confirmed.refused.push(said)
        else confirmed.broken.push(`${path}: ${why}`)
      })
      if (reply.status < 300) {
        confirmed.answers++
        return reply.body as Record<string, unknown>
      }
      const message = messageOf(reply)
      if (reply.status !== 409 || !/right now|not open here/.test(message))
        throw new Error(`${path}: ${reply.status} ${message}\n${server().written().slice(-1_500)}`)
      if (/not open here/.test(message)) return {}
      await pause(20)
    }
    throw new Error(`${path} was busy all the time`)
  }
  async function scanAll(token: string, station: string): Promise<number> {
    const { id, lines } = await placeOrderOnce(database, scopeOfCompany(operator), { agent_code: 'own', shipping_method: 'van' })
    await insist(token, `packing/order_start/${id}`, { station })
    for (const more of [
      { path: 'scan', code: '5701234567890' },
      { path: 'scan', code: '5701234567890' },
      { path: 'count', order_line_id: lines[1], quantity: 1 },
    ]) {
      const scan_id = randomUUID()
      const { path, ...body } = more
      await insist(token, `packing/order/${id}/${path}`, { scan_id, ...body })
      confirmed.scans.push(scan_id)
    }
    return id
  }

  async function pack(station: string, stop: () => boolean): Promise<number> {
    const { token } = await hire(station, ['scan_admin'])
    let packed = 0
    while (!stop()) {
      const id = await scanAll(token, station)
      const { outcome } = await insist(token, `packing/order/${id}/close`, printers())
      assert.match(String(outcome), /labelled|waiting/)
      confirmed.closed.push(id)
      packed++
    }
    return packed
  }

  async function settle(but: readonly (keyof typeof clean)[] = []): Promise<void> {
    const until = Date.now() + 120_000
    for (;;) {
      await endWaits(pool)
      const found = await ledger(pool, among)
      for (const name of but) found[name] = []
      if (Object.values(found).every(list => list.length === 0) || Date.now() > until) return assert.deepEqual(found, clean)
      await pause(500)
    }
  }

  async function nothingLost(): Promise<void> {
    const kept = await rows<{ id: string; n: number }>(pool, 'select id, count(*)::int n from packing_scans where quantity > 0 group by id')
    const counts = new Map(kept.map(row => [row.id, row.n]))
    assert.deepEqual(
      confirmed.scans.filter(id => counts.get(id) !== 1),
      [],
    )
    const closed = await rows<{ order_id: number }>(pool, `select order_id::int from packing_sessions where state = 'done'`)
    assert.deepEqual(
      confirmed.closed.filter(id => !closed.some(row => row.order_id === id)),
      [],
    )
    const [jobs] = await rows<{ n: number }>(pool, `select count(*)::int n from print_jobs where document = 'label'`)
    assert.equal(sheets(data_dir, operator.main.code), jobs?.n)
  }

  return { confirmed, hire, insist, scanAll, pack, settle, nothingLost }
}
