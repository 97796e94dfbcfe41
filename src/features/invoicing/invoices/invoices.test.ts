/** Invoices for customs over HTTP: what waits, what is checked, how numbers are given, and what can never be changed. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type BuiltCompany, scopeOfCompany } from '#app/demo/builders.ts'
import { countryId } from '#domain/countries.ts'
import { elementAt } from '#domain/objects.ts'
import { company } from '#features/company/companies/companies.contract.ts'
import { exchangeRates } from '#features/company/exchange-rates/exchange-rates.contract.ts'
import { mail } from '#features/deliveries/mail/mail.contract.ts'
import { sendMail } from '#features/deliveries/mail/mail-sender.server.ts'
import { startMailServer } from '#features/deliveries/mail/mail-server.fake.ts'
import { sendDeliveries } from '#features/deliveries/outbox/send-deliveries.task.ts'
import { bulkInvoicing } from '#features/invoicing/bulk-invoicing/bulk-invoicing.contract.ts'
import { printers } from '#features/printing/printers/printers.contract.ts'
import { labels } from '#features/shipping/labels/labels.contract.ts'
import { collectLists, collectListsOwn } from '#features/warehouse/collect-lists/collect-lists.contract.ts'
import { readText } from '#test/label-reader.ts'
import { placeOrder } from '#test/orders.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, Refused, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { keepInvoices } from './erase-invoices.commands.ts'
import { writeInvoiceMail, writeInvoiceSample } from './invoice-mail.server.ts'
import { bulkInvoiceOrders, invoices } from './invoices.contract.ts'
import type { InvoiceInFull } from './invoices.schemas.ts'

let testApp: TestApp
let operator: TestOperator
let boss: TestUser
let clerk: TestUser
let packer: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
})
afterAll(() => testApp.close())
beforeEach(async () => {
  testApp.setNow(new Date('2026-03-11T09:00:00Z'))
  operator = await testApp.operator({ shops: 1, settings: { sender } })
  boss = await operator.hire(['admin'], operator.main, 'Astrid')
  clerk = await operator.hire(['list'], operator.main, 'Kim')
  packer = await operator.hire(['scan', 'parcels'], operator.main, 'Mette')
})

const party = (country: string, vat_no: string) => ({
  name: 'Fjord AS',
  address1: 'Kaia 1',
  postcode: '0150',
  city: 'Oslo',
  country,
  vat_no,
})
const NO = countryId('NO')
const way = { courier: 'own', country: 'NO' }

async function configure(by = boss, more: Record<string, unknown> = {}) {
  const config = await by.send(bulkInvoicing.create, {
    agent_code: 'own',
    country_id: NO,
    body: { currency: 'NOK', importer: party('NO', '974760673'), exporter: party('DK', 'DK12345678'), hs_digits: 8, ...more },
  })
  return by.send(bulkInvoicing.setActive, { config_id: config.config_id, active: true })
}

const rate = (by = boss) =>
  by.send(exchangeRates.setManual, {
    body: { from_currency: 'DKK', to_currency: 'NOK', rate: '1.57506702', valid_from: '2026-01-01' },
  })

type Goods = readonly [description: string, hs: string | null, origin: string, qty: number, net: number, value: number]
const tee = (qty: number, value: number): Goods => ['T-shirt, knitted cotton', '61091000', 'PT', qty, 200, value]
const cap = (qty: number, value: number): Goods => ['Cap, cotton', '65050030', 'CN', qty, 72, value]
const sock = (qty: number, value: number): Goods => ['Socks, cotton', '61159400', 'PT', qty, 95, value]

/** A booked parcel to Norway. Values are of the whole line. */
async function parcel(
  goods: readonly Goods[],
  plan: { currency?: string; weight_g?: number; by?: TestUser; country?: string } = {},
): Promise<number> {
  const { currency = 'NOK', weight_g = 1_000, by = packer, country = 'NO' } = plan
  const { shipments } = await by.send(labels.create, {
    agent_code: 'own',
    shipping_method: 'van',
    operation_code: 'outbound',
    body: {
      recipient: { name: 'Kari Prøve', address1: 'Prøveveien 5', postcode: country === 'NO' ? '0155' : '5000', city: 'Oslo', country },
      parcels: [
        {
          weight_g,
          lines: goods.map(([description, hs_code, origin, quantity, net, value]) => ({
            ...{ description, quantity, origin, net_weight_g: net * quantity, value: { amount: value, currency } },
            ...(hs_code !== null && { hs_code }),
          })),
        },
      ],
    },
  })
  return elementAt(shipments, 0).shipment_id
}

