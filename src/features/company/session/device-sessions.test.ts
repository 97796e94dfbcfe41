/** Accounts of devices: they stay signed in for long, inside the network of the warehouse alone, and open little. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { permissionId } from '#contract/access.ts'
import { mySettings } from '#contract/my-settings.ts'
import { session } from '#contract/session.ts'
import { announcements } from '#features/company/announcements/announcements.contract.ts'
import { company } from '#features/company/companies/companies.contract.ts'
import { groups } from '#features/company/groups/groups.contract.ts'
import { passwordLinks } from '#features/company/users/password-links.contract.ts'
import { secondFactors } from '#features/company/users/second-factors.contract.ts'
import { users } from '#features/company/users/users.contract.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { packing } from '#features/packing/packing/packing.contract.ts'
import { punchClock } from '#features/people/punch-clock/punch-clock.contract.ts'
import { salary } from '#features/people/salary/salary.contract.ts'
import { schedule } from '#features/people/schedule/schedule.contract.ts'
import { timesheet } from '#features/people/timesheet/timesheet.contract.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { deviceSessions } from './device-sessions.contract.ts'

let testApp: TestApp
let operator: TestOperator
let admin: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator()
  admin = await operator.hire(['admin'])
})
afterAll(async () => {
  testApp.setNow(undefined)
  await testApp.close()
})

const day = 86_400_000
const turnTo = (days: number, from = Date.now()) => testApp.setNow(new Date(from + days * day))

/** A tablet that an administrator has made a device of its own. */
async function device(preset: 'kiosk' | 'station' | 'board' = 'kiosk', name = 'Gate') {
  const setter = await operator.hire(['admin'])
  const { user, token } = await setter.send(deviceSessions.begin, { body: { name, preset } })
  const ask: TestUser['ask'] = (call, input, options) =>
    setter.ask(call, input, { ...options, headers: { ...options?.headers, authorization: token } })
  const status = async (...asked: Parameters<TestUser['ask']>) => (await ask(...asked)).statusCode
  return { id: user.user_id, user, token, setter, ask, status }
}
const works = async ({ status }: Awaited<ReturnType<typeof device>>) => (await status(session.current, {})) === 200

describe('a device', () => {
  it('signs in as itself, and who set it up is signed out', async () => {
    const kiosk = await device()
    expect(kiosk.user).toMatchObject({ name: 'Gate', device: true, permission: [permissionId('punchclock')] })
    expect((await kiosk.setter.ask(session.current, {})).statusCode).toBe(401)
    const clerk = await operator.hire(['punchclock'])
    expect((await clerk.ask(deviceSessions.begin, { body: { name: 'Mine', preset: 'kiosk' } })).statusCode).toBe(403)
    const weak = await operator.hire(['users_admin'])
    await expect(weak.send(deviceSessions.begin, { body: { name: 'Bench', preset: 'station' } })).rejects.toMatchObject({
      code: 'cannot_grant_permissions',
    })
  })

  it('stays signed in for thirty unused days, and no longer', async () => {
    const kiosk = await device()
    turnTo(29)
    expect(await works(kiosk)).toBe(true)
    // The use counts anew.
    turnTo(58)
    expect(await works(kiosk)).toBe(true)
    turnTo(58 + 31)
    expect(await works(kiosk)).toBe(false)
    testApp.setNow(undefined)
  })

  it('stays signed in for four hundred days, however much it is used', async () => {
    const kiosk = await device()
    const begun = Date.now()
    for (let days = 25; days < 400; days += 25) {
      turnTo(days, begun)
      expect(await works(kiosk)).toBe(true)
    }
    turnTo(399.9, begun)
    expect(await works(kiosk)).toBe(true)
    turnTo(400.1, begun)
    expect(await works(kiosk)).toBe(false)
    testApp.setNow(undefined)
  })

  it('works inside the network of the warehouse alone, on every call and at once', async () => {
    const kiosk = await device()
    const setPattern = async (packing_ip_pattern: string) => {
      const { version } = await admin.send(company.config, {})
      await admin.send(company.setConfig, { body: { version, packing_ip_pattern, packing_ip_confirmed: true } })
    }
    await setPattern('10\\.1\\..*')
    for (const [call, input] of [
      [session.current, {}],
      [session.init, {}],
      [punchClock.kiosk, {}],
      [punchClock.current, {}],
      [mySettings.get, {}],
      [session.logout, {}],
    ] as const)
      expect((await kiosk.ask(call, input)).json()).toMatchObject({ code: 'outside_warehouse_network' })
    expect((await admin.ask(session.current, {})).statusCode).toBe(200)
    await setPattern('127\\.0\\.0\\.1')
    expect(await works(kiosk)).toBe(true)
  })

  it('opens what its codes open, whatever permissions its account got by another way', async () => {
    const kiosk = await device()
    expect(await kiosk.status(punchClock.kiosk, {})).toBe(200)
    expect(await kiosk.status(packing.pinRequired, {})).toBe(403)
    await testApp.services.database.systemTransaction('a test gives a device too much', db =>
      db
        .updateTable('users')
        .set({ permission: [permissionId('admin'), permissionId('scan')] })
        .where('id', '=', kiosk.id)
        .execute(),
    )
    await expect
      .poll(async () => [await kiosk.status(orders.search, {}), await kiosk.status(packing.pinRequired, {})], { timeout: 8_000 })
      .toEqual([403, 200])
  })

  it('has nothing that a person has of their own', async () => {
    const kiosk = await device()
    for (const [call, input] of [
      [timesheet.mine, { start: '2026-01-01', end: '2026-01-07' }],
      [salary.myPay, { start: '2026-01-01', end: '2026-01-07' }],
      [salary.myNumbers, { start: '2026-01-01', end: '2026-01-07' }],
      [users.me, {}],
      [users.mySessions, {}],
      [users.setMyPassword, { body: { current: 'x', password: 'a few words in a row' } }],
      [secondFactors.mine, {}],
      [secondFactors.startTotp, { body: { password: 'x' } }],
      [announcements.mine, {}],
    ] as const)
      expect((await kiosk.ask(call, input)).json()).toMatchObject({ code: 'device_account' })
    await expect(admin.send(passwordLinks.invite, { id: kiosk.id })).rejects.toMatchObject({ code: 'device_account' })
    expect(await kiosk.status(schedule.future, {})).toBe(403)
    const tap = { client_id: '0b0e1a3c-6c3c-4d1a-8a55-6f5f2b7c1d11', type: 'work' }
    expect((await kiosk.ask(punchClock.punchIn, { body: tap })).json()).toMatchObject({ code: 'person_needed' })
    expect((await kiosk.ask(punchClock.current, {})).json()).toEqual({ punch: null })
  })

  it('is asked to read no announcement, and is planned for no shift', async () => {
    const kiosk = await device('kiosk', 'Device by the gate')
    const texts = Object.fromEntries(
      ['da_DK', 'de_DE', 'en_GB', 'no_NO', 'sv_SE'].map(locale => [locale, { title: 'News', body: 'New gate.' }]),
    )
    await admin.send(announcements.create, {
      body: { client_id: crypto.randomUUID(), mode: 'info', everyone: true, from_at: new Date().toISOString(), texts, publish: true },
    } as never)
    expect((await kiosk.ask(announcements.waiting, {})).json()).toEqual([])
    const board = await admin.send(schedule.board, { start: '2026-01-05', end: '2026-01-11' })
    expect(JSON.stringify(board)).not.toContain('Device by the gate')
  })

  it('ends at once when an administrator ends it in the list of devices', async () => {
    const kiosk = await device('station', 'Bench 7')
    const { version } = await admin.send(users.get, { id: kiosk.id })
    await admin.send(users.update, { id: kiosk.id, body: { version, name: 'Bench 8' } })
    const { rows } = await admin.send(users.list, { only: 'devices' })
    expect(rows.find(row => row.user_id === kiosk.id)).toMatchObject({ name: 'Bench 8', kind: 'device' })
    const [open] = await admin.send(users.sessions, { id: kiosk.id })
    await admin.send(users.endSession, { id: kiosk.id, session_id: open?.id ?? 0 })
    expect(await works(kiosk)).toBe(false)
  })
})

