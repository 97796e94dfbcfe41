/** What a company sees of its printers, and what a test page proves. */

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildOrder, buildProduct, scopeOfCompany } from '#app/demo/builders.ts'
import { printerChecks } from '#features/printing/printer-checks/printer-checks.contract.ts'
import { stations } from '#features/printing/stations/stations.contract.ts'
import { fakeCups } from '#integrations/printers/cups.fake.ts'
import { type FakePrintNode, fakePrintNode } from '#integrations/printers/printnode.fake.ts'
import { type FakeRawPrinter, fakeRawPrinter } from '#integrations/printers/raw9100.fake.ts'
import { storeSecret } from '#platform/crypto/secret-store.ts'
import { readLabel } from '#test/label-reader.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { printers } from './printers.contract.ts'
import { paperNamed, paperOf } from './printers.rules.ts'
import { printNodeSecret } from './providers.server.ts'

let node: FakePrintNode
let testApp: TestApp
let operator: TestOperator
let worker: TestUser
beforeAll(async () => {
  node = await fakePrintNode({ perSecond: 1_000 })
  testApp = await openTestApp({ PRINTNODE_URL: node.url, ALLOWED_NETWORKS: '127.0.0.0/8' })
})
afterAll(async () => {
  await testApp.close()
  await node.stop()
})
beforeEach(async () => {
  testApp.setNow(undefined)
  node.printers.length = 0
  node.asked.length = 0
  operator = await testApp.operator({ shops: 1 })
  worker = await operator.hire(['scan', 'scan_admin'])
})

const giveKey = (key = node.apiKey) =>
  testApp.services.database.transaction(scopeOfCompany(operator), db =>
    storeSecret(
      db,
      testApp.services.vault,
      { operator_id: operator.operator_id, company_id: operator.main.id, name: printNodeSecret },
      key,
      {
        user_id: 0,
        at: new Date(),
      },
    ),
  )
const later = (seconds: number) => testApp.setNow(new Date(Date.now() + seconds * 1_000))

describe('the list of printers', () => {
  it('has the file printers without any key', async () => {
    const list = await worker.send(printers.list, {})
    expect(list).toMatchObject({ printnode: 'no_key', note: null })
    expect(list.printers.map(({ name, paper, raw }) => [name, paper, raw])).toEqual([
      ['File: A4', 'a4', false],
      ['File: labels (100 × 150 mm)', 'label', false],
    ])
    expect(JSON.stringify(list)).not.toContain(testApp.services.config.data_dir)
  })

  it('has PrintNode’s printers, keeps their ids and forgets those that are gone', async () => {
    await giveKey()
    const zebra = node.addPrinter()
    node.addPrinter({ name: 'HP LaserJet', description: 'HP LaserJet M404', capabilities: { copies: 99, papers: { A4: [2100, 2970] } } })
    const first = await worker.send(printers.list, {})
    expect(first.printnode).toBe('connected')
    expect(first.printers.filter(one => one.kind === 'printnode').map(({ name, paper, raw }) => [name, paper, raw])).toEqual([
      ['HP LaserJet', 'a4', false],
      ['Zebra ZD420', 'label', true],
    ])
    node.goOffline(zebra)
    node.printers.splice(1, 1)
    later(31)
    const then = await worker.send(printers.list, {})
    expect(then.printers.filter(one => one.kind === 'printnode').map(({ id, state }) => [id, state])).toEqual([
      [first.printers.find(one => one.name === 'Zebra ZD420')!.id, 'offline'],
    ])
  })

  it('is asked of PrintNode at most every half minute, unless somebody refreshes', async () => {
    await giveKey()
    const asked = () => node.asked.filter(one => one.path.startsWith('/printers')).length
    await Promise.all([worker.send(printers.list, {}), worker.send(printers.list, {}), worker.send(printers.list, {})])
    expect(asked()).toBe(1)
    later(5)
    await worker.send(printers.list, {})
    expect(asked()).toBe(1)
    await worker.send(printers.list, { refresh: true })
    expect(asked()).toBe(2)
    later(40)
    await worker.send(printers.list, {})
    expect(asked()).toBe(3)
  })

  it('stays as it was, with a note, while PrintNode cannot be reached', async () => {
    await giveKey()
    node.addPrinter()
    await worker.send(printers.list, {})
    node.behave({ on: 'GET /printers', status: 503 })
    later(31)
    const list = await worker.send(printers.list, {})
    expect(list).toMatchObject({ printnode: 'unreachable', note: 'PrintNode is out of service at the moment' })
    expect(list.printers).toHaveLength(3)
  })

  it('says that a wrong key is refused, and never shows the key', async () => {
    await giveKey('a-wrong-printnode-key')
    const answer = await worker.ask(printers.list, {})
    expect(answer.json()).toMatchObject({ printnode: 'refused', note: 'PrintNode does not accept the API key' })
    expect(answer.payload).not.toContain('a-wrong-printnode-key')
  })

  it('is each company’s own', async () => {
    await giveKey()
    node.addPrinter()
    await worker.send(printers.list, {})
    const shop = await operator.hire(['admin'], operator.shops[0])
    const list = await shop.send(printers.list, {})
    expect(list.printers.every(one => one.kind === 'file')).toBe(true)
    const own = new Set((await worker.send(printers.list, {})).printers.map(one => one.id))
    expect(list.printers.some(one => own.has(one.id))).toBe(false)
  })

  it.each([
    ['statistics', 403],
    ['pick', 200],
    ['settings', 200],
  ] as const)('answers somebody with %s with %i', async (right, status) => {
    expect((await (await operator.hire([right])).ask(printers.list, {})).statusCode).toBe(status)
  })
})

