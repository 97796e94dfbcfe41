/** Journey: a lead plans and publishes a week, a worker asks for leave on the phone, the lead approves it; and a group gives its members a permission. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDays, mondayOf } from '#domain/local-time.ts'
import { groups } from '#features/company/groups/groups.contract.ts'
import { schedule } from '#features/people/schedule/schedule.contract.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'
import { press } from './keyboard.ts'

let testApp: JourneyApp
let operator: TestOperator
let lead: TestUser
let kim: TestUser
const monday = addDays(mondayOf(new Date().toISOString().slice(0, 10)), 7)
const tuesday = addDays(monday, 1)
const thursday = addDays(monday, 3)
beforeAll(async () => {
  testApp = await openJourneyApp()
  operator = await testApp.operator()
  lead = await operator.hire(['schedule_admin'], operator.main, 'Jonas Krogh')
  kim = await operator.hire(['schedule', 'punchclock'], operator.main, 'Kim Lund')
})
afterAll(() => testApp?.close())

it('plans a shift in the week, publishes it, and shows it to the person; leave is asked for on a phone and approved', async () => {
  const board = await testApp.open(lead, `/schedule?day=${monday}`)
  await board.getByText('No shifts this week').waitFor()
  await board.getByRole('button', { name: 'New shift' }).first().click()
  const form = board.getByRole('dialog', { name: 'New shift' })
  await form.getByRole('combobox', { name: 'Person' }).click()
  await board.getByRole('option', { name: 'Kim Lund' }).click()
  await form.getByLabel('Day').fill(tuesday)
  await form.getByLabel('Begins').fill('07:00')
  await form.getByLabel('Ends').fill('15:00')
  await form.getByLabel('Station').fill('Bench 4')
  await form.getByRole('button', { name: 'Plan shift' }).click()
  await form.waitFor({ state: 'detached' })
  const week = board.getByRole('grid', { name: 'Schedule' })
  await week.getByRole('gridcell', { name: /^Kim Lund, .*07:00–15:00/ }).waitFor()
  await board.getByRole('button', { name: 'Publish 1 change' }).click()
  const publish = board.getByRole('dialog', { name: 'Publish the plan' })
  await publish.waitFor()
  await publish.getByRole('button', { name: 'Publish plan' }).click()
  await board.getByRole('button', { name: 'Published' }).waitFor()

  const phone = await testApp.open(kim, '/schedule', { viewport: { width: 390, height: 844 }, hasTouch: true })
  await phone.getByText('07:00–15:00 · Bench 4').waitFor()
  await phone.getByRole('button', { name: 'Offer shift' }).click()
  const give = phone.getByRole('dialog', { name: 'Offer shift' }).getByRole('radio', { name: 'Give it away' })
  await expect.poll(() => give.evaluate(radio => radio === document.activeElement)).toBe(true)
  await phone.keyboard.press('Escape')
  await phone.getByRole('button', { name: 'Ask for leave' }).click()
  const ask = phone.getByRole('dialog', { name: 'Ask for leave' })
  await ask.getByRole('radio', { name: 'Holiday with pay' }).check()
  await ask.getByLabel('First day').fill(thursday)
  await ask.getByLabel('Note to the lead').fill('A wedding')
  await ask.getByRole('button', { name: 'Send request' }).click()
  await ask.waitFor({ state: 'detached' })
  await phone.getByRole('region', { name: 'Leave and availability' }).getByText('Requested').waitFor()

  await board.getByRole('link', { name: 'Leave', exact: true }).click()
  const request = board.getByRole('article', { name: /^Kim Lund/ })
  await request.getByText('A wedding').waitFor()
  await request.getByRole('button', { name: 'Approve' }).click()
  await board.getByText('Leave approved').waitFor()
  await board.getByText('Nothing to decide').waitFor()
  await phone.getByRole('region', { name: 'Leave and availability' }).getByText('Approved').waitFor()

  await board.getByRole('link', { name: 'Overview', exact: true }).click()
  await board.getByRole('heading', { name: 'Overview' }).waitFor()
  await board.goto(`${testApp.origin(operator.main.code)}/schedule/overview?month=${tuesday.slice(0, 7)}`)
  await board.getByTitle(/^07:00–/).waitFor()
  await board.goto(`${testApp.origin(operator.main.code)}/schedule/settings`)
  const rule = board.getByRole('switch', { name: 'The first who asks gets an open shift' })
  const before = await rule.isChecked()
  await rule.click()
  await expect.poll(async () => (await lead.send(schedule.settings, {})).settings.accept_takes).toBe(!before)
})

it('copies a week with one sentence for what it leaves out, says where there is nothing to copy, and puts a dragged shift back at Escape', async () => {
  const next = addDays(monday, 14)
  for (const day of [0, 1, 2].map(days => addDays(next, days)))
    await lead.send(schedule.change, {
      body: {
        change_id: crypto.randomUUID(),
        shifts: [
          { user_id: kim.user_id, work_date: day, start_local: '07:00', end_local: '15:00', break_s: 1_800, station: null, skill: null },
        ],
      },
    })
  const page = await testApp.open(lead, `/schedule?day=${addDays(next, 7)}`)
  const dialog = page.getByRole('dialog', { name: 'Templates and copy week' })
  const opened = async () => {
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Templates and copy week' }).click()
    await dialog.waitFor()
  }
  await opened()
  await dialog.getByLabel('Copy the week of').fill(addDays(next, 70))
  await dialog.getByRole('button', { name: 'Copy week' }).click()
  await dialog.getByText('No shifts in that week').waitFor()
  await dialog.getByLabel('Copy the week of').fill(next)
  await dialog.getByRole('button', { name: 'Copy week' }).click()
  await page.getByText('3 shifts planned').waitFor()
  await opened()
  await dialog.getByRole('button', { name: 'Copy week' }).click()
  await page.getByText('3 shifts were left out. The first: Kim Lund already works 07:00–15:00.').waitFor()

  const cell = (days: number) => page.locator('tr', { hasText: 'Kim Lund' }).locator('td').nth(days)
  const middle = async (days: number) => {
    const box = await cell(days).boundingBox()
    if (!box) throw new Error('The cell is not shown')
    return { x: box.x + box.width / 2, y: box.y + 20 }
  }
  await cell(2).click({ position: { x: 4, y: 4 } })
  const [from, to] = [await middle(2), await middle(5)]
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(to.x, to.y, { steps: 8 })
  await press(page, 'Escape')
  await page.mouse.up()
  await press(page, 'Enter')
  const shift = page.getByRole('dialog', { name: 'Shift' })
  await shift.waitFor()
  await press(page, 'Escape')
  if (await shift.isVisible()) await press(page, 'Escape')
  await shift.waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate(() => document.activeElement?.hasAttribute('data-cell'))).toBe(true)
  await expect.poll(() => cell(2).textContent()).toContain('07:00–15:00')
  expect(await cell(5).textContent()).not.toContain('07:00')

  await page.goto(`${testApp.origin(operator.main.code)}/schedule?view=mine`)
  await page.getByRole('button', { name: 'Ask for leave' }).click()
  const ask = page.getByRole('dialog', { name: 'Ask for leave' })
  await ask.getByLabel('First day').fill(addDays(next, 30))
  await ask.getByLabel('Last day').fill(addDays(next, 28))
  await ask.getByText('The last day is before the first').waitFor()
  expect(await ask.getByText('from the account').count()).toBe(0)
})

it('asks on what a rule weaker than the law rests, in the language of the person, and names a stricter one on the board', async () => {
  const page = await testApp.open(lead, '/schedule/settings', { language: 'de_DE' })
  const why = page.getByRole('textbox', { name: 'Warum' })
  const saidBeside = () =>
    why.evaluate(field =>
      (field.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map(id => document.getElementById(id)?.textContent ?? '')
        .join(' '),
    )
  await page.getByRole('textbox', { name: 'Stunden' }).fill('10')
  await page.getByRole('button', { name: 'Regel hinzufügen' }).click()
  await expect.poll(() => why.getAttribute('aria-invalid')).toBe('true')
  expect((await saidBeside()).trim()).toBe('Schwächer als das Gesetz: Schreiben Sie, worauf es beruht, etwa auf einem Tarifvertrag.')
  expect(await lead.send(schedule.workingTimeRules, {})).toEqual([])

  await page.getByRole('textbox', { name: 'Stunden' }).fill('12')
  expect(await why.getAttribute('aria-invalid')).not.toBe('true')
  await page.getByRole('button', { name: 'Regel hinzufügen' }).click()
  await page.getByText('Ruhezeit zwischen Schichten: 12 h').waitFor()
  await page.getByText(/^Dänemark · ab .* · Gesetzlich: 11 h$/).waitFor()
  const far = addDays(monday, 56)
  const shift = { user_id: kim.user_id, break_s: 1_800, station: null, skill: null }
  await lead.send(schedule.change, {
    body: {
      change_id: crypto.randomUUID(),
      shifts: [
        { ...shift, work_date: far, start_local: '14:00', end_local: '22:00' },
        { ...shift, work_date: addDays(far, 1), start_local: '09:30', end_local: '16:00' },
      ],
    },
  })
  await page.goto(`${testApp.origin(operator.main.code)}/schedule?day=${far}`)
  await page.getByLabel(/^Ruhezeit 11,5 h – nötig 12 h · seit .* · nach der Regel der Firma ab /).waitFor()
})

it('makes a group, gives it a member and a permission, and keeps both in the log', async () => {
  const admin = await operator.hire(['admin'], operator.main, 'Ingrid Solberg')
  const page = await testApp.open(admin, '/groups')
  await page.getByText('No groups yet').waitFor()
  await page.getByRole('button', { name: 'New group' }).first().click()
  const naming = page.getByRole('dialog', { name: 'New group' })
  await naming.getByLabel('Name').fill('Evening packers')
  await naming.getByRole('button', { name: 'Create group' }).click()
  const drawer = page.getByRole('dialog', { name: 'Group', exact: true })
  await drawer.getByRole('combobox', { name: 'Add a person' }).fill('Kim')
  await page.getByRole('option', { name: 'Kim Lund' }).click()
  await drawer.getByText('Added by Ingrid Solberg').waitFor()
  await drawer.getByRole('button', { name: 'Packer' }).click()
  await drawer.getByText(/^Gives 1 person: /).waitFor()
  await drawer.getByRole('button', { name: 'Save permissions' }).click()
  await expect.poll(async () => (await admin.send(groups.list, {}))[0]?.permission.length).toBeGreaterThan(0)
  await press(page, 'Escape')
  await drawer.waitFor({ state: 'detached' })
  await page.getByRole('grid', { name: 'Groups' }).getByText('Evening packers').waitFor()

  await page.getByRole('button', { name: 'Permission log' }).click()
  const log = page.getByRole('dialog', { name: 'Permission log' })
  await log.getByText('Person added to a group: Kim Lund · Evening packers').waitFor()
  await log.getByText('Permissions of a group changed: Evening packers').waitFor()
  await log
    .getByText(/^Given: /)
    .first()
    .waitFor()
})
