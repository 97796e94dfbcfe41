/** A document comes out once, at the printer that works, in time – or it says why not. */

import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type BuiltCompany, scopeOfCompany } from '#app/demo/builders.ts'
import { printerChecks } from '#features/printing/printer-checks/printer-checks.contract.ts'
import { printers } from '#features/printing/printers/printers.contract.ts'
import { printNodeSecret } from '#features/printing/printers/providers.server.ts'
import { type FakePrinter, type FakePrintNode, fakePrintNode } from '#integrations/printers/printnode.fake.ts'
import { fakeRawPrinter } from '#integrations/printers/raw9100.fake.ts'
import { testPrintPdf, testPrintZpl } from '#integrations/printers/test-print.ts'
import { anonymous } from '#platform/auth/identity.ts'
import { storeSecret } from '#platform/crypto/secret-store.ts'
import { recordFile } from '#platform/files/file-store.ts'
import { createContext } from '#platform/http/context.ts'
import type { ExternalContext } from '#platform/http/feature-module.ts'
import { openChangeNotifier } from '#platform/notifications/change-notifier.ts'
import { readLabel, readText } from '#test/label-reader.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { type NewPrint, queuePrint } from './print-jobs.commands.ts'
import { printJobs } from './print-jobs.contract.ts'
import { followPrint, sendPrint, watchPrints } from './send-prints.task.ts'

let node: FakePrintNode
let testApp: TestApp
let operator: TestOperator
let packer: TestUser
let zebra: FakePrinter
let spare: FakePrinter
let n = 0

beforeAll(async () => {
  node = await fakePrintNode({ perSecond: 1_000 })
  testApp = await openTestApp({ PRINTNODE_URL: node.url, ALLOWED_NETWORKS: '127.0.0.0/8' })
})
afterAll(async () => {
  await testApp.close()
  await node.stop()
})
beforeEach(async () => {
  operator = await testApp.operator({ shops: 2 })
  packer = await operator.hire(['scan', 'settings_admin'], operator.main, 'Kim Lund')
  await giveKey(operator.main)
  zebra = node.addPrinter({ computer: { id: 100 + ++n, name: `PACK-${n}`, state: 'connected' } })
  spare = node.addPrinter({ computer: { id: 100 + ++n, name: `PACK-${n}`, state: 'connected' }, name: 'Zebra ZD621' })
})
afterEach(() => testApp.setNow(undefined))

const giveKey = (company: BuiltCompany) =>
  testApp.services.database.transaction(scopeOfCompany(operator, company), db =>
    storeSecret(
      db,
      testApp.services.vault,
      { operator_id: operator.operator_id, company_id: company.id, name: printNodeSecret },
      node.apiKey,
      {
        user_id: 0,
        at: new Date(),
      },
    ),
  )

/** As a request of somebody at this company, or as the queue after the request's end. */
function outside(company: BuiltCompany = operator.main): ExternalContext {
  const scope = scopeOfCompany(operator, company)
  const principal = anonymous({ ...company, operator_id: operator.operator_id, is_main: company === operator.main, packing_ip_pattern: '' })
  return createContext(testApp.services, principal, scope, {
    ip: '',
    station: 'Bench 1',
    headers: {},
    signal: new AbortController().signal,
  })
}

const idOf = async (printer: FakePrinter, worker = packer) => {
  const { printers: known } = await worker.send(printers.list, { refresh: true })
  return known.find(one => one.remote_id === String(printer.id))!.id
}

async function queued(printer_id: number, print: Partial<NewPrint> & { bytes?: Uint8Array } = {}, at = outside()): Promise<number> {
  const bytes = print.bytes ?? testPrintZpl({ number: 1, printer: 'Zebra', time: '', at: new Date() })
  const stored = await testApp.services.files.put(operator.operator_id, bytes)
  const format = Buffer.from(bytes.subarray(0, 5)).toString() === '%PDF-' ? 'pdf' : 'zpl'
  const { bytes: _, ...rest } = print
  const company_id = print.company_id ?? operator.main.id
  return at.transaction(async context => {
    const file_id = await recordFile(context.db, stored, { media_type: 'application/pdf', name: 'label.pdf', company_id })
    const key = `label:${operator.operator_id}:${++n}`
    return queuePrint(context, {
      printer_id,
      document: 'label',
      title: 'Label 1:1023',
      file_id,
      format,
      paper: 'label',
      company_id,
      idempotency_key: key,
      ...rest,
    })
  })
}