const three = async () => [
  await parcel([tee(2, 43_200), cap(1, 10_728)], { weight_g: 620 }),
  await parcel([tee(3, 48_000), cap(1, 9_900)], { weight_g: 830, currency: 'DKK' }),
  await parcel([tee(1, 3_333), cap(1, 3_333), sock(1, 3_333)], { weight_g: 512, currency: 'DKK' }),
]

const cancel = async (shipment_id: number) => {
  const [found] = await packer.send(labels.status, { ids: String(shipment_id) })
  await packer.send(labels.cancel, { agent_code: 'own', barcode: found?.barcode ?? '' })
}

const draft = (body: object = { all: true }, by = clerk) => by.send(invoices.create, { ...way, body: body as { all: true } })
const freeze = ({ id, version, fingerprint }: InvoiceInFull, by = clerk) =>
  by.send(invoices.freeze, { id, body: { version, ...(fingerprint !== null && { fingerprint }) } })
const frozen = (body: object = { all: true }, by = clerk) => draft({ ...body, freeze: true }, by)
const refused = async (promise: Promise<unknown>): Promise<Refused> => {
  const outcome = await promise.then(
    () => new Error('It was not refused'),
    (error: unknown) => error,
  )
  if (!(outcome instanceof Refused)) throw outcome
  return outcome
}
const levels = (invoice: InvoiceInFull) => Object.fromEntries(invoice.checks.map(check => [check.code, check.level]))
const errors = (invoice: InvoiceInFull) => invoice.checks.filter(check => check.level === 'error').map(check => check.code)
const within = <T>(company: BuiltCompany, work: Parameters<typeof testApp.services.database.transaction<T>>[1]) =>
  testApp.services.database.transaction({ ...scopeOfCompany(operator, company), companies: [company.id] }, work)

describe('a booked parcel', () => {
  it('waits where bulk invoicing is on for its courier and country, and nowhere else', async () => {
    await parcel([tee(1, 100)])
    expect(await clerk.send(invoices.tabs, {})).toEqual([])
    await configure()
    // What stands in the warehouse joins when it is switched on.
    const own = await parcel([tee(1, 100)])
    await parcel([tee(1, 100)], { country: 'DK' })
    expect(await clerk.send(invoices.counts, { country: 'no' })).toMatchObject([{ agent_code: 'own', ready: 2, incomplete: 0, drafts: 0 }])
    expect(await clerk.send(invoices.counts, { country: 'SE' })).toEqual([])
    expect(await clerk.send(invoices.count, { ...way })).toMatchObject({ ready: 2 })
    expect((await clerk.send(invoices.orders, way)).rows.at(-1)).toMatchObject({
      shipments: [{ shipment_id: own, gaps: [] }],
      value: 100,
      currency: 'NOK',
      queued: true,
    })
  })

  it('is named with what it lacks', async () => {
    await configure()
    await parcel([['Cap', null, 'CN', 1, 72, 100]])
    await parcel([tee(1, 100)])
    expect(await clerk.send(invoices.counts, { country: 'NO' })).toMatchObject([{ ready: 1, incomplete: 1 }])
    expect((await clerk.send(invoices.orders, { ...way, missing: 'only' })).rows).toMatchObject([{ missing: ['hs'] }])
  })

  it('leaves the queue when its label is cancelled', async () => {
    await configure()
    const id = await parcel([tee(1, 100)])
    await cancel(id)
    expect(await clerk.send(invoices.counts, { country: 'NO' })).toMatchObject([{ ready: 0 }])
  })

  it('waits no more when bulk invoicing is switched off, which drafts prevent', async () => {
    const { config_id } = await configure()
    await parcel([tee(1, 100)])
    const { id } = await draft()
    const off = () => boss.send(bulkInvoicing.setActive, { config_id, active: false })
    expect(await refused(off())).toMatchObject({ status: 409, code: 'config_in_use' })
    await clerk.send(invoices.removeDraft, { id })
    await off()
    expect(await refused(draft())).toMatchObject({ status: 409, code: 'no_config' })
    expect(await clerk.send(invoices.tabs, {})).toEqual([])
  })
})

