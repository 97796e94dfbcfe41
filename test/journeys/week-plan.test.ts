/** Journey: a lead plans a week with the mouse, and another by keyboard alone; both are published and stand on the phone. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDays, mondayOf } from '#domain/local-time.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'
import { hasFocus, press } from './keyboard.ts'

let testApp: JourneyApp
let operator: TestOperator
let lead: TestUser
let kim: TestUser
const monday = addDays(mondayOf(new Date().toISOString().slice(0, 10)), 7)
beforeAll(async () => {
  testApp = await openJourneyApp()
  operator = await testApp.operator()
  lead = await operator.hire(['schedule_admin'], operator.main, 'Jonas Krogh')
  kim = await operator.hire(['schedule'], operator.main, 'Kim Lund')
})
afterAll(() => testApp?.close())

/** Rows in the order of the board: open shifts, then the people. */
const cell = (page: Page, name: string, day: number) => page.locator('tr', { hasText: name }).locator('td').nth(day)
const shiftsOf = (page: Page, name: string) =>
  page
    .locator('tr', { hasText: name })
    .locator('td')
    .evaluateAll(cells => cells.map(one => [...one.querySelectorAll('[data-chip] .num')].map(chip => chip.textContent).join(' ')))

/** Presses at one point and lets go at another, once the change before is saved. */
async function drag(page: Page, from: { x: number; y: number }, to: { x: number; y: number }, held?: 'Alt'): Promise<void> {
  await page.locator('[role="grid"][aria-busy="false"]').waitFor()
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  if (held) await page.keyboard.down(held)
  await page.mouse.move(to.x, to.y, { steps: 6 })
  await page.mouse.up()
  if (held) await page.keyboard.up(held)
}
async function pointOf(page: Page, name: string, day: number) {
  const box = await cell(page, name, day).boundingBox()
  if (!box) throw new Error(`The cell of ${name} is not shown`)
  return { left: box.x, right: box.x + box.width, x: box.x + box.width / 2, y: box.y + 20 }
}

it('plans a week with the mouse: draws, moves, stretches, copies, takes back and makes again', async () => {
  const page = await testApp.open(lead, `/schedule?day=${monday}`)
  await page.getByRole('grid', { name: 'Schedule' }).waitFor()
  await drag(page, await pointOf(page, 'Kim Lund', 0), await pointOf(page, 'Kim Lund', 2))
  await expect.poll(() => shiftsOf(page, 'Kim Lund')).toEqual(['06:00–14:00', '06:00–14:00', '06:00–14:00', '', '', '', ''])

  await drag(page, await pointOf(page, 'Kim Lund', 2), await pointOf(page, 'Kim Lund', 3))
  await expect.poll(() => shiftsOf(page, 'Kim Lund')).toEqual(['06:00–14:00', '06:00–14:00', '', '06:00–14:00', '', '', ''])

  const thursday = await pointOf(page, 'Kim Lund', 3)
  const edge = { x: thursday.right - 8, y: thursday.y }
  await drag(page, edge, { x: edge.x + 24, y: edge.y })
  await expect.poll(async () => (await shiftsOf(page, 'Kim Lund'))[3]).toBe('06:00–15:00')

  await drag(page, await pointOf(page, 'Kim Lund', 3), await pointOf(page, 'Kim Lund', 4), 'Alt')
  await expect.poll(() => shiftsOf(page, 'Kim Lund')).toEqual(['06:00–14:00', '06:00–14:00', '', '06:00–15:00', '06:00–15:00', '', ''])

  const back = page.getByRole('button', { name: 'Undo the last change' })
  await back.click()
  await expect.poll(async () => (await shiftsOf(page, 'Kim Lund'))[4]).toBe('')
  await back.click()
  await expect.poll(async () => (await shiftsOf(page, 'Kim Lund'))[3]).toBe('06:00–14:00')
  const again = page.getByRole('button', { name: 'Make the change again' })
  await again.click()
  await expect.poll(async () => (await shiftsOf(page, 'Kim Lund'))[3]).toBe('06:00–15:00')
  await again.click()
  await expect.poll(async () => (await shiftsOf(page, 'Kim Lund'))[4]).toBe('06:00–15:00')

  await page.getByRole('button', { name: 'Publish 4 changes' }).click()
  await page.getByRole('dialog', { name: 'Publish the plan' }).getByRole('button', { name: 'Publish plan' }).click()
  await page.getByRole('button', { name: 'Published' }).waitFor()
  const phone = await testApp.open(kim, '/schedule', { viewport: { width: 390, height: 844 }, hasTouch: true })
  await expect.poll(() => phone.getByText('06:00–15:00').count()).toBe(2)
})