async function order(company: BuiltCompany = operator.main): Promise<number> {
  return testApp.services.database.transaction({ ...scopeOfCompany(operator), company_id: company.id }, async db => {
    const { id } = await db
      .insertInto('orders')
      .values({
        company_id: company.id,
        external_id: `e${++n}`,
        order_no: `${n}`,
        ordered_at: new Date().toISOString(),
        currency: 'DKK',
        ship_to: '{}',
        ship_country: 'DK',
        fingerprint: createHash('sha256').update(String(n)).digest(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  })
}

/** What came out on this test's own printers. */
const printed = () => node.printed().filter(({ job }) => job.printerId === zebra.id || job.printerId === spare.id)
const submitted = () => node.jobs.filter(job => job.printerId === zebra.id || job.printerId === spare.id)
const posts = () => node.asked.filter(one => one.method === 'POST' && one.path === '/printjobs').length
const inSeconds = (seconds: number) => testApp.setNow(new Date(Date.now() + seconds * 1_000))
const fallTo = async () => {
  const [id, fallback_printer_id] = [await idOf(zebra), await idOf(spare)]
  await packer.send(printers.change, { id, body: { fallback_printer_id } })
  return { id, spare_id: fallback_printer_id }
}

describe('a print job', () => {
  it('comes out once, and its state follows the printer', async () => {
    const id = await queued(await idOf(zebra))
    expect(await sendPrint(outside(), id)).toMatchObject({ state: 'accepted', attempts: 1, error: null })
    expect(await followPrint(outside(), id)).toMatchObject({ state: 'done' })
    await sendPrint(outside(), id)
    expect(printed()).toHaveLength(1)
    expect(printed()[0]!.job).toMatchObject({ title: 'Label 1:1023', contentType: 'raw_base64' })
  })

  it('is one job for one key, no matter who asks for it again', async () => {
    const printer_id = await idOf(zebra)
    const first = await queued(printer_id, { idempotency_key: `shipment:${operator.operator_id}` })
    expect(await queued(printer_id, { idempotency_key: `shipment:${operator.operator_id}` })).toBe(first)
  })

  it('is sent by one of eight who try at the same moment', async () => {
    const id = await queued(await idOf(zebra))
    const before = posts()
    await Promise.all(Array.from({ length: 8 }, () => sendPrint(outside(), id)))
    expect(submitted()).toHaveLength(1)
    expect(printed()).toHaveLength(1)
    // Not only distinguished by its key at the provider: asked once.
    expect(posts() - before).toBe(1)
  })

  it('stays with its printer while that one may have it, and after half a minute a person is asked to look there', async () => {
    const { id: printer_id } = await fallTo()
    const id = await queued(printer_id)
    node.behave({ on: 'POST /printjobs', lostAnswer: true })
    expect(await sendPrint(outside(), id)).toMatchObject({ state: 'queued', in_doubt: true })
    node.goOffline(zebra)
    inSeconds(25)
    await packer.send(printers.list, { refresh: true })
    node.behave({ on: 'POST /printjobs', status: 503 })
    expect(await sendPrint(outside(), id)).toMatchObject({ state: 'queued', printer_id, moved_from_printer_id: null })
    inSeconds(36)
    await watchPrints(testApp.services)
    expect(await packer.send(printJobs.get, { id })).toMatchObject({
      state: 'unknown',
      error: 'It is not known whether it came out. Look at the printer before you print it again.',
    })
    expect(submitted()).toHaveLength(1)
  })

  it.each(['conflict', 'same id'])('is accepted once when the answer got lost and PrintNode says %s to the repeat', async repeated => {
    const other = await fakePrintNode({ repeated: repeated as 'conflict', perSecond: 1_000 })
    const home = await openTestApp({ PRINTNODE_URL: other.url })
    const before = { world: testApp, node, operator, zebra }
    try {
      testApp = home
      node = other
      operator = await home.operator()
      packer = await operator.hire(['scan', 'settings_admin'])
      await giveKey(operator.main)
      zebra = other.addPrinter()
      const id = await queued(await idOf(zebra))
      other.behave({ on: 'POST /printjobs', lostAnswer: true })
      expect(await sendPrint(outside(), id)).toMatchObject({ state: 'queued', in_doubt: true })
      expect(await sendPrint(outside(), id)).toMatchObject({ state: 'accepted', in_doubt: false, attempts: 2 })
      expect(printed()).toHaveLength(1)
    } finally {
      ;({ world: testApp, node, operator, zebra } = before)
      await home.close()
      await other.stop()
    }
  })

  it('goes on under the same key when the server died after PrintNode had taken it', async () => {
    const id = await queued(await idOf(zebra))
    await sendPrint(outside(), id)
    // Dead before the answer was written down.
    await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db
        .updateTable('print_jobs')
        .set({ state: 'sending', remote_job_id: null, accepted_at: null, leased_until: new Date(Date.now() + 30_000).toISOString() })
        .where('id', '=', id)
        .execute(),
    )
    expect(await sendPrint(outside(), id)).toMatchObject({ state: 'sending' })
    inSeconds(31)
    await watchPrints(testApp.services)
    expect(await packer.send(printJobs.get, { id })).toMatchObject({ state: 'accepted', attempts: 2 })
    expect(submitted()).toHaveLength(1)
  })

  it('is taken up at once when the process that was sending it has died, and never while that lives', async () => {
    const id = await queued(await idOf(zebra))
    await sendPrint(outside(), id)
    const other = await openChangeNotifier(testApp.url, () => undefined)
    await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db
        .updateTable('print_jobs')
        .set({
          state: 'sending',
          remote_job_id: null,
          accepted_at: null,
          leased_by: other.self,
          leased_until: new Date(Date.now() + 30_000).toISOString(),
        })
        .where('id', '=', id)
        .execute(),
    )
    await watchPrints(testApp.services)
    expect(await packer.send(printJobs.get, { id })).toMatchObject({ state: 'sending', attempts: 1 })
    await other.close()
    await watchPrints(testApp.services)
    expect(await packer.send(printJobs.get, { id })).toMatchObject({ state: 'accepted', attempts: 2 })
    expect(submitted()).toHaveLength(1)
  })

  it('is not sent again by itself to a printer that knows no keys, when it may have come out', async () => {
    const device = await fakeRawPrinter(9105)
    try {
      const { id: printer_id } = await packer.send(printers.add, { body: { name: 'Zebra', host: '127.0.0.1', port: 9105 } })
      device.behave('resets')
      const id = await queued(printer_id)
      const error = 'The printer broke off while it took the label; a part may have come out'
      expect(await sendPrint(outside(), id)).toMatchObject({ state: 'unknown', in_doubt: true, error })
      device.behave('reads')
      const dead = await queued(printer_id)
      await testApp.services.database.transaction(scopeOfCompany(operator), db =>
        db
          .updateTable('print_jobs')
          .set({ state: 'sending', in_doubt: true, leased_until: new Date(Date.now() - 1_000).toISOString() })
          .where('id', '=', dead)
          .execute(),
      )
      await watchPrints(testApp.services)
      inSeconds(60)
      await watchPrints(testApp.services)
      for (const one of [id, dead]) expect(await packer.send(printJobs.get, { id: one })).toMatchObject({ state: 'unknown' })
      expect(device.printed()).toEqual([])
      // A person has looked.
      expect(await packer.send(printJobs.retry, { id })).toMatchObject({ state: 'done', in_doubt: false, error: null })
      expect(await packer.send(printJobs.reprint, { id: dead, printer: printer_id })).toMatchObject({ state: 'done', copy_no: 1 })
      expect(device.printed()).toHaveLength(2)
    } finally {
      await device.stop()
    }
  })

  it('waits for a printer of the network that takes no connection, and comes out once when it is back', async () => {
    const { id: printer_id } = await packer.send(printers.add, { body: { name: 'Zebra', host: '127.0.0.1', port: 9106 } })
    const id = await queued(printer_id)
    expect(await sendPrint(outside(), id)).toMatchObject({
      state: 'queued',
      in_doubt: false,
      error: 'The printer does not take a connection',
    })
    const device = await fakeRawPrinter(9106)
    try {
      inSeconds(10)
      await watchPrints(testApp.services)
      expect(await packer.send(printJobs.get, { id })).toMatchObject({ state: 'done', attempts: 2 })
      expect(device.printed()).toHaveLength(1)
    } finally {
      await device.stop()
    }
  })

  it('is sent by the watch when the request that queued it died', async () => {
    const id = await queued(await idOf(zebra))
    await watchPrints(testApp.services)
    expect(submitted()).toHaveLength(0)
    inSeconds(11)
    await watchPrints(testApp.services)
    expect(await packer.send(printJobs.get, { id })).toMatchObject({ state: 'accepted' })
    expect(printed()).toHaveLength(1)
  })

  it('fails with what PrintNode says', async () => {
    const id = await queued(await idOf(zebra))
    node.behave({ on: 'POST /printjobs', status: 400, message: 'printer is on fire' })
    expect(await sendPrint(outside(), id)).toMatchObject({ state: 'failed', error: 'PrintNode refuses: printer is on fire' })
  })

  it('waits here while PrintNode cannot be reached, and comes out once when it is back', async () => {
    const id = await queued(await idOf(zebra))
    node.behave({ on: 'POST /printjobs', status: 503, times: 2 })
    expect(await sendPrint(outside(), id)).toMatchObject({ state: 'queued', in_doubt: false })
    await watchPrints(testApp.services)
    expect(submitted()).toHaveLength(0)
    inSeconds(3)
    await watchPrints(testApp.services)
    inSeconds(10)
    await watchPrints(testApp.services)
    expect(await packer.send(printJobs.get, { id })).toMatchObject({ state: 'accepted', attempts: 3 })
    expect(printed()).toHaveLength(1)
  })

  it('is never printed late', async () => {
    const id = await queued(await idOf(zebra))
    node.behave({ on: 'POST /printjobs', status: 503 })
    await sendPrint(outside(), id)
    inSeconds(601)
    await watchPrints(testApp.services)
    expect(await packer.send(printJobs.get, { id })).toMatchObject({ state: 'expired', error: 'PrintNode is out of service at the moment' })
    expect(await sendPrint(outside(), id)).toMatchObject({ state: 'expired' })
    expect(submitted()).toHaveLength(0)
  })

  it('does not come out when the printer returns after its time', async () => {
    const id = await queued(await idOf(zebra))
    node.goOffline(zebra)
    await sendPrint(outside(), id)
    expect(await followPrint(outside(), id)).toMatchObject({ state: 'sent', error: 'The job waits until the printer’s computer is back' })
    node.advance(600)
    node.comeBack(zebra)
    expect(await followPrint(outside(), id)).toMatchObject({ state: 'expired' })
    expect(printed()).toHaveLength(0)
    node.advance(-600)
  })
})

describe('a printer that is offline', () => {
  it('is spared when it is known to be off: its fallback prints at once', async () => {
    const { id: printer_id, spare_id } = await fallTo()
    node.goOffline(zebra)
    const id = await queued(printer_id)
    await packer.send(printers.list, { refresh: true })
    await idOf(zebra)
    inSeconds(31)
    await idOf(zebra)
    expect(await sendPrint(outside(), id)).toMatchObject({ state: 'accepted', printer_id: spare_id, moved_from_printer_id: printer_id })
    expect(printed().map(({ job }) => job.printerId)).toEqual([spare.id])
  })

  it('prints no duplicate when it comes back before the job could be taken from it', async () => {
    const { id: printer_id } = await fallTo()
    node.goOffline(zebra)
    const id = await queued(printer_id)
    await sendPrint(outside(), id)
    node.behave({ on: 'DELETE /printjobs', slow: 0, lostAnswer: true })
    await followPrint(outside(), id)
    node.comeBack(zebra)
    await followPrint(outside(), id)
    expect(printed().length).toBeLessThanOrEqual(1)
  })
})

describe('a stop', () => {
  const stops = {
    cancelled: async (order_id: number) => {
      await db(all =>
        all.updateTable('orders').set({ cancelled_at: new Date().toISOString(), phase: 'cancelled' }).where('id', '=', order_id).execute(),
      )
    },
    'on hold': (order_id: number) => lock(order_id, 'hold'),
    'locked by hand': (order_id: number) => lock(order_id, 'manual'),
    'locked by a rule': (order_id: number) => lock(order_id, 'auto'),
  }
  const db = <T>(work: Parameters<typeof testApp.services.database.transaction<T>>[1]) =>
    testApp.services.database.transaction(scopeOfCompany(operator), work)
  const lock = (order_id: number, kind: 'hold' | 'manual' | 'auto') =>
    db(async all => {
      await all.updateTable('orders').set({ held: true, phase: 'held' }).where('id', '=', order_id).execute()
      await all.insertInto('order_locks').values({ order_id, kind, note: 'unpaid', actor: 'Ida' }).execute()
    })
  const leaving = ['label', 'slip', 'customs', 'return']
  const every = leaving.flatMap(document => Object.keys(stops).map(name => [document, name as keyof typeof stops] as const))

  it.each(every)('keeps the %s of an order that is %s from coming out, though it waits already', async (document, name) => {
    const order_id = await order()
    const id = await queued(await idOf(zebra), { order_id, document })
    node.behave({ on: 'POST /printjobs', status: 503 })
    expect(await sendPrint(outside(), id)).toMatchObject({ state: 'queued' })
    await stops[name](order_id)
    inSeconds(11)
    await watchPrints(testApp.services)
    const job = await packer.send(printJobs.get, { id })
    expect(job.state).toBe('cancelled')
    expect(job.error).toMatch(/cancelled|unpaid/)
    expect(await packer.send(printJobs.retry, { id })).toMatchObject({ state: 'cancelled' })
    expect(await packer.send(printJobs.reprint, { id, printer: await idOf(zebra) })).toMatchObject({ state: 'cancelled' })
    expect(submitted()).toHaveLength(0)
  })

  it.each(leaving)('takes the %s back that waits at PrintNode until the printer’s computer is back', async document => {
    const order_id = await order()
    const id = await queued(await idOf(zebra), { order_id, document })
    node.goOffline(zebra)
    await sendPrint(outside(), id)
    await stops['on hold'](order_id)
    expect(await followPrint(outside(), id)).toMatchObject({ state: 'cancelled', error: 'Put on hold by Ida: unpaid' })
    node.comeBack(zebra)
    expect(printed()).toHaveLength(0)
  })

  it('leaves papers alone that stay in the warehouse', async () => {
    const order_id = await order()
    const id = await queued(await idOf(zebra), { order_id, document: 'overview' })
    await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db.updateTable('orders').set({ cancelled_at: new Date().toISOString(), phase: 'cancelled' }).where('id', '=', order_id).execute(),
    )
    expect(await sendPrint(outside(), id)).toMatchObject({ state: 'accepted' })
  })
})

