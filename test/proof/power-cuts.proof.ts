/** The power of a whole guest is cut while two stations pack: nothing that was confirmed is lost, and without durability the same finds the loss. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { newChance } from '#optimization/random/seeded-random.ts'
import { hashToken, newToken } from '#platform/crypto/vault.ts'
import { openDatabase } from '#platform/database/database.ts'
import { migrate } from '#platform/database/migrate.ts'
import { startPostgres } from '#platform/postgres/embedded-postgres.ts'
import { type BuiltOperator, buildOperator, buildUser, scopeOfCompany } from '../../src/app/demo/builders.ts'
import { sender } from '../sender.ts'
import { send, startServer } from '../server-process.ts'
import { bootGuest, checkTools, type GuestPlan, makeDisk, repairDisk } from './power-cuts.ts'

type Site = Pick<GuestPlan, 'operator' | 'printers'>

/** A warehouse with its printers, stopped in order. */
async function prepare(data_dir: string): Promise<Site> {
  const postgres = await startPostgres({ dataDir: join(data_dir, 'postgres'), log: () => undefined })
  await migrate(postgres.url)
  const database = openDatabase(postgres.url, { connections: 4 })
  const operator: BuiltOperator = await buildOperator(database, {
    name: 'Power',
    main: { code: 'power', name: 'Power', settings: { packing_ip_pattern: '127\\.0\\.0\\.1', sender, print_slip: true } },
  })
  const scope = scopeOfCompany(operator)
  const user_id = await buildUser(database, scope, { name: 'Lead', permissions: ['admin'] })
  const token = newToken()
  const expires_at = new Date(Date.now() + 86_400_000).toISOString()
  await database.transaction(scope, db =>
    db
      .insertInto('sessions')
      .values({ user_id, token_hash: hashToken(token), expires_at })
      .execute(),
  )
  const server = await startServer({ DATA_DIR: data_dir, DATABASE_URL: postgres.url })
  const { body } = await send(server.port, { method: 'GET', path: 'print_node/printers/list', company: 'power', token })
  const of = (wanted: string) => (body as { printers: { id: number; paper: string }[] }).printers.find(one => one.paper === wanted)?.id ?? 0
  const printers = { label_printer_id: of('label'), a4_printer_id: of('a4') }
  await server.kill('SIGTERM')
  await database.close()
  await postgres.stop()
  return { operator, printers }
}

interface Course {
  cuts: number
  scans: number
  orders: number
  /** What was lost, or why it did not start again. */
  lost?: string
}

async function cutRepeatedly(durable: boolean, cuts: number, until: number, chance: ReturnType<typeof newChance>): Promise<Course> {
  const scratch = mkdtempSync(join(tmpdir(), 'pakhus-power-cuts-'))
  // The account of the database enters it: its folder lies on the disk too.
  chmodSync(scratch, 0o755)
  mkdirSync(join(scratch, 'first'), { mode: 0o755 })
  try {
    const site = await prepare(join(scratch, 'first'))
    const disk = join(scratch, 'disk')
    makeDisk(disk, join(scratch, 'first'))
    const plan: GuestPlan = { ...site, data_dir: join(scratch, 'data'), durable, last: false, scans: [], closed: [] }
    for (let cut = 0; ; cut++) {
      const last = cut >= cuts || performance.now() > until
      const guest = bootGuest(scratch, disk, { ...plan, last })
      const found = { cuts: cut, scans: plan.scans.length, orders: plan.closed.length }
      try {
        const first = await guest.next()
        if (first !== 'whole' && cut === 0) throw new Error(`The guest does not start: ${guest.written().slice(-2_000)}`)
        if (first !== 'whole') return { ...found, lost: first ?? guest.written().slice(-1_000) }
        if (last) return found
        const enough = 1 + chance.below(40)
        for (let answers = 0; answers < enough; answers++) {
          const [kind, id = ''] = (await guest.next())?.split(' ') ?? []
          if (kind === 'scan') plan.scans.push(id)
          else if (kind === 'closed') plan.closed.push(Number(id))
          else throw new Error(`The guest stopped: ${guest.written().slice(-2_000)}`)
        }
        await pause(chance.below(100))
      } finally {
        await guest.cut()
      }
      repairDisk(disk)
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

it('loses nothing that was confirmed when the power of a whole machine is cut', async () => {
  checkTools()
  const cuts = Number(process.env.PROOF_AMOUNT ?? 50)
  const until = performance.now() + Number(process.env.PROOF_MINUTES ?? 120) * 60_000
  const chance = newChance(Number(process.env.PROOF_SEED ?? 1))
  const control = await cutRepeatedly(false, 3, until, chance)
  const course = await cutRepeatedly(true, cuts, until, chance)
  console.info(
    `power-cuts: ${course.cuts} cuts, ${course.scans} confirmed scans and ${course.orders} orders: ${course.lost ?? '0 lost, the disk repaired itself and the server started each time'}; ` +
      `without durability: ${control.lost ? `lost after ${control.cuts} cut (${control.lost.slice(0, 200)})` : 'nothing lost, so that this proves nothing'}`,
  )
  expect(course.lost).toBeUndefined()
  expect(control.lost).toBeDefined()
})
