/** Journey: a group allows its members an act at a packing station, and the station offers it to them there; a tablet becomes a device. */
import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { groups } from '#features/company/groups/groups.contract.ts'
import { users } from '#features/company/users/users.contract.ts'
import { packing } from '#features/packing/packing/packing.contract.ts'
import type { TestUser } from '../test-app.ts'
import { press } from './keyboard.ts'
import { scan } from './scan.ts'
import { idle, mug, openStationApp, type StationApp } from './station.ts'

let at: StationApp
let admin: TestUser
let sofie: TestUser
beforeAll(async () => {
  at = await openStationApp()
  admin = await at.operator.hire(['admin'], at.operator.main, 'Ingrid Solberg')
  sofie = await at.operator.hire(['scan'], at.operator.main, 'Sofie Bang')
  const { group_id } = await admin.send(groups.create, { name: 'Seniors' })
  await admin.send(groups.addUser, { id: group_id, user_id: sofie.user_id })
})
afterAll(() => at?.testApp.close())

const pictures = process.env.JOURNEY_PICTURES
const picture = async (page: { screenshot(options: { path: string }): Promise<unknown> }, name: string) => {
  if (!pictures) return
  mkdirSync(pictures, { recursive: true })
  await page.screenshot({ path: `${pictures}/${name}.png` })
}

it('an administrator lets a group take over orders at one station', async () => {
  const page = await at.testApp.open(admin, '/groups')
  await page.getByRole('grid', { name: 'Groups' }).getByText('Seniors').click()
  const drawer = page.getByRole('dialog', { name: 'Group' })
  await drawer.getByLabel('Take over orders').check()
  await drawer.getByLabel('At every station').uncheck()
  await drawer.getByLabel('Stations', { exact: true }).fill('Bench 2')
  await press(page, 'Enter')
  await drawer.getByText('Gives 1 person: Take over orders').waitFor()
  await picture(page, 'group-acts')
  await drawer.getByRole('button', { name: 'Save permissions' }).click()
  await page.getByText('Permissions saved').waitFor()
  const [group] = await admin.send(groups.list, {})
  expect(group).toMatchObject({ acts: ['take_over'], stations: ['Bench 2'] })
  await page.goto(page.url().replace(/groups.*/, `users?id=${sofie.user_id}`))
  await page.getByText('Seniors (Bench 2)').waitFor()
  await picture(page, 'user-acts')
})

it('the station offers it to a member there, and elsewhere asks for a lead', async () => {
  const order = await at.order({ product: mug, qty: 1 })
  await at.kim.send(packing.start, { id: order.id, body: { station: 'Bench 9' } })
  const elsewhere = await at.openStation(sofie, { station: 'Bench 3' })
  await idle(elsewhere)
  await scan(elsewhere, order.code)
  await elsewhere.getByRole('button', { name: /^Ask a lead/ }).waitFor()
  const there = await at.openStation(sofie, { station: 'Bench 2' })
  await idle(there)
  await scan(there, order.code)
  await there.getByRole('button', { name: /^Take over/ }).click()
  await expect.poll(async () => (await at.kim.send(packing.get, { id: order.id })).session?.user_name).toBe('Sofie Bang')
})

it('a tablet becomes a kiosk, stands among the devices, and is signed out there', async () => {
  // Of its own in each try.
  const name = `Kiosk ${randomUUID().slice(0, 8)}`
  const setter = await at.operator.hire(['admin'], at.operator.main, 'Astrid Holm')
  const page = await at.testApp.open(setter, '/punchclock')
  await page.getByRole('button', { name: 'Make this a kiosk' }).click()
  const dialog = page.getByRole('dialog', { name: 'Make this device a kiosk' })
  await dialog.getByLabel('Name').fill(name)
  await picture(page, 'make-kiosk')
  // The page begins again, as the device.
  const again = page.waitForEvent('load')
  await dialog.getByRole('button', { name: 'Make this a kiosk' }).click()
  await again
  await expect.poll(async () => (await setter.ask(users.me, {})).statusCode).toBe(401)
  await page.getByText('Scan your badge or enter your number').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Make this a kiosk' }).count()).toBe(0)
  await picture(page, 'kiosk')
  await page.goto(new URL('/my-hours', page.url()).href)
  await page.getByText('A device has no hours of its own').waitFor()
  await picture(page, 'kiosk-hours')
  await page.getByRole('main').getByRole('link', { name: 'Punch clock' }).click()
  await page.getByText('Scan your badge or enter your number').waitFor()
  const desk = await at.testApp.open(admin, '/users')
  await desk.getByRole('button', { name: /^All/ }).click()
  await desk.getByRole('menuitem', { name: 'Devices' }).click()
  const list = desk.getByRole('grid', { name: 'Users' })
  await list.getByText(name).waitFor()
  await picture(desk, 'devices')
  await list.getByText(name).click()
  await desk.getByRole('dialog', { name: 'User' }).getByRole('button', { name: 'Sign out', exact: true }).click()
  await picture(desk, 'device')
  const one = (await admin.send(users.list, { only: 'devices' })).rows.find(row => row.name === name)
  await expect.poll(async () => (await admin.send(users.sessions, { id: one?.user_id ?? 0 })).length).toBe(0)
})
