/** The same arrivals at the bare stack: what Fastify, pg and PostgreSQL cost by themselves on this machine, in this run. */
import { spawn } from 'node:child_process'
import { once as event } from 'node:events'
import http from 'node:http'
import { join } from 'node:path'
import type { Chance } from '#optimization/random/seeded-random.ts'
import { type BenchApp, processorSeconds, root, type Server, type Tenant } from '../bench-app.ts'
import { type Ask, once } from '../measure.ts'
import { anyIds, newOrder } from '../requests.ts'
import { arrivals, type Measured, note, nothingMeasured, play } from './open-loop.ts'
import { scansOfOrder, shares } from './traffic.ts'

export interface BareStack {
  run(rate: number, seconds: number): Promise<{ measured: Measured; processor: number }>
  close(): Promise<void>
}

export async function openBareStack(testApp: BenchApp, tenants: readonly Tenant[], chance: Chance): Promise<BareStack> {
  await testApp.plain.query(
    'create table if not exists bench_written (id bigint generated always as identity primary key, operator_id bigint, order_id bigint, content jsonb)',
  )
  const child = spawn(process.execPath, [join(root, 'bench/load/bare-stack.ts')], {
    env: { ...process.env, DATABASE_URL: testApp.url },
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const port = await new Promise<number>((resolve, reject) => {
    child.once('exit', code => reject(new Error(`The bare stack ended with ${code}`)))
    child.stdout.on('data', text => {
      const found = /:(\d+)\s*$/.exec(String(text))?.[1]
      if (found) resolve(Number(found))
    })
  })
  const agent = new http.Agent({ keepAlive: true, maxSockets: 256, scheduling: 'lifo' })
  const ids = new Map<Tenant, number[]>()
  for (const tenant of tenants) ids.set(tenant, await anyIds(testApp, tenant))
  const order = JSON.stringify(newOrder('bare'))
  const each = testApp.orders / testApp.tenants.length
  let steps = 0
  const askOf = (kind: keyof typeof shares): { kind: string; ask: Ask } => {
    const tenant = tenants[chance.below(tenants.length)] as Tenant
    const { operator_id, company_id } = tenant.scope
    const some = ids.get(tenant) as number[]
    const id = some[chance.below(some.length)]
    const write = (body: string): Ask => ({ method: 'POST', path: `/${operator_id}/write/${id}`, body })
    if (kind === 'open') return { kind, ask: { path: `/${operator_id}/order/${id}` } }
    if (kind === 'page') return { kind, ask: { path: `/${operator_id}/newest` } }
    if (kind === 'search') {
      const words = `'${company_id}/${100_000 + chance.below(each)}'`
      return { kind, ask: { path: `/${operator_id}/search?words=${encodeURIComponent(words)}` } }
    }
    if (kind === 'create') return { kind, ask: write(order) }
    const step = steps++ % (scansOfOrder + 2)
    return { kind: step === 0 ? 'begin' : step <= scansOfOrder ? 'scan' : 'label', ask: write('{"code":"2000000000017"}') }
  }
  const used = () => processorSeconds(testApp, { process: child } as Server)
  return {
    async run(rate, seconds) {
      const measured = nothingMeasured()
      const before = await used()
      await play(arrivals(shares, rate, seconds, chance), async (arrival, from) => {
        const { kind, ask } = askOf(arrival)
        const { status, text } = await once(agent, '127.0.0.1', port, ask)
        if (status >= 400) throw new Error(`${kind} at the bare stack: ${status} ${text.slice(0, 200)}`)
        note(measured, kind, performance.now() - from)
      })
      const after = await used()
      return { measured, processor: after.server - before.server + after.database - before.database }
    },
    async close() {
      agent.destroy()
      const ended = event(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}
