/** Setting back what stands in lists: an entry's changes, its removal and its addition. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { permissionCode, permissionId } from '#contract/access.ts'
import { crateRules } from '#features/catalog/crates/crate-rules.contract.ts'
import { crateTypes } from '#features/catalog/crates/crate-types.contract.ts'
import { productLinks } from '#features/catalog/product-links/product-links.contract.ts'
import { announcements } from '#features/company/announcements/announcements.contract.ts'
import { settingChanges } from '#features/company/companies/setting-changes.contract.ts'
import { settingField } from '#features/company/companies/setting-fields.rules.ts'
import { customsNumbers } from '#features/company/customs-numbers/customs-numbers.contract.ts'
import { exchangeRates } from '#features/company/exchange-rates/exchange-rates.contract.ts'
import { groups } from '#features/company/groups/groups.contract.ts'
import { tags } from '#features/company/tags/tags.contract.ts'
import { templates } from '#features/messages/templates/templates.contract.ts'
import { additionalProducts } from '#features/orders/additional-products/additional-products.contract.ts'
import { deadlines } from '#features/orders/deadlines/deadlines.contract.ts'
import { orderAlerts } from '#features/orders/order-alerts/order-alerts.contract.ts'
import { tagRules } from '#features/orders/tag-rules/tag-rules.contract.ts'
import { approvalRules } from '#features/packing/approval/approval.contract.ts'
import { serialNumbers } from '#features/packing/serial-numbers/serial-numbers.contract.ts'
import { printers } from '#features/printing/printers/printers.contract.ts'
import { stationPrinters } from '#features/printing/station-printers/station-printers.contract.ts'
import { stations } from '#features/printing/stations/stations.contract.ts'
import { returns } from '#features/returns/returns/returns.contract.ts'
import { addressBook } from '#features/shipping/address-book/address-book.contract.ts'
import { eraseAddresses } from '#features/shipping/address-book/erase-addresses.commands.ts'
import { campaigns } from '#features/shipping/campaigns/campaigns.contract.ts'
import { prices } from '#features/shipping/prices/prices.contract.ts'
import { methodRules } from '#features/shipping/shipping-methods/method-rules.contract.ts'
import { shippingMethods } from '#features/shipping/shipping-methods/shipping-methods.contract.ts'
import { pickLists } from '#features/warehouse/pick-lists/pick-lists.contract.ts'
import { placeOrder } from '#test/orders.ts'
import { announcement, campaign } from '#test/setting-samples.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'

let testApp: TestApp
let operator: TestOperator
let astrid: TestUser
let olav: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ shops: 1 })
  astrid = await operator.hire(['admin'], operator.main, 'Astrid Holm')
  olav = await operator.hire(['settings_admin', 'parcels_admin', 'pick_admin', 'scan_admin', 'users_admin'], operator.main, 'Olav Berg')
  await astrid.send(tags.create, { body: { name: 'Fragile' } })
  await astrid.send(shippingMethods.setActive, { active: 'true', agent_code: 'own', method: 'van' })
})
afterAll(() => testApp.close())

const history = async (path: string, by = astrid) => (await by.send(settingChanges.list, { path, limit: 50 })).rows
const setBack = (id: number | undefined, by = astrid) => by.send(settingChanges.setBack, { id: id ?? 0 })
const method = { agent_code: 'own', shipping_method: 'van' }
const conditions = { v: 1 as const, all: [{ field: 'order.shop', op: 'eq', value: 'main' }] }
const address = {
  kind: 'sender' as const,
  title: 'Dock 1',
  name: 'Nordic',
  address1: 'Havnevej 1',
  postcode: '8000',
  city: 'Aarhus',
  country: 'DK' as const,
}
const box = {
  ...{
    name: 'Small',
    code: 'S1',
    inner_mm: [100, 100, 100] as [number, number, number],
    outer_mm: [110, 110, 110] as [number, number, number],
  },
  ...{ tare_g: 50, max_g: 5_000, cost: 200, currency: 'DKK' },
}
const deadline = { name: 'Van', weekdays: [1, 2, 3, 4, 5], cut_off: '14:00', pickup_time: '16:00' }
const tagId = async () => (await astrid.send(tags.list, { query: 'Fragile' })).rows[0]?.id ?? 0
const day = '2027-12-24'

interface Case {
  list: string
  path: string
  /** The field that is changed, with its value before and after. */
  field: string
  before: unknown
  after: unknown
  add(): Promise<{ id: number | string; version: number }>
  change(id: number, version: number): Promise<unknown>
  remove(id: number): Promise<unknown>
  /** The field's value as the page shows it; undefined where the entry is gone. */
  read(id: number): Promise<unknown>
}