it('plans a week by keyboard alone, two shifts of one day among it, and the day on its axis of hours', async () => {
  const next = addDays(monday, 7)
  const page = await testApp.open(lead, `/schedule?day=${next}`)
  const board = page.getByRole('grid', { name: 'Schedule' })
  await board.waitFor()
  const said = page.locator('[aria-live="polite"]')
  // The first cell is the one way into the board; Tab leaves it again.
  await page.locator('[data-cell][tabindex="0"]').focus()
  await press(page, 'ArrowDown')
  await press(page, 'ArrowDown')
  await hasFocus(cell(page, 'Kim Lund', 0))
  await expect.poll(() => said.allTextContents()).toContainEqual(expect.stringMatching(/^Kim Lund, .*, free$/))

  await press(page, 'n')
  const form = page.getByRole('dialog', { name: 'New shift' })
  await form.waitFor()
  await form.getByLabel('Begins').fill('06:00')
  await form.getByLabel('Ends').fill('10:00')
  await press(page, 'Enter')
  await form.waitFor({ state: 'detached' })
  await hasFocus(cell(page, 'Kim Lund', 0))
  await press(page, 'n')
  await form.waitFor()
  await form.getByLabel('Begins').fill('14:00')
  await form.getByLabel('Ends').fill('18:00')
  await press(page, 'Enter')
  await form.waitFor({ state: 'detached' })
  await expect.poll(async () => (await shiftsOf(page, 'Kim Lund'))[0]).toBe('06:00–10:00 14:00–18:00')

  // The second shift of the day goes to Wednesday and ends half an hour later.
  await hasFocus(cell(page, 'Kim Lund', 0))
  await press(page, 'ArrowDown')
  await expect.poll(() => said.allTextContents()).toContainEqual(expect.stringMatching(/14:00 to 18:00/))
  await press(page, 'Space')
  await press(page, 'ArrowRight')
  await press(page, 'ArrowRight')
  await press(page, 'Shift+ArrowRight')
  await press(page, 'Shift+ArrowRight')
  await press(page, 'Space')
  await expect.poll(() => shiftsOf(page, 'Kim Lund')).toEqual(['06:00–10:00', '', '14:00–18:30', '', '', '', ''])

  // Copied to Friday, taken back, made again, and removed on Wednesday.
  await press(page, 'Control+c')
  await press(page, 'ArrowRight')
  await press(page, 'ArrowRight')
  await press(page, 'Control+v')
  await expect.poll(async () => (await shiftsOf(page, 'Kim Lund'))[4]).toBe('14:00–18:30')
  await press(page, 'Control+z')
  await expect.poll(async () => (await shiftsOf(page, 'Kim Lund'))[4]).toBe('')
  await press(page, 'Control+y')
  await expect.poll(async () => (await shiftsOf(page, 'Kim Lund'))[4]).toBe('14:00–18:30')
  await press(page, 'ArrowLeft')
  await press(page, 'ArrowLeft')
  await press(page, 'Delete')
  await expect.poll(() => shiftsOf(page, 'Kim Lund')).toEqual(['06:00–10:00', '', '', '', '14:00–18:30', '', ''])

  // A day: the arrows move a lifted shift along its hours, Escape puts it back.
  await page.goto(`${testApp.origin(operator.main.code)}/schedule?view=day&day=${next}`)
  await board.waitFor()
  const line = cell(page, 'Kim Lund', 0)
  await line.focus()
  await press(page, 'Space')
  await press(page, 'ArrowRight')
  await press(page, 'Escape')
  await expect.poll(async () => (await shiftsOf(page, 'Kim Lund'))[0]).toBe('06:00–10:00')
  await press(page, 'Space')
  await press(page, 'ArrowRight')
  await press(page, 'ArrowRight')
  await press(page, 'Space')
  await expect.poll(async () => (await shiftsOf(page, 'Kim Lund'))[0]).toBe('06:30–10:30')
  await page.getByText('Shift changed').waitFor()
  await expect.poll(async () => (await shiftsOf(page, 'Kim Lund'))[0]).toBe('06:30–10:30')

  await press(page, 'p')
  const publish = page.getByRole('dialog', { name: 'Publish the plan' })
  await publish.waitFor()
  await hasFocus(publish.getByRole('button', { name: 'Publish plan' }))
  await press(page, 'Enter')
  await page.getByRole('button', { name: 'Published' }).waitFor()
})

it('draws a shift on the axis of a day and moves it there; Escape puts it back', async () => {
  const day = addDays(monday, 15)
  const page = await testApp.open(lead, `/schedule?view=day&day=${day}`)
  await page.getByRole('grid', { name: 'Schedule' }).waitFor()
  const { left, right, y } = await pointOf(page, 'Kim Lund', 0)
  const at = (hour: number) => ({ x: left + ((right - left) * hour) / 24, y })
  await drag(page, at(8.05), at(11.95))
  await expect.poll(() => shiftsOf(page, 'Kim Lund')).toEqual(['08:00–12:00'])

  await page.mouse.move(at(10).x, y)
  await page.mouse.down()
  await page.mouse.move(at(14).x, y, { steps: 6 })
  await expect.poll(() => shiftsOf(page, 'Kim Lund')).toEqual(['12:00–16:00'])
  await press(page, 'Escape')
  await page.mouse.up()
  await expect.poll(() => shiftsOf(page, 'Kim Lund')).toEqual(['08:00–12:00'])

  await drag(page, at(10), at(12))
  await expect.poll(() => shiftsOf(page, 'Kim Lund')).toEqual(['10:00–14:00'])
  await page.getByText('Shift changed').waitFor()
  await expect.poll(() => shiftsOf(page, 'Kim Lund')).toEqual(['10:00–14:00'])
})
