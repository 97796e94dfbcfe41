/** The queue of scans against a server that is slow, gone, forgetful or refusing. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Outcome, openScanQueue, pauseAfter, type QueuedScan, type ScanShelf, worthAnotherTry } from './scan-queue.rules.ts'

const answered = (answer = 'ok'): Outcome<string> => ({ kind: 'answered', answer })
const gone: Outcome<string> = { kind: 'again', reachable: false }
const busy: Outcome<string> = { kind: 'again', reachable: true }

function shelfOf(stored: QueuedScan[] = []): ScanShelf & { scans: Map<string, QueuedScan> } {
  const scans = new Map(stored.map(scan => [scan.scan_id, scan]))
  return {
    scans,
    load: async () => [...scans.values()],
    put: async scan => void scans.set(scan.scan_id, scan),
    remove: async id => void scans.delete(id),
  }
}

const scanOf = (scan_id: string, more: Partial<QueuedScan> = {}): QueuedScan =>
  ({ scan_id, order_id: 7, user_id: 1, at: Date.now(), kind: 'scan', code: scan_id, method: 'scan', ...more }) as QueuedScan

function benchOf(answers: (scan: QueuedScan, nth: number) => Outcome<string> | Promise<Outcome<string>>, shelf = shelfOf()) {
  const sent: QueuedScan[] = []
  const heard: string[] = []
  const refused: string[] = []
  let user = 1
  const queue = openScanQueue<string>({
    shelf,
    send: async scan => {
      sent.push(scan)
      return answers(scan, sent.length)
    },
    onAnswer: (scan, answer) => heard.push(`${scan.scan_id} ${answer}`),
    onRefused: scan => refused.push(scan.scan_id),
    onChange: () => undefined,
    asksSerialOf: answer => (answer.startsWith('serial of ') ? Number(answer.slice(10)) : undefined),
    user_id: () => user,
  })
  return { queue, sent, heard, refused, shelf, become: (id: number) => (user = id) }
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())
const settle = () => vi.advanceTimersByTimeAsync(0)

describe('the queue of scans', () => {
  it('sends one scan at a time, in the order in which they were made', async () => {
    const open: (() => void)[] = []
    const { queue, sent, heard } = benchOf(() => new Promise(resolve => open.push(() => resolve(answered()))))
    for (const id of ['a', 'b', 'c']) queue.add(scanOf(id))
    await settle()
    expect(sent.map(scan => scan.scan_id)).toEqual(['a'])
    open.shift()?.()
    await settle()
    expect(sent.map(scan => scan.scan_id)).toEqual(['a', 'b'])
    expect(queue.waiting(7)).toHaveLength(2)
    open.shift()?.()
    await settle()
    open.shift()?.()
    await settle()
    expect(heard).toEqual(['a ok', 'b ok', 'c ok'])
    expect(queue.waiting()).toEqual([])
  })

  it('takes the same scan only once', async () => {
    const { queue, sent } = benchOf(() => answered())
    queue.add(scanOf('a'))
    queue.add(scanOf('a'))
    await settle()
    queue.add(scanOf('a'))
    await settle()
    expect(sent).toHaveLength(1)
  })

  it('sends a scan again with the same id until the server answers, and nothing overtakes it', async () => {
    const { queue, sent, heard, shelf } = benchOf((_, nth) => (nth <= 3 ? gone : answered()))
    queue.add(scanOf('a'))
    queue.add(scanOf('b'))
    await settle()
    expect(queue.cutOff()).toBe(true)
    expect(shelf.scans.size).toBe(2)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(sent.map(scan => scan.scan_id)).toEqual(['a', 'a', 'a', 'a', 'b'])
    expect(heard).toEqual(['a ok', 'b ok'])
    expect(queue.cutOff()).toBe(false)
    expect(shelf.scans.size).toBe(0)
  })

  it('waits longer from try to try, but never longer than five seconds', () => {
    expect([0, 1, 2, 3, 4, 5, 50].map(tries => pauseAfter(tries, false))).toEqual([300, 600, 1200, 2400, 4800, 5000, 5000])
    expect(pauseAfter(0, true)).toBeLessThan(100)
  })

  it('is not cut off from a server that is only busy', async () => {
    const { queue, heard } = benchOf((_, nth) => (nth === 1 ? busy : answered()))
    queue.add(scanOf('a'))
    await settle()
    expect(queue.cutOff()).toBe(false)
    await vi.advanceTimersByTimeAsync(100)
    expect(heard).toEqual(['a ok'])
  })

  it('tries at once when it is told that the network is back', async () => {
    const { queue, sent } = benchOf((_, nth) => (nth <= 6 ? gone : answered()))
    queue.add(scanOf('a'))
    await vi.advanceTimersByTimeAsync(10_500)
    const before = sent.length
    queue.hurry()
    await settle()
    expect(sent.length).toBe(before + 1)
  })

  it('goes on after a reload with what the page before left behind, oldest first', async () => {
    const first = benchOf(() => gone)
    first.queue.add(scanOf('a', { at: 1_000 }))
    first.queue.add(scanOf('b', { at: 2_000 }))
    await settle()
    first.queue.stop()
    vi.setSystemTime(3_000)
    const second = benchOf(() => answered(), shelfOf([...first.shelf.scans.values()].reverse()))
    await second.queue.restore()
    await settle()
    expect(second.heard).toEqual(['a ok', 'b ok'])
    expect(second.shelf.scans.size).toBe(0)
  })

  it('keeps working when the shelf cannot be used', async () => {
    const broken: ScanShelf = {
      load: () => Promise.reject(new Error('no storage')),
      put: () => Promise.reject(new Error('no storage')),
      remove: () => Promise.reject(new Error('no storage')),
    }
    const { queue, heard } = benchOf(() => answered(), broken as never)
    await queue.restore()
    queue.add(scanOf('a'))
    await settle()
    expect(heard).toEqual(['a ok'])
  })

  it('tells of a refusal and goes on with the next scan', async () => {
    const { queue, refused, heard } = benchOf(scan => (scan.scan_id === 'a' ? { kind: 'refused', error: 'no' } : answered()))
    queue.add(scanOf('a'))
    queue.add(scanOf('b'))
    await settle()
    expect(refused).toEqual(['a'])
    expect(heard).toEqual(['b ok'])
  })

  it('lets orders pass each other', async () => {
    const { queue, heard } = benchOf(scan => (scan.order_id === 7 ? gone : answered()))
    queue.add(scanOf('a'))
    queue.add(scanOf('b', { order_id: 8 }))
    await settle()
    expect(heard).toEqual(['b ok'])
    expect(queue.waiting(7)).toHaveLength(1)
    queue.stop()
  })

  it('says when an order has nothing left to acknowledge', async () => {
    const { queue } = benchOf((_, nth) => (nth === 1 ? gone : answered()))
    let drained = false
    queue.add(scanOf('a'))
    queue.add(scanOf('b'))
    void queue.drained(7).then(() => (drained = true))
    await settle()
    expect(drained).toBe(false)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(drained).toBe(true)
    await expect(queue.drained(99)).resolves.toBeUndefined()
  })

  it('takes the next scan for the serial number that the answer asked for, also when it was made before the answer came', async () => {
    const { queue, sent } = benchOf(scan => (scan.scan_id === 'product' ? answered('serial of 11') : answered()))
    queue.add(scanOf('product'))
    queue.add(scanOf('serial'))
    queue.add(scanOf('another'))
    await settle()
    expect(sent.map(scan => (scan.kind === 'scan' ? scan.serial_for : null))).toEqual([undefined, 11, undefined])
  })

  it('keeps with the scan which serial number it answers, for the page after a reload', async () => {
    let online = true
    const { queue, shelf } = benchOf(() => (online ? answered('serial of 11') : gone))
    queue.add(scanOf('product'))
    await settle()
    online = false
    queue.add(scanOf('serial'))
    await settle()
    expect([...shelf.scans.values()]).toMatchObject([{ scan_id: 'serial', serial_for: 11 }])
    queue.stop()
  })

  it('does not ask for a serial number any more when a person says so', async () => {
    const { queue, sent } = benchOf(scan => (scan.scan_id === 'product' ? answered('serial of 11') : answered()))
    queue.add(scanOf('product'))
    await settle()
    expect(queue.asking(7)).toBe(11)
    queue.stopAsking(7)
    queue.add(scanOf('next'))
    await settle()
    expect(sent[1]).not.toHaveProperty('serial_for', 11)
  })

  it("never sends another person's scans, and keeps them for that person", async () => {
    const { queue, sent, shelf, become } = benchOf(() => answered(), shelfOf([scanOf('a', { user_id: 2 })]))
    await queue.restore()
    await settle()
    expect(sent).toEqual([])
    expect(queue.waiting()).toEqual([])
    expect(shelf.scans.size).toBe(1)
    become(2)
    queue.hurry()
    await settle()
    expect(sent.map(scan => scan.scan_id)).toEqual(['a'])
  })

  it('forgets scans of yesterday', async () => {
    vi.setSystemTime(100 * 3_600_000)
    const { queue, sent, shelf } = benchOf(() => answered(), shelfOf([scanOf('a', { at: 1 })]))
    await queue.restore()
    await settle()
    expect(sent).toEqual([])
    expect(shelf.scans.size).toBe(0)
  })
})

it.each([
  [444, null, true, false],
  [503, 'database_unavailable', true, false],
  [500, 'internal_error', true, true],
  [401, 'not_signed_in', true, true],
  [429, 'too_many_attempts', true, true],
  [409, 'busy', true, true],
  [409, 'order_busy', false, true],
  [403, 'pin_required', false, true],
  [404, 'order_not_found', false, true],
] as const)('after %i “%s” sends again: %s', (status, code, again, reachable) => {
  expect(worthAnotherTry(status, code)).toEqual({ again, reachable })
})