describe('a test page', () => {
  it('comes out as ZPL on a printer that takes it, and its code scanned back proves it', async () => {
    await giveKey()
    node.addPrinter()
    const zebra = (await worker.send(printers.list, {})).printers.find(one => one.kind === 'printnode')!
    const test = await worker.send(printerChecks.testPrint, { printer_id: zebra.id })
    expect(test.job).toMatchObject({ state: 'accepted', document: 'test', format: 'zpl' })
    expect(node.printed().at(-1)!.job.content.toString()).toContain(test.code)
    expect(await worker.send(printerChecks.proveTest, { number: test.number })).toMatchObject({
      id: zebra.id,
      proved_at: expect.any(String),
    })
    await expect(worker.send(printerChecks.proveTest, { number: 4_711 })).rejects.toMatchObject({ status: 404 })
  })

  it('is a PDF in the label folder, which everybody can open, and ZPL where somebody chose that', async () => {
    const { printers: known } = await worker.send(printers.list, {})
    const labels = known.find(one => one.paper === 'label')!
    expect((await worker.send(printerChecks.testPrint, { printer_id: labels.id })).job).toMatchObject({ state: 'done', format: 'pdf' })
    await worker.send(printers.change, { id: labels.id, body: { raw_override: true } })
    expect((await worker.send(printerChecks.testPrint, { printer_id: labels.id })).job).toMatchObject({ state: 'done', format: 'zpl' })
  })

  it('is a PDF that a scanner reads on an A4 printer', async () => {
    const { printers: known } = await worker.send(printers.list, {})
    const a4 = known.find(one => one.paper === 'a4')!
    const test = await worker.send(printerChecks.testPrint, { printer_id: a4.id })
    expect(test.job).toMatchObject({ state: 'done', format: 'pdf' })
    const folder = join(testApp.services.config.data_dir, 'prints', operator.main.code, 'a4')
    const pdf = (await readdir(folder)).find(name => name.endsWith('.pdf'))!
    expect((await readLabel(await readFile(join(folder, pdf)))).map(code => code.text)).toContain(test.code)
  })

  it('goes to the first label printer that is on line when none is named', async () => {
    const { job } = await worker.send(printerChecks.testPrint, {})
    expect(job.printer_name).toBe('File: labels (100 × 150 mm)')
  })

  it('answers with PrintNode’s own words when it fails', async () => {
    await giveKey()
    node.addPrinter()
    const zebra = (await worker.send(printers.list, {})).printers.find(one => one.kind === 'printnode')!
    node.behave({ on: 'POST /printjobs', status: 400, message: 'the account is over its limit' })
    const { job } = await worker.send(printerChecks.testPrint, { printer_id: zebra.id })
    expect(job).toMatchObject({ state: 'failed', error: 'PrintNode refuses: the account is over its limit' })
  })
})