const template = {
  ...{ channel: 'email' as const, locale: 'en_GB' as const, trigger: 'shipped' as const, name: 'Packed', subject: 'Your order' },
  blocks: [{ kind: 'heading' as const, text: 'It is packed' }, { kind: 'parcels' as const }],
}

const step = { ...method, max_g: 2_000, amount: 3_900, currency: 'DKK', valid_from: '2027-01-01' }
const surcharge = { name: 'Fuel', agent_code: 'own', kind: 'percent' as const, percent_milli: 8_500, valid_from: '2027-01-01' }
const rate = { from_currency: 'SEK', to_currency: 'DKK', rate: '0.66', valid_from: '2027-01-01' }

const slots = [{ colour: 'red' as const }, { colour: null }]
const wagon = { name: 'Small wagon', rows: 1, columns: 2, slots }

const networkPrinter = { name: 'Zebra 1', host: 'zebra-1.example.com', port: 9100 }

const reason = { words: { en_GB: 'Other colour' }, evidence_text: 'off', evidence_photo: 'off', fault: 'customer', active: true } as const

const found = <R extends { id: number }>(rows: readonly R[], id: number) => rows.find(row => row.id === id)

const cases: Case[] = [
  {
    ...{ list: 'tags', path: '/settings/tags', field: 'color', before: 'c1', after: 'c3' },
    add: () => astrid.send(tags.create, { body: { name: 'VIP' } }),
    change: (id, version) => olav.send(tags.update, { id, body: { name: 'VIP', color: 'c3', version } }),
    remove: id => olav.send(tags.remove, { id }),
    read: async id => found((await astrid.send(tags.list, {})).rows, id)?.color,
  },
  {
    ...{ list: 'tag_rules', path: '/settings/tag-rules', field: 'active', before: true, after: false },
    add: async () => astrid.send(tagRules.create, { body: { tag_id: await tagId(), conditions } }),
    change: async (id, version) => olav.send(tagRules.update, { id, body: { tag_id: await tagId(), conditions, active: false, version } }),
    remove: id => olav.send(tagRules.remove, { id }),
    read: async id => found((await astrid.send(tagRules.list, {})).rows, id)?.active,
  },
  {
    ...{ list: 'boxes', path: '/settings/crates', field: 'max_g', before: 5_000, after: 6_000 },
    add: () => astrid.send(crateTypes.create, { body: box }),
    change: (id, version) => olav.send(crateTypes.update, { id, body: { ...box, max_g: 6_000, version } }),
    remove: id => olav.send(crateTypes.remove, { id }),
    read: async id => found((await astrid.send(crateTypes.list, {})).rows, id)?.max_g,
  },
  {
    ...{ list: 'box_rules', path: '/settings/crates', field: 'percent', before: 10, after: 20 },
    add: async () => ({
      ...(await astrid.send(crateRules.set, { id: 0, sku: 'LAMP-1', body: { kind: 'filler', percent: 10 } })),
      version: 0,
    }),
    change: () => olav.send(crateRules.set, { id: 0, sku: 'LAMP-1', body: { kind: 'filler', percent: 20 } }),
    remove: id => olav.send(crateRules.remove, { id }),
    read: async id => found((await astrid.send(crateRules.list, {})).rows, id)?.percent,
  },
  {
    ...{ list: 'addresses', path: '/settings/address-book', field: 'city', before: 'Aarhus', after: 'Odense' },
    add: () => astrid.send(addressBook.create, { body: address }),
    change: (id, version) => olav.send(addressBook.update, { id, body: { ...address, city: 'Odense', version } }),
    remove: id => olav.send(addressBook.remove, { id }),
    read: async id => found((await astrid.send(addressBook.list, {})).rows, id)?.city,
  },
  {
    ...{ list: 'additional_products', path: '/settings/additional-products', field: 'qty', before: 1, after: 2 },
    add: () => astrid.send(additionalProducts.create, { body: { name: 'Flyer', conditions } }),
    change: (id, version) => olav.send(additionalProducts.update, { id, body: { name: 'Flyer', conditions, qty: 2, version } }),
    remove: id => olav.send(additionalProducts.remove, { id }),
    read: async id => found((await astrid.send(additionalProducts.list, {})).rows, id)?.qty,
  },
  {
    ...{ list: 'alerts', path: '/settings/order-alerts', field: 'enabled', before: true, after: false },
    add: () =>
      astrid.send(orderAlerts.update, { id: 0, body: { email: 'lead@example.com', currency: 'DKK', order_count_min: 5, note: 'Look' } }),
    change: id => olav.send(orderAlerts.disable, { id }),
    remove: id => olav.send(orderAlerts.remove, { id }),
    read: async id => found((await astrid.send(orderAlerts.search, {})).rows, id)?.enabled,
  },
  {
    ...{ list: 'product_links', path: '/settings/product-links', field: 'title', before: 'Shop', after: 'Web shop' },
    add: () => astrid.send(productLinks.create, { body: { title: 'Shop', url: 'https://shop.example/{sku}' } }),
    change: (id, version) =>
      olav.send(productLinks.update, { id, body: { title: 'Web shop', url: 'https://shop.example/{sku}', version } }),
    remove: id => olav.send(productLinks.remove, { id }),
    read: async id => found(await astrid.send(productLinks.list, {}), id)?.title,
  },
  {
    ...{ list: 'approval_rules', path: '/settings/approval', field: 'reason_required', before: false, after: true },
    add: () => astrid.send(approvalRules.set, { body: { name: 'Large', conditions, methods: ['pin'], approver_codes: ['admin'] } }),
    change: (id, version) =>
      olav.send(approvalRules.set, {
        body: { id, version, name: 'Large', conditions, methods: ['pin'], approver_codes: ['admin'], reason_required: true },
      }),
    remove: id => olav.send(approvalRules.remove, { id }),
    read: async id => found((await astrid.send(approvalRules.list, {})).rows, id)?.reason_required,
  },
  {
    ...{ list: 'method_rules', path: '/settings/shipping-config', field: 'active', before: true, after: false },
    add: () => astrid.send(methodRules.create, { body: { name: 'Own', conditions, ...method } }),
    change: (id, version) => olav.send(methodRules.update, { id, body: { name: 'Own', conditions, ...method, active: false, version } }),
    remove: id => olav.send(methodRules.remove, { id }),
    read: async id => found(await astrid.send(methodRules.list, {}), id)?.active,
  },
  {
    ...{ list: 'customs_numbers', path: '/settings/customs-config', field: 'valid_to', before: null, after: '2027-12-31' },
    add: async () => ({
      ...(await astrid.send(customsNumbers.set, { body: { kind: 'eori', country: 'DK', value: 'DK12345678' } })),
      version: 0,
    }),
    change: () => olav.send(customsNumbers.set, { body: { kind: 'eori', country: 'DK', value: 'DK12345678', valid_to: '2027-12-31' } }),
    remove: id => olav.send(customsNumbers.remove, { id }),
    read: async id => found(await astrid.send(customsNumbers.list, {}), id)?.valid_to,
  },
  {
    ...{ list: 'serial_rules', path: '/settings/serial-number-config', field: 'regex', before: '[a-z]{4}', after: '[a-z]{5}' },
    add: async () => ({ ...(await astrid.send(serialNumbers.update, { regex: '[a-z]{4}', barcode: 'LAMP-1' })), version: 0 }),
    change: () => olav.send(serialNumbers.update, { regex: '[a-z]{5}', barcode: 'LAMP-1' }),
    remove: id => olav.send(serialNumbers.remove, { id }),
    read: async id => found((await astrid.send(serialNumbers.checks, {})).rows, id)?.regex,
  },
  {
    ...{ list: 'deadlines', path: '/settings/dashboard', field: 'cut_off', before: '14:00', after: '13:00' },
    add: () => astrid.send(deadlines.create, { body: deadline }),
    change: (id, version) => olav.send(deadlines.update, { id, body: { ...deadline, cut_off: '13:00', version } }),
    remove: id => olav.send(deadlines.remove, { id }),
    read: async id => found((await astrid.send(deadlines.list, {})).rows, id)?.cut_off,
  },
  {
    ...{ list: 'closed_days', path: '/settings/dashboard', field: 'note', before: 'Christmas', after: 'Christmas Eve' },
    add: async () => {
      await astrid.send(deadlines.setDay, { body: { day, open: false, note: 'Christmas' } })
      return { id: `all.${day}`, version: 0 }
    },
    change: () => olav.send(deadlines.setDay, { body: { day, open: false, note: 'Christmas Eve' } }),
    remove: () => olav.send(deadlines.removeDay, { day }),
    read: async () => (await astrid.send(deadlines.days, { from: day, to: day })).rows[0]?.note,
  },
  {
    ...{ list: 'message_templates', path: '/settings/email', field: 'subject', before: 'Your order', after: 'Your parcel' },
    add: () => astrid.send(templates.create, { body: template }),
    change: (id, version) => olav.send(templates.update, { id, body: { ...template, subject: 'Your parcel', version } }),
    remove: id => olav.send(templates.remove, { id }),
    read: async id => found((await astrid.send(templates.list, {})).rows, id)?.subject,
  },
  {
    ...{ list: 'prices', path: '/settings/shipping-config', field: 'amount', before: 3_900, after: 4_100 },
    add: () => astrid.send(prices.create, { body: step }),
    change: (id, version) => olav.send(prices.update, { id, body: { ...step, amount: 4_100, version } }),
    remove: id => olav.send(prices.remove, { id }),
    read: async id => found((await astrid.send(prices.list, {})).rows, id)?.amount,
  },
  {
    ...{ list: 'price_zones', path: '/settings/shipping-config', field: 'postcodes', before: '', after: '3700-3799' },
    add: () => astrid.send(prices.createZone, { body: { name: 'Islands', countries: ['DK'] } }),
    change: (id, version) =>
      olav.send(prices.updateZone, { id, body: { name: 'Islands', countries: ['DK'], postcodes: '3700-3799', version } }),
    remove: id => olav.send(prices.removeZone, { id }),
    read: async id => found(await astrid.send(prices.zones, {}), id)?.postcodes,
  },
  {
    ...{ list: 'surcharges', path: '/settings/shipping-config', field: 'percent_milli', before: 8_500, after: 9_000 },
    add: () => astrid.send(prices.createSurcharge, { body: surcharge }),
    change: (id, version) => olav.send(prices.updateSurcharge, { id, body: { ...surcharge, percent_milli: 9_000, version } }),
    remove: id => olav.send(prices.removeSurcharge, { id }),
    read: async id => found(await astrid.send(prices.surcharges, {}), id)?.percent_milli,
  },
  {
    ...{ list: 'exchange_rates', path: '/settings/customs-config', field: 'rate', before: '0.66', after: '0.67' },
    add: async () => ({ ...(await astrid.send(exchangeRates.setManual, { body: rate })), version: 0 }),
    change: () => olav.send(exchangeRates.setManual, { body: { ...rate, rate: '0.67' } }),
    remove: id => olav.send(exchangeRates.removeManual, { id }),
    read: async id => found(await astrid.send(exchangeRates.manual, {}), id)?.rate,
  },
  {
    ...{ list: 'wagon_types', path: '/lists/pick', field: 'active', before: true, after: false },
    add: async () => {
      const { id, version } = await astrid.send(pickLists.createWagonType, { body: wagon })
      return { id: id ?? 0, version }
    },
    change: (id, version) => olav.send(pickLists.updateWagonType, { id, body: { ...wagon, active: false, version } }),
    remove: id => olav.send(pickLists.deleteWagonType, { id }),
    read: async id => (await astrid.send(pickLists.config, {})).wagon_types.find(one => one.id === id)?.active,
  },
  {
    ...{ list: 'groups', path: '/groups', field: 'permission', before: [], after: ['pick'] },
    add: async () => {
      const { group_id, version } = await astrid.send(groups.create, { name: 'Pickers' })
      return { id: group_id, version }
    },
    change: (id, version) => olav.send(groups.setPermission, { id, body: { permission: [permissionId('pick')], version } }),
    remove: id => olav.send(groups.remove, { id }),
    async read(id) {
      const group = (await astrid.send(groups.list, {})).find(one => one.group_id === id)
      return group?.permission.map(permissionCode)
    },
  },
  {
    ...{ list: 'announcements', path: '/settings/announcement-config', field: 'mode', before: 'info', after: 'must_agree' },
    add: () => astrid.send(announcements.create, { body: announcement }),
    change: (id, version) => olav.send(announcements.update, { id, body: { ...announcement, mode: 'must_agree', version } }),
    remove: id => olav.send(announcements.remove, { id }),
    read: async id => found((await astrid.send(announcements.list, {})).rows, id)?.mode,
  },
  {
    ...{ list: 'campaigns', path: '/settings/campaign-config', field: 'priority', before: 0, after: 5 },
    add: () => astrid.send(campaigns.create, { body: campaign }),
    change: (id, version) => olav.send(campaigns.update, { id, body: { ...campaign, priority: 5, version } }),
    remove: id => olav.send(campaigns.remove, { id }),
    read: async id => found((await astrid.send(campaigns.search, {})).rows, id)?.priority,
  },
  {
    ...{ list: 'printers', path: '/settings/printer', field: 'language', before: null, after: 'zpl' },
    add: async () => ({ ...(await astrid.send(printers.add, { body: networkPrinter })), version: 0 }),
    change: id => olav.send(printers.change, { id, body: { raw_override: true } }),
    remove: id => olav.send(printers.remove, { id }),
    async read(id) {
      const printer = found((await astrid.send(printers.list, {})).printers, id)
      return printer && (printer.raw_override ? 'zpl' : null)
    },
  },
  {
    ...{ list: 'return_reasons', path: '/settings/rma-config', field: 'fault', before: 'customer', after: 'shop' },
    add: async () => {
      await astrid.send(returns.saveReason, { code: 'colour', body: { ...reason, version: 0 } })
      return { id: 'colour', version: 1 }
    },
    change: (_id, version) => olav.send(returns.saveReason, { code: 'colour', body: { ...reason, fault: 'shop', version } }),
    remove: () => olav.send(returns.resetReason, { code: 'colour' }),
    read: async () => (await astrid.send(returns.reasons, {})).find(one => one.code === 'colour')?.fault,
  },
]

