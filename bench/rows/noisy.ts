/** A noisy company: another one's scans while 24 of its connections search and import. */
import http from 'node:http'
import type { BenchApp, Tenant } from '../bench-app.ts'
import { type Ask, median, ms, once, per, percentiles, type Row } from '../measure.ts'
import { asker, openStations, post, type Station, scanOrUndo, warmUp } from './packing.ts'

const connections = 24
/** Every fourth connection imports. */
const importers = 6
const ordersOfFile = 500
const stations = 20
/** Between two scans of a station, in milliseconds. */
const pause = 250
const seconds = 8
const turns = 3

export interface Noise {
  searches: number
  imports: number
}

export async function noisy(testApp: BenchApp): Promise<Row[]> {
  const ask = await asker(testApp)
  const opened = await openStations(testApp, testApp.tenants[2] as Tenant, stations, ask)
  await warmUp(opened, ask)
  const quiet: ReturnType<typeof percentiles>[] = []
  const loud: ReturnType<typeof percentiles>[] = []
  const made: Noise[] = []
  for (let turn = 0; turn < turns; turn++) {
    quiet.push(await scanTimes(opened, ask))
    const noise = await makeNoise(testApp, testApp.tenants[3] as Tenant)
    loud.push(await scanTimes(opened, ask))
    made.push(await noise.stop())
  }
  for (const station of opened) await ask(post(station, `packing/order/${station.order}/abort`, { empty: true }))
  const row = (name: 'p50' | 'p99'): Row => {
    const ratio = median(loud.map((times, turn) => times[name] / (quiet[turn]?.[name] ?? Number.NaN)))
    return {
      name: 'noisy',
      what: `scan beside ${connections} connections of another company, ${name}`,
      ours: ms(median(loud.map(times => times[name]))),
      limit: `${ms(median(quiet.map(times => times[name])))} alone`,
      ratio: ratio.toFixed(2),
      goal: name === 'p99' ? '≤ 2' : '',
      ok: name !== 'p99' || ratio <= 2,
    }
  }
  const sum = (name: keyof Noise) => made.reduce((all, one) => all + one[name], 0) / (turns * seconds)
  return [
    row('p50'),
    row('p99'),
    {
      name: 'noisy',
      what: `the ${connections} connections meanwhile: searches`,
      ours: per(sum('searches')),
      limit: `${per(sum('imports') * ordersOfFile)} orders imported`,
      ratio: '',
      goal: '> 0',
      ok: made.every(({ searches }) => searches > 0),
    },
  ]
}

async function scanTimes(opened: readonly Station[], ask: (ask: Ask) => Promise<unknown>) {
  const took: number[] = []
  await Promise.all(
    opened.map(async (station, k) => {
      await new Promise(resolve => setTimeout(resolve, (k / opened.length) * pause))
      for (let n = 0; n < (seconds * 1_000) / pause; n++) {
        const from = performance.now()
        await ask(scanOrUndo(station, n))
        const time = performance.now() - from
        took.push(time)
        await new Promise(resolve => setTimeout(resolve, Math.max(0, pause - time)))
      }
    }),
  )
  return percentiles(took)
}

let files = 0

/** An order file whose orders are new. */
function orderFile(): string {
  const name = `N${++files}`
  const header =
    'order_no;ordered_at;ship_name;ship_address1;ship_postcode;ship_city;ship_country;ship_email;sku;name;qty;unit_price_incl_vat;currency'
  const row = (n: number) =>
    `${name}-${n};2026-11-10 10:30;Lene Hansen;Skibhusvej ${n % 90};5000;Odense C;DK;lene@example.test;SKU-0001;Product 1;1;99,00;DKK`
  return [header, ...Array.from({ length: ordersOfFile }, (_, n) => row(n))].join('\r\n')
}

/** Begins to search and to import; what is refused is sent again after a second, as clients do. */
export async function makeNoise(testApp: BenchApp, tenant: Tenant): Promise<{ stop(): Promise<Noise> }> {
  const { port } = await testApp.server()
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections })
  const made: Noise = { searches: 0, imports: 0 }
  let stopped = false
  const ask = async (method: string, path: string, body?: string, type = 'application/json'): Promise<Record<string, unknown>> => {
    for (;;) {
      const { status, text } = await once(agent, '127.0.0.1', port, {
        method,
        path: `/api/${tenant.main.code}/${path}`,
        headers: { host: `${tenant.main.code}.localhost`, authorization: tenant.token },
        ...(body !== undefined && { body, type }),
      })
      if (status < 400) return JSON.parse(text) as Record<string, unknown>
      if (status !== 429 && status !== 503) throw new Error(`${path}: ${status} ${text.slice(0, 300)}`)
      await new Promise(resolve => setTimeout(resolve, 1_000))
    }
  }
  const searcher = async (k: number) => {
    for (let n = k; !stopped; n += connections) {
      await ask('GET', `orders/search/?query=${encodeURIComponent(`first${n % 60} last${n % 40}`)}`)
      made.searches++
    }
  }
  const importer = async () => {
    while (!stopped) {
      const { file_id } = await ask('POST', 'order_imports/file', orderFile(), 'text/csv')
      const { form, mapping } = await ask('POST', 'order_imports/preview', JSON.stringify({ file_id }))
      const started = await ask('POST', 'order_imports', JSON.stringify({ file_id, form, mapping, keep: false }))
      let state = 'queued'
      while (!stopped && (state === 'queued' || state === 'running')) {
        await new Promise(resolve => setTimeout(resolve, 100))
        const found = (await ask('GET', `order_imports/${started.id}`)) as { state?: string; job?: { state: string } }
        state = found.job?.state ?? found.state ?? 'done'
      }
      if (state === 'failed') throw new Error('An import failed')
      if (!stopped) made.imports++
    }
  }
  const clients = Promise.all(Array.from({ length: connections }, (_, k) => (k < importers ? importer() : searcher(k))))
  // Heard where the noise is stopped.
  clients.catch(() => undefined)
  return {
    async stop() {
      stopped = true
      await clients
      agent.destroy()
      return made
    },
  }
}