describe('what a person sets', () => {
  it('overrules the guess whether a printer takes ZPL, and outlives the next look', async () => {
    await giveKey()
    node.addPrinter()
    const zebra = (await worker.send(printers.list, {})).printers.find(one => one.kind === 'printnode')!
    expect(await worker.send(printers.change, { id: zebra.id, body: { raw_override: false } })).toMatchObject({ raw: false })
    const { printers: then } = await worker.send(printers.list, { refresh: true })
    expect(then.find(one => one.id === zebra.id)).toMatchObject({ raw: false, raw_override: false })
    expect(await worker.send(printers.change, { id: zebra.id, body: { raw_override: null } })).toMatchObject({ raw: true })
  })

  it('names a fallback of the same company, and not the printer itself', async () => {
    const [a, b] = (await worker.send(printers.list, {})).printers
    expect(await worker.send(printers.change, { id: a!.id, body: { fallback_printer_id: b!.id } })).toMatchObject({
      fallback_printer_id: b!.id,
    })
    await expect(worker.send(printers.change, { id: a!.id, body: { fallback_printer_id: a!.id } })).rejects.toMatchObject({ status: 422 })
    const shop = await operator.hire(['admin'], operator.shops[0])
    const foreign = (await shop.send(printers.list, {})).printers[0]!
    await expect(worker.send(printers.change, { id: a!.id, body: { fallback_printer_id: foreign.id } })).rejects.toMatchObject({
      status: 422,
    })
    await expect(worker.send(printers.change, { id: foreign.id, body: { raw_override: true } })).rejects.toMatchObject({ status: 404 })
    const packer = await operator.hire(['scan'])
    await expect(packer.send(printers.change, { id: a!.id, body: {} })).rejects.toMatchObject({ status: 403 })
  })
})

describe('a station', () => {
  it('is registered at its first use, whatever its letters’ case', async () => {
    const first = await worker.send(stations.use, { name: 'Bench 1' })
    expect((await worker.send(stations.use, { name: 'bench 1' })).id).toBe(first.id)
    later(120)
    const again = await worker.send(stations.use, { name: 'BENCH 1' })
    expect(again.id).toBe(first.id)
    expect(again.last_used_at > first.last_used_at).toBe(true)
    expect(await worker.send(stations.list, {})).toHaveLength(1)
  })

  it('is not named after an order, a parcel or a product, whose code lands in the field when it is typed slowly', async () => {
    const scope = scopeOfCompany(operator)
    const shop = { ...scopeOfCompany(operator, operator.shops[0]!), companies: [operator.shops[0]!.id] }
    const own = await buildOrder(testApp.services, scope)
    const shops = await buildOrder(testApp.services, shop)
    await buildProduct(testApp.services, shop, { sku: 'CAP-2', barcodes: ['CAP2'] })
    for (const name of [
      own.order_no,
      `#${own.order_no}`,
      shops.order_no,
      'CAP2',
      `${operator.main.id}:${own.id}`,
      'PP17',
      '373500000000012345',
      'OWN20000000102',
    ])
      await expect(worker.send(stations.use, { name }), name).rejects.toMatchObject({ status: 422, code: 'station_name_is_code' })
    for (const name of ['Bench 1', 'Packing 12', 'B12']) expect((await worker.send(stations.use, { name })).name).toBe(name)
  })

  it('keeps its name when an order gets the same number', async () => {
    const { id } = await worker.send(stations.use, { name: 'B77' })
    await buildOrder(testApp.services, scopeOfCompany(operator), { order_no: 'B77' })
    expect((await worker.send(stations.use, { name: 'B77' })).id).toBe(id)
  })

  it('keeps its scanner for the next device', async () => {
    const scanner = { layout: 'da', suffix: 'Enter' }
    await worker.send(stations.saveScanner, { name: 'Bench 2', body: { scanner } })
    expect((await worker.send(stations.list, {}))[0]).toMatchObject({ name: 'Bench 2', scanner })
    await expect(
      worker.send(stations.saveScanner, { name: 'Bench 2', body: { scanner: { layout: 'x'.repeat(9_000) } } }),
    ).rejects.toMatchObject({ status: 400 })
  })

  it('is red before the first order of the day when its printer is off', async () => {
    await giveKey()
    const zebra = node.addPrinter()
    const label_printer_id = (await worker.send(printers.list, {})).printers.find(one => one.kind === 'printnode')!.id
    expect(await worker.send(stations.health, { label_printer_id })).toMatchObject({ state: 'ready', waiting: 0, last_print_at: null })
    await worker.send(printerChecks.testPrint, { printer_id: label_printer_id })
    node.goOffline(zebra)
    later(31)
    const health = await worker.send(stations.health, { label_printer_id })
    expect(health).toMatchObject({ state: 'trouble', last_print_at: expect.any(String) })
    expect(health.jobs).toHaveLength(1)
    expect(await worker.send(stations.health, {})).toMatchObject({ state: 'none', printers: [] })
  })

  it('is seen by its own operator only', async () => {
    await worker.send(stations.use, { name: 'Bench 1' })
    const stranger = await (await testApp.operator()).hire(['admin'])
    expect(await stranger.send(stations.list, {})).toEqual([])
  })
})

