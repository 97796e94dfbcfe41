/** What a station prints where: its table of printers, what is refused in it, and the backup that takes over. */

import { setTimeout } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type BuiltCompany, scopeOfCompany } from '#app/demo/builders.ts'
import type { PrinterRole } from '#domain/printer-choice.ts'
import { type NewPrint, queuePrint } from '#features/printing/print-jobs/print-jobs.commands.ts'
import { printJobs } from '#features/printing/print-jobs/print-jobs.contract.ts'
import { followPrint, sendPrint, watchPrints } from '#features/printing/print-jobs/send-prints.task.ts'
import { printers } from '#features/printing/printers/printers.contract.ts'
import { printNodeSecret } from '#features/printing/printers/providers.server.ts'
import { stations } from '#features/printing/stations/stations.contract.ts'
import { type FakePrinter, type FakePrintNode, fakePrintNode } from '#integrations/printers/printnode.fake.ts'
import { testPrintZpl } from '#integrations/printers/test-print.ts'
import { anonymous } from '#platform/auth/identity.ts'
import { storeSecret } from '#platform/crypto/secret-store.ts'
import { recordFile } from '#platform/files/file-store.ts'
import { createContext } from '#platform/http/context.ts'
import type { ExternalContext } from '#platform/http/feature-module.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { stationPrinters } from './station-printers.contract.ts'
import { printerOfDocument } from './station-printers.queries.ts'

let node: FakePrintNode
let testApp: TestApp
let operator: TestOperator
let lead: TestUser
let Z1: FakePrinter
let Z2: FakePrinter
let A1: FakePrinter
let ids: { Z1: number; Z2: number; A1: number }
let station_id: number
let n = 0

beforeAll(async () => {
  node = await fakePrintNode({ perSecond: 1_000 })
  testApp = await openTestApp({ PRINTNODE_URL: node.url })
})
afterAll(async () => {
  await testApp.close()
  await node.stop()
})
beforeEach(async () => {
  operator = await testApp.operator({ shops: 1 })
  lead = await operator.hire(['scan', 'scan_admin'], operator.main, 'Astrid Holm')
  await testApp.services.database.transaction(scopeOfCompany(operator), db =>
    storeSecret(
      db,
      testApp.services.vault,
      { operator_id: operator.operator_id, company_id: operator.main.id, name: printNodeSecret },
      node.apiKey,
      { user_id: 0, at: new Date() },
    ),
  )
  const computer = () => ({ id: 100 + ++n, name: `PACK-${n}`, state: 'connected' as const })
  Z1 = node.addPrinter({ name: 'Z1', computer: computer() })
  Z2 = node.addPrinter({ name: 'Z2', computer: computer() })
  A1 = node.addPrinter({
    name: 'A1',
    description: 'HP LaserJet M404',
    computer: computer(),
    capabilities: { copies: 99, papers: { A4: [2100, 2970] } },
  })
  const { printers: known } = await lead.send(printers.list, { refresh: true })
  const idOf = ({ id }: FakePrinter) => known.find(one => one.remote_id === String(id))?.id ?? 0
  ids = { Z1: idOf(Z1), Z2: idOf(Z2), A1: idOf(A1) }
  station_id = (await lead.send(stations.use, { name: 'Bench 1' })).id
})
afterEach(() => testApp.setNow(undefined))

const set = (...rows: { role: PrinterRole; printer_id: number | null; fallback_printer_id?: number | null; copies?: number }[]) =>
  lead.send(stationPrinters.set, { id: station_id, body: { printers: rows } })

function outside(company: BuiltCompany = operator.main): ExternalContext {
  const principal = anonymous({ ...company, operator_id: operator.operator_id, is_main: company === operator.main, packing_ip_pattern: '' })
  const from = { ip: '', station: 'Bench 1', headers: {}, signal: new AbortController().signal }
  return createContext(testApp.services, principal, scopeOfCompany(operator, company), from)
}

async function queued(printer_id: number, print: Partial<NewPrint> = {}): Promise<number> {
  const bytes = testPrintZpl({ number: 1, printer: 'Zebra', time: '', at: new Date() })
  const stored = await testApp.services.files.put(operator.operator_id, bytes)
  const company_id = operator.main.id
  return outside().transaction(async context =>
    queuePrint(context, {
      printer_id,
      document: 'label',
      title: 'Label 1:1023',
      file_id: await recordFile(context.db, stored, { media_type: 'application/octet-stream', name: 'label.zpl', company_id }),
      format: 'zpl',
      paper: 'label',
      company_id,
      idempotency_key: `label:${operator.operator_id}:${++n}`,
      ...print,
    }),
  )
}