describe('an invoice', () => {
  it('groups the parcels by tariff code and origin, with one rest of rounding, the same in every file', async () => {
    await configure()
    await rate()
    await three()
    const preview = await draft({ all: true, preview: true })
    expect(errors(preview)).toEqual([])
    expect(levels(preview)).toMatchObject({ parcels: 'warning', sums: 'ok', recipients: 'ok' })
    expect((await clerk.send(invoices.list, {})).rows).toEqual([])
    const invoice = await freeze(await draft())
    expect(invoice).toMatchObject({
      ...{
        invoice_no: '2026-0001',
        state: 'frozen',
        kind: 'invoice',
        parcels: 3,
        lines: 3,
        total: 160_873,
        rounding: -1,
        net_g: 1_511,
        gross_g: 1_962,
      },
      ...{
        checks: [],
        fingerprint: null,
        kept_until: '2031-12-31',
        frozen_by: 'Kim',
        rates: [{ from: 'DKK', to: 'NOK', rate: '1.57506702' }],
      },
    })
    expect(invoice.line_rows.map(line => [line.hs_code, line.origin, line.quantity, line.value, line.rounding])).toEqual([
      ['61091000', 'PT', 6, 124_052, -1],
      ['61159400', 'PT', 1, 5_250, 0],
      ['65050030', 'CN', 3, 31_571, 0],
    ])
    const file = async (format: 'pdf' | 'csv' | 'json') =>
      Buffer.from((await clerk.send(invoices.download, { id: invoice.id, format })).bytes as Uint8Array)
    const json = JSON.parse((await file('json')).toString()) as {
      total: string
      lines: { value: string }[]
      parcels: { value: string }[]
      sha256: string
    }
    expect(json).toMatchObject({ total: '1608.73', sha256: invoice.sha256, rounding: '-0.01', gross_weight_kg: '1.962' })
    const rows = (await file('csv')).toString().trim().split('\r\n').slice(1)
    const cents = (texts: readonly string[]) => texts.reduce((sum, text) => sum + Math.round(Number(text) * 100), 0)
    expect(cents(rows.map(row => elementAt(row.split(';'), 9)))).toBe(160_873)
    expect(cents(json.lines.map(line => line.value))).toBe(160_873)
    expect(cents(json.parcels.map(one => one.value))).toBe(160_873)
    const text = (await readText(await file('pdf'))).join(' ')
    for (const part of ['2026-0001', '1608.73 NOK', '1240.52', '315.71', '52.50', '1.962', 'Rounding -0.01 on line 1'])
      expect(text).toContain(part)
    // Nothing of it names a person.
    expect(`${text}${JSON.stringify(json)}`).not.toContain('Kari')
  })

  it('prints the footer of the day on which it was issued', async () => {
    await configure()
    await parcel([tee(1, 10_000)])
    const setFooter = (text: string) => boss.send(company.setFooter, { locale: 'en_GB', body: { text } })
    await setFooter('Bank 1234')
    const first = await draft()
    await freeze(first)
    const printed = async () =>
      (await readText(Buffer.from((await clerk.send(invoices.download, { id: first.id, format: 'pdf' })).bytes as Uint8Array))).join(' ')
    expect(await printed()).toContain('Bank 1234')
    await setFooter('Bank 9876')
    expect(await printed()).toContain('Bank 1234')
    expect(await printed()).not.toContain('Bank 9876')
  })

  it('asks for a rate, and takes the one of its day', async () => {
    await configure()
    await parcel([tee(1, 10_000)], { currency: 'SEK' })
    const first = await draft()
    expect(errors(first)).toEqual(['rate_missing'])
    expect(await refused(freeze(first))).toMatchObject({ status: 422, code: 'invoice_incomplete' })
    const set = (value: string, valid_from: string, valid_to: string | null = null) =>
      boss.send(exchangeRates.setManual, { body: { from_currency: 'SEK', to_currency: 'NOK', rate: value, valid_from, valid_to } })
    await set('2', '2026-01-01')
    await set('3', '2026-03-12')
    await set('4', '2026-02-01', '2026-03-10')
    expect(await freeze(await clerk.send(invoices.get, { id: first.id }))).toMatchObject({ total: 20_000 })
  })

  it('is frozen as it was shown, or not at all', async () => {
    await configure()
    await parcel([tee(1, 100)], { currency: 'DKK' })
    await rate()
    const shown = await draft()
    await boss.send(exchangeRates.setManual, { body: { from_currency: 'DKK', to_currency: 'NOK', rate: '2', valid_from: '2026-01-01' } })
    expect(await refused(freeze(shown))).toMatchObject({ status: 409, code: 'invoice_changed' })
    const again = await clerk.send(invoices.get, { id: shown.id })
    expect(await freeze(again)).toMatchObject({ invoice_no: '2026-0001', total: 200 })
    // The answer was lost, and the same is asked again.
    expect(await freeze(again)).toMatchObject({ invoice_no: '2026-0001' })
  })

  it('is refused with parcels that are incomplete, on another invoice, cancelled, or too many lines', async () => {
    const { config_id } = await configure()
    const incomplete = await parcel([['Cap', null, 'CN', 1, 72, 100]])
    const good = await parcel([tee(1, 100), cap(1, 100)])
    expect(errors(await draft({ shipment_ids: [incomplete, good], preview: true }))).toEqual(['complete'])
    await boss.send(bulkInvoicing.update, { config_id, body: { max_lines: 1, version: 2 } })
    expect(errors(await draft({ shipment_ids: [good], preview: true }))).toEqual(['lines'])
    await boss.send(bulkInvoicing.update, { config_id, body: { max_lines: 10, min_parcels: 20, version: 3 } })
    const [one, other] = [await draft({ shipment_ids: [good] }), await draft({ shipment_ids: [good] })]
    expect(levels(one)).toMatchObject({ minimum: 'warning' })
    await freeze(one)
    expect(await refused(freeze(other))).toMatchObject({ status: 409, code: 'already_invoiced' })
    const gone = await parcel([tee(1, 100)])
    const last = await draft({ shipment_ids: [gone] })
    await cancel(gone)
    expect(errors(await clerk.send(invoices.get, { id: last.id }))).toEqual(['parcels'])
  })

  it('is made once, however often its request is sent', async () => {
    await configure()
    await parcel([tee(1, 100)])
    const client_id = randomUUID()
    const made = await frozen({ all: true, client_id })
    expect(await frozen({ all: true, client_id })).toMatchObject({ id: made.id, invoice_no: '2026-0001' })
    expect((await clerk.send(invoices.list, {})).total).toBe(1)
  })

  it('of two frozen at once with the same parcel only one gets a number', async () => {
    await configure()
    const shipment_ids = [await parcel([tee(1, 100)])]
    const drafts = [await draft({ shipment_ids }), await draft({ shipment_ids })]
    const outcomes = await Promise.allSettled(drafts.map(one => freeze(one)))
    expect(outcomes.map(one => one.status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(outcomes.find(one => one.status === 'rejected')?.reason).toMatchObject({ code: 'already_invoiced' })
    await parcel([tee(1, 100)])
    expect(await frozen()).toMatchObject({ invoice_no: '2026-0002' })
  })
})

describe('numbers', () => {
  it('have no gap and no double with 16 writers, of whom some are refused', async () => {
    await configure()
    const ids: number[] = []
    for (let i = 0; i < 16; i++) ids.push(await parcel([i % 5 === 4 ? ['Cap', null, 'CN', 1, 72, 100] : tee(1, 100)]))
    const outcomes = await Promise.allSettled(ids.map(id => frozen({ shipment_ids: [id] })))
    const numbers = outcomes.flatMap(one => (one.status === 'fulfilled' ? (one.value.invoice_no ?? '') : [])).toSorted()
    expect(numbers).toEqual(Array.from({ length: 13 }, (_, i) => `2026-${String(i + 1).padStart(4, '0')}`))
    // The refused ones gave back what they had taken.
    await parcel([tee(1, 100)])
    expect(await frozen()).toMatchObject({ invoice_no: '2026-0014' })
  })

  it('begin anew with the year on the company’s clock, and with each series', async () => {
    const { config_id } = await configure()
    testApp.setNow(new Date('2025-12-31T22:59:59.900Z'))
    await parcel([tee(1, 100)])
    expect(await frozen()).toMatchObject({ invoice_no: '2025-0001', issued_on: '2025-12-31' })
    testApp.setNow(new Date('2025-12-31T23:00:00.000Z'))
    await parcel([tee(1, 100)])
    expect(await frozen()).toMatchObject({ invoice_no: '2026-0001', issued_on: '2026-01-01' })
    await boss.send(bulkInvoicing.update, { config_id, body: { series: 'NO-', version: 2 } })
    await parcel([tee(1, 100)])
    expect(await frozen()).toMatchObject({ invoice_no: 'NO-2026-0001' })
  })
})

describe('a frozen invoice', () => {
  it('cannot be changed or deleted with the rights of the server', async () => {
    await configure()
    await parcel([tee(1, 100)])
    const { id } = await frozen()
    for (const statement of [
      sql`update trade_invoices set total = 1 where id = ${id}`,
      sql`update trade_invoices set number = 9 where id = ${id}`,
      sql`update trade_invoice_lines set value = 1 where invoice_id = ${id}`,
      sql`delete from trade_invoice_lines where invoice_id = ${id}`,
      sql`update trade_invoice_parcels set value = 1 where invoice_id = ${id}`,
      sql`delete from trade_invoice_parcels where invoice_id = ${id}`,
    ])
      await expect(within(operator.main, db => statement.execute(db))).rejects.toThrow(/permission denied/)
    await expect(within(operator.main, db => sql`delete from trade_invoices where id = ${id}`.execute(db))).rejects.toThrow(/is kept until/)
    expect(await refused(clerk.send(invoices.removeDraft, { id }))).toMatchObject({ code: 'invoice_frozen' })
  })

  it('can be deleted by the end of its time alone, also where it has no lines', async () => {
    const deleted = async (state: string, kept_until: string | null) => {
      const row = { agent_code: 'own', country: 'NO', state, issued_on: '2019-01-01', currency: 'DKK', kept_until }
      const frozen =
        state === 'draft' ? {} : { year: 2019, number: 1, series: 'OLD', invoice_no: 'OLD-1', frozen_at: '2019-01-01T00:00:00Z' }
      const { id } = await within(operator.main, db =>
        db
          .insertInto('trade_invoices')
          .values({ ...row, ...frozen } as never)
          .returning('id')
          .executeTakeFirstOrThrow(),
      )
      const gone = await within(operator.main, db => db.deleteFrom('trade_invoices').where('id', '=', id).executeTakeFirst()).catch(String)
      if (typeof gone === 'string')
        await expect(
          testApp.services.database.systemTransaction('a test', db => db.deleteFrom('trade_invoices').where('id', '=', id).execute()),
        ).rejects.toThrow(/is kept until/)
      await testApp.services.database.ownerTransaction(client =>
        client.query("update trade_invoices set series = 'X' || id where id = $1", [id]),
      )
      return typeof gone !== 'string'
    }
    expect([
      await deleted('draft', null),
      await deleted('frozen', null),
      await deleted('sent', '2999-12-31'),
      await deleted('sent', '2024-12-31'),
    ]).toEqual([true, false, false, true])
  })

  it('is corrected by a credit with the next number, and a new invoice of what is left', async () => {
    await configure()
    const [first, second] = [await parcel([tee(1, 100)]), await parcel([cap(1, 300)])]
    const invoice = await frozen()
    const credit = (body: object, by = boss) =>
      by.send(invoices.credit, { id: invoice.id, body: { reason: 'One parcel stayed here', ...body } as { reason: string } })
    expect(await refused(credit({}, clerk))).toMatchObject({ status: 403 })
    const body = { freeze_anew: true, without: [second] }
    const answer = await credit(body)
    expect(answer.credit).toMatchObject({
      ...{
        invoice_no: '2026-0002',
        kind: 'credit',
        total: -400,
        parcels: 2,
        credits: { invoice_no: '2026-0001' },
        reason: 'One parcel stayed here',
      },
    })
    expect(answer.replacement).toMatchObject({ invoice_no: '2026-0003', total: 100, parcels: 1, replaces: { invoice_no: '2026-0001' } })
    expect(await clerk.send(invoices.get, { id: invoice.id })).toMatchObject({
      ...{ state: 'credited', total: 400, credited_by: { invoice_no: '2026-0002' }, replaced_by: { invoice_no: '2026-0003' } },
    })
    // Sent again it is no second credit.
    expect((await credit(body)).credit.invoice_no).toBe('2026-0002')
    expect(await refused(credit({ reason: 'Again' }))).toMatchObject({ code: 'invoice_credited' })
    expect((await clerk.send(invoices.orders, way)).rows.flatMap(row => row.shipments.map(one => one.shipment_id))).toEqual([second])
    expect(first).toBeGreaterThan(0)
    expect(await refused(boss.send(invoices.credit, { id: answer.credit.id, body: { reason: 'x' } }))).toMatchObject({
      code: 'credit_is_final',
    })
  })

  it('is blocked when one of its parcels is cancelled', async () => {
    await configure()
    const one = await parcel([tee(1, 100)])
    await parcel([tee(1, 100)])
    const { id } = await frozen()
    await cancel(one)
    expect(await clerk.send(invoices.get, { id })).toMatchObject({ state: 'blocked' })
    expect((await clerk.send(invoices.list, { state: 'blocked' })).total).toBe(1)
    const { replacement } = await boss.send(invoices.credit, { id, body: { reason: 'Cancelled', freeze_anew: true } })
    expect(replacement).toMatchObject({ parcels: 1, state: 'frozen' })
  })

  it('is printed once for each request, in the warehouse only', async () => {
    await configure()
    await parcel([tee(1, 100)])
    const { id } = await frozen()
    const printer_id = (await boss.send(printers.list, {})).printers.find(one => one.paper === 'a4')!.id
    const client_id = randomUUID()
    const print = () => clerk.send(invoices.print, { invoice_id: id, printer_id, client_id })
    const [one, other] = [await print(), await print()]
    expect(one).toMatchObject({ state: 'done', title: '2026-0001' })
    expect(other.id).toBe(one.id)
    expect(invoices.print.ipLock).toBe(true)
    const { id: open } = await draft({ shipment_ids: [await parcel([tee(1, 100)])] })
    expect(await refused(clerk.send(invoices.print, { invoice_id: open, printer_id }))).toMatchObject({ code: 'not_frozen' })
    expect(await refused(clerk.send(invoices.download, { id: open }))).toMatchObject({ code: 'not_frozen' })
    const pdf = Buffer.from((await clerk.send(invoices.download, { id: open, draft: true })).bytes as Uint8Array)
    expect((await readText(pdf)).join(' ')).toContain('DRAFT')
  })

  it('is kept by law, and the person’s own copy says until when', async () => {
    await configure()
    const shipment_id = await parcel([tee(1, 100)])
    await frozen()
    await within(operator.main, async db => {
      expect(await keepInvoices.erase(db, { order_ids: [], customer_ids: [], words: [] }, new Date())).toEqual({})
      const { rows } = await sql<{ kept_until: string }>`select i.kept_until from trade_invoices i join trade_invoice_parcels t
        on t.operator_id = i.operator_id and t.invoice_id = i.id where t.shipment_id = ${shipment_id}`.execute(db)
      expect(rows).toEqual([{ kept_until: '2031-12-31' }])
    })
  })

  it('needs an e-mail account and a recipient before it is sent', async () => {
    await configure()
    await parcel([tee(1, 100)])
    const { id } = await frozen()
    expect(await refused(clerk.send(invoices.send, { id, body: {} }))).toMatchObject({ code: 'no_recipients' })
    expect(await refused(clerk.send(invoices.send, { id, body: { emails: ['broker@example.test'] } }))).toMatchObject({
      code: 'no_mail_account',
    })
  })
})

describe('the mail of an invoice', () => {
  it('goes to broker and courier with the chosen files, by itself or by hand, and once for each request', async () => {
    testApp.services.config.allowed_networks = ['127.0.0.0/8']
    const server = await startMailServer()
    try {
      const { config_id } = await configure()
      await boss.send(mail.save, {
        body: {
          ...{
            host: '127.0.0.1',
            port: server.port,
            security: 'none' as const,
            user_name: server.signIn.user,
            password: server.signIn.password,
          },
          ...{ from_name: 'Warehouse', from_address: 'warehouse@example.com', reply_to: null, version: null },
        },
      })
      const emails = ['broker@example.test', 'courier@example.test']
      await boss.send(bulkInvoicing.sendTo, { config_id, body: { emails, formats: ['pdf', 'csv'], when: 'freeze', test: true } })
      await parcel([tee(1, 100)])
      const { id } = await frozen()
      const client_id = randomUUID()
      for (let i = 0; i < 2; i++)
        await clerk.send(invoices.send, { id, body: { client_id, emails: ['third@example.test'], formats: ['json'] } })
      // Mails of one object leave one after the other.
      for (let time = 0; time < 4; time++)
        await sendDeliveries(testApp.services, {
          mail: sendMail({ 'invoice.mail': writeInvoiceMail, 'bulk_config.sample': writeInvoiceSample }),
        })
      const files = server.received.map(one => [one.to[0], [...one.source.matchAll(/filename="?([^"\r\n]+)"?/g)].map(([, name]) => name)])
      expect(files.toSorted()).toEqual([
        ['broker@example.test', ['invoice-2026-0001.pdf', 'invoice-2026-0001.csv']],
        ['broker@example.test', ['invoice-sample.pdf', 'invoice-sample.csv']],
        ['courier@example.test', ['invoice-2026-0001.pdf', 'invoice-2026-0001.csv']],
        ['courier@example.test', ['invoice-sample.pdf', 'invoice-sample.csv']],
        ['third@example.test', ['invoice-2026-0001.json']],
      ])
      const invoice = await clerk.send(invoices.get, { id })
      expect(invoice).toMatchObject({ state: 'sent', invoice_no: '2026-0001' })
      expect(invoice.deliveries.map(one => one.state)).toEqual(['delivered', 'delivered', 'delivered'])
    } finally {
      await server.close()
    }
  })
})

describe('an order', () => {
  /** A packed order of two lines, with a label. */
  async function packed() {
    const order = await placeOrder(
      testApp.services.database,
      { ...scopeOfCompany(operator), companies: [operator.main.id] },
      {
        work_state: 'packed',
        currency: 'NOK',
        ship_to: { country: 'NO', postcode: '0155', city: 'Oslo' },
        lines: [
          { sku: 'TEE', name: 'T-shirt', qty: 1, weight_g: 200, hs_code: '610910', origin: 'PT', unit_price_excl_vat: '80.00' },
          { sku: 'CAP', name: 'Cap', qty: 1, weight_g: 80, unit_price_excl_vat: '100.00' },
        ],
      },
    )
    const { shipments } = await packer.send(labels.create, {
      agent_code: 'own',
      shipping_method: 'van',
      operation_code: 'outbound',
      body: { order_id: order.id, parcels: [{ lines: order.lines.map(order_line_id => ({ order_line_id, quantity: 1 })) }] },
    })
    return { ...order, shipment_id: elementAt(shipments, 0).shipment_id }
  }
  const enqueue = (id: number) => packer.send(bulkInvoiceOrders.enqueue, { id, body: null })
  const skip = (id: number, on: boolean, order_item_ids?: number[]) =>
    packer.send(bulkInvoiceOrders.setSkip, { id, skip: on, body: order_item_ids ? { order_item_ids } : null })

  it('shows what its parcels lack, read from its lines as they are now', async () => {
    await configure()
    const order = await packed()
    expect((await clerk.send(invoices.orders, way)).rows).toMatchObject([
      { order_no: order.order_no, missing: ['hs', 'origin'], shipments: [{ shipment_id: order.shipment_id }], lines: 2 },
    ])
    await within(operator.main, db =>
      db.updateTable('order_lines').set({ hs_code: '650500', origin: 'CN' }).where('id', '=', elementAt(order.lines, 1)).execute(),
    )
    expect(await clerk.send(invoices.counts, { country: 'NO' })).toMatchObject([{ ready: 1, incomplete: 0 }])
  })

  it('is left out whole by one of its lines, and taken in again', async () => {
    await configure()
    const { id, lines, shipment_id } = await packed()
    expect(await skip(id, true, [elementAt(lines, 0)])).toEqual({ skipped_items: [lines[0]], queued: [] })
    expect(await enqueue(id)).toMatchObject({ queued: [], refused: [{ shipment_id, code: 'skipped' }] })
    expect((await clerk.send(invoices.orders, { ...way, skipped: 'only' })).rows).toMatchObject([{ order_id: id, skip: true }])
    expect(errors(await draft({ shipment_ids: [shipment_id], preview: true }))).toContain('regime')
    expect(await skip(id, false)).toEqual({ skipped_items: [], queued: [shipment_id] })
    expect(await enqueue(id)).toEqual({ queued: [shipment_id], refused: [] })
  })

  it('is not left out once it is invoiced', async () => {
    await configure()
    const order = await packed()
    await within(operator.main, db =>
      db.updateTable('order_lines').set({ hs_code: '650500', origin: 'CN' }).where('id', '=', elementAt(order.lines, 1)).execute(),
    )
    await frozen()
    expect(await refused(skip(order.id, true))).toMatchObject({ code: 'already_invoiced' })
    expect(await enqueue(order.id)).toMatchObject({ refused: [{ code: 'already_invoiced' }] })
  })
})

describe('companies', () => {
  it('have numbers of their own; the main company invoices for its shops, and no shop for another company', async () => {
    const shop = elementAt(operator.shops, 0)
    const owner = await operator.hire(['admin', 'scan', 'parcels'], shop, 'Ida')
    await configure(owner)
    await configure()
    await parcel([tee(1, 100)], { by: owner })
    await parcel([tee(1, 100)])
    expect(await frozen()).toMatchObject({ invoice_no: '2026-0001', parcels: 1 })
    const of_shop = await frozen({ all: true, company_id: shop.id })
    expect(of_shop).toMatchObject({ invoice_no: '2026-0001', company_id: shop.id })
    expect((await clerk.send(invoices.list, {})).total).toBe(2)
    expect((await owner.send(invoices.list, {})).rows.map(row => row.id)).toEqual([of_shop.id])
    expect(await refused(frozen({ all: true, company_id: operator.main.id }, owner))).toMatchObject({ status: 404 })
    const [main] = (await clerk.send(invoices.list, { company_id: operator.main.id })).rows
    expect(await refused(owner.send(invoices.get, { id: main!.id }))).toMatchObject({ status: 404 })
  })

  it('have last lines of their own, also when the warehouse draws the invoice', async () => {
    const shop = elementAt(operator.shops, 0)
    const owner = await operator.hire(['admin', 'scan', 'parcels'], shop, 'Ida')
    await owner.send(company.setFooter, { locale: 'en_GB', body: { text: 'Bank of the shop' } })
    await boss.send(company.setFooter, { locale: 'en_GB', body: { text: 'Bank of the warehouse' } })
    await configure(owner)
    await parcel([tee(1, 100)], { by: owner })
    const { id } = await frozen({ all: true, company_id: shop.id })
    const text = (await readText(Buffer.from((await clerk.send(invoices.download, { id })).bytes as Uint8Array))).join(' ')
    expect(text).toContain('Bank of the shop')
    expect(text).not.toContain('Bank of the warehouse')
  })
})

describe('a collect list', () => {
  async function listed() {
    await configure()
    const ids = [await parcel([tee(1, 100)]), await parcel([tee(1, 100)])]
    const list = await clerk.send(collectLists.create, { body: { agent_code: 'own', cage: 'Own delivery' } })
    const numbers = await within(operator.main, db =>
      db.selectFrom('shipments').select(['id', 'barcode']).where('id', 'in', ids).orderBy('id').execute(),
    )
    const scan = (at: number) =>
      clerk.send(collectListsOwn.scan, { id: list.id, body: { scan_id: randomUUID(), code: numbers[at]?.barcode ?? '' } })
    const close = (missing: number[] = []) =>
      clerk.send(collectListsOwn.close, {
        id: list.id,
        body: { reasons: missing.map(shipment_id => ({ shipment_id, reason: 'not_found' as const })) },
      })
    const leave = () => clerk.send(collectListsOwn.handOver, { id: list.id, body: { driver: 'Ole' } })
    return { ids, list, scan, close, leave }
  }

  it('is handed over with its invoice', async () => {
    const { list, scan, close, leave } = await listed()
    await scan(0)
    await scan(1)
    const invoice = await draft({ collect_list_ids: [list.id] })
    expect(levels(invoice)).toMatchObject({ parcels: 'ok' })
    const { id } = await freeze(invoice)
    await close()
    await leave()
    expect(await clerk.send(invoices.get, { id })).toMatchObject({ state: 'handed_over' })
  })

  it('does not leave while its invoice lists a parcel that is not there, until that is frozen anew', async () => {
    const { ids, scan, close, leave } = await listed()
    const { id } = await frozen()
    await scan(0)
    await close([elementAt(ids, 1)])
    expect(await refused(leave())).toMatchObject({ status: 409, code: 'invoice_blocked' })
    const { replacement } = await boss.send(invoices.credit, {
      id,
      body: { reason: 'Missed the truck', freeze_anew: true, without: [elementAt(ids, 1)] },
    })
    await leave()
    expect(await clerk.send(invoices.get, { id: replacement!.id })).toMatchObject({ state: 'handed_over' })
  })

  it('does not leave with a parcel that its invoice does not list', async () => {
    const { ids, scan, close, leave } = await listed()
    await frozen({ shipment_ids: [elementAt(ids, 0)] })
    await scan(0)
    await scan(1)
    await close()
    expect(await refused(leave())).toMatchObject({ status: 409, code: 'parcel_not_invoiced' })
  })
})

it('lists, filters, sorts and exports invoices', async () => {
  await configure()
  await parcel([tee(1, 500)])
  await frozen()
  await parcel([cap(1, 100)])
  await draft()
  const numbers = async (asked: object) => (await clerk.send(invoices.list, asked)).rows.map(row => row.invoice_no)
  expect(await numbers({})).toEqual([null, '2026-0001'])
  expect(await numbers({ sort: '-total' })).toEqual(['2026-0001', null])
  expect(await numbers({ query: '0001' })).toEqual(['2026-0001'])
  expect(await numbers({ state: 'draft' })).toEqual([null])
  expect(await numbers({ state: 'open', courier: 'own', country: 'NO', from: '2026-03-11', to: '2026-03-11' })).toHaveLength(2)
  expect(await numbers({ country: 'SE' })).toEqual([])
  expect(String((await clerk.send(invoices.export, {})).bytes)).toContain('2026-0001,invoice,frozen')
})
