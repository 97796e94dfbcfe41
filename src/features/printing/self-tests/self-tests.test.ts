/** The label printer of a station tests itself in the morning: by its company's clock, once a day, and the scanned page proves it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { printJobs } from '#features/printing/print-jobs/print-jobs.contract.ts'
import { printerChecks } from '#features/printing/printer-checks/printer-checks.contract.ts'
import { printers } from '#features/printing/printers/printers.contract.ts'
import { stationPrinters } from '#features/printing/station-printers/station-printers.contract.ts'
import { stations } from '#features/printing/stations/stations.contract.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { selfTests } from './self-tests.contract.ts'
import { printDue } from './self-tests.task.ts'

let testApp: TestApp
let operator: TestOperator
let lead: TestUser
let kim: TestUser
let station_id: number
let label: number

beforeAll(async () => {
  testApp = await openTestApp()
})
afterAll(() => testApp.close())
beforeEach(async () => {
  // Sessions begin in the test's own time: they would have ended by the next Wednesday.
  testApp.setNow(wednesday(3))
  operator = await testApp.operator({ settings: { time_zone: 'Europe/Copenhagen' } })
  lead = await operator.hire(['scan', 'scan_admin'], operator.main, 'Astrid Holm')
  kim = await operator.hire(['scan'], operator.main, 'Kim Lund')
  station_id = (await lead.send(stations.use, { name: 'Bench 1' })).id
  const { printers: known } = await lead.send(printers.list, { refresh: true })
  label = known.find(one => one.kind === 'file' && one.paper === 'label')?.id ?? 0
  await lead.send(stationPrinters.set, { id: station_id, body: { printers: [{ role: 'label', printer_id: label }] } })
})

/** The last Wednesday: 04:00 UTC is five o'clock in Copenhagen. */
const wednesday = (hour: number, minute = 0) => {
  const day = new Date()
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 4) % 7))
  day.setUTCHours(hour, minute, 0, 0)
  return day
}
/** What a clock in Copenhagen shows at an instant. */
const clockAt = (at: Date) => at.toLocaleTimeString('sv-SE', { timeZone: 'Europe/Copenhagen', hour: '2-digit', minute: '2-digit' })
const set = (at: string, more: { days?: number[]; asks?: boolean } = {}) =>
  lead.send(selfTests.set, { id: station_id, body: { at, days: more.days ?? [1, 2, 3, 4, 5], asks: more.asks ?? false } })
const state = () => kim.send(selfTests.state, { station: 'bench 1' })
const own = async () => (await lead.send(selfTests.list, {})).find(row => row.station_id === station_id)

describe('the self-test of a station', () => {
  it('is printed once a day on its label printer, by the clock of its company', async () => {
    const at = wednesday(5)
    await set(clockAt(at))
    testApp.setNow(new Date(at.getTime() - 60_000))
    await printDue(testApp.services)
    expect((await own())?.last).toBeNull()
    testApp.setNow(at)
    await printDue(testApp.services)
    await printDue(testApp.services)
    expect(await own()).toMatchObject({ printer: 'File: labels (100 × 150 mm)', last: { state: 'waiting' } })
    const { rows } = await lead.send(printJobs.list, { printer_id: label })
    expect(rows.map(job => [job.document, job.station, job.printer_id])).toEqual([['test', 'Bench 1', label]])
  })

  it('is not printed on other days, nor when its hour is long over', async () => {
    const at = wednesday(5)
    await set(clockAt(at), { days: [1, 2, 4, 5] })
    testApp.setNow(at)
    await printDue(testApp.services)
    await set(clockAt(at), { days: [3] })
    testApp.setNow(new Date(at.getTime() + 4 * 3_600_000))
    await printDue(testApp.services)
    expect((await own())?.last).toBeNull()
  })

  it('is proved by the scanned code, and missed after half an hour', async () => {
    const at = wednesday(5)
    await set(clockAt(at), { asks: true })
    testApp.setNow(at)
    await printDue(testApp.services)
    const { today, asks } = await state()
    expect([today?.state, asks]).toEqual(['waiting', true])
    testApp.setNow(new Date(at.getTime() + 31 * 60_000))
    expect((await state()).today?.state).toBe('missed')
    await kim.send(printerChecks.proveTest, { number: Number(today?.code.slice(5)) })
    expect(await state()).toMatchObject({ today: { state: 'proved', proved_by_name: 'Kim Lund' }, asks: false })
  })

  it('does not hold the station up for good: a packer goes on without it, by name', async () => {
    await set('06:00', { asks: true })
    const test = await kim.send(selfTests.print, { id: station_id })
    expect((await state()).asks).toBe(true)
    expect(await kim.send(selfTests.skip, { id: test.id })).toMatchObject({ state: 'skipped', skipped_by_name: 'Kim Lund' })
    expect((await state()).asks).toBe(false)
    expect((await kim.ask(selfTests.skip, { id: test.id })).json().code).toBe('test_page_unknown')
  })

  it('needs a label printer of the station, a time, a day, and someone who may set it', async () => {
    const bare = (await lead.send(stations.use, { name: 'Bench 2' })).id
    const body = { at: '06:00', days: [1] }
    expect((await lead.ask(selfTests.set, { id: bare, body })).json().code).toBe('station_without_printer')
    expect((await lead.ask(selfTests.print, { id: bare })).json().code).toBe('station_without_printer')
    expect((await lead.ask(selfTests.set, { id: station_id, body: { ...body, at: '6' } })).statusCode).toBe(400)
    expect((await lead.ask(selfTests.set, { id: station_id, body: { ...body, days: [] } })).statusCode).toBe(400)
    expect((await kim.ask(selfTests.set, { id: station_id, body })).statusCode).toBe(403)
    await set('06:00')
    expect((await lead.ask(selfTests.remove, { id: station_id })).statusCode).toBe(204)
    expect((await own())?.schedule).toBeNull()
  })

  it('is not another operator’s', async () => {
    const stranger = await (await testApp.operator()).hire(['scan_admin'])
    expect(await stranger.send(selfTests.list, {})).toEqual([])
    expect((await stranger.ask(selfTests.print, { id: station_id })).statusCode).toBe(404)
  })
})
