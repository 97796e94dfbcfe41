/** Setting back what features store themselves: alarms, the return portal, webhooks, accounts of mails and text messages, alerts, and pay. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { settingChanges } from '#features/company/companies/setting-changes.contract.ts'
import { mail } from '#features/deliveries/mail/mail.contract.ts'
import { sms } from '#features/deliveries/sms/sms.contract.ts'
import { webhooks } from '#features/deliveries/webhooks/webhooks.contract.ts'
import { deadlineBoard } from '#features/insight/deadline-board/deadline-board.contract.ts'
import { messages } from '#features/messages/messages/messages.contract.ts'
import { orderAlertSettings } from '#features/orders/order-alerts/order-alerts.contract.ts'
import { salary } from '#features/people/salary/salary.contract.ts'
import { printerAlerts } from '#features/printing/printer-alerts/printer-alerts.contract.ts'
import { portal } from '#features/returns/portal/portal.contract.ts'
import { rmaLanguages } from '#features/returns/rma-languages/rma-languages.contract.ts'
import { parcelShops } from '#features/shipping/parcel-shops/parcel-shops.contract.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'

let testApp: TestApp
let operator: TestOperator
let astrid: TestUser
let olav: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ shops: 1 })
  astrid = await operator.hire(['admin'], operator.main, 'Astrid Holm')
  olav = await operator.hire(['settings_admin'], operator.main, 'Olav Berg')
})
afterAll(() => testApp.close())

const last = async (path: string, by = astrid) => (await by.send(settingChanges.list, { path, limit: 10 })).rows
const setBack = (id: number | undefined, by = astrid) => by.send(settingChanges.setBack, { id: id ?? 0 })
const none = { recipients: [], quiet_from: null, quiet_until: null, sound: true }
const texts = { greeting: 'Welcome', return_address: 'Dock 1', confirmation: 'Thank you', legal: '', support: '' }

describe('a change of the alarms of pickups', () => {
  it('is in the history of its page, and is set back as its page saves it', async () => {
    const first = await astrid.send(deadlineBoard.setAlarms, {
      body: { ...none, recipients: ['lead@example.com'], quiet_from: '20:00', quiet_until: '06:00', version: 0 },
    })
    await olav.send(deadlineBoard.setAlarms, {
      body: { ...none, recipients: ['lead@example.com'], quiet_from: '20:00', quiet_until: '06:00', sound: false, version: first.version },
    })
    const [row, ...rows] = await last('/settings/dashboard')
    expect(row).toMatchObject({
      ...{
        name: 'deadline_alarms.sound',
        label: 'Sound on boards',
        before: true,
        after: false,
        changed_by: 'Olav Berg',
        can_set_back: true,
      },
    })
    expect(rows.map(one => one.name).toSorted()).toEqual(['deadline_alarms.quiet_hours', 'deadline_alarms.recipients'])
    expect(await setBack(row?.id)).toMatchObject({ before: false, after: true, changed_by: 'Astrid Holm' })
    const hours = rows.find(one => one.name === 'deadline_alarms.quiet_hours')
    await setBack(hours?.id)
    expect(await astrid.send(deadlineBoard.alarms, {})).toMatchObject({
      ...{ sound: true, quiet_from: null, quiet_until: null, recipients: ['lead@example.com'] },
    })
  })

  it('is seen by the people of the page alone', async () => {
    const board = await operator.hire(['dashboard_admin'])
    expect((await last('/settings/dashboard', board)).length).toBeGreaterThan(0)
    const shop = await operator.hire(['admin'], operator.shops[0])
    expect(await last('/settings/dashboard', shop)).toEqual([])
    const serials = await operator.hire(['sn_admin'])
    expect(await last('/settings/dashboard', serials)).toEqual([])
  })
})

describe('a change of the return portal', () => {
  it('of its offer is set back whole', async () => {
    const { version } = await astrid.send(portal.offer, {})
    const before = await astrid.send(portal.offer, {})
    await astrid.send(portal.setOffer, { body: { ...before, outcomes: ['credit'], version } })
    const [row] = await last('/settings/rma-config')
    expect(row).toMatchObject({ name: 'return_offer.outcomes', label: 'Outcomes', before: before.outcomes, after: ['credit'] })
    await setBack(row?.id)
    expect(await astrid.send(portal.offer, {})).toMatchObject({ outcomes: before.outcomes })
  })

  it('of a text is set back in its language, and of its opening too', async () => {
    const place = { language: 'de_DE', shop: 'main' } as const
    const first = await astrid.send(rmaLanguages.setTexts, { ...place, body: { texts, version: 0 } })
    await astrid.send(rmaLanguages.enable, place)
    const enabled = (await last('/settings/rma-config'))[0]
    expect(enabled).toMatchObject({ name: 'return_texts.main.de_DE.enabled', label: 'Return portal', before: false, after: true })
    await olav.send(rmaLanguages.setTexts, { ...place, body: { texts: { ...texts, greeting: 'Hello' }, version: first.version + 1 } })
    const [row] = await last('/settings/rma-config')
    expect(row).toMatchObject({ name: 'return_texts.main.de_DE.greeting', label: 'Greeting', before: 'Welcome', after: 'Hello' })
    await setBack(row?.id)
    await setBack(enabled?.id)
    const { rows } = await astrid.send(rmaLanguages.list, { shop: 'main' })
    expect(rows.find(one => one.language === 'de_DE')).toMatchObject({ enabled: false, texts })
  })

  it('is refused after a later change, and where the value is not allowed any more', async () => {
    const place = { language: 'da_DK', shop: 'main' } as const
    const one = await astrid.send(rmaLanguages.setTexts, { ...place, body: { texts, version: 0 } })
    const address = (await last('/settings/rma-config')).find(row => row.name === 'return_texts.main.da_DK.return_address')
    await astrid.send(rmaLanguages.enable, place)
    // An open portal keeps its return address.
    await expect(setBack(address?.id)).rejects.toMatchObject({ status: 409, code: 'rma_texts_missing' })
    await olav.send(rmaLanguages.setTexts, { ...place, body: { texts: { ...texts, return_address: 'Dock 2' }, version: one.version + 1 } })
    await expect(setBack(address?.id)).rejects.toMatchObject({ status: 409, code: 'setting_changed_since', current: 'Dock 2' })
  })
})

describe('a change of a webhook', () => {
  const save = (more: object, by = astrid) =>
    by.send(webhooks.save, { body: { name: 'Our shop', url: 'https://shop.example.com/hook', events: ['order.*'], ...more } })

  it('is set back, with its version, and its secrets are in no history', async () => {
    const { row: made } = await save({ header_name: 'X-Api-Key', header_value: 'very-secret-4711' })
    const { id } = made
    await save({ id, header_name: 'X-Api-Key', header_value: 'more-secret-4712', events: ['order.packed'] }, olav)
    const [row, ...rows] = await last('/settings/webhooks')
    expect(row).toMatchObject({
      name: `webhooks.${id}.events`,
      label: 'Events',
      before: ['order.*'],
      after: ['order.packed'],
      changed_by: 'Olav Berg',
    })
    expect(row?.place_name).toBe('Our shop')
    expect(JSON.stringify([row, rows])).not.toContain('secret-47')
    await setBack(row?.id)
    const saved = (await astrid.send(webhooks.list, {})).rows.find(one => one.id === id)
    expect(saved).toMatchObject({ events: ['order.*'], version: made.version + 2, header_name: 'X-Api-Key' })
    await expect(setBack(row?.id)).rejects.toMatchObject({ status: 409, code: 'setting_changed_since', current: ['order.*'] })
    const other = await operator.hire(['admin'], operator.shops[0])
    await expect(setBack((await last('/settings/webhooks'))[0]?.id, other)).rejects.toMatchObject({ status: 404 })
  })

  it('of a webhook that is gone is refused', async () => {
    const { row: made } = await save({})
    await save({ id: made.id, name: 'Renamed' })
    const [row] = await last('/settings/webhooks')
    expect(row?.place_name).toBe('Renamed')
    await astrid.send(webhooks.remove, { id: made.id })
    expect((await last('/settings/webhooks'))[0]).toMatchObject({ id: row?.id, place_name: null })
    await expect(setBack(row?.id)).rejects.toMatchObject({ status: 404, code: 'outgoing_webhook_not_found' })
  })
})

describe('a change of the settings of a page', () => {
  it.each([
    {
      path: '/settings/email',
      read: messages.settings,
      save: messages.saveSettings,
      change: { keep_days: 30 },
      row: { name: 'message_settings.keep_days', label: 'Keep texts for (days)', before: 180, after: 30 },
    },
    {
      path: '/settings/email',
      read: messages.settings,
      save: messages.saveSettings,
      change: { quiet_from: '20:00' },
      row: { name: 'message_settings.quiet_hours', label: 'Quiet hours', before: ['21:00', '08:00'], after: ['20:00', '08:00'] },
    },
    {
      path: '/settings/email-alert',
      read: printerAlerts.get,
      save: printerAlerts.set,
      change: { recipients: ['lead@example.com'] },
      row: { name: 'printer_alerts.recipients', label: 'Recipients', before: [], after: ['lead@example.com'] },
    },
    {
      path: '/settings/order-alerts',
      read: orderAlertSettings.get,
      save: orderAlertSettings.set,
      change: { hold_reason: 'fraud' },
      row: { name: 'order_alerts.hold_reason', label: 'Reason of holds', before: 'alert', after: 'fraud' },
    },
    {
      path: '/settings/shipping-config',
      read: parcelShops.replacement,
      save: parcelShops.saveReplacement,
      change: { mode: 'nearest' },
      row: { name: 'parcel_shop_replacement.mode', label: 'Closed or full parcel shop', before: 'ask', after: 'nearest' },
    },
  ])('is set back, and refused after a later one: $row.name', async ({ path, read, save, change, row }) => {
    const foreign = ['can_mail', 'outages', 'has_mail_account']
    const fields = async () => Object.fromEntries(Object.entries(await astrid.send(read, {})).filter(([name]) => !foreign.includes(name)))
    const set = async (more: object, by: TestUser) => by.send(save, { body: { ...(await fields()), ...more } } as never)
    const { version: _version, ...before } = await fields()
    await set(change, olav)
    const [saved] = await last(path)
    expect(saved).toMatchObject({ ...row, page: path, changed_by: 'Olav Berg', can_set_back: true })
    expect(await setBack(saved?.id)).toMatchObject({ before: row.after, after: row.before, changed_by: 'Astrid Holm' })
    expect(await fields()).toMatchObject(before)
    await expect(setBack(saved?.id)).rejects.toMatchObject({ status: 409, code: 'setting_changed_since', current: row.before })
    // An old form does not overwrite what was set back.
    await expect(set({ version: 1 }, olav)).rejects.toMatchObject({ status: 409, code: 'settings_changed' })
    const serials = await operator.hire(['sn_admin'])
    expect(await last(path, serials)).toEqual([])
    await expect(setBack(saved?.id, serials)).rejects.toMatchObject({ status: 404 })
    const shop = await operator.hire(['admin'], operator.shops[0])
    expect(await last(path, shop)).toEqual([])
  })
})

describe('a change of the settings of pay', () => {
  it('is set back by those who see pay, and seen by no one else', async () => {
    const payroll = await operator.hire(['salary_admin'], operator.main, 'Kirsten Lund')
    const { settings } = await payroll.send(salary.rules, {})
    const { currency: _currency, time_zone: _zone, ...body } = settings
    await payroll.send(salary.setSettings, { body: { ...body, sick_code: '77', quality_below: 850, separator: 'tab' } })
    const rows = await last('/salary/rules', payroll)
    expect(rows.map(({ name, label }) => [name, label]).toSorted()).toEqual([
      ['pay.leave', 'Leave'],
      ['pay.quality', 'Commission counts'],
      ['pay.separator', 'Separator'],
    ])
    expect(rows.find(row => row.name === 'pay.quality')).toMatchObject({ after: [9950, 1000, 9900, 950, 850], can_set_back: true })
    for (const row of rows) await setBack(row.id, payroll)
    const { version: _version, ...fields } = body
    expect((await payroll.send(salary.rules, {})).settings).toMatchObject(fields)
    expect(await last('/salary/rules', olav)).toEqual([])
    await expect(setBack(rows[0]?.id, olav)).rejects.toMatchObject({ status: 404 })
  })
})

describe('a change of an account', () => {
  const account = {
    ...{ host: 'smtp.example.com', port: 587, security: 'starttls' as const, user_name: 'warehouse@example.com' },
    ...{ from_name: 'Nordic Goods', from_address: 'warehouse@example.com', reply_to: null },
  }
  it('of mails is set back without its password, which is in no history', async () => {
    const { account: made } = await astrid.send(mail.save, { body: { ...account, password: 'very-secret-1', version: null } })
    await olav.send(mail.save, { body: { ...account, from_name: 'Goods', port: 465, security: 'tls', version: made.version } })
    const rows = (await last('/settings/email')).filter(row => row.name.startsWith('mail_account.'))
    expect(rows.map(row => row.name).toSorted()).toEqual(['mail_account.from_name', 'mail_account.port', 'mail_account.security'])
    await setBack(rows.find(row => row.name === 'mail_account.from_name')?.id)
    expect((await astrid.send(mail.account, {})).account).toMatchObject({ from_name: 'Nordic Goods', port: 465, has_password: true })
    const { account: now } = await astrid.send(mail.account, {})
    await olav.send(mail.save, {
      body: { ...account, host: 'mail.example.com', password: 'very-secret-2', version: now?.version ?? 0 },
    })
    const history = await last('/settings/email')
    expect(JSON.stringify(history)).not.toContain('very-secret')
    // A password that was stored for one server is not sent to another.
    const host = history.find(row => row.name === 'mail_account.host')
    await expect(setBack(host?.id)).rejects.toMatchObject({ status: 422, code: 'password_missing' })
    expect((await astrid.send(mail.account, {})).account).toMatchObject({ host: 'mail.example.com', has_password: true })
  })

  it('of text messages is set back without its secrets, which are in no history', async () => {
    const gateway = {
      ...{ provider: 'gatewayapi' as const, api: 'classic' as const, region: 'eu' as const, user_name: '', sender: 'Nordic' },
      ...{ price_micro: 307_000, currency: 'DKK', warn_below_micro: null },
    }
    const { version } = await astrid.send(sms.save, { body: { ...gateway, secret: 'very-secret-3', version: 0 } })
    await olav.send(sms.save, { body: { ...gateway, price_micro: 400_000, version } })
    const [row] = await last('/settings/email')
    expect(row).toMatchObject({ name: 'sms_account.price_micro', label: 'Price of one part', before: 307_000, after: 400_000 })
    await setBack(row?.id)
    expect(await astrid.send(sms.account, {})).toMatchObject({ price_micro: 307_000, secret_last4: 'et-3' })
    const { version: now } = await astrid.send(sms.account, {})
    await olav.send(sms.save, { body: { ...gateway, provider: 'inmobile', secret: 'very-secret-4', version: now } })
    const history = await last('/settings/email')
    expect(JSON.stringify(history)).not.toContain('very-secret')
    const provider = history.find(one => one.name === 'sms_account.provider' && one.after === 'inmobile')
    await expect(setBack(provider?.id)).rejects.toMatchObject({ status: 422, code: 'secret_missing' })
  })
})
