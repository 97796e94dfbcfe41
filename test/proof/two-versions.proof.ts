/**
 * An upgrade while people work: the older version goes on with the tables of the newer one, both answer beside each other, and the older one is
 * taken out. Nothing that was accepted is lost or doubled, and no answer is an internal error.
 *
 * The older version is the last tag; without one, the commit before the last that changed the tables. `--revision` names another.
 */
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { expect, it } from 'vitest'
import { hashToken, newToken } from '#platform/crypto/vault.ts'
import { openDatabase } from '#platform/database/database.ts'
import { migrate } from '#platform/database/migrate.ts'
import { startPostgres } from '#platform/postgres/embedded-postgres.ts'
import { buildOperator, scopeOfCompany } from '../../src/app/demo/builders.ts'
import { createActors } from '../actors.ts'
import { sender } from '../sender.ts'
import { type ServerProcess, send, startServer } from '../server-process.ts'

const root = join(import.meta.dirname, '../..')
const git = (...words: string[]) => execFileSync('git', words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()

/** What a person would call the version before this one. */
function olderRevision(): { revision: string; because: string } {
  if (process.env.PROOF_REVISION) return { revision: process.env.PROOF_REVISION, because: 'as named' }
  try {
    return { revision: git('describe', '--tags', '--abbrev=0', 'HEAD^'), because: 'the last tag' }
  } catch {
    const changed = git('log', '--first-parent', '-1', '--format=%H', '--', 'migrations')
    return {
      revision: git('rev-parse', '--short', `${changed}^`),
      because: 'there is no tag: the commit before the last that changed the tables',
    }
  }
}

/** The sources of a revision with the packages of its lock file. */
function checkOut(revision: string, folder: string): void {
  mkdirSync(folder)
  const archive = join(folder, 'sources.tar')
  execFileSync('git', ['archive', '--output', archive, revision], { cwd: root })
  execFileSync('tar', ['-xf', archive, '-C', folder])
  rmSync(archive)
  const lock = (of: string) => readFileSync(join(of, 'package-lock.json'), 'utf8')
  // The same packages: installing them again would show nothing else.
  if (lock(folder) === lock(root)) {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    return
  }
  execFileSync('npm', ['ci', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

it('of two versions on one database loses nothing that was accepted', async () => {
  const amount = Number(process.env.PROOF_AMOUNT ?? 200)
  const until = performance.now() + Number(process.env.PROOF_MINUTES ?? 30) * 60_000
  const { revision, because } = olderRevision()
  const data_dir = mkdtempSync(join(tmpdir(), 'pakhus-two-versions-'))
  const older = join(data_dir, 'older')
  checkOut(revision, older)
  const files = join(data_dir, 'data')
  const settings = { max_connections: '400' }
  const postgres = await startPostgres({ dataDir: join(data_dir, 'postgres'), log: () => undefined, settings })
  const { url } = postgres
  const env = { DATA_DIR: files, DATABASE_URL: url, SECRET_KEY: 'two-versions'.repeat(4), API_KEY_CALLS_PER_MINUTE: '1000000' }
  const startOlder = () => startServer(env, { folder: older })
  const open: { kill(signal: NodeJS.Signals): Promise<void> }[] = []
  const keep = (server: ServerProcess) => {
    open.push(server)
    return server
  }
  const pool = new pg.Pool({ connectionString: url, max: 4 })
  pool.on('error', () => undefined)
  const database = openDatabase(url, { connections: 4 })
  try {
    // It makes its own tables, as it did when it was installed, and runs on while the newer version changes them.
    let old = keep(await startOlder())
    const added = await migrate(url)
    const names = (folder: string) => new Set(readdirSync(join(folder, 'migrations')))
    expect(added.toSorted()).toEqual([...names(root)].filter(name => !names(older).has(name) && name.endsWith('.sql')).toSorted())
    const young = keep(await startServer(env))

    const operator = await buildOperator(database, {
      name: 'Versions',
      main: { code: 'versions', name: 'Versions', settings: { packing_ip_pattern: '127\\.0\\.0\\.1', sender, print_slip: true } },
    })
    const scope = scopeOfCompany(operator)
    const key = newToken('pk_')
    await database.transaction(scope, db =>
      db
        .insertInto('cms_keys')
        .values({ name: 'versions', prefix: key.slice(0, 8), key_hash: hashToken(key) })
        .execute(),
    )
    const printers = { label_printer_id: 0, a4_printer_id: 0 }
    let turn = 0
    let upgraded = false
    const oldNow = () => (upgraded ? young : old)
    const crewAt = (server: () => ServerProcess) =>
      createActors({
        database,
        pool,
        operator,
        data_dir: files,
        server,
        printers: () => printers,
        among: "coalesce(o.external_id, '') not like 'V-%'",
      })
    // Of the third every request goes to the other version.
    const crews = [crewAt(oldNow), crewAt(() => young), crewAt(() => (turn++ % 2 ? young : oldNow()))]
    const [crew] = crews
    if (!crew) throw new Error('No crew')
    const { token } = await crew.hire('Lead', ['admin'])
    const { body } = await send(young.port, { method: 'GET', path: 'print_node/printers/list', company: 'versions', token })
    for (const { id, paper } of (body as { printers: { id: number; paper: string }[] }).printers)
      printers[paper === 'label' ? 'label_printer_id' : 'a4_printer_id'] = id

    const wrong: string[] = []
    const accepted: string[] = []
    let answers = 0
    const ask = async (server: ServerProcess, method: string, path: string, more: { token: string; body?: unknown }) => {
      const { status, body } = await send(server.port, { method, path, company: 'versions', ...more })
      answers++
      if (status >= 400) wrong.push(`${method} ${path}: ${status} ${JSON.stringify(body).slice(0, 200)}`)
      return { status, body }
    }
    const newOrder = (external_id: string) => ({
      ...{ external_id, order_no: external_id, currency: 'DKK', payment_status: 'paid', customer: { name: 'Lene Hansen' } },
      ship_to: { name: 'Lene Hansen', address1: 'Skibhusvej 52', postcode: '5000', city: 'Odense C', country: 'DK' },
      lines: [{ external_id: '1', sku: 'CAP-01', name: 'Cap', qty: '1', unit_price_excl_vat: '100', vat_percent: '25' }],
    })
    let over = false
    /** A shop sends an order to one version; the office finds and opens it at the other. */
    const office = async () => {
      while (!over) {
        const servers = turn++ % 2 ? [young, oldNow()] : [oldNow(), young]
        const id = `V-${randomUUID().slice(0, 8)}`
        const sent = await ask(servers[0] as ServerProcess, 'POST', 'cms/orders', { token: key, body: newOrder(id) })
        if (sent.status < 300) accepted.push(id)
        // In the moment of the upgrade the other version may be the same one.
        const other = servers[1] === old && upgraded ? young : (servers[1] as ServerProcess)
        const found = await ask(other, 'GET', `orders/search/?query=${id}`, { token })
        const [row] = (found.body as { rows?: { id: number }[] }).rows ?? []
        if (!row) wrong.push(`${id} was accepted and is not found: ${JSON.stringify(found.body).slice(0, 200)}`)
        else await ask(oldNow(), 'GET', `orders/${row.id}`, { token })
      }
    }
    const closed = () => crews.reduce((sum, { confirmed }) => sum + confirmed.closed.length, 0)
    const work = Promise.all([...crews.flatMap((one, k) => [1, 2].map(n => one.pack(`Bench ${k}-${n}`, () => over))), office()])
    work.catch(() => (over = true))
    const reach = async (share: number) => {
      while (closed() < amount * share && !over && performance.now() < until) await pause(50)
    }
    await reach(0.4)
    // The older version starts anew on tables that it does not know, and one more of it takes over from the first.
    const first = old
    old = keep(await startOlder())
    await pause(500)
    await first.kill('SIGTERM')
    await reach(0.7)
    upgraded = true
    await pause(500)
    await old.kill('SIGTERM')
    await reach(1)
    over = true
    await work
    await crew.settle()
    for (const one of crews) await one.nothingLost()
    const { rows } = await pool.query<{ external_id: string; n: number }>(
      `select external_id, count(*)::int n from orders where external_id like 'V-%' group by 1`,
    )
    const kept = new Map(rows.map(row => [row.external_id, row.n]))
    const lost = accepted.filter(id => kept.get(id) !== 1)
    const refused = crews.flatMap(({ confirmed }) => confirmed.refused)
    const broken = crews.flatMap(({ confirmed }) => confirmed.broken)
    const all = answers + crews.reduce((sum, { confirmed }) => sum + confirmed.answers, 0)
    console.info(
      `two-versions: ${revision} (${because}) beside this version, ${added.length} migrations under it: ${closed()} orders packed, ` +
        `${accepted.length} received, ${all} answers: ${lost.length} lost, ${wrong.length + refused.length} refused, ${broken.length} broken off`,
    )
    expect(closed()).toBeGreaterThan(0)
    expect({ lost, wrong, refused, broken }).toEqual({ lost: [], wrong: [], refused: [], broken: [] })
  } finally {
    for (const server of open) await server.kill('SIGKILL')
    await pool.end()
    await database.close()
    await postgres.stop()
    if (existsSync(data_dir)) rmSync(data_dir, { recursive: true, force: true })
  }
})
