/** People get an e-mail when a printer is offline for some minutes, once, and once more when it is back. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { mail } from '#features/deliveries/mail/mail.contract.ts'
import { writePrinterAlertMail } from '#features/deliveries/mail/printer-alert-mail.server.ts'
import { storePrinters } from '#features/printing/printers/printers.commands.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { printerAlerts } from './printer-alerts.contract.ts'
import { mailOutages } from './printer-alerts.task.ts'

let testApp: TestApp
let operator: TestOperator
let admin: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
})
afterAll(() => testApp.close())
const start = new Date('2026-11-20T10:00:00Z')
beforeEach(async () => {
  operator = await testApp.operator({ shops: 1 })
  admin = await operator.hire(['admin'])
  testApp.setNow(start)
})
afterEach(() => testApp.setNow(undefined))

const account = {
  host: 'mail.example.com',
  port: 587,
  security: 'starttls',
  user_name: 'shop',
  password: 'of-this-test',
  from_name: 'Shop',
  from_address: 'shop@example.test',
  reply_to: null,
  version: null,
} as const
const printer = (state: 'online' | 'offline') => ({
  remote_id: '7',
  name: 'Zebra 1',
  description: '',
  computer: 'PC 4',
  state,
  papers: {},
  raw: false,
})
const is = (state: 'online' | 'offline') =>
  testApp.services.database.transaction(scopeOfCompany(operator), db =>
    storePrinters(db, operator.main.id, { kind: 'printnode' }, [printer(state)], testApp.services.now()),
  )
const lookAt = async (minute: number) => {
  testApp.setNow(new Date(start.getTime() + minute * 60_000))
  await mailOutages(testApp.services)
}
const alerts = () => admin.send(printerAlerts.get, {})
const set = (body: object) =>
  admin.ask(printerAlerts.set, {
    body: { enabled: true, recipients: ['lead@example.test'], after_minutes: 5, version: 0, ...body } as never,
  })

/** Subjects of the mails that are due, with their recipients, oldest first. */
async function mails(): Promise<string[]> {
  const { operator_id, main } = operator
  const scope = scopeOfCompany(operator)
  const rows = await testApp.services.database.readOnly(scope, db =>
    db.selectFrom('outbox').select(['id', 'payload', 'object_id']).where('kind', '=', 'printer_alert.mail').orderBy('id').execute(),
  )
  const written = await Promise.all(
    rows.map(row =>
      writePrinterAlertMail(
        { operator_id, company_id: main.id, object_id: row.object_id, payload: row.payload } as never,
        testApp.services,
      ),
    ),
  )
  return written.map(one => (one ? `${one.to.address}: ${one.subject}` : 'none'))
}

async function mailAccount(): Promise<void> {
  await admin.send(mail.save, { body: account })
}

describe('a printer', () => {
  it('that is offline for five minutes is mailed once to each recipient, and once more when it is back', async () => {
    await mailAccount()
    expect((await set({ recipients: ['lead@example.test', 'it@example.test'] })).statusCode).toBe(200)
    await is('offline')
    await lookAt(0)
    await lookAt(4)
    expect(await mails()).toEqual([])
    expect((await alerts()).outages).toMatchObject([{ printer: 'Zebra 1', computer: 'PC 4', mailed_at: null }])
    await lookAt(5)
    await lookAt(6)
    expect(await mails()).toEqual(['lead@example.test: Zebra 1 is offline', 'it@example.test: Zebra 1 is offline'])
    await is('online')
    await lookAt(7)
    await lookAt(8)
    expect((await mails()).slice(2)).toEqual(['lead@example.test: Zebra 1 is back', 'it@example.test: Zebra 1 is back'])
    expect((await alerts()).outages).toEqual([])
  })

  it('that is back before is not mailed, and its next interruption counts from its own beginning', async () => {
    await mailAccount()
    await set({})
    await is('offline')
    await lookAt(0)
    await is('online')
    await lookAt(3)
    await is('offline')
    await lookAt(4)
    await lookAt(6)
    expect(await mails()).toEqual([])
    await lookAt(9)
    expect(await mails()).toHaveLength(1)
  })

  it('is no one’s alert while the alert is off or no account can send', async () => {
    await set({})
    await is('offline')
    await lookAt(0)
    await lookAt(10)
    expect(await mails()).toEqual([])
    await mailAccount()
    await set({ enabled: false, version: 1 })
    await lookAt(20)
    expect(await mails()).toEqual([])
  })
})

describe('the settings', () => {
  it('refuse what is no address, what stands twice and what somebody else has changed', async () => {
    expect((await set({ recipients: ['lead'] })).json()).toMatchObject({
      fields: { recipients: 'An e-mail address looks like name@example.com' },
    })
    expect((await set({ recipients: ['a@example.test', 'A@example.test'] })).statusCode).toBe(400)
    expect((await set({})).statusCode).toBe(200)
    expect((await set({ after_minutes: 9 })).json()).toMatchObject({ code: 'settings_changed', current: { version: 1, after_minutes: 5 } })
    expect((await set({ after_minutes: 9, version: 1 })).json()).toMatchObject({ version: 2, after_minutes: 9 })
  })

  it('are tested by a mail to each recipient', async () => {
    expect((await admin.ask(printerAlerts.test, {})).json()).toMatchObject({ code: 'no_mail_account' })
    await mailAccount()
    expect((await admin.ask(printerAlerts.test, {})).json()).toMatchObject({ code: 'recipients_missing' })
    await set({})
    expect((await admin.ask(printerAlerts.test, {})).statusCode).toBe(204)
    expect(await mails()).toEqual(['lead@example.test: Test of the printer alert'])
    const answers: number[] = []
    for (let more = 0; more < 10; more++) answers.push((await admin.ask(printerAlerts.test, {})).statusCode)
    expect(answers).toContain(429)
  })
})