describe('a label printer of the network', () => {
  const zebra = { name: 'Zebra', host: '127.0.0.1', port: 9104 }
  let device: FakeRawPrinter
  beforeAll(async () => {
    device = await fakeRawPrinter(9104)
  })
  afterAll(() => device.stop())

  it('is added with its address, prints the test page as ZPL, and is removed', async () => {
    const { id } = await worker.send(printers.add, { body: zebra })
    const listed = async () => (await worker.send(printers.list, { refresh: true })).printers.find(one => one.id === id)
    expect(await listed()).toMatchObject({ kind: 'raw9100', computer: '127.0.0.1:9104', state: 'online', raw: true, paper: 'label' })
    const { job, code } = await worker.send(printerChecks.testPrint, { printer_id: id })
    expect(job).toMatchObject({ state: 'done', format: 'zpl' })
    expect(device.printed().at(-1)).toContain(code)
    await worker.send(printers.remove, { id })
    expect(await listed()).toBeUndefined()
    expect(await worker.send(printers.add, { body: { ...zebra, name: 'Zebra again' } })).toMatchObject({ id, name: 'Zebra again' })
  })

  it('takes no PDF, and says so', async () => {
    const { id } = await worker.send(printers.add, { body: zebra })
    const { job } = await worker.send(printerChecks.testPrint, { printer_id: id, paper: 'a4' })
    expect(job).toMatchObject({ state: 'failed', error: 'This printer takes ZPL only. Print PDF documents on another printer.' })
    expect((await worker.ask(printers.change, { id, body: { raw_override: false } })).statusCode).toBe(422)
  })

  it('is there once for each address, and is off line when nothing answers there', async () => {
    await worker.send(printers.add, { body: zebra })
    expect((await worker.ask(printers.add, { body: zebra })).statusCode).toBe(409)
    const { id } = await worker.send(printers.add, { body: { ...zebra, port: 9109 } })
    later(31)
    const { printers: known } = await worker.send(printers.list, { refresh: true })
    expect(known.find(one => one.id === id)?.state).toBe('offline')
  })

  it.each([
    { host: '10.0.0.5' },
    { host: '169.254.169.254' },
    { host: '[::1]' },
    { host: 'a b' },
    { host: 'user@example.com' },
    { port: 22 },
    { port: 5432 },
  ])('is refused at %o: a private network that the deployment does not permit, or no printer', async wrong => {
    expect((await worker.ask(printers.add, { body: { ...zebra, ...wrong } })).statusCode).toBeOneOf([400, 422])
  })

  it('is not printed on when its name leads into a private network', async () => {
    const closed = await openTestApp({ ALLOWED_NETWORKS: '10.99.0.0/16' })
    try {
      const manager = await (await closed.operator()).hire(['scan', 'scan_admin'])
      const { id } = await manager.send(printers.add, { body: { ...zebra, host: 'localhost' } })
      const before = device.printed().length
      const { job } = await manager.send(printerChecks.testPrint, { printer_id: id })
      expect(job).toMatchObject({ state: 'failed', error: 'The printer’s address is in a private network that this server may not reach' })
      expect(device.printed()).toHaveLength(before)
    } finally {
      await closed.close()
    }
  })

  it('belongs to its company, and to people who may change printers', async () => {
    const { id } = await worker.send(printers.add, { body: zebra })
    const packer = await operator.hire(['scan'])
    const shop = await operator.hire(['admin'], operator.shops[0]!)
    expect((await packer.ask(printers.add, { body: zebra })).statusCode).toBe(403)
    expect((await packer.ask(printers.remove, { id })).statusCode).toBe(403)
    expect((await shop.ask(printers.remove, { id })).statusCode).toBe(404)
  })

  it('is the only kind that people remove', async () => {
    const { printers: known } = await worker.send(printers.list, {})
    expect((await worker.ask(printers.remove, { id: known[0]!.id })).statusCode).toBe(409)
  })
})