describe('printing again', () => {
  const pdf = () => testPrintPdf('label', { number: 7, printer: 'Zebra', time: '', at: new Date() })

  it('marks every copy with its number and who asked', async () => {
    const printer = await idOf(zebra)
    const id = await queued(printer, { bytes: await pdf() })
    await sendPrint(outside(), id)
    const copy = await packer.send(printJobs.reprint, { id, printer })
    expect(copy).toMatchObject({ state: 'accepted', copy_no: 1, copy_of: id, requested_by_name: 'Kim Lund' })
    const second = await packer.send(printJobs.reprint, { id: copy.id, printer })
    expect(second).toMatchObject({ copy_no: 2, copy_of: id })
    const [first, one, two] = printed().map(({ job }) => job.content)
    expect((await readText(first!)).join(' ')).not.toContain('COPY')
    expect((await readText(one!)).join(' ')).toContain('COPY 1 · Kim Lund')
    expect((await readText(two!)).join(' ')).toContain('COPY 2 · Kim Lund')
    expect((await readLabel(two!)).map(code => code.text)).toContain('TEST-7')
  })

  it('marks nothing when the first print failed', async () => {
    const printer = await idOf(zebra)
    const id = await queued(printer, { bytes: await pdf() })
    node.behave({ on: 'POST /printjobs', status: 400, message: 'no' })
    await sendPrint(outside(), id)
    expect(await packer.send(printJobs.reprint, { id, printer })).toMatchObject({ state: 'accepted', copy_no: 0 })
    expect((await readText(printed()[0]!.job.content)).join(' ')).not.toContain('COPY')
  })

  it('prints one copy for one request, sent twice', async () => {
    const printer = await idOf(zebra)
    const id = await queued(printer)
    await sendPrint(outside(), id)
    const request_id = crypto.randomUUID()
    const [a, b] = [
      await packer.send(printJobs.reprint, { id, printer, request_id }),
      await packer.send(printJobs.reprint, { id, printer, request_id }),
    ]
    expect(a.id).toBe(b.id)
    expect(printed()).toHaveLength(2)
    expect(printed()[1]!.job.content.toString()).toContain('COPY 1')
  })

  it('sends what failed again, also to another printer, and refuses what came out', async () => {
    const [printer_id, other] = [await idOf(zebra), await idOf(spare)]
    const id = await queued(printer_id)
    node.behave({ on: 'POST /printjobs', status: 400, message: 'no' })
    await sendPrint(outside(), id)
    expect(await packer.send(printJobs.retry, { id, printer_id: other })).toMatchObject({ state: 'accepted', printer_id: other })
    await expect(packer.send(printJobs.retry, { id })).rejects.toMatchObject({
      status: 409,
      key: '{{printer}} has it already. Print a copy instead.',
    })
    expect(printed()).toHaveLength(1)
  })

  it('is cancelled as long as it waits', async () => {
    const printer_id = await idOf(zebra)
    node.goOffline(zebra)
    const id = await queued(printer_id)
    await sendPrint(outside(), id)
    expect(await packer.send(printJobs.cancel, { id })).toMatchObject({ state: 'cancelled' })
    node.comeBack(zebra)
    expect(printed()).toHaveLength(0)
    const other = await queued(printer_id)
    await sendPrint(outside(), other)
    await expect(packer.send(printJobs.cancel, { id: other })).rejects.toMatchObject({ status: 409 })
  })

  it('shows the document', async () => {
    const id = await queued(await idOf(zebra), { bytes: await pdf() })
    const file = (await packer.send(printJobs.document, { id })) as unknown as { bytes: Buffer; media_type: string }
    expect(file.media_type).toContain('application/pdf')
    expect(file.bytes.subarray(0, 5).toString()).toBe('%PDF-')
  })
})