describe.each(cases)('an entry of $list', ({ list, path, field, before, after, ...entry }) => {
  it('says who changed it, and is set back: its change, its removal and its addition', async () => {
    const { id, version } = await entry.add()
    const number = Number(id)
    const name = (part: string) => `${list}.${id}.${part}`
    const rowOf = async (part: string) => (await history(path)).find(row => row.name === name(part))
    const added = await rowOf('entry')
    expect(added).toMatchObject({ page: path, before: null, changed_by: 'Astrid Holm', can_set_back: true })

    await entry.change(number, version)
    const changed = await rowOf(field)
    expect(changed).toMatchObject({ before, after, changed_by: 'Olav Berg', can_set_back: true })
    expect(await entry.read(number)).toEqual(after)
    // The addition is not taken back over a later change.
    await expect(setBack(added?.id)).rejects.toMatchObject({ status: 409, code: 'setting_changed_since' })

    expect(await setBack(changed?.id)).toMatchObject({ before: after, after: before, changed_by: 'Astrid Holm' })
    expect(await entry.read(number)).toEqual(before)
    await expect(setBack(changed?.id)).rejects.toMatchObject({ status: 409, code: 'setting_changed_since', current: before })

    await entry.remove(number)
    const removed = await rowOf('entry')
    expect(removed).toMatchObject({ after: null, changed_by: 'Olav Berg' })
    expect(await entry.read(number)).toBeUndefined()
    await expect(setBack((await rowOf(field))?.id)).rejects.toMatchObject({ status: 409, code: 'setting_entry_removed' })
    // It comes back as what it was, under its own number.
    await setBack(removed?.id)
    expect(await entry.read(number)).toEqual(before)
    const back = await rowOf('entry')
    expect(back).toMatchObject({ before: null, after: removed?.before, changed_by: 'Astrid Holm' })

    await setBack(back?.id)
    expect(await entry.read(number)).toBeUndefined()
    expect((await history(path)).filter(row => row.name.startsWith(`${list}.`)).map(row => settingField(row.name)?.page.path)).toEqual(
      expect.arrayContaining([path]),
    )
    const shop = await operator.hire(['admin'], operator.shops[0])
    expect((await history(path, shop)).filter(row => row.name.startsWith(`${list}.${id}.`))).toEqual([])
  })
})

