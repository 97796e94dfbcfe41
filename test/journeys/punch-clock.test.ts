/** Journey: the kiosk, by badge, by number and by picture, through a gap in the network; and the board that shows who is in. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { announcements } from '#features/company/announcements/announcements.contract.ts'
import { credentials } from '#features/company/users/credentials.contract.ts'
import { punchClock } from '#features/people/punch-clock/punch-clock.contract.ts'
import { schedule } from '#features/people/schedule/schedule.contract.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'
import { scan } from './scan.ts'

let testApp: JourneyApp
let operator: TestOperator
let admin: TestUser
let kiosk: TestUser
let kim: TestUser
let sofie: TestUser
beforeAll(async () => {
  testApp = await openJourneyApp({}, { serviceWorker: true })
  operator = await testApp.operator()
  admin = await operator.hire(['admin'])
  kiosk = await operator.hire(['punchclock'], operator.main, 'Kiosk')
  kim = await operator.hire(['punchclock'], operator.main, 'Kim Lund')
  sofie = await operator.hire(['punchclock'], operator.main, 'Sofie Bang')
  await testApp.services.database.transaction(scopeOfCompany(operator), db =>
    db.updateTable('users').set({ employee_no: '1004' }).where('id', '=', sofie.user_id).execute(),
  )
})
afterAll(() => testApp?.close())

it('clocks people in by badge, number and picture, takes a tap back, and keeps taps while the network is gone', async () => {
  const badge = (await admin.send(credentials.makeBadge, { id: kim.user_id })).code
  await admin.send(credentials.setPin, { id: sofie.user_id, body: { pin: '4711' } })
  const page = await testApp.open(kiosk, '/punchclock', { viewport: { width: 1024, height: 768 } })
  await page.getByText('Scan your badge or enter your number').waitFor()

  await scan(page, badge)
  await page.getByRole('heading', { name: /Kim/ }).waitFor()
  await page.getByRole('button', { name: 'Start work' }).click()
  await page.getByText('Clocked in').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Start work' }).click()
  await page.getByRole('button', { name: 'OK' }).click()
  await page.getByText('In now').locator('b', { hasText: '1' }).waitFor()

  // By number and PIN, then by picture and PIN.
  const digits = async (text: string) => {
    for (const digit of text) await page.getByRole('button', { name: digit, exact: true }).click()
    await page.getByRole('button', { name: 'OK' }).click()
  }
  await digits('1004')
  await page.getByText('Enter your PIN').waitFor()
  await digits('4711')
  await page.getByRole('button', { name: 'Start work' }).click()
  await page.getByRole('button', { name: 'OK' }).click()
  await page.getByRole('button', { name: 'Choose your name' }).click()
  await page.getByRole('button', { name: 'Sofie' }).click()
  await digits('4711')
  await page.getByRole('button', { name: 'Break' }).click()
  await page.getByRole('button', { name: 'OK' }).click()
  await page.getByText('On break').locator('b', { hasText: '1' }).waitFor()

  await scan(page, 'U1-abcdefghijkl')
  await page.getByText('Unknown badge.').waitFor()
  expect(await page.getByRole('button', { name: 'OK' }).evaluate(button => button === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  await page.getByText('Scan your badge or enter your number').waitFor()

  // Who has another button under the finger keeps it while a colleague clocks out elsewhere.
  const names = page.getByRole('button', { name: 'Choose your name' })
  await names.focus()
  await sofie.send(punchClock.punchOut, { x: 0, body: { client_id: crypto.randomUUID() } })
  await page.getByText('On break').locator('b', { hasText: '0' }).waitFor()
  expect(await names.evaluate(button => button === document.activeElement)).toBe(true)
  await sofie.send(punchClock.punchIn, { body: { client_id: crypto.randomUUID(), type: 'break' } })

  testApp.expectOutages()
  await page.context().setOffline(true)
  await digits('9999')
  await digits('4711')
  await page.getByText('Wrong number or PIN.').waitFor()
  await page.keyboard.press('Enter')
  await scan(page, badge)
  await page.getByRole('button', { name: 'End work' }).click()
  await page.getByText('Kept here, sent when the network is back').waitFor()
  await page.context().setOffline(false)
  await expect.poll(async () => (await kim.send(punchClock.last, { limit: 1 })).rows[0]?.state, { timeout: 20_000 }).toBe('closed')
})

it('stands in one tab of the device at a time, also after a lock that came when the screen was left already', async () => {
  const page = await testApp.open(kiosk, '/my-hours')
  await page.evaluate(() => {
    const { locks } = navigator
    const request = locks.request.bind(locks) as (...given: unknown[]) => Promise<unknown>
    Object.assign(locks, {
      request: async (...given: unknown[]) => {
        await new Promise(resolve => setTimeout(resolve, 1_000))
        return request(...given)
      },
    })
  })
  const link = page.getByRole('link', { name: 'Punch clock' }).first()
  const idle = (of: typeof page) => of.getByText('Scan your badge or enter your number')
  await link.click()
  await idle(page).waitFor()
  await page.goBack()
  await link.click()
  // Both requests for the lock are answered by now.
  await page.waitForTimeout(2_500)
  await idle(page).waitFor()

  const second = await page.context().newPage()
  await second.goto(page.url())
  await second.getByText('The punch clock is open in another tab').waitFor()
  await page.close()
  await idle(second).waitFor()
})

it('asks who has clocked in to agree with a text, and keeps it to be read again', async () => {
  const text = { title: 'Fire exits', body: 'Keep them free.' }
  await admin.send(announcements.create, {
    body: {
      mode: 'must_agree',
      everyone: false,
      user_ids: [kim.user_id],
      from_at: '2026-01-01T08:00:00Z',
      texts: { en_GB: text, da_DK: text },
      publish: true,
    },
  })
  const badge = (await admin.send(credentials.makeBadge, { id: kim.user_id })).code
  const page = await testApp.open(kiosk, '/punchclock', { viewport: { width: 1024, height: 768 } })
  await page.getByText('Scan your badge or enter your number').waitFor()
  await scan(page, badge)
  await page.getByRole('button', { name: 'Start work' }).click()
  await page.getByText('Clocked in').waitFor()
  await page.getByRole('button', { name: 'OK' }).click()
  await page.getByRole('heading', { name: 'Fire exits' }).waitFor()
  const agree = page.getByRole('button', { name: 'Agree', exact: true })
  expect(await agree.isDisabled()).toBe(true)
  await page.getByRole('checkbox').check()
  await agree.click()
  await page.getByText('Scan your badge or enter your number').waitFor()

  const own = await testApp.open(kim, '/settings/me', { viewport: { width: 390, height: 844 } })
  await own.getByRole('button', { name: 'Show text' }).click()
  await own.getByRole('dialog').getByText('Keep them free.').waitFor()
})

it('asks who goes before the end of the shift why, with the network and without it', async () => {
  const hour = 3_600_000
  const onShift = async (name: string) => {
    const user = await operator.hire(['punchclock', 'schedule'], operator.main, name)
    const [start, end] = [Date.now() - 2 * hour, Date.now() + 3 * hour].map(at => new Date(at).toISOString())
    await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db
        .insertInto('schedule_entries')
        .values({
          ...{ kind: 'shift', state: 'published', user_id: user.user_id, work_date: today, start_local: '06:00', end_local: '11:00' },
          ...{ start_at: start, end_at: end, published_user_id: user.user_id, published_date: today },
          ...{ published_start_at: start, published_end_at: end, published_break_s: 0, published_station: null },
        })
        .execute(),
    )
    const badge = (await admin.send(credentials.makeBadge, { id: user.user_id })).code
    await kiosk.send(punchClock.punchIn, { body: { client_id: crypto.randomUUID(), who: { badge } } })
    return { user, badge }
  }
  const today = new Date().toISOString().slice(0, 10)
  const [nora, otto] = [await onShift('Nora Dahl'), await onShift('Otto Berg')]
  const leaveOf = async (user: TestUser) => (await user.send(schedule.future, {})).leave.map(({ part, reason_id }) => ({ part, reason_id }))
  const page = await testApp.open(kiosk, '/punchclock', { viewport: { width: 1024, height: 768 } })
  await page.getByText('Scan your badge or enter your number').waitFor()
  await scan(page, nora.badge)
  await page.getByRole('button', { name: 'End work' }).click()
  await page.getByRole('heading', { name: 'Why do you leave now?' }).waitFor()
  await page.getByText(/Nora · Clocked out .* · Your shift ends at /).waitFor()
  await page.getByRole('button', { name: 'My child is sick' }).click()
  await page.getByText(/of leave reported/).waitFor()
  await page.getByRole('button', { name: 'OK' }).click()
  expect(await leaveOf(nora.user)).toEqual([{ part: 'rest', reason_id: 2 }])

  testApp.expectOutages()
  await page.context().setOffline(true)
  await scan(page, otto.badge)
  await page.getByRole('button', { name: 'End work' }).click()
  await page.getByRole('heading', { name: /Why do you leave now/ }).waitFor()
  await page.keyboard.press('2')
  await page.getByText('Your answer is noted').waitFor()
  await page.context().setOffline(false)
  await expect.poll(() => leaveOf(otto.user), { timeout: 20_000 }).toEqual([{ part: 'rest', reason_id: 1 }])
})

it('shows first names on a board for who has its link', async () => {
  const office = await testApp.open(admin, '/schedule/timesheet')
  await office.getByRole('button', { name: 'More' }).click()
  await office.getByRole('menuitem', { name: 'Board of the punch clock' }).click()
  const links = office.getByRole('dialog')
  await links.getByLabel('Name').fill('Canteen')
  await links.getByRole('button', { name: 'Make link' }).click()
  const link = await links.getByText('/dashboardpunchclock#').textContent()
  await links.getByRole('grid', { name: 'Board links' }).getByText('Canteen').waitFor()
  const token = new URL(link ?? '').hash
  const page = await testApp.open(testApp.visitor(operator.main), `/dashboardpunchclock${token}`, {
    viewport: { width: 1920, height: 1080 },
  })
  await page.getByText('Sofie').waitFor()
  expect(await page.getByText('Bang').count()).toBe(0)
  expect(new URL(page.url()).hash).toBe('')
})

it('lets a lead write the missing clock-out, approve the day and see it in the hours of the person', async () => {
  const lead = await operator.hire(['schedule_admin'], operator.main, 'Jonas Krogh')
  const ida = await operator.hire(['punchclock'], operator.main, 'Ida Holm')
  const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  await testApp.services.database.transaction(scopeOfCompany(operator), async db => {
    const { id } = await db
      .insertInto('punches')
      .values({
        user_id: ida.user_id,
        work_date: day,
        type: 'work',
        started_at: `${day}T05:00:00Z`,
        state: 'missing_out',
        source: 'kiosk',
        way: 'badge',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('punch_versions')
      .values({
        ...{ punch_id: id, no: 1, why: 'made', action: 'in', work_date: day, type: 'work', started_at: `${day}T05:00:00Z`, state: 'open' },
        ...{ by_name: 'Ida Holm', at: `${day}T05:00:00Z` },
      })
      .execute()
  })
  const page = await testApp.open(lead, `/schedule/timesheet?week=${day}&view=missing`)
  await page.getByRole('grid', { name: 'Timesheet' }).getByText('Ida Holm').click()
  const drawer = page.getByRole('dialog')
  await drawer.getByText('No clock-out').first().waitFor()
  // Nothing can be approved yet; an end before the start is said to lie on the next day.
  expect(await drawer.getByRole('button', { name: 'Approve' }).isDisabled()).toBe(true)
  await drawer.getByRole('button', { name: 'Ask Ida' }).click()
  await drawer.getByText(/^Jonas Krogh asks about it: /).waitFor()
  const asked = await testApp.open(ida, `/my-hours?from=${day}&to=${day}&id=${day}`, { viewport: { width: 390, height: 844 } })
  await asked
    .getByRole('dialog')
    .getByText(/^Jonas Krogh asks about it: /)
    .waitFor()
  await drawer.getByLabel('Until').fill('05:00')
  await drawer.getByText(/^2\d:00 · On the next day$/).waitFor()
  await drawer.getByLabel('Until').fill('14:00')
  await drawer.getByRole('button', { name: 'Save time' }).click()
  await drawer.getByText('Accepted').waitFor()
  await drawer.getByRole('button', { name: 'Approve' }).click()
  await drawer.getByText('Approved').first().waitFor()
  await page.goto(`${testApp.origin(operator.main.code)}/schedule/timesheet?week=${day}&view=all`)
  await page.getByRole('grid', { name: 'Timesheet' }).getByText('Ida Holm').waitFor()

  const own = await testApp.open(ida, `/my-hours?from=${day}&to=${day}`, { viewport: { width: 390, height: 844 } })
  await own.getByText('Approved').first().waitFor()

  // The person left later: it is asked for with a reason, and the lead sees before and after.
  await own.getByText('Approved').first().click()
  const mine = own.getByRole('dialog')
  await mine.getByRole('button', { name: 'Change', exact: true }).click()
  const form = own.getByRole('dialog', { name: 'Change entry' })
  await form.getByLabel('Until').fill('15:00')
  await form.getByRole('button', { name: 'Ask for correction' }).click()
  await form.getByText('Write at least three characters').waitFor()
  await form.getByLabel('Reason').fill('Unloaded a late truck')
  await form.getByRole('button', { name: 'Ask for correction' }).click()
  await mine.getByText('Your lead decides about it.').waitFor()

  await page.goto(`${testApp.origin(operator.main.code)}/schedule/timesheet?week=${day}&view=all`)
  await page.getByRole('grid', { name: 'Timesheet' }).getByText('Ida Holm').click()
  await drawer.getByText('Unloaded a late truck').waitFor()
  await drawer.getByRole('button', { name: 'Accept' }).click()
  await page.getByText('Correction accepted').waitFor()
  await drawer.getByText('Corrected').waitFor()
  await drawer.getByRole('button', { name: 'Undo approval' }).click()
  const dialog = page.getByRole('dialog', { name: 'Undo the approval?' })
  await dialog.getByLabel('Reason').fill('An hour more')
  await dialog.getByRole('button', { name: 'Undo approval' }).click()
  await drawer.getByRole('button', { name: 'Approve', exact: true }).waitFor()
})
