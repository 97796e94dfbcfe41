/** Who changed a setting, when, from what to what, and setting it back. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exceptions } from '#features/packing/exceptions/exceptions.contract.ts'
import { serialNumbers } from '#features/packing/serial-numbers/serial-numbers.contract.ts'
import { schedule } from '#features/people/schedule/schedule.contract.ts'
import { timesheet } from '#features/people/timesheet/timesheet.contract.ts'
import { returns } from '#features/returns/returns/returns.contract.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { company } from './companies.contract.ts'
import { CompanySettings } from './companies.schemas.ts'
import { endOldSettingChanges } from './setting-changes.commands.ts'
import { settingChanges } from './setting-changes.contract.ts'
import {
  settingChanges as changesBetween,
  fieldOf,
  flatSettings,
  settingField,
  settingsByPage,
  withSetting,
  writtenWith,
} from './setting-fields.rules.ts'

let testApp: TestApp
let operator: TestOperator
let mette: TestUser
let olav: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ shops: 1 })
  mette = await operator.hire(['admin'], operator.main, 'Mette Dahl')
  olav = await operator.hire(['settings_admin'], operator.main, 'Olav Berg')
})
afterAll(() => testApp.close())

const save = async (change: object, by = mette) => {
  const { version } = await by.send(company.config, {})
  return by.send(company.setConfig, { body: { version, ...change } })
}
const last = async (name: string, by = mette) => (await by.send(settingChanges.list, { name, limit: 1 })).rows[0]

describe('each setting', () => {
  it('has a page and a label', () => {
    const names = [...flatSettings({ ...CompanySettings.parse({}), name: '' }).keys()]
    expect(names.filter(name => settingField(name) === undefined && !writtenWith.includes(name))).toEqual([])
  })

  it('stands on one page', () => {
    const fields = settingsByPage.flatMap(page => Object.keys(page.fields))
    expect(new Set(fields).size).toBe(fields.length)
  })

  it.each([
    [{ a: 1 }, { a: 1 }, []],
    [{ a: { b: 1, c: 2 } }, { a: { b: 3, c: 2 } }, [{ name: 'a.b', before: 1, after: 3 }]],
    [{ a: {} }, { a: { da_DK: 'x' } }, [{ name: 'a.da_DK', before: undefined, after: 'x' }]],
    [{ a: [1, 2] }, { a: [1] }, [{ name: 'a', before: [1, 2], after: [1] }]],
    [{ logo_file_id: 7 }, { logo_file_id: null }, [{ name: 'logo_file_id', before: 'set', after: 'removed' }]],
  ])('of %j to %j changes %j', (before, after, changes) => {
    expect(changesBetween(before, after)).toEqual(changes)
  })

  it('is replaced alone, or left out', () => {
    expect(withSetting({ a: { b: 1, c: 2 }, d: 3 }, 'a.b', 4)).toEqual({ a: { b: 4, c: 2 }, d: 3 })
    expect(withSetting({ a: { b: 1 } }, 'a.b', undefined)).toEqual({ a: {} })
    expect(fieldOf('homepages.da_DK')).toBe('homepages')
  })
})

describe('a change of a setting', () => {
  it('says who made it when, and from what to what', async () => {
    testApp.setNow(new Date('2026-11-12T09:30:00Z'))
    await save({ close_after_days: 5 })
    testApp.setNow(undefined)
    expect(await last('close_after_days')).toMatchObject({
      page: '/settings/company-config',
      label: 'Close orders',
      before: 14,
      after: 5,
      changed_by: 'Mette Dahl',
      at: expect.stringMatching(/^2026-11-12T09:30:00/),
      can_set_back: true,
    })
  })

  it('leaves no row where nothing differs', async () => {
    const { total } = await mette.send(settingChanges.list, {})
    await save({ close_after_days: 5 })
    expect((await mette.send(settingChanges.list, {})).total).toBe(total)
  })

  it('is kept whichever call made it', async () => {
    const saved = await mette.send(exceptions.settings, {})
    await mette.send(exceptions.setSettings, { body: { ...saved, short: 45 } })
    expect(await last('exceptions.short')).toMatchObject({ before: 60, after: 45, page: '/settings/packing-config' })
    await mette.send(company.setHomepageIn, { locale: 'da_DK', body: { homepage: 'https://butik.example' } })
    expect(await last('homepages')).toMatchObject({ name: 'homepages.da_DK', before: null, after: 'https://butik.example' })
    await save({ name: 'Nordic Goods' })
    expect(await last('name')).toMatchObject({ after: 'Nordic Goods' })
  })

  it('is found by its page, its setting, who made it and its day', async () => {
    await save({ cut_off: '15:00' }, olav)
    const found = (question: object) => mette.send(settingChanges.list, question).then(({ rows }) => rows.map(row => row.name))
    expect(await found({ changed_by: 'Olav Berg' })).toEqual(['cut_off'])
    expect(await found({ path: '/settings/packing-config' })).toEqual(['exceptions.short'])
    expect(await found({ to: '2026-11-11' })).toEqual([])
    expect(await found({ from: '2026-11-12', to: '2026-11-12' })).toEqual(['close_after_days'])
  })

  it('is seen by those who may open its page, and in its own company only', async () => {
    const serials = await operator.hire(['sn_admin'])
    await mette.send(serialNumbers.configure, { code: operator.main.code, property: 'min_length', value: '5' })
    expect((await serials.send(settingChanges.list, {})).rows.map(row => row.name)).toEqual(['serials.min_length'])
    const shop = await operator.hire(['admin'], operator.shops[0])
    expect((await shop.send(settingChanges.list, {})).rows).toEqual([])
    const row = await last('cut_off')
    expect((await shop.ask(settingChanges.setBack, { id: row?.id ?? 0 })).statusCode).toBe(404)
    expect((await serials.ask(settingChanges.setBack, { id: row?.id ?? 0 })).statusCode).toBe(404)
    const packer = await operator.hire(['scan'])
    expect((await packer.ask(settingChanges.list, {})).statusCode).toBe(403)
  })
})

describe('setting a change back', () => {
  it('gives the value before, and says who did it', async () => {
    await save({ cut_off: '13:00' }, olav)
    const row = await last('cut_off')
    const back = await mette.send(settingChanges.setBack, { id: row?.id ?? 0 })
    expect(back).toMatchObject({ before: '13:00', after: '15:00', changed_by: 'Mette Dahl' })
    expect((await mette.send(company.config, {})).cut_off).toBe('15:00')
  })

  it('removes what was not there before', async () => {
    const row = await last('homepages')
    await mette.send(settingChanges.setBack, { id: row?.id ?? 0 })
    expect((await mette.send(company.config, {})).homepages).toEqual({})
  })

  it('leaves the other settings of its group', async () => {
    const saved = await mette.send(exceptions.settings, {})
    await mette.send(exceptions.setSettings, { body: { ...saved, damaged: 90 } })
    await mette.send(settingChanges.setBack, { id: (await last('exceptions.short'))?.id ?? 0 })
    expect(await mette.send(exceptions.settings, {})).toMatchObject({ short: 60, damaged: 90 })
  })

  it('is refused after a later change, with the present value', async () => {
    await save({ release_delay_s: 60 })
    const row = await last('release_delay_s')
    await save({ release_delay_s: 120 }, olav)
    await expect(mette.send(settingChanges.setBack, { id: row?.id ?? 0 })).rejects.toMatchObject({
      status: 409,
      code: 'setting_changed_since',
      current: 120,
    })
    expect((await mette.send(settingChanges.list, { name: 'release_delay_s' })).rows.map(one => one.can_set_back)).toEqual([true, false])
  })

  it('is refused to those who may only read the page', async () => {
    const reader = await operator.hire(['parcels_admin'])
    const row = await last('exceptions.damaged', reader)
    expect(row?.can_set_back).toBe(false)
    expect((await reader.ask(settingChanges.setBack, { id: row?.id ?? 0 })).statusCode).toBe(403)
  })

  it('is refused where it would lock the caller out', async () => {
    await save({ packing_ip_pattern: '10\\.0\\.0\\.1', packing_ip_confirmed: true })
    await save({ packing_ip_pattern: '127\\.0\\.0\\.1' })
    const row = await last('packing_ip_pattern')
    expect((await mette.ask(settingChanges.setBack, { id: row?.id ?? 0 })).statusCode).toBe(422)
  })
})

describe('a group of settings that two people have open', () => {
  it.each([
    ['exceptions', exceptions.settings, exceptions.setSettings, { damaged: 75 }, { damaged: 80 }],
    ['returns', returns.settings, returns.setSettings, { window_days: 40 }, { window_days: 45 }],
    ['hours', timesheet.settings, timesheet.setSettings, { tolerance_s: 120 }, { tolerance_s: 180 }],
  ] as const)('is not overwritten by the later one: %s', async (_group, read, write, first, second) => {
    const opened = (await mette.send(read, {})) as { version: number }
    const change = (more: object) => ({ body: { ...opened, ...more } }) as never
    // Another setting of the company is no change of this group.
    await save({ release_delay_s: opened.version % 2 ? 70 : 80 })
    const saved = (await mette.send(write, change(first))) as { version: number }
    expect(saved).toMatchObject({ ...first, version: expect.any(Number) })
    expect(saved.version).toBeGreaterThan(opened.version)
    await expect(mette.send(write, change(second))).rejects.toMatchObject({ status: 409, code: 'settings_changed', current: saved })
    expect(await mette.send(read, {})).toEqual(saved)
    expect(await mette.send(write, change({ ...second, version: saved.version }))).toMatchObject(second)
  })

  it('is not overwritten by the later one: schedule', async () => {
    const planner = await operator.hire(['admin', 'schedule_admin'])
    const { settings, version } = await planner.send(schedule.settings, {})
    const change = (half_holidays: boolean, read: number) =>
      planner.send(schedule.setSettings, { body: { settings: { ...settings, half_holidays }, version: read } })
    const saved = await change(!settings.half_holidays, version)
    await expect(change(settings.half_holidays, version)).rejects.toMatchObject({
      status: 409,
      code: 'settings_changed',
      current: { half_holidays: !settings.half_holidays, version: saved.version },
    })
  })
})

it('keeps changes for five years', async () => {
  const { database } = testApp.services
  const end = (at: string) => database.systemTransaction('a test turns the clock', db => endOldSettingChanges(db, new Date(at)))
  await end('2031-11-11T00:00:00Z')
  expect(await last('close_after_days')).toBeDefined()
  await end('2031-11-13T00:00:00Z')
  expect(await last('close_after_days')).toBeUndefined()
})
