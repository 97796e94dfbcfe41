/** Packing videos: clips of a quarter of a gigabyte arrive from four stations at once, beside the same pieces written to the disk. */
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, open, rm } from 'node:fs/promises'
import http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BenchApp, memory, type Tenant } from '../bench-app.ts'
import { once, type Row, share } from '../measure.ts'
import { ask as asAdminAsks } from '../requests.ts'
import { asker, openStations, post, type Station } from './packing.ts'

const stations = 4
const pieceBytes = 4_000_000
const pieces = 64
/** Kilobytes that all processes of the server may need more than before; garbage of some pieces waits for its collection. */
const mostMemory = 150 * 1_024

/** Random, so that no layer below can make it smaller; each piece of it is another. */
const source = randomBytes(pieceBytes + pieces)
const piece = (n: number): Buffer => source.subarray(n, n + pieceBytes)

export async function videos(testApp: BenchApp): Promise<Row[]> {
  const server = await testApp.server()
  const tenant = testApp.tenants[4] as Tenant
  const ask = await asker(testApp)
  await asAdminAsks(server.port, tenant, 'POST', 'dvr/settings', { enabled: true })
  const opened = await openStations(testApp, tenant, stations, ask)
  const limit = await written()
  const before = await memory(server)
  let most = before
  const watch = setInterval(() => void memory(server).then(now => (most = Math.max(most, now))), 100)
  const from = performance.now()
  const received = await Promise.all(opened.map(station => upload(testApp, station, server.port, ask))).finally(() => clearInterval(watch))
  const ours = megabytes / ((performance.now() - from) / 1_000)
  for (const station of opened) await ask(post(station, `packing/order/${station.order}/abort`, { empty: true }))
  return [
    {
      name: 'videos',
      what: `${stations} clips of ${(pieces * pieceBytes) / 1e6} MB, uploaded at once`,
      ours: `${Math.round(ours)} MB/s`,
      limit: `${Math.round(limit)} MB/s written and synced`,
      ratio: `${share(ours / limit)}, +${Math.round((most - before) / 1_024)} MB`,
      goal: `≤ ${mostMemory / 1_024} MB`,
      ok: most - before <= mostMemory && received.length === stations && received.every(bytes => bytes === pieces * pieceBytes),
    },
  ]
}

const megabytes = (stations * pieces * pieceBytes) / 1e6

/** Sends a clip piece by piece; answers how many bytes the server says it has. */
async function upload({ plain }: BenchApp, station: Station, port: number, ask: Awaited<ReturnType<typeof asker>>): Promise<number> {
  const { rows } = await plain.query<{ id: string }>(
    'select id from packing_sessions where operator_id = $1 and order_id = $2 and ended_at is null',
    [station.tenant.scope.operator_id, station.order],
  )
  const made = (await ask(post(station, `dvr/api/create/order/${rows[0]?.id}`, { media_type: 'video/webm' }))) as {
    upload: { upload_id: number }
  }
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  const { headers } = post(station, '', {})
  const path = `/api/${station.tenant.main.code}/dvr/uploads/${made.upload.upload_id}`
  for (let n = 0; n < pieces; n++) {
    const body = piece(n)
    const { status, text } = await once(agent, '127.0.0.1', port, {
      method: 'PUT',
      path: `${path}/${n * pieceBytes}`,
      headers: { ...headers, 'x-chunk-sha256': createHash('sha256').update(body).digest('hex') },
      type: 'application/octet-stream',
      body,
    })
    if (status >= 400) throw new Error(`A piece was answered with ${status}: ${text.slice(0, 300)}`)
  }
  const { text } = await once(agent, '127.0.0.1', port, { path, ...(headers && { headers }) })
  agent.destroy()
  return (JSON.parse(text) as { offset: number }).offset
}

/** Megabytes a second of the same pieces, hashed and written to as many files, each on the disk before the next. */
async function written(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'pakhus-bench-videos-'))
  const from = performance.now()
  await Promise.all(
    Array.from({ length: stations }, async (_, i) => {
      const file = await open(join(folder, `${i}`), 'w')
      for (let n = 0; n < pieces; n++) {
        createHash('sha256').update(piece(n)).digest('hex')
        await file.write(piece(n), 0, pieceBytes, n * pieceBytes)
        await file.sync()
      }
      await file.close()
    }),
  )
  const took = performance.now() - from
  await rm(folder, { recursive: true })
  return megabytes / (took / 1_000)
}
