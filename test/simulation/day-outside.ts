/** The world outside a simulated warehouse: couriers, printers and a receiver of webhooks, each with its own books and its faults. */
import type { Courier } from '#integrations/couriers/courier.ts'
import { withCourier } from '#integrations/couriers/couriers.ts'
import { type Fault, type SlowCourier, slowCourier } from '#integrations/couriers/slow.fake.ts'
import { PrinterUnavailable, type Printing, PrintOutcomeUnknown, type RemotePrinter } from '#integrations/printers/printer.ts'
import { withPrinting } from '#integrations/printers/printers.ts'
import type { Stepper } from './stepper.ts'

/** Milliseconds after which a late request has arrived at the courier: less than the lease of a booking. */
const latest = 15_000

const bookingFaults: readonly Fault[] = ['lost', 'mute', 'late', 'garbage', 'crossed', 'refused', 'unavailable']

interface Sheet {
  key: string
  title: string
  printer: string
}

interface Received {
  id: string
  object: string
  seq: number
}

export interface Outside {
  couriers: readonly SlowCourier[]
  /** Requests that are late by now arrive. */
  arriveLate(at: Date): void
  /** What came out of the printers. */
  sheets: Sheet[]
  received: Received[]
  /** Sends one delivery, as a webhook does. */
  receive(delivery: { event_id: string; object: string; seq: number }): { outcome: 'delivered' | 'failed'; status: number; answer: string }
  close(): void
}

export function openOutside(stepper: Stepper, { quiet, deadly }: { quiet: () => boolean; deadly: () => number }): Outside {
  const draws = (share: number) => !quiet() && stepper.hasActor() && stepper.chanceOfActor().next() < share
  const point = (name: string) =>
    stepper.point(name, stepper.life(), () => deadly() > 0 && stepper.hasActor() && stepper.chanceOfActor().next() < deadly())
  /** A call that can be the last thing that the server does, before it and after it. */
  const outward = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    await point(`before ${name}`)
    try {
      return await work()
    } finally {
      await point(`after ${name}`)
    }
  }

  let lateUntil: number | undefined
  const couriers = [
    slowCourier({ agent_code: 'keyed', recovery: 'idempotency_key', offers: { name: 'Keyed' } }),
    slowCourier({ agent_code: 'lookup', recovery: 'lookup', offers: { name: 'Looked up' } }),
  ]
  const undo = couriers.map(slow => {
    const { agent_code } = slow.capabilities
    slow.fault = () => {
      const fault = draws(0.3) ? (bookingFaults[stepper.chanceOfActor().below(bookingFaults.length)] ?? 'none') : 'none'
      if (fault === 'late') lateUntil ??= stepper.now().getTime() + latest
      if (fault !== 'none') stepper.note(`${stepper.actorName()} – the courier ${agent_code}: ${fault}`)
      return fault
    }
    slow.findFails = () => draws(0.1)
    slow.cancelFails = () => draws(0.1)
    const outer: Courier = {
      ...slow,
      book: (request, signal) => outward(`the courier ${agent_code} books`, () => slow.book(request, signal)),
      find: (request, signal) => outward(`the courier ${agent_code} looks up`, () => slow.find(request, signal)),
      cancel: (parcel, signal) => outward(`the courier ${agent_code} cancels`, () => slow.cancel(parcel, signal)),
    }
    return withCourier(outer)
  })

  const sheets: Sheet[] = []
  undo.push(withPrinting('file', ({ folder }) => simulatedPrinter(folder)))
  /** Knows keys, as the file printer does. */
  function simulatedPrinter(folder: string): Printing {
    const where = folder.split('/').at(-1) ?? ''
    return {
      kind: 'file',
      async printers(): Promise<RemotePrinter[]> {
        return [
          {
            remote_id: 'labels',
            name: 'Labels',
            description: '',
            computer: '',
            state: 'online',
            papers: { '100 × 150 mm': [100, 150] },
            raw: false,
          },
          { remote_id: 'a4', name: 'A4', description: '', computer: '', state: 'online', papers: { A4: [210, 297] }, raw: false },
        ]
      },
      print: ({ remote_id, title, idempotency_key }) =>
        outward('the printer prints', async () => {
          if (draws(0.08)) throw new PrinterUnavailable('The printer does not answer')
          if (!sheets.some(sheet => sheet.key === idempotency_key))
            sheets.push({ key: idempotency_key, title, printer: `${where}/${remote_id}` })
          if (draws(0.05)) throw new PrintOutcomeUnknown('The answer of the printer was lost')
          return { remote_job_id: `${remote_id}-${idempotency_key}`.slice(0, 100) }
        }),
      state: async () => ({ state: 'done', message: null }),
      cancel: async () => false,
    }
  }

  const received: Received[] = []
  return {
    couriers,
    arriveLate(at) {
      if (lateUntil === undefined || at.getTime() < lateUntil) return
      lateUntil = undefined
      for (const slow of couriers) slow.tick()
    },
    sheets,
    received,
    receive({ event_id, object, seq }) {
      if (draws(0.1)) return { outcome: 'failed', status: 503, answer: 'Busy' }
      received.push({ id: event_id, object, seq })
      if (draws(0.05)) return { outcome: 'failed', status: 504, answer: 'The answer was lost' }
      return { outcome: 'delivered', status: 200, answer: '' }
    },
    close() {
      for (const one of undo) one()
    },
  }
}