describe('setting back a removal', () => {
  const last = async (path: string) => (await history(path))[0]

  it('of a rule whose tag is gone says so, and works once the tag is back', async () => {
    const tag = await astrid.send(tags.create, { body: { name: 'Glass' } })
    await astrid.send(tagRules.create, { body: { tag_id: tag.id, conditions } })
    await olav.send(tags.remove, { id: tag.id })
    const rule = await last('/settings/tag-rules')
    expect(rule).toMatchObject({ after: null, changed_by: 'Olav Berg' })
    await expect(setBack(rule?.id)).rejects.toMatchObject({ status: 422, code: 'tag_not_found' })
    await setBack((await last('/settings/tags'))?.id)
    await setBack(rule?.id)
    expect((await astrid.send(tagRules.list, { query: 'Glass' })).rows).toHaveLength(1)
  })

  it('is refused where another entry has taken its name meanwhile', async () => {
    const tag = await astrid.send(tags.create, { body: { name: 'Heavy' } })
    await olav.send(tags.remove, { id: tag.id })
    const removed = await last('/settings/tags')
    await olav.send(tags.create, { body: { name: 'heavy' } })
    await expect(setBack(removed?.id)).rejects.toMatchObject({ status: 409, code: 'tag_exists' })
  })

  it('of a template is refused while another one is active for its occasion', async () => {
    const { id } = await astrid.send(templates.create, { body: template })
    await olav.send(templates.remove, { id })
    const removed = await last('/settings/email')
    const other = await astrid.send(templates.create, { body: { ...template, name: 'Other' } })
    await expect(setBack(removed?.id)).rejects.toMatchObject({ status: 409, code: 'template_active' })
    await astrid.send(templates.remove, { id: other.id })
    await setBack(removed?.id)
    // Its mails look as before.
    const { path } = await astrid.send(templates.link, { id })
    const shown = await astrid.send(templates.page, { body: { token: path.split('#')[1] ?? '' } })
    expect(shown).toMatchObject({ name: 'Packed', html: expect.stringContaining('It is packed') })
  })
})

