/** Packing: scans, closing, and the way from the last scan to an accepted print job. */
import { randomUUID } from 'node:crypto'
import http from 'node:http'
import { type BenchApp, type Tenant, watchCores, worker } from '../bench-app.ts'
import { type Ask, listen, ms, once, per, percentiles, type Row, share } from '../measure.ts'

export interface Station {
  tenant: Tenant
  token: string
  station: string
  order: number
  codes: string[]
}

/** Opens `n` orders at `n` stations, each in other hands. */
export async function openStations(testApp: BenchApp, tenant: Tenant, n: number, ask: (ask: Ask) => Promise<unknown>): Promise<Station[]> {
  const { rows } = await testApp.plain.query<{ id: number; codes: string[] }>(
    `select o.id, array_agg(l.barcode order by l.line_no) codes from orders o join order_lines l on l.operator_id = o.operator_id and l.order_id = o.id
     where o.operator_id = $1 and o.work_state = 'ready' group by o.id order by o.id limit $2`,
    [tenant.scope.operator_id, n],
  )
  const opened: Station[] = []
  for (const { id, codes } of rows) {
    const openStation: Station = {
      tenant,
      token: await worker(testApp.database, tenant.scope),
      station: `B${opened.length}`,
      order: id,
      codes,
    }
    await ask(post(openStation, `packing/order_start/${id}`, { station: openStation.station }))
    opened.push(openStation)
  }
  return opened
}

export const post = (openStation: Station, path: string, body: unknown): Ask => ({
  method: 'POST',
  path: `/api/${openStation.tenant.main.code}/${path}`,
  headers: {
    host: `${openStation.tenant.main.code}.localhost`,
    authorization: openStation.token,
    'x-packing-station': openStation.station,
  },
  body: JSON.stringify(body),
})

/** What a station listens to: the order on its screen. */
const streamOf = ({ tenant, token, order }: Station) => ({
  path: `/api/${tenant.main.code}/live?topics=packing:${order},order:${order}`,
  headers: { host: `${tenant.main.code}.localhost`, authorization: token },
})

export async function asker(testApp: BenchApp) {
  const server = await testApp.server()
  const agent = new http.Agent({ keepAlive: true, maxSockets: 256 })
  return async (ask: Ask): Promise<Record<string, unknown>> => {
    const { status, text } = await once(agent, '127.0.0.1', server.port, ask)
    if (status >= 400) throw new Error(`${ask.path}: ${status} ${text.slice(0, 300)}`)
    return text ? (JSON.parse(text) as Record<string, unknown>) : {}
  }
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const from = performance.now()
  await work()
  return performance.now() - from
}

/** A scan that counts and one that takes it back again, so that a station never runs out of order. */
export const scanOrUndo = (openStation: Station, n: number): Ask =>
  n % 2 === 0
    ? post(openStation, `packing/order/${openStation.order}/scan`, { scan_id: randomUUID(), code: openStation.codes[0] })
    : post(openStation, `packing/order/${openStation.order}/undo`, { scan_id: randomUUID() })

/** As after the first minutes of a shift: the first thousands of requests are as much the compiler's work as the server's. */
export async function warmUp(opened: readonly Station[], ask: (ask: Ask) => Promise<unknown>): Promise<void> {
  await Promise.all(
    opened.slice(0, 8).map(async openStation => {
      for (let n = 0; n < 500; n++) await ask(scanOrUndo(openStation, n))
    }),
  )
}