describe('the account of a device', () => {
  const make = (more: object = {}) =>
    admin.send(users.create, {
      body: { name: 'Board', user_name: `board-${Math.random().toString(36).slice(2, 8)}`, kind: 'device', permission: [], ...more },
    })

  it('has no e-mail, no group and no permission beyond its work', async () => {
    await expect(make({ email: 'gate@example.test' })).rejects.toMatchObject({ code: 'device_limits' })
    await expect(make({ permission: [permissionId('parcels')] })).rejects.toMatchObject({ code: 'device_limits' })
    const { user } = await make({ permission: [permissionId('dashboard')] })
    const change = (more: object) => admin.send(users.update, { id: user.user_id, body: { version: user.version, ...more } })
    await expect(change({ permission: [permissionId('admin')] })).rejects.toMatchObject({ code: 'device_limits' })
    await expect(change({ email: 'gate@example.test' })).rejects.toMatchObject({ code: 'device_limits' })
    const { group_id } = await admin.send(groups.create, { name: 'Boards' })
    await expect(admin.send(groups.addUser, { id: group_id, user_id: user.user_id })).rejects.toMatchObject({ code: 'device_in_no_group' })
  })

  it('signs in by its name for as long, and from no other network', async () => {
    const { user, password } = await make({ permission: [permissionId('dashboard')] })
    const login = { login: user.user_name ?? '', password: password ?? '' }
    const visitor = testApp.visitor(operator.main)
    const signedIn = await visitor.ask(session.login, { body: login })
    // A person would choose an own password first.
    expect(signedIn.statusCode).toBe(200)
    const { token } = signedIn.json<{ token: string }>()
    turnTo(20)
    expect((await visitor.ask(session.current, {}, { headers: { authorization: token } })).statusCode).toBe(200)
    testApp.setNow(undefined)
    const { version } = await admin.send(company.config, {})
    await admin.send(company.setConfig, { body: { version, packing_ip_pattern: '10\\.1\\..*', packing_ip_confirmed: true } })
    expect((await visitor.ask(session.login, { body: login })).json()).toMatchObject({ code: 'device_outside' })
    const again = await admin.send(company.config, {})
    await admin.send(company.setConfig, {
      body: { version: again.version, packing_ip_pattern: '127\\.0\\.0\\.1', packing_ip_confirmed: true },
    })
  })
})

describe('the views of the list of users', () => {
  it('are people, devices, and those who have left', async () => {
    const { user } = await admin.send(users.create, { body: { name: 'Leif Left', user_name: 'leif', permission: [] } })
    await device('board', 'Hall board')
    const names = async (only: 'active' | 'devices' | 'left' | 'no_sign_in') =>
      (await admin.send(users.list, { only, limit: 200 })).rows.map(row => row.name)
    expect(await names('active')).toContain('Leif Left')
    expect(await names('active')).not.toContain('Hall board')
    expect(await names('devices')).toContain('Hall board')
    expect(await names('no_sign_in')).not.toContain('Hall board')
    expect(await names('left')).not.toContain('Leif Left')
    await admin.send(users.remove, { id: user.user_id })
    expect(await names('active')).not.toContain('Leif Left')
    expect(await names('left')).toContain('Leif Left')
  })
})