describe('setting back an addition', () => {
  it('is refused while something uses the entry', async () => {
    const tag = await astrid.send(tags.create, { body: { name: 'Cold' } })
    const added = (await history('/settings/tags'))[0]
    const { id } = await placeOrder(testApp.services.database, scopeOfCompany(operator), {})
    await astrid.send(tags.apply, { body: { object: 'order', ids: [id], add: [tag.name] } })
    await expect(setBack(added?.id)).rejects.toMatchObject({ status: 409, code: 'setting_entry_used' })
  })
})

it('a wagon gets its rows, columns and slots back together', async () => {
  const { id, version } = await astrid.send(pickLists.createWagonType, { body: { ...wagon, name: 'Long wagon' } })
  const longer = { rows: 1, columns: 3, slots: [...slots, { colour: 'blue' as const }] }
  await olav.send(pickLists.updateWagonType, { id: id ?? 0, body: { ...wagon, ...longer, name: 'Long wagon', version } })
  const row = (await history('/lists/pick'))[0]
  expect(row).toMatchObject({ name: `wagon_types.${id}.shape`, after: { columns: 3 }, place_name: 'Long wagon' })
  await setBack(row?.id)
  const type = (await astrid.send(pickLists.config, {})).wagon_types.find(one => one.id === id)
  expect(type).toMatchObject({ rows: 1, columns: 2, slots: [{ colour: 'red' }, { colour: null }] })
})

