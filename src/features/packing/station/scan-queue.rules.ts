/** The device's queue of scans: each is kept, sent alone and in its turn, and forgotten only when the server has answered it. */

import type { ErrorCode } from '#contract/error-codes.ts'

interface Queued {
  /** Made here once: a repeat after a lost answer is the same scan. */
  scan_id: string
  order_id: number
  /** Who scanned it: another person at this device never sends it. */
  user_id: number
  /** Milliseconds since 1970; scans of one order go in this order. */
  at: number
}
export type QueuedScan = Queued &
  (
    | { kind: 'scan'; code: string; method: 'scan' | 'camera'; serial_for?: number | undefined; line_id?: number | undefined }
    | { kind: 'count'; order_line_id: number; quantity: number }
    | { kind: 'undo' }
  )

/** Where scans survive a reload. A shelf that fails is no reason not to pack: the queue then lives in memory only. */
export interface ScanShelf {
  load(): Promise<QueuedScan[]>
  put(scan: QueuedScan): Promise<void>
  remove(scan_id: string): Promise<void>
}

/** What became of a try: answered, worth another try, or refused for good. */
export type Outcome<Answer> =
  | { kind: 'answered'; answer: Answer }
  | { kind: 'again'; reachable: boolean }
  | { kind: 'refused'; error: unknown }

export interface ScanQueueDoors<Answer> {
  shelf: ScanShelf
  /** Never throws. `serial_for` of a scan is filled in already. */
  send: (scan: QueuedScan) => Promise<Outcome<Answer>>
  onAnswer: (scan: QueuedScan, answer: Answer) => void
  onRefused: (scan: QueuedScan, error: unknown) => void
  onChange: () => void
  /** The line whose serial number an answer asks for, which the order's next scan is then taken for. */
  asksSerialOf: (answer: Answer) => number | undefined
  user_id: () => number | undefined
}

export interface ScanQueue {
  add(scan: QueuedScan): void
  /** Takes up what an earlier page left behind. */
  restore(): Promise<void>
  /** Scans that are not acknowledged, of one order or of all. */
  waiting(order_id?: number): readonly QueuedScan[]
  /** True while the last try found no server. */
  cutOff(): boolean
  /** Tries at once what waits for its next try. */
  hurry(): void
  /** Resolves when every scan of this order is acknowledged. */
  drained(order_id: number): Promise<void>
  asking(order_id: number): number | undefined
  /** The next scan of this order is no serial number after all. */
  stopAsking(order_id: number): void
  stop(): void
}

/** Milliseconds before the next try: soon at first, then at most every five seconds, for as long as it takes. */
export const pauseAfter = (tries: number, reachable: boolean): number => Math.min(5_000, (reachable ? 60 : 300) * 2 ** Math.min(tries, 8))

/** A scan that nobody could send for so long belongs to an order that was packed another way. */
const forgottenAfter = 24 * 3_600_000

interface Lane {
  scans: QueuedScan[]
  underWay: boolean
  tries: number
  timer: ReturnType<typeof setTimeout> | undefined
}