const own = () => new Set([Z1.id, Z2.id, A1.id])
const printed = () => node.printed().filter(({ job }) => own().has(job.printerId))
const inSeconds = (seconds: number) => testApp.setNow(new Date(Date.now() + seconds * 1_000))
const jobOf = (id: number) => lead.send(printJobs.get, { id })
const wanted = (role: PrinterRole) =>
  outside().transaction(({ db }) => printerOfDocument(db, role, { company_id: operator.main.id, station: 'bench 1' }))

describe('the printers of a station', () => {
  it('are set by kind of document, and only the named ones change', async () => {
    await set({ role: 'label', printer_id: ids.Z1, fallback_printer_id: ids.Z2, copies: 2 }, { role: 'slip', printer_id: ids.A1 })
    await set({ role: 'slip', printer_id: ids.A1, copies: 3 })
    const answer = await lead.send(stationPrinters.get, { id: station_id })
    expect(answer).toEqual({
      station_id,
      station: 'Bench 1',
      printers: [
        { role: 'label', printer_id: ids.Z1, printer: 'Z1', fallback_printer_id: ids.Z2, fallback: 'Z2', copies: 2 },
        { role: 'slip', printer_id: ids.A1, printer: 'A1', fallback_printer_id: null, fallback: null, copies: 3 },
      ],
    })
    expect(await lead.send(stationPrinters.list, {})).toEqual([answer])
  })

  it('are taken away by naming none', async () => {
    await set({ role: 'label', printer_id: ids.Z1 }, { role: 'slip', printer_id: ids.A1 })
    const { printers: left } = await set({ role: 'label', printer_id: null })
    expect(left.map(one => one.role)).toEqual(['slip'])
  })

  it.each([
    ['a printer that does not exist', () => ({ printer_id: 999_999_999 }), 'printer_not_found', 'printers.0.printer_id'],
    ['a backup that does not exist', () => ({ fallback_printer_id: 999_999_999 }), 'printer_not_found', 'printers.0.fallback_printer_id'],
    ['a backup of other paper', () => ({ fallback_printer_id: ids.A1 }), 'fallback_paper_differs', 'printers.0.fallback_printer_id'],
    ['the printer as its own backup', () => ({ fallback_printer_id: ids.Z1 }), 'printer_replaces_itself', 'printers.0.fallback_printer_id'],
    ['no copies', () => ({ copies: 0 }), 'field_invalid', 'printers[0].copies'],
    ['six copies', () => ({ copies: 6 }), 'field_invalid', 'printers[0].copies'],
  ] as const)('refuse %s, and nothing changes', async (_, change, code, field) => {
    await set({ role: 'label', printer_id: ids.Z2 })
    const refusal = set({ role: 'label', printer_id: ids.Z1, ...change() })
    await expect(refusal).rejects.toMatchObject({ code, fields: expect.toSatisfy((fields: object) => field in fields) })
    expect((await lead.send(stationPrinters.get, { id: station_id })).printers).toMatchObject([{ printer_id: ids.Z2 }])
  })

  it('refuse a kind of document that is named twice', async () => {
    await expect(set({ role: 'label', printer_id: ids.Z1 }, { role: 'label', printer_id: ids.Z2 })).rejects.toMatchObject({ status: 400 })
  })

  it('refuse a station that does not exist, and a printer of another company', async () => {
    const body = { printers: [{ role: 'label' as const, printer_id: ids.Z1 }] }
    await expect(lead.send(stationPrinters.set, { id: 999_999_999, body })).rejects.toMatchObject({ code: 'station_not_found' })
    const shop = await operator.hire(['scan', 'scan_admin'], operator.shops[0])
    await expect(shop.send(stationPrinters.set, { id: station_id, body })).rejects.toMatchObject({ code: 'printer_not_found' })
  })

  it('are each company’s own', async () => {
    await set({ role: 'label', printer_id: ids.Z1 })
    const shop = await operator.hire(['scan'], operator.shops[0])
    expect(await shop.send(stationPrinters.get, { id: station_id })).toMatchObject({ printers: [] })
    const stranger = await (await testApp.operator()).hire(['scan'])
    await expect(stranger.send(stationPrinters.get, { id: station_id })).rejects.toMatchObject({ code: 'station_not_found' })
  })

  it.each([
    ['scan', 403],
    ['scan_admin', 200],
    ['settings_admin', 200],
  ] as const)('are changed by %s: %d', async (permission, status) => {
    const worker = await operator.hire([permission])
    const body = { printers: [{ role: 'label', printer_id: ids.Z1 }] }
    expect((await worker.ask(stationPrinters.set, { id: station_id, body })).statusCode).toBe(status)
  })
})