describe('the printers of a station', () => {
  it('come back with their backup and copies, where the printers are still there', async () => {
    const station = await astrid.send(stations.use, { name: 'Packing 1' })
    const [one, other] = [
      await astrid.send(printers.add, { body: { ...networkPrinter, name: 'Zebra 2', host: 'zebra-2.example.com' } }),
      await astrid.send(printers.add, { body: { ...networkPrinter, name: 'Zebra 3', host: 'zebra-3.example.com' } }),
    ]
    const set = (row: object, by = astrid) =>
      by.send(stationPrinters.set, { id: station.id, body: { printers: [{ role: 'label', printer_id: one.id, ...row }] } })
    const printersOf = async () => (await astrid.send(stationPrinters.get, { id: station.id })).printers
    const last = async () => (await history('/settings/printer')).find(row => row.name === `station_printers.${station.id}.label`)
    await set({ fallback_printer_id: other.id, copies: 2 })
    await set({ printer_id: null }, olav)
    const row = await last()
    expect(row).toMatchObject({ place_name: 'Packing 1', after: null, changed_by: 'Olav Berg' })
    expect(row?.before).toMatchObject({ printer: 'Zebra 2', fallback: 'Zebra 3', copies: 2 })
    await setBack(row?.id)
    expect(await printersOf()).toMatchObject([{ role: 'label', printer_id: one.id, fallback_printer_id: other.id, copies: 2 }])
    // A printer that a station uses is not taken from it by setting its addition back.
    const added = (await history('/settings/printer')).find(entry => entry.name === `printers.${other.id}.entry`)
    await expect(setBack(added?.id)).rejects.toMatchObject({ status: 409, code: 'setting_entry_used' })
    await set({ printer_id: null }, olav)
    await olav.send(printers.remove, { id: one.id })
    await expect(setBack((await last())?.id)).rejects.toMatchObject({ status: 422, code: 'printer_not_found' })
  })
})