describe('the file printer', () => {
  it('writes one document for one job, into the folder of its company', async () => {
    const { printers: known } = await packer.send(printers.list, { refresh: true })
    const labels = known.find(one => one.kind === 'file' && one.paper === 'label')!
    const id = await queued(labels.id)
    await Promise.all([sendPrint(outside(), id), sendPrint(outside(), id)])
    expect(await packer.send(printJobs.get, { id })).toMatchObject({ state: 'done' })
    const files = await readdir(join(testApp.services.config.data_dir, 'prints', operator.main.code, 'labels'))
    expect(files.filter(name => name.endsWith('.zpl'))).toHaveLength(1)
  })
})

describe('row-level security', () => {
  it('lets main-company staff print a shop’s label, and shows it to that shop only', async () => {
    const [north, south] = operator.shops as [BuiltCompany, BuiltCompany]
    const id = await queued(await idOf(zebra), { company_id: north.id })
    expect(await sendPrint(outside(), id)).toMatchObject({ state: 'accepted', company_id: north.id })
    const [own, foreign] = [await operator.hire(['parcels'], north), await operator.hire(['parcels'], south)]
    expect((await packer.send(printJobs.list, {})).rows.map(job => job.id)).toContain(id)
    expect(await own.send(printJobs.get, { id })).toMatchObject({ id, printer_name: 'Zebra ZD420' })
    await expect(foreign.send(printJobs.get, { id })).rejects.toMatchObject({ status: 404 })
    await expect(foreign.send(printJobs.document, { id })).rejects.toMatchObject({ status: 404 })
    await expect(foreign.send(printJobs.cancel, { id })).rejects.toMatchObject({ status: 404 })
    expect((await foreign.send(printJobs.list, {})).total).toBe(0)
  })

  it('keeps printers and jobs of another operator out of sight', async () => {
    const printer = await idOf(zebra)
    const id = await queued(printer)
    const stranger = await (await testApp.operator()).hire(['admin'])
    await expect(stranger.send(printJobs.get, { id })).rejects.toMatchObject({ status: 404 })
    await expect(stranger.send(printJobs.retry, { id })).rejects.toMatchObject({ status: 404 })
    await expect(stranger.send(printerChecks.details, { id: printer })).rejects.toMatchObject({ status: 404 })
    await expect(stranger.send(printerChecks.testPrint, { printer_id: printer })).rejects.toMatchObject({ status: 404 })
    expect((await stranger.send(printers.list, {})).printers.every(one => one.kind === 'file')).toBe(true)
  })

  it('refuses a printer of another shop', async () => {
    const [north, south] = operator.shops as [BuiltCompany, BuiltCompany]
    const boss = await operator.hire(['admin'], south)
    const foreign = (await boss.send(printers.list, {})).printers[0]!.id
    await expect(queued(foreign, { company_id: north.id })).rejects.toThrow('Printer not found')
  })

  it.each([
    ['scan', true],
    ['parcels', true],
    ['pick', false],
    ['statistics', false],
  ] as const)('lets %s print again: %s', async (right, allowed) => {
    const worker = await operator.hire([right])
    const { statusCode } = await worker.ask(printJobs.retry, { id: 999_999_999 })
    expect(statusCode).toBe(allowed ? 404 : 403)
  })
})