describe('the printer of a document', () => {
  it('is found by the station’s name in any letters, and passes over a printer that was removed', async () => {
    await set({ role: 'label', printer_id: ids.Z1, fallback_printer_id: ids.Z2, copies: 2 })
    expect(await wanted('return_label')).toEqual({ printer_id: ids.Z1, fallback_printer_id: ids.Z2, copies: 2 })
    node.printers.splice(node.printers.indexOf(Z1), 1)
    inSeconds(31)
    await lead.send(printers.list, { refresh: true })
    expect(await wanted('label')).toBeNull()
  })

  it('comes out in the station’s number of copies, a second print once', async () => {
    await set({ role: 'label', printer_id: ids.Z1, copies: 2 })
    const id = await queued(ids.Z1)
    await sendPrint(outside(), id)
    expect(printed().map(({ copies }) => copies)).toEqual([2])
    await lead.send(printJobs.reprint, { id, printer: ids.Z1 }, { station: 'Bench 1' })
    expect(printed().map(({ copies }) => copies)).toEqual([2, 1])
  })

  it('reaches the device with the health of its station', async () => {
    await set({ role: 'label', printer_id: ids.Z1, fallback_printer_id: ids.Z2 })
    const ask = () => lead.send(stations.health, { station: 'Bench 1', a4_printer_id: ids.A1 })
    expect(await ask()).toMatchObject({ state: 'ready', roles: { label: ids.Z1, return_label: ids.Z1, slip: ids.A1, pick: ids.A1 } })
    node.goOffline(Z1)
    inSeconds(31)
    expect(await ask()).toMatchObject({ state: 'fallback' })
    node.goOffline(Z2)
    inSeconds(62)
    expect(await ask()).toMatchObject({ state: 'trouble' })
  })
})

describe('the station’s backup', () => {
  beforeEach(() => set({ role: 'label', printer_id: ids.Z1, fallback_printer_id: ids.Z2 }))

  it('prints what the first took and holds because its computer is away, after the first job was cancelled', async () => {
    node.goOffline(Z1)
    const id = await queued(ids.Z1)
    await sendPrint(outside(), id)
    await followPrint(outside(), id)
    expect(await jobOf(id)).toMatchObject({ printer_id: ids.Z2, moved_from_printer_id: ids.Z1 })
    node.comeBack(Z1)
    expect(printed().map(({ job }) => job.printerId)).toEqual([Z2.id])
  })

  it('prints what the first printer has failed', async () => {
    node.behave({ on: 'POST /printjobs', status: 400, message: 'no paper' })
    const id = await queued(ids.Z1)
    expect(await sendPrint(outside(), id)).toMatchObject({ printer_id: ids.Z2 })
    expect(printed().map(({ job }) => job.printerId)).toEqual([Z2.id])
  })

  it('prints nothing while a try is in doubt; after 30 seconds a person is asked', async () => {
    node.behave({ on: 'POST /printjobs', lostAnswer: true })
    node.behave({ on: 'POST /printjobs', status: 503, times: 2 })
    const id = await queued(ids.Z1)
    await sendPrint(outside(), id)
    expect(await jobOf(id)).toMatchObject({ state: 'queued', in_doubt: true, printer_id: ids.Z1 })
    inSeconds(20)
    await watchPrints(testApp.services)
    expect(await jobOf(id)).toMatchObject({ state: 'queued', printer_id: ids.Z1 })
    inSeconds(31)
    await watchPrints(testApp.services)
    expect(await jobOf(id)).toMatchObject({ state: 'unknown', printer_id: ids.Z1 })
    expect(printed().map(({ job }) => job.printerId)).toEqual([Z1.id])
  })

  it('never prints what the first printer prints late', async () => {
    const outcomes = new Set<number>()
    for (let turn = 0; turn < 6; turn++) {
      node.goOffline(Z1)
      const before = printed().length
      const id = await queued(ids.Z1)
      await sendPrint(outside(), id)
      // The printer is back in the moment in which its job is taken away.
      const back = setTimeout(turn * 3).then(() => node.comeBack(Z1))
      await Promise.all([followPrint(outside(), id), followPrint(outside(), id), back])
      const came = printed().slice(before)
      expect(came).toHaveLength(1)
      for (const { job } of came) outcomes.add(job.printerId)
    }
    // Both ends of the race were seen.
    expect(outcomes).toEqual(new Set([Z1.id, Z2.id]))
  })
})