it('a repeated request leaves one row of the addition', async () => {
  const body = { name: 'Once', client_id: '0b7c2f0e-6a1c-4d7e-9d59-1f2a3b4c5d6e' }
  await astrid.send(tags.create, { body })
  await astrid.send(tags.create, { body })
  expect((await history('/settings/tags')).filter(row => JSON.stringify(row.after).includes('Once'))).toHaveLength(1)
})

it('an erased person is in no history of the address book', async () => {
  const { id } = await astrid.send(addressBook.create, { body: { ...address, title: 'Home', name: 'Gudrun Skovgaard', is_default: false } })
  await astrid.send(addressBook.update, { id, body: { ...address, title: 'Home', name: 'Nordic', phone: '+45 20 30 40 50', version: 1 } })
  await astrid.send(addressBook.remove, { id })
  const erase = (words: string[]) =>
    testApp.services.database.transaction(scopeOfCompany(operator), db =>
      eraseAddresses.erase(db, { order_ids: [], customer_ids: [], words }, testApp.services.now()),
    )
  expect(await erase(['someone else'])).toMatchObject({ setting_changes: 0 })
  expect((await erase(['gudrun skovgaard'])).setting_changes).toBeGreaterThan(2)
  expect((await history('/settings/address-book')).filter(row => row.name.startsWith(`addresses.${id}.`))).toEqual([])
})

it('a reason of the product that is the standard again gets its words back', async () => {
  await astrid.send(returns.saveReason, { code: 'late', body: { ...reason, words: { en_GB: 'Far too late' }, version: 0 } })
  await olav.send(returns.resetReason, { code: 'late' })
  const row = (await history('/settings/rma-config')).find(one => one.name === 'return_reasons.late.words')
  expect(row).toMatchObject({ before: { en_GB: 'Far too late' }, after: {}, changed_by: 'Olav Berg', place_name: 'Arrived too late' })
  await setBack(row?.id)
  expect((await astrid.send(returns.reasons, {})).find(one => one.code === 'late')?.words).toEqual({ en_GB: 'Far too late' })
})

describe('the order of a list', () => {
  const rules = async () => (await astrid.send(methodRules.list, {})).map(rule => rule.name)
  const lastOrder = async () => (await history('/settings/shipping-config')).find(row => row.name === 'method_rule_order.entries')

  it('says who changed it, and comes back with what was added since', async () => {
    const ids: number[] = []
    for (const name of ['First', 'Second', 'Third'])
      ids.push((await astrid.send(methodRules.create, { body: { name, conditions, ...method } })).id)
    await olav.send(methodRules.order, { body: { ids: ids.toReversed() } })
    const row = await lastOrder()
    expect(row).toMatchObject({
      changed_by: 'Olav Berg',
      can_set_back: true,
      after: [{ title: 'Third' }, { title: 'Second' }, { title: 'First' }],
    })
    await astrid.send(methodRules.create, { body: { name: 'Fourth', conditions, ...method } })
    await astrid.send(methodRules.remove, { id: ids[1] ?? 0 })
    await setBack(row?.id)
    expect(await rules()).toEqual(['First', 'Third', 'Fourth'])
    await expect(setBack(row?.id)).rejects.toMatchObject({ status: 409, code: 'setting_changed_since' })
    // The same order again is no change.
    const now = await lastOrder()
    await olav.send(methodRules.order, { body: { ids: (await astrid.send(methodRules.list, {})).map(rule => rule.id) } })
    expect((await lastOrder())?.id).toBe(now?.id)
  })

  it('of reasons for returns comes back', async () => {
    const codes = async () => (await astrid.send(returns.reasons, {})).map(one => one.code).filter(code => code !== 'withdrawal')
    const before = await codes()
    await astrid.send(returns.orderReasons, { body: { codes: before.toReversed() } })
    const row = (await history('/settings/rma-config')).find(one => one.name === 'return_reason_order.entries')
    await setBack(row?.id)
    expect(await codes()).toEqual(before)
  })
})

