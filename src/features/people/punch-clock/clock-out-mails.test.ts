/** Mails about clock-outs that are missing, sent through a real SMTP server: to the person first, then to the leads, each once. */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { mail } from '#features/deliveries/mail/mail.contract.ts'
import { sendMail } from '#features/deliveries/mail/mail-sender.server.ts'
import { startMailServer } from '#features/deliveries/mail/mail-server.fake.ts'
import { sendDeliveries } from '#features/deliveries/outbox/send-deliveries.task.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { schedule } from '../schedule/schedule.contract.ts'
import { timesheet } from '../timesheet/timesheet.contract.ts'
import { writeClockOutMail, writeClockOutsMail } from './clock-out-mails.server.ts'
import { flagForgotten, remindOfClockOuts } from './forgotten-punches.task.ts'
import { punchClock } from './punch-clock.contract.ts'

let testApp: TestApp
let operator: TestOperator
let kim: TestUser
let lead: TestUser
let server: Awaited<ReturnType<typeof startMailServer>>
const day = '2026-11-24'
const clock = (text: string) => testApp.setNow(new Date(`${day}T${text}Z`))

beforeAll(async () => {
  testApp = await openTestApp()
  testApp.services.config.allowed_networks = ['127.0.0.0/8']
})
afterAll(() => testApp.close())
afterEach(() => testApp.setNow(undefined))
beforeEach(async () => {
  operator = await testApp.operator()
  const office = await operator.hire(['settings_admin'])
  server = await startMailServer()
  await office.send(mail.save, {
    body: {
      ...{ host: '127.0.0.1', port: server.port, security: 'none', user_name: server.signIn.user, password: server.signIn.password },
      ...{ from_name: 'Demo Logistics', from_address: 'warehouse@example.com', reply_to: null, version: null },
    },
  })
  kim = await operator.hire(['punchclock'], operator.main, 'Kim Lund')
  lead = await operator.hire(['schedule_admin'], operator.main, 'Jonas Krogh')
  await testApp.services.database.transaction(scopeOfCompany(operator), async db => {
    for (const [user, email, locale] of [
      [kim, 'kim@example.com', 'da_DK'],
      [lead, 'jonas@example.com', 'en_GB'],
    ] as const)
      await db.updateTable('users').set({ email, locale }).where('id', '=', user.user_id).execute()
  })
  clock('04:00:00')
  await lead.send(schedule.create, {
    body: {
      ...{ client_id: randomUUID(), kind: 'shift', user_id: kim.user_id, work_date: day },
      ...{ start_local: '06:00', end_local: '14:00', break_s: 1_800 },
    },
  })
  await lead.send(schedule.publish, { body: { from: day, to: day } })
  clock('05:00:00')
  await kim.send(punchClock.punchIn, { body: { client_id: randomUUID() } })
  return () => server.close()
})

const deliver = () =>
  sendDeliveries(testApp.services, {
    mail: sendMail({ 'user.clock_out_missing': writeClockOutMail, 'user.clock_outs_missing': writeClockOutsMail }),
  })