export async function scan(testApp: BenchApp): Promise<Row[]> {
  const server = await testApp.server()
  const ask = await asker(testApp)
  const rows: Row[] = []
  for (const [i, stations] of ([20, 200] as const).entries()) {
    const opened = await openStations(testApp, testApp.tenants[5 + i] as Tenant, stations, ask)
    await warmUp(opened, ask)
    const seconds = 10
    const oneScanASecond = async () => {
      const took: number[] = []
      await Promise.all(
        opened.map(async (openStation, k) => {
          await new Promise(resolve => setTimeout(resolve, (k / stations) * 1_000))
          for (let s = 0; s < seconds; s++) {
            const from = performance.now()
            took.push(await timed(() => ask(scanOrUndo(openStation, s))))
            await new Promise(resolve => setTimeout(resolve, Math.max(0, 1_000 - (performance.now() - from))))
          }
        }),
      )
      return percentiles(took)
    }
    const used = await watchCores(testApp.plain, server)
    const { p50, p95 } = await oneScanASecond()
    const core = (await used()) / seconds
    if (stations === 200) {
      const streams = await listen(server.url, opened.map(streamOf))
      const heard = await oneScanASecond()
      streams.stop()
      if (streams.frames() === 0) throw new Error('No stream was sent a frame')
      rows.push({
        name: 'scan',
        what: '200 stations with 200 change streams, p50',
        ours: ms(heard.p50),
        limit: `${ms(p50)} without streams`,
        ratio: (heard.p50 / p50).toFixed(2),
        goal: '≤ 1.3',
        ok: heard.p50 <= 1.3 * p50,
      })
    }
    rows.push(
      {
        name: 'scan',
        what: `scan check, ${stations} stations at a scan a second, p95`,
        ours: ms(p95),
        limit: `p50 ${ms(p50)}`,
        ratio: '',
        goal: '≤ 5 ms',
        ok: p95 <= 5,
      },
      ...(stations === 200
        ? [
            {
              name: 'scan',
              what: '200 stations: server and database, of one core',
              ours: share(core),
              limit: '',
              ratio: '',
              goal: '≤ 25 %',
              ok: core <= 0.25,
            },
          ]
        : []),
    )
    for (const openStation of opened) await ask(post(openStation, `packing/order/${openStation.order}/abort`, { empty: true }))
  }
  return rows
}

/** Whole orders one after the other: closing, and the last scan to the accepted print job. */
export async function close(testApp: BenchApp): Promise<Row[]> {
  const ask = await asker(testApp)
  const tenant = testApp.tenants[7] as Tenant
  const opened = await openStations(testApp, tenant, 60, ask)
  const closing: number[] = []
  const whole: number[] = []
  for (const openStation of opened) {
    for (const code of openStation.codes.slice(0, -1))
      await ask(post(openStation, `packing/order/${openStation.order}/scan`, { scan_id: randomUUID(), code }))
    const from = performance.now()
    await ask(post(openStation, `packing/order/${openStation.order}/scan`, { scan_id: randomUUID(), code: openStation.codes.at(-1) }))
    const scanned = performance.now()
    const answer = (await ask(
      post(openStation, `packing/order/${openStation.order}/close`, { label_printer_id: tenant.label_printer_id }),
    )) as {
      outcome: string
      print_jobs: { state: string }[]
    }
    const done = performance.now()
    if (answer.outcome !== 'labelled' || !answer.print_jobs.every(job => ['accepted', 'done'].includes(job.state)))
      throw new Error(`Closing ended as ${JSON.stringify(answer)}`)
    closing.push(done - scanned)
    whole.push(done - from)
  }
  const { rows } = await testApp.plain.query<{ labels: number; prints: number }>(
    `select (select count(*) from shipments where operator_id = $1 and state = 'booked')::integer labels, (select count(*) from print_jobs where operator_id = $1)::integer prints`,
    [tenant.scope.operator_id],
  )
  const counts = rows[0] as { labels: number; prints: number }
  const shut = percentiles(closing)
  const all = percentiles(whole)
  return [
    {
      name: 'close',
      what: 'close: intent, label, stored, printed',
      ours: `${ms(shut.p50)} p50`,
      limit: `${per(1_000 / shut.p50)} one station`,
      ratio: '',
      goal: 'peers 49–225 ms',
      ok: shut.p50 <= 49,
    },
    {
      name: 'last-scan',
      what: 'last scan to print job accepted, p50',
      ours: ms(all.p50),
      limit: `p95 ${ms(all.p95)}`,
      ratio: '',
      goal: '< 150 ms',
      ok: all.p50 < 150,
    },
    {
      name: 'close',
      what: 'labels and print jobs, counted',
      ours: `${counts.labels} and ${counts.prints}`,
      limit: '60 and 60',
      ratio: '',
      goal: 'exactly',
      ok: counts.labels === 60 && counts.prints === 60,
    },
  ]
}