describe('prices', () => {
  const rowsOf = async () => (await history('/settings/shipping-config')).filter(row => row.name.startsWith('prices.'))

  it('that a new one ended have their row, and come back only where no other price holds', async () => {
    const year = { ...step, max_g: 5_000 }
    const first = await astrid.send(prices.create, { body: year })
    const second = await olav.send(prices.create, { body: { ...year, amount: 4_500, valid_from: '2028-01-01' } })
    const rows = await rowsOf()
    const ended = rows.find(row => row.name === `prices.${first.id}.valid_to`)
    const added = rows.find(row => row.name === `prices.${second.id}.entry`)
    expect(ended).toMatchObject({ before: null, after: '2027-12-31', changed_by: 'Olav Berg' })
    await expect(setBack(ended?.id)).rejects.toMatchObject({ status: 409, code: 'price_overlap' })
    await setBack(added?.id)
    await setBack(ended?.id)
    expect((await astrid.send(prices.list, {})).rows.find(row => row.id === first.id)?.valid_to).toBeNull()
    // It would end the one that holds again.
    const removed = (await rowsOf()).find(row => row.name === `prices.${second.id}.entry`)
    await expect(setBack(removed?.id)).rejects.toMatchObject({ status: 409, code: 'price_overlap' })
  })

  it('of a file have a row each', async () => {
    const cells = { agent_code: 'own', shipping_method: 'van', max_g: '7000', amount: '59.00', currency: 'DKK', valid_from: '2027-01-01' }
    const rows = [
      { row: 2, cells },
      { row: 3, cells: { ...cells, max_g: '8000' } },
    ]
    expect(await olav.send(prices.import, { body: { rows, save: true } })).toMatchObject({ saved: true, added: 2 })
    const [one, other] = await rowsOf()
    expect([one, other].map(row => row?.changed_by)).toEqual(['Olav Berg', 'Olav Berg'])
    await setBack(one?.id)
    expect((await astrid.send(prices.list, {})).rows.filter(row => row.max_g >= 7_000)).toHaveLength(1)
  })

  it('whose zone is gone come back once the zone is back', async () => {
    const zone = await astrid.send(prices.createZone, { body: { name: 'North', countries: ['NO'] } })
    const price = await astrid.send(prices.create, { body: { ...step, zone_id: zone.id } })
    await olav.send(prices.remove, { id: price.id })
    const removed = (await rowsOf())[0]
    await olav.send(prices.removeZone, { id: zone.id })
    await expect(setBack(removed?.id)).rejects.toMatchObject({ status: 422, code: 'price_zone_not_found' })
    await setBack((await history('/settings/shipping-config')).find(row => row.name === `price_zones.${zone.id}.entry`)?.id)
    await setBack(removed?.id)
    expect((await astrid.send(prices.list, {})).rows.find(row => row.id === price.id)).toMatchObject({ zone: 'North' })
  })

  it('of another company stand in its own history', async () => {
    const [shop] = operator.shops
    const lead = await operator.hire(['settings_admin'], shop)
    await astrid.send(prices.createZone, { company: shop?.code, body: { name: 'South', countries: ['DE'] } })
    const row = (await history('/settings/shipping-config', lead)).find(one => one.name.startsWith('price_zones.'))
    expect(row).toMatchObject({ changed_by: 'Astrid Holm', after: { title: 'South' } })
    expect((await history('/settings/shipping-config')).find(one => one.name === row?.name)).toBeUndefined()
    await setBack(row?.id, lead)
    expect(await lead.send(prices.zones, {})).toEqual([])
  })
})