// Last, because the queue and the rounds go on until the world closes.
describe('the queue', () => {
  beforeAll(() => testApp.startWorkers())

  it('sends within seconds what no one else has sent', async () => {
    const id = await queued(await idOf(zebra))
    await expect.poll(async () => (await packer.send(printJobs.get, { id })).state, { interval: 200 }).toMatch(/accepted|done/)
    expect(printed()).toHaveLength(1)
  })

  it('finds out within five seconds that a printer is off, and prints at its fallback only', async () => {
    const { id: printer_id, spare_id } = await fallTo()
    node.goOffline(zebra)
    const began = performance.now()
    const id = await queued(printer_id)
    await sendPrint(outside(), id)
    await expect.poll(() => printed().length, { interval: 50 }).toBe(1)
    // Five of its own, and what a busy machine adds.
    expect(performance.now() - began).toBeLessThan(12_000)
    node.comeBack(zebra)
    expect(printed().map(({ job }) => job.printerId)).toEqual([spare.id])
    expect(await packer.send(printJobs.get, { id })).toMatchObject({ printer_id: spare_id, moved_from_printer_id: printer_id })
  })
})

it('a print job has its title in the language of the company', async () => {
  const danish = await testApp.operator({ settings: { locale: 'da_DK' } })
  const clerk = await danish.hire(['settings', 'scan'])
  const { printers: known } = await clerk.send(printers.list, {})
  const { job, code } = await clerk.send(printerChecks.testPrint, { printer_id: known[0]!.id, paper: 'label' })
  expect(job.title).toBe(`Testside ${code}`)
})
