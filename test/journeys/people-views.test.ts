/** Journey: leads find people, shifts and days by the views and keys of the people screens. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDays, mondayOf } from '#domain/local-time.ts'
import { groups } from '#features/company/groups/groups.contract.ts'
import { users } from '#features/company/users/users.contract.ts'
import { punchClock } from '#features/people/punch-clock/punch-clock.contract.ts'
import { schedule } from '#features/people/schedule/schedule.contract.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'
import { press } from './keyboard.ts'

let testApp: JourneyApp
let operator: TestOperator
let admin: TestUser
let lead: TestUser
let kim: TestUser
let sofie: TestUser
const today = new Date().toISOString().slice(0, 10)
const monday = addDays(mondayOf(today), 7)
beforeAll(async () => {
  testApp = await openJourneyApp()
  operator = await testApp.operator()
  admin = await operator.hire(['admin'], operator.main, 'Ingrid Solberg')
  lead = await operator.hire(['schedule_admin'], operator.main, 'Jonas Krogh')
  kim = await operator.hire(['schedule', 'punchclock'], operator.main, 'Kim Lund')
  // Whom the form saves has something to sign in with.
  sofie = await operator.hire(['schedule', 'punchclock'], operator.main, 'Sofie Bang')
  const { version } = await admin.send(users.get, { id: sofie.user_id })
  await admin.send(users.update, { id: sofie.user_id, body: { version, employee_no: '1042' } })
  const { group_id } = await admin.send(groups.create, { name: 'Night team' })
  await admin.send(groups.addUser, { id: group_id, user_id: kim.user_id })
  for (const [user_id, start_local, end_local] of [
    [kim.user_id, '22:00', '06:00'],
    [sofie.user_id, '06:00', '14:00'],
  ] as const)
    await lead.send(schedule.create, {
      body: { kind: 'shift', client_id: randomUUID(), user_id, work_date: monday, start_local, end_local, station: 'Packing 1' },
    })
})
afterAll(() => testApp?.close())

it('a skill is written in the form of a user, and users without a group stand in a view', async () => {
  const page = await testApp.open(admin, '/users')
  const list = page.getByRole('grid', { name: 'Users' })
  await list.getByText('Kim Lund').waitFor()
  await page.getByRole('button', { name: /^All/ }).click()
  await page.getByRole('menuitem', { name: 'Without group' }).click()
  await list.getByText('Sofie Bang').waitFor()
  await expect.poll(() => list.getByText('Kim Lund').count()).toBe(0)
  await list.getByText('Sofie Bang').click()
  const drawer = page.getByRole('dialog', { name: 'User' })
  await drawer.getByLabel('Skills').fill('forklift')
  await press(page, 'Enter')
  await drawer.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(async () => (await admin.send(users.get, { id: sofie.user_id })).skills).toEqual(['forklift'])
})

it('the board shows one group or the stations that are searched, and counts what is not published', async () => {
  const page = await testApp.open(lead, `/schedule?day=${monday}`)
  const board = page.getByRole('grid', { name: 'Schedule' })
  const sofies = board.getByText('Sofie Bang', { exact: true })
  await sofies.waitFor()
  await page.getByText('Not published 2').waitFor()
  await page.getByLabel('Group').selectOption({ label: 'Night team' })
  await board.getByText('Kim Lund').first().waitFor()
  await expect.poll(() => sofies.count()).toBe(0)
  await page.getByText('Stations', { exact: true }).click()
  await page.getByLabel('Search stations').fill('packing')
  await board.getByRole('rowheader', { name: /Packing 1/ }).waitFor()
  expect(await board.getByRole('rowheader', { name: /No station/ }).count()).toBe(0)
})

it('the board prints names and times alone', async () => {
  const page = await testApp.open(lead, `/schedule?day=${monday}`)
  await page.getByRole('grid', { name: 'Schedule' }).getByText('22:00–06:00').waitFor()
  // The frame that is printed is kept for the test instead of being sent to a printer.
  await page.evaluate(() => {
    const known = Object.getOwnPropertyDescriptor(HTMLIFrameElement.prototype, 'contentWindow')
    Object.defineProperty(HTMLIFrameElement.prototype, 'contentWindow', {
      get() {
        const view = known?.get?.call(this)
        if (view) view.print = () => document.body.setAttribute('data-printed', view.document.body.textContent ?? '')
        return view
      },
    })
  })
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Print' }).click()
  const text = await page.locator('body[data-printed]').getAttribute('data-printed', { timeout: 10_000 })
  expect(text).toMatch(/^Schedule · Week /)
  expect(text).toContain('Kim Lund22:00–06:00')
  expect(text).not.toContain('Search people')
})

it('the month shows the part of the day, and its days are links', async () => {
  const page = await testApp.open(lead, `/schedule/overview?month=${monday.slice(0, 7)}`)
  const night = page.getByRole('row', { name: /Kim Lund/ }).getByTitle('22:00–06:00')
  expect(await night.textContent()).toBe('N')
  expect(await page.getByRole('row', { name: /^People/ }).textContent()).toContain('2')
  await page
    .locator('th a')
    .nth(Number(monday.slice(8)) - 1)
    .click()
  await page.getByRole('grid', { name: 'Schedule' }).getByText('22:00–06:00').waitFor()
})

it('a request for leave stands in six weeks of the person, with the shifts that become open', async () => {
  await kim.send(schedule.create, { body: { client_id: randomUUID(), kind: 'leave', reason_id: 4, work_date: monday } })
  const page = await testApp.open(lead, '/schedule/approve')
  const weeks = page.getByRole('region', { name: 'Six weeks of Kim Lund' })
  await weeks.getByText('1 shift becomes open').waitFor()
  await expect.poll(() => weeks.locator('td').count()).toBe(42)
  expect(await weeks.locator('td[data-asked]').textContent()).toBe(`${Number(monday.slice(8))}N`)
  // A click on another request shows the weeks of its person.
  await sofie.send(schedule.create, { body: { client_id: randomUUID(), kind: 'leave', reason_id: 4, work_date: addDays(monday, 3) } })
  await page.getByRole('article', { name: /^Sofie Bang/ }).click()
  await page.getByRole('region', { name: 'Six weeks of Sofie Bang' }).waitFor()
})

it('days are approved one after the other by keys alone', async () => {
  const day = addDays(today, -2)
  for (const user of [kim, sofie])
    await lead.send(punchClock.update, {
      id: 0,
      body: {
        ...{ client_id: randomUUID(), user_id: user.user_id, work_date: day, note: 'Written from the list' },
        ...{ started_at: `${day}T06:00:00Z`, ended_at: `${day}T12:00:00Z` },
      },
    })
  const page = await testApp.open(lead, `/schedule/timesheet?week=${day}`)
  await page.getByRole('grid', { name: 'Timesheet' }).getByText('Kim Lund').click()
  const drawer = page.getByRole('dialog')
  await drawer.getByText('Kim Lund').waitFor()
  await press(page, 'e')
  await page.getByRole('dialog', { name: 'Change entry' }).waitFor()
  await press(page, 'Escape')
  await page.getByRole('dialog', { name: 'Change entry' }).waitFor({ state: 'detached' })
  // Escape closes the dialog, and the drawer under it stays.
  await drawer.getByRole('button', { name: 'Approve' }).focus()
  await press(page, 'Enter')
  await drawer.getByText('Approved').first().waitFor()
  await press(page, 'l')
  await drawer.getByText('Sofie Bang').waitFor()
})

it('hours stand week by week, or month by month', async () => {
  const page = await testApp.open(lead, '/schedule/timesheet?week=2026-02-11&view=all')
  await page.getByText('9 – 15 Feb 2026').waitFor()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Show the month' }).click()
  await page.getByText('1 – 28 Feb 2026').waitFor()
  await page.getByText('No hours in this month').waitFor()
  await page.getByRole('button', { name: 'Next month' }).click()
  await page.getByText('1 – 31 Mar 2026').waitFor()
  await page.getByRole('button', { name: 'Previous month' }).click()
  await page.getByRole('button', { name: 'Previous month' }).click()
  await page.getByText('1 – 31 Jan 2026').waitFor()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Lock month' }).waitFor()
})