export function openScanQueue<Answer>(doors: ScanQueueDoors<Answer>): ScanQueue {
  const lanes = new Map<number, Lane>()
  const known = new Set<string>()
  const serials = new Map<number, number>()
  const writes = new Map<string, Promise<void>>()
  let drains: { order_id: number; done: () => void }[] = []
  let unreachable = false
  let stopped = false

  const laneOf = (order_id: number): Lane => {
    const lane = lanes.get(order_id) ?? { scans: [], underWay: false, tries: 0, timer: undefined }
    lanes.set(order_id, lane)
    return lane
  }
  const all = (): QueuedScan[] => [...lanes.values()].flatMap(lane => lane.scans)
  const mine = (scan: QueuedScan): boolean => scan.user_id === doors.user_id()

  /** Keeps writes of one scan in order, so that it is never put back after it was removed. */
  const write = (scan_id: string, act: () => Promise<void>) => {
    const done = (writes.get(scan_id) ?? Promise.resolve()).then(act).catch(() => undefined)
    writes.set(scan_id, done)
    void done.then(() => writes.get(scan_id) === done && writes.delete(scan_id))
  }

  function settled(scan: QueuedScan): void {
    const lane = laneOf(scan.order_id)
    lane.scans = lane.scans.filter(one => one.scan_id !== scan.scan_id)
    lane.tries = 0
    write(scan.scan_id, () => doors.shelf.remove(scan.scan_id))
  }

  async function pump(order_id: number): Promise<void> {
    const lane = laneOf(order_id)
    const head = lane.scans.find(mine)
    if (stopped || lane.underWay || !head) return
    clearTimeout(lane.timer)
    lane.timer = undefined
    lane.underWay = true
    const serial_for = head.kind === 'scan' && head.line_id === undefined ? (head.serial_for ?? serials.get(order_id)) : undefined
    const outcome = await doors.send(head.kind === 'scan' ? { ...head, serial_for } : head)
    lane.underWay = false
    if (stopped) return
    unreachable = outcome.kind === 'again' && !outcome.reachable
    if (outcome.kind === 'again') {
      lane.timer = setTimeout(() => void pump(order_id), pauseAfter(lane.tries, outcome.reachable))
      lane.tries += 1
      doors.onChange()
      return
    }
    settled(head)
    if (outcome.kind === 'answered') {
      const asked = doors.asksSerialOf(outcome.answer)
      if (asked === undefined) serials.delete(order_id)
      else serials.set(order_id, asked)
      doors.onAnswer(head, outcome.answer)
    } else doors.onRefused(head, outcome.error)
    doors.onChange()
    if (!lane.scans.some(mine)) {
      const [done, others] = [drains.filter(one => one.order_id === order_id), drains.filter(one => one.order_id !== order_id)]
      drains = others
      for (const one of done) one.done()
    }
    void pump(order_id)
  }

  function insert(scan: QueuedScan): boolean {
    if (known.has(scan.scan_id)) return false
    known.add(scan.scan_id)
    const lane = laneOf(scan.order_id)
    lane.scans = [...lane.scans, scan].sort((one, other) => one.at - other.at)
    return true
  }

  return {
    add(given) {
      const lane = laneOf(given.order_id)
      const serial_for = lane.scans.length === 0 ? serials.get(given.order_id) : undefined
      const scan =
        given.kind === 'scan' && given.line_id === undefined && given.serial_for === undefined && serial_for !== undefined
          ? { ...given, serial_for }
          : given
      const last = lane.scans.at(-1)
      // Two scans of one millisecond stay in the order in which they came.
      if (!insert(last && last.at >= scan.at ? { ...scan, at: last.at + 0.001 } : scan)) return
      write(scan.scan_id, () => doors.shelf.put(scan))
      doors.onChange()
      void pump(scan.order_id)
    },
    async restore() {
      const stored = await doors.shelf.load().catch(() => [])
      const now = Date.now()
      for (const scan of stored) {
        if (now - scan.at > forgottenAfter) write(scan.scan_id, () => doors.shelf.remove(scan.scan_id))
        else insert(scan)
      }
      if (stored.length > 0) doors.onChange()
      for (const order_id of lanes.keys()) void pump(order_id)
    },
    waiting: order_id => (order_id === undefined ? all() : (lanes.get(order_id)?.scans ?? [])).filter(mine),
    cutOff: () => unreachable && all().some(mine),
    hurry() {
      for (const order_id of lanes.keys()) void pump(order_id)
    },
    drained: order_id =>
      new Promise(resolve => {
        if (!lanes.get(order_id)?.scans.some(mine)) resolve()
        else drains.push({ order_id, done: resolve })
      }),
    asking: order_id => serials.get(order_id),
    stopAsking(order_id) {
      serials.delete(order_id)
    },
    stop() {
      stopped = true
      for (const lane of lanes.values()) clearTimeout(lane.timer)
    },
  }
}

/** Whether a failed call may be sent again as it was: nothing says that the server has refused it. */
export function worthAnotherTry(status: number, code: ErrorCode | null): { again: boolean; reachable: boolean } {
  if (status === 444 || status === 408 || status === 502 || status === 503 || status === 504) return { again: true, reachable: false }
  if (status === 401 || status === 429 || status >= 500) return { again: true, reachable: true }
  return { again: status === 409 && code === 'busy', reachable: true }
}