describe('the CUPS of the server', () => {
  it('is offered to the main company where `lp` exists and one operator has the server for itself', async () => {
    const cups = await fakeCups()
    const own = await openTestApp()
    const path = process.env.PATH
    process.env.PATH = cups.path
    try {
      const only = await own.operator({ shops: 1 })
      const manager = await only.hire(['scan', 'scan_admin'])
      const list = await manager.send(printers.list, {})
      expect(list.cups).toBe('connected')
      const queue = list.printers.find(one => one.kind === 'cups' && one.raw)!
      const { job, code } = await manager.send(printerChecks.testPrint, { printer_id: queue.id })
      expect(job).toMatchObject({ state: 'accepted', format: 'zpl' })
      expect((await cups.jobs()).at(-1)?.content.toString()).toContain(code)
      const shop = await only.hire(['scan'], only.shops[0]!)
      expect(await shop.send(printers.list, {})).toMatchObject({ cups: 'absent' })
      await own.operator()
      own.setNow(new Date(Date.now() + 60_000))
      const shared = await manager.send(printers.list, { refresh: true })
      expect(shared.cups).toBe('absent')
      expect(shared.printers.some(one => one.kind === 'cups')).toBe(false)
    } finally {
      process.env.PATH = path
      await own.close()
      await cups.remove()
    }
  })
})

describe('what a printer is good for', () => {
  it.each([
    ['label', { name: 'ZDesigner GK420d', description: '', papers: {}, raw: false }],
    ['label', { name: 'Whatever', description: '', papers: { '100x150mm': [100, 150] as const }, raw: false }],
    ['label', { name: 'Whatever', description: '', papers: { A4: [210, 297] as const }, raw: true }],
    ['a4', { name: 'HP LaserJet', description: 'office', papers: { A4: [210, 297] as const, DL: [110, 220] as const }, raw: false }],
    ['a4', { name: 'Brother MFC', description: '', papers: {}, raw: false }],
  ])('is %s for %o', (paper, printer) => {
    expect(paperOf(printer)).toBe(paper)
  })

  it('finds the printer’s own name for a paper, upright or turned', () => {
    const papers = { A5: [148, 210], 'A4 borderless': [297, 210], '4 x 6"': [101.6, 152.4], '100 × 150 mm': [100, 150] } as const
    expect(paperNamed(papers, 'a4')).toBe('A4 borderless')
    expect(paperNamed(papers, 'label')).toBe('100 × 150 mm')
    expect(paperNamed({ A5: [148, 210] }, 'label')).toBeNull()
    expect(paperNamed({}, 'Custom.1')).toBe('Custom.1')
    expect(paperNamed(papers, null)).toBeNull()
  })
})