const watchAt = async (time: string) => {
  clock(time)
  await remindOfClockOuts(testApp.services)
  await flagForgotten(testApp.services)
  await deliver()
}
const readable = (source = '') =>
  Buffer.from(
    source.replace(/=\r?\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')
const recipients = () => server.received.map(one => one.to.join())

describe('a clock-out that is missing an hour after the shift', () => {
  it('is mailed to the person in their language, and an hour later to the leads without a name, each once', async () => {
    await watchAt('13:59:00')
    expect(recipients()).toEqual([])
    await watchAt('14:00:00')
    await watchAt('14:30:00')
    expect(recipients()).toEqual(['kim@example.com'])
    const own = readable(server.received[0]?.source)
    expect(own).toContain('Du stemplede ind kl. 06.00 og har ikke stemplet ud.')
    expect(own).toContain('/my-hours')
    await watchAt('15:00:00')
    await watchAt('20:00:00')
    expect(recipients()).toEqual(['kim@example.com', 'jonas@example.com'])
    const leads = readable(server.received[1]?.source)
    expect(leads).toContain(`/schedule/timesheet?week=${day}&view=missing`)
    expect(leads).toContain('an hour after the shift and more: 1.')
    expect(leads).not.toContain('Kim')
  })

  it('is mailed to no one once the person has clocked out or written the time', async () => {
    clock('13:30:00')
    await kim.send(punchClock.punchOut, { x: 0, body: { client_id: randomUUID() } })
    await watchAt('14:10:00')
    await watchAt('15:30:00')
    expect(recipients()).toEqual([])
  })

  it('is mailed again when a lead asks, at most once an hour, and names the lead to the person', async () => {
    await watchAt('14:00:00')
    testApp.setNow(new Date('2026-11-25T07:00:00Z'))
    await flagForgotten(testApp.services)
    const { rows } = await lead.send(punchClock.check, {})
    const id = rows[0]?.id ?? 0
    expect(await lead.send(punchClock.ask, { id })).toMatchObject({ asked_by: 'Jonas Krogh', asked_at: '2026-11-25T07:00:00.000Z' })
    await expect(lead.send(punchClock.ask, { id })).rejects.toMatchObject({ code: 'punch_asked' })
    await deliver()
    expect(recipients().filter(to => to === 'kim@example.com')).toHaveLength(2)
    expect(readable(server.received.at(-1)?.source)).toContain('Jonas Krogh spørger om den.')
    expect((await kim.send(timesheet.myDay, { day })).punches).toMatchObject([{ asked_by: 'Jonas Krogh' }])
    await expect(kim.send(punchClock.ask, { id })).rejects.toMatchObject({ code: 'permission_missing' })
    testApp.setNow(new Date('2026-11-25T08:00:00Z'))
    await lead.send(punchClock.ask, { id })
    await lead.send(punchClock.validate, { id, body: { version: rows[0]?.version ?? 0, ended_at: '2026-11-24T13:00:00Z' } })
    await expect(lead.send(punchClock.ask, { id })).rejects.toMatchObject({ code: 'punch_wrong_state' })
    await deliver()
    expect(recipients().filter(to => to === 'kim@example.com')).toHaveLength(2)
  })

  it('reaches the leads only while it is missing', async () => {
    await watchAt('14:00:00')
    clock('14:20:00')
    await kim.send(punchClock.punchOut, { x: 0, body: { client_id: randomUUID() } })
    await watchAt('15:00:00')
    expect(recipients()).toEqual(['kim@example.com'])
  })

  it('follows the settings of the company', async () => {
    const settings = await lead.send(timesheet.settings, {})
    await lead.send(timesheet.setSettings, { body: { ...settings, remind_person: false } })
    await watchAt('14:00:00')
    await watchAt('15:00:00')
    expect(recipients()).toEqual(['jonas@example.com'])
  })

  it('without a shift is mailed when it is flagged, fourteen hours after the clock-in', async () => {
    clock('13:00:00')
    await kim.send(punchClock.punchOut, { x: 0, body: { client_id: randomUUID() } })
    clock('15:00:00')
    await lead.send(timesheet.setSettings, { body: { ...(await lead.send(timesheet.settings, {})), remind_leads: false } })
    await kim.send(punchClock.punchIn, { body: { client_id: randomUUID() } })
    await watchAt('23:00:00')
    expect(recipients()).toEqual([])
    testApp.setNow(new Date('2026-11-25T05:00:00Z'))
    await flagForgotten(testApp.services)
    await deliver()
    testApp.setNow(new Date('2026-11-25T07:00:00Z'))
    await remindOfClockOuts(testApp.services)
    await deliver()
    expect(recipients()).toEqual(['kim@example.com'])
  })
})
