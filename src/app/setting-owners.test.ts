/** Setting back what features store themselves: alarms of pickups, the return portal, and webhooks. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { settingChanges } from '#features/company/companies/setting-changes.contract.ts'
import { webhooks } from '#features/deliveries/webhooks/webhooks.contract.ts'
import { deadlineBoard } from '#features/insight/deadline-board/deadline-board.contract.ts'
import { portal } from '#features/returns/portal/portal.contract.ts'
import { rmaLanguages } from '#features/returns/rma-languages/rma-languages.contract.ts'
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
    await astrid.send(webhooks.remove, { id: made.id })
    await expect(setBack(row?.id)).rejects.toMatchObject({ status: 404, code: 'outgoing_webhook_not_found' })
  })
})
