/** Stations of a packing day, and what they remember: each sends the same request again until the server answers it. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Call, RequestInput, ResponseOutput } from '#contract/endpoint.ts'
import { orderLocks } from '#features/orders/orders/locks/order-locks.contract.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { packing } from '#features/packing/packing/packing.contract.ts'
import type { ScanAnswer } from '#features/packing/packing/packing.schemas.ts'
import type { Chance } from '#optimization/random/seeded-random.ts'
import { pathOf } from '../api-client.ts'
import { type ServerProcess, sendUntilAnswered } from '../server-process.ts'
import type { TestUser } from '../test-app.ts'
import type { Fate } from './fates.ts'

/** One who packs, and what it was answered last. */
type Who = Pick<TestUser, 'token' | 'company'>

export interface PlannedOrder {
  id: number
  fate: Fate
  /** Products of which each piece needs a serial number. */
  serials: ReadonlySet<string>
}

/** What the stations were answered: at the end of the day the tables must say the same. */
export interface DayBooks {
  answers: number
  scans: Set<string>
  /** Pieces by order and SKU. */
  pieces: Map<string, number>
  /** Serial numbers by order and SKU. */
  serials: Set<string>
  /** Orders that a station closed. */
  closed: Set<number>
  /** Orders whose last request left the label to the queue or in error, with who had them. */
  unfinished: Map<number, Who>
  /** Requests that were sent again, because the server did not answer. */
  repeated: number
  /** Milliseconds of scans that were answered at once. */
  took: number[]
  /** Labels that a courier refused, or that failed its rules. */
  labelErrors: number
}

export const newBooks = (): DayBooks => ({
  ...{ answers: 0, repeated: 0, labelErrors: 0, took: [] },
  ...{ scans: new Set(), pieces: new Map(), serials: new Set(), closed: new Set(), unfinished: new Map() },
})

export interface Crew {
  lead: Who
  server(): ServerProcess
  books: DayBooks
  printers: { label_printer_id: number; a4_printer_id: number }
}

class Unwanted extends Error {}

export function createStations({ lead, server, books, printers }: Crew) {
  /** Undefined where the call was refused: a refusal is an answer too. */
  async function ask<C extends Call>(who: Who, call: C, input: RequestInput<C>): Promise<ResponseOutput<C> | undefined> {
    const { body, ...params } = input as { body?: unknown }
    const path = pathOf(call, { company: who.company.code, params })
    for (;;) {
      const began = performance.now()
      let missed = 0
      const asked = { method: call.method, path, company: who.company.code, token: who.token, body }
      const reply = await sendUntilAnswered(server, asked, () => missed++)
      books.answers++
      books.repeated += missed
      if (missed === 0 && call.line === packing.scan.line) books.took.push(performance.now() - began)
      if (reply.status < 300) return reply.body as ResponseOutput<C>
      const { code } = reply.body as { code?: string }
      if (reply.status >= 500 || reply.status === 401 || reply.status === 429)
        throw new Unwanted(`${call.line}: ${reply.status} ${JSON.stringify(reply.body)}\n${server().written().slice(-1_500)}`)
      if (code !== 'busy') return undefined
      await pause(20)
    }
  }

  async function pack(packer: Who, station: string, { id, fate, serials }: PlannedOrder, chance: Chance): Promise<void> {
    const start = (by: Who, at: string, take_over = false) => ask(by, packing.start, { id, body: { station: at, take_over } })
    let who = packer
    const order = await start(packer, station)
    if (!order) throw new Unwanted(`Order ${id} could not be opened`)
    const skuOf = new Map(order.lines.map(line => [line.order_line_id, line.sku ?? '']))
    const note = (scan_id: string, answer: ScanAnswer | undefined) => {
      // What is answered to a stopped order is not written down.
      if (!answer || answer.result === 'stopped' || answer.result === 'ignored') return
      books.scans.add(scan_id)
      const key = `${id} ${skuOf.get(answer.line?.order_line_id ?? 0)}`
      if (answer.counted !== 0) books.pieces.set(key, (books.pieces.get(key) ?? 0) + answer.counted)
    }
    const scan = async (code: string, serial_for?: number) => {
      const body = { scan_id: randomUUID(), code, ...(serial_for && { serial_for }) }
      const answer = await ask(who, packing.scan, { id, body })
      // The answer was lost on its way: the same scan is sent again.
      if (chance.next() < 0.05) await ask(who, packing.scan, { id, body })
      note(body.scan_id, answer)
      return answer
    }
    const scanPiece = async (code: string) => {
      const asked = await scan(code)
      if (!asked || !serials.has(code) || asked.result !== 'serial_needed') return
      // A serial number that went out before is refused, and the packer takes the next piece.
      for (let tries = 0; ; tries++) {
        const [used] = chance.next() < 0.1 ? books.serials : []
        const serial = used?.split(' ').at(-1) ?? `SN${id}${randomUUID().slice(0, 8)}`
        const answer = await scan(serial, asked.line?.order_line_id)
        if (answer && answer.counted > 0) books.serials.add(`${id} ${code} ${serial}`)
        if (answer?.result !== 'serial_refused') return
        if (tries > 20) throw new Unwanted(`No serial number is taken for order ${id}: ${answer.text}`)
      }
    }
    const wanted = order.lines.flatMap(line => Array.from({ length: line.qty }, () => line.sku ?? ''))
    for (const [nth, code] of wanted.entries()) {
      if (chance.next() < 0.05) await scan('NOT-IN-ANY-ORDER')
      if (nth === wanted.length - 1 && (fate === 'partial' || fate === 'cancel_rest')) break
      await scanPiece(code)
      if (nth !== 0) continue
      if (fate === 'take_over') {
        who = lead
        await start(lead, `${station} lead`, true)
      }
      if (fate === 'undo') {
        const scan_id = randomUUID()
        note(scan_id, await ask(who, packing.undo, { id, body: { scan_id } }))
        await scan(code)
      }
      if (fate === 'parcels') {
        const body = { ...printers, scan_id: randomUUID() }
        await ask(who, packing.nextParcel, { id, body })
        await ask(who, packing.nextParcel, { id, body })
      }
      if (fate === 'hold') await ask(lead, orderLocks.hold, { id, body: { reason: 'address', note: 'She moves' } })
      if (fate === 'cancel') await ask(lead, orders.setState, { id, state: 'cancelled' })
    }
    if (fate === 'partial') await close(who, id, { rest: 'backorder' })
    else if (fate === 'cancel_rest') {
      who = lead
      await start(lead, `${station} lead`, true)
      await close(who, id, { rest: 'cancel' })
    } else {
      await close(who, id)
      // A second press of the same key.
      if (chance.next() < 0.1) await close(who, id)
    }
  }

  /** Closes until no label is in error; the packer corrects the weight then, as the message says. */
  async function close(who: Who, id: number, more: object = {}): Promise<void> {
    for (let tries = 0; tries < 8; tries++) {
      const corrected = tries > 0 && { weight_g: 1_000, weight_confirmed: true }
      const closing = await ask(who, packing.close, { id, body: { ...printers, ...more, ...corrected } })
      if (!closing) return
      if (closing.outcome === 'labelled') {
        books.closed.add(id)
        books.unfinished.delete(id)
      } else if (closing.outcome === 'waiting' || closing.outcome === 'label_error') books.unfinished.set(id, who)
      if (closing.outcome !== 'label_error') return
      books.labelErrors++
    }
  }

  /** What the queue could not end is taken up again by the one who had it. */
  const closeAgain = async () => {
    for (const [id, who] of books.unfinished) await close(who, id)
  }

  return { ask, pack, closeAgain }
}
