/** The station with its effects against a server: what it shows, sends again, refuses and leaves. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Call } from '#contract/endpoint.ts'
import { readCode } from '#domain/codes.ts'
import type { Closing, PackingOrder, ScanAnswer } from '#features/packing/packing/packing.schemas.ts'
import { lineOf, orderOf } from '#test/packing-order.ts'
import { CallError } from '#ui/query/call-error.ts'
import { forecastOf } from './forecast.rules.ts'
import { isGreen, labelAfter, lacksLabel } from './label-state.rules.ts'
import type { QueuedScan } from './scan-format.rules.ts'
import { createStation, type StationServices } from './station-effects.client.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())
const settle = () => vi.advanceTimersByTimeAsync(0)

const parcelOf = (state: string): PackingOrder['parcels'][number] => ({
  shipment_id: 1,
  parcel_no: 1,
  state,
  agent_code: 'own',
  shipping_method: 'van',
  tracking_no: state === 'booked' ? 'OWN1' : null,
  weight_g: 300,
  error: null,
  error_field: null,
})
const labelled: Closing = {
  outcome: 'labelled',
  session_id: 70,
  parcels: [parcelOf('booked')],
  print_jobs: [{ id: 1, document: 'label', state: 'accepted', error: null }],
  text: 'The parcel is done',
  values: {},
}
const reprintLine = 'orders/print_shipping_label/{order_id}/on/{printer_id}/from/{packing_station}'
const reprinted = { shipments: [], print_jobs: [{ id: 2, state: 'accepted', error: null }] }
const answerOf = (result: ScanAnswer['result'], more: Partial<ScanAnswer> = {}): ScanAnswer => ({
  scan_id: '',
  crate: null,
  result,
  counted: result === 'ok' || result === 'line_done' || result === 'order_done' ? 1 : 0,
  text: result,
  values: {},
  line: { order_line_id: 1, qty: 2, packed_qty: 1, missing_serials: 0 },
  product: null,
  choices: [],
  approval: null,
  addition: null,
  pack: null,
  packed: 1,
  to_pack: 3,
  ...more,
})

interface Input {
  id: number
  code: string
  body: { take_over?: boolean }
}
type Answers = Record<string, (input: Input, nth: number) => unknown>

/** `answers` by the call's line without its method and `packing/`. */
function stationWith(
  answers: Answers,
  permissions: readonly ('scan' | 'scan_admin')[] = ['scan'],
  kept: { order?: Awaited<ReturnType<StationServices['keptOrder']['load']>> } = {},
) {
  const asked: { line: string; input: Input }[] = []
  const sounds: string[] = []
  const stored = new Map<string, QueuedScan>()
  let remembered: number | null = null
  let ids = 0
  const keep = async (order: typeof kept.order | null) => {
    kept.order = order ?? undefined
  }
  const station = createStation({
    send: (async (call: Call, input: Input) => {
      const line = call.line.replace(/^\w+ (packing\/)?/, '')
      asked.push({ line, input })
      const answer = answers[line]
      if (!answer) throw new Error(`No answer is given to ${line}`)
      const given = await answer(input, asked.filter(one => one.line === line).length)
      if (given instanceof Error) throw given
      return given
    }) as never,
    store: {
      load: async () => [...stored.values()],
      put: async scan => void stored.set(scan.scan_id, scan),
      async remove(ids) {
        for (const id of ids) stored.delete(id)
      },
    },
    play: sound => sounds.push(sound),
    scale: () => undefined,
    photo: async () => new Blob(['JPEG']),
    user: () => ({ user_id: 5, permissions }),
    device: () => ({ station: 'Bench 1', label_printer_id: 9, a4_printer_id: null }),
    remember: id => {
      remembered = id
    },
    choosePrinter: () => undefined,
    refreshLists: () => undefined,
    save: () => undefined,
    keptOrder: { load: async () => kept.order, save: keep },
    loadForecast: async () => forecastOf,
    newId: () => `id-${++ids}`,
  })
  const scan = async (text: string) => {
    station.dispatch({ type: 'scan', code: readCode(text), method: 'scan' })
    await settle()
  }
  return { station, asked, stored, sounds, kept, scan, remembered: () => remembered, lines: () => asked.map(one => one.line) }
}

const found = (order: PackingOrder) => ({
  orders: [
    { order_id: order.order_id, order_no: order.order_no, company: 'demo', customer_name: 'Lene', phase: 'ready', found_by: 'order_code' },
  ],
})
const opening = (order: PackingOrder): Answers => ({ find: () => found(order), 'order_start/{id}': () => order, 'order/{id}': () => order })

describe('the packing station', () => {
  it('opens an order by its code and keeps it for a reload', async () => {
    const { station, scan, remembered } = stationWith(opening(orderOf(7)))
    await scan('1:7')
    expect(station.read()).toMatchObject({ view: 'packing', order: { order_id: 7 } })
    expect(remembered()).toBe(7)
  })

  it('says so when no order has the code, and stays ready for the next', async () => {
    const { station, scan, sounds } = stationWith({ find: () => ({ orders: [] }) })
    await scan('5701234567890')
    expect(station.read()).toMatchObject({ view: 'idle', message: { text: 'There is no order for {{code}}', tone: 'error' } })
    expect(sounds).toEqual(['error'])
  })

  it('opens what was scanned without a connection once it is back', async () => {
    const { station, scan, sounds } = stationWith({
      find: (_, nth) => (nth < 3 ? new CallError(444) : found(orderOf(7))),
      'order_start/{id}': (_, nth) => (nth === 1 ? new CallError(503) : orderOf(7)),
      'order/{id}': () => orderOf(7),
    })
    await scan('1:7')
    expect(station.read()).toMatchObject({ view: 'opening', opening: '1:7', unreached: true })
    await vi.advanceTimersByTimeAsync(10_000)
    expect(station.read()).toMatchObject({ view: 'packing', order: { order_id: 7 }, unreached: false })
    expect(sounds).toEqual(['attention', 'attention', 'ok'])
  })

  it('opens the order that was scanned last when the connection comes back, without waiting for the end of a pause', async () => {
    let away = true
    const { station, scan, lines } = stationWith({
      find: ({ code }) => (away ? new CallError(444) : found(orderOf(code === '1:7' ? 7 : 8))),
      'order_start/{id}': ({ id }) => orderOf(id),
      'order/{id}': ({ id }) => orderOf(id),
    })
    await scan('1:7')
    await scan('1:8')
    await vi.advanceTimersByTimeAsync(3_500)
    away = false
    station.retryNow()
    await settle()
    expect(station.read()).toMatchObject({ view: 'packing', order: { order_id: 8 } })
    expect(lines().filter(line => line === 'order_start/{id}')).toHaveLength(1)
  })

  it('opens nothing that somebody went back from meanwhile', async () => {
    const { station, scan, lines } = stationWith({
      ...opening(orderOf(7)),
      find: (_, nth) => (nth === 1 ? new CallError(444) : found(orderOf(7))),
    })
    await scan('1:7')
    station.dispatch({ type: 'back' })
    await vi.advanceTimersByTimeAsync(10_000)
    expect(station.read()).toMatchObject({ view: 'idle', unreached: false })
    expect(lines()).toEqual(['find'])
  })

  it('shows at once the failure of a server that answers', async () => {
    const { station, scan, lines } = stationWith({ find: () => new CallError(500, 'Something failed here') })
    await scan('1:7')
    expect(station.read()).toMatchObject({ view: 'idle', message: { text: 'Something failed here', tone: 'error' } })
    expect(lines()).toEqual(['find'])
  })

  it('is green for the order that just left, until something newer is said', async () => {
    const { station, scan } = stationWith({
      ...opening(orderOf(7)),
      find: ({ code }) => (code === '1:7' ? found(orderOf(7)) : { orders: [] }),
      'order/{id}/scan': () => answerOf('order_done', { packed: 3 }),
      'order/{id}/close': () => labelled,
    })
    await scan('1:7')
    await scan('5701234567890')
    expect(isGreen(station.read())).toBe(true)
    await scan('1:9')
    expect(isGreen(station.read())).toBe(false)
  })

  it('says no more that a warning has to be read once it was read', async () => {
    const warning = { id: 1, type: 'warning' as const, comment: 'Pack it twice', actor: 'Shop', created_at: '2026-11-21T08:00:00Z' }
    const { station, scan } = stationWith(opening(orderOf(7, { comments: [warning] })))
    await scan('1:7')
    await scan('5701234567890')
    expect(station.read()).toMatchObject({ warned: false, message: { tone: 'attention' } })
    station.dispatch({ type: 'primary' })
    expect(station.read()).toMatchObject({ warned: true, message: null })
  })

  it('counts what a quick hand scans while the order is still being opened', async () => {
    let start: ((given: PackingOrder) => void) | undefined
    const { station, scan, asked } = stationWith({
      find: () => found(orderOf(7)),
      'order_start/{id}': () => new Promise(resolve => (start = resolve)),
      'order/{id}/scan': () => answerOf('ok'),
    })
    await scan('1:7')
    await scan('5701234567890')
    expect(station.read().view).toBe('opening')
    start?.(orderOf(7))
    await settle()
    expect(asked.at(-1)?.input.body).toMatchObject({ code: '5701234567890' })
    expect(station.read().order?.packed).toBe(1)
  })

  it('shows no count that the server has not confirmed', async () => {
    let answer: ((given: ScanAnswer) => void) | undefined
    const { station, scan } = stationWith({ ...opening(orderOf(7)), 'order/{id}/scan': () => new Promise(resolve => (answer = resolve)) })
    await scan('1:7')
    await scan('5701234567890')
    expect(station.read()).toMatchObject({ unsent: 1, order: { packed: 0 } })
    answer?.(answerOf('ok'))
    await settle()
    expect(station.read()).toMatchObject({ unsent: 0, order: { packed: 1, lines: [{ packed_qty: 1 }, { packed_qty: 0 }] } })
  })

  it('closes after the last scan and is ready for the next order', async () => {
    const { station, scan, lines, sounds } = stationWith({
      ...opening(orderOf(7)),
      'order/{id}/scan': () => answerOf('order_done', { packed: 3 }),
      'order/{id}/close': () => labelled,
    })
    await scan('1:7')
    await scan('5701234567890')
    expect(lines()).toEqual(['find', 'order_start/{id}', 'order/{id}/scan', 'order/{id}/close'])
    expect(station.read()).toMatchObject({ view: 'idle', order: null, last: { order: { order_no: '1007' } } })
    expect(sounds).toEqual(['ok', 'line', 'done'])
  })

  it('closes only when every scan before is acknowledged', async () => {
    const { scan, lines } = stationWith({
      ...opening(orderOf(7)),
      'order/{id}/scan': (_, nth) => (nth === 1 ? answerOf('order_done', { packed: 3 }) : nth < 4 ? new CallError(444) : answerOf('over')),
      'order/{id}/close': () => labelled,
    })
    await scan('1:7')
    await Promise.all([scan('5701234567890'), scan('5701234567890')])
    expect(lines()).not.toContain('order/{id}/close')
    await vi.advanceTimersByTimeAsync(5_000)
    expect(lines().at(-1)).toBe('order/{id}/close')
  })

  it('asks for the label again until the server answers', async () => {
    const { station, scan, lines } = stationWith({
      ...opening(orderOf(7)),
      'order/{id}/scan': () => answerOf('order_done', { packed: 3 }),
      'order/{id}/close': (_, nth) => (nth < 3 ? new CallError(444) : labelled),
    })
    await scan('1:7')
    await scan('5701234567890')
    expect(station.read()).toMatchObject({ view: 'closing', unreached: true })
    await vi.advanceTimersByTimeAsync(5_000)
    expect(station.read()).toMatchObject({ view: 'idle' })
    expect(lines().filter(line => line === 'order/{id}/close')).toHaveLength(3)
  })

  it('opens the order whose code came while the label was made', async () => {
    let close: ((given: Closing) => void) | undefined
    const { station, scan } = stationWith({
      find: input => found(orderOf(input.code === '1:8' ? 8 : 7)),
      'order_start/{id}': ({ id }) => orderOf(id),
      'order/{id}/scan': () => answerOf('order_done', { packed: 3 }),
      'order/{id}/close': () => new Promise(resolve => (close = resolve)),
    })
    await scan('1:7')
    await scan('5701234567890')
    await scan('1:8')
    expect(station.read().order?.order_id).toBe(7)
    close?.(labelled)
    await settle()
    expect(station.read()).toMatchObject({ view: 'packing', order: { order_id: 8 }, last: { order: { order_id: 7 } } })
  })

  it('needs another order’s code twice when something of this one is packed', async () => {
    const begun = orderOf(7, { packed: 1 })
    const { station, scan, lines } = stationWith({
      find: input => found(input.code === '1:8' ? orderOf(8) : begun),
      'order_start/{id}': ({ id }) => (id === 7 ? begun : orderOf(8)),
      'order/{id}/park': () => undefined,
    })
    await scan('1:7')
    await scan('1:8')
    expect(station.read()).toMatchObject({ order: { order_id: 7 }, other: { order_id: 8 } })
    await scan('1:8')
    expect(lines()).toContain('order/{id}/park')
    expect(station.read()).toMatchObject({ view: 'packing', order: { order_id: 8 } })
  })

  it('gives an order back at once when another is opened and nothing was packed', async () => {
    const { station, scan, lines } = stationWith({
      find: input => found(orderOf(input.code === '1:8' ? 8 : 7)),
      'order_start/{id}': ({ id }) => orderOf(id),
      'order/{id}/abort': () => undefined,
    })
    await scan('1:7')
    await scan('1:8')
    expect(lines()).toContain('order/{id}/abort')
    expect(station.read().order?.order_id).toBe(8)
  })

  it('shows who has an order, and does not take it over without being asked', async () => {
    const theirs = orderOf(7, { session: { ...orderOf(7).session!, user_id: 6, user_name: 'Jo', station: 'Bench 2' } })
    const { station, scan, asked } = stationWith(
      {
        find: () => found(theirs),
        'order_start/{id}': ({ body }) =>
          body.take_over
            ? orderOf(7)
            : new CallError(409, '{{name}} has it at {{station}}', { values: { name: 'Jo', station: 'Bench 2' } }),
        'order/{id}': () => theirs,
      },
      ['scan_admin'],
    )
    await scan('1:7')
    expect(station.read()).toMatchObject({ view: 'looking', refusal: { values: { name: 'Jo' } } })
    await scan('CMD:DONE')
    expect(station.read()).toMatchObject({ view: 'packing' })
    expect(asked.filter(one => one.line === 'order_start/{id}').map(one => one.input.body.take_over)).toEqual([false, true])
  })

  it('stops at once when a notice brings a hold, and sends no scan until it is lifted', async () => {
    let held = false
    const order = () =>
      orderOf(7, { stopped: held ? { kind: 'hold', text: 'On hold', values: {}, note: '', actor: 'Jo', at: '', until: null } : null })
    const { station, scan, lines, sounds } = stationWith({
      ...opening(orderOf(7)),
      'order/{id}': order,
      'order/{id}/scan': () => answerOf('ok'),
    })
    await scan('1:7')
    held = true
    station.dispatch({ type: 'noticed', topic: 'order', id: 7 })
    await settle()
    expect(station.read().view).toBe('looking')
    expect(sounds.at(-1)).toBe('error')
    await scan('5701234567890')
    expect(lines()).not.toContain('order/{id}/scan')
    held = false
    station.dispatch({ type: 'noticed', topic: 'order', id: 7 })
    await settle()
    expect(station.read().view).toBe('packing')
  })

  it('throws away a look at the order that a scan has overtaken', async () => {
    let look: ((given: PackingOrder) => void) | undefined
    let looks = 0
    const { station, scan } = stationWith({
      ...opening(orderOf(7)),
      'order/{id}': () =>
        ++looks === 1
          ? new Promise(resolve => (look = resolve))
          : orderOf(7, { packed: 1, lines: [lineOf(1, 2, { packed_qty: 1 }), lineOf(2, 1)] }),
      'order/{id}/scan': () => answerOf('ok'),
    })
    await scan('1:7')
    station.dispatch({ type: 'noticed', topic: 'order', id: 7 })
    await scan('5701234567890')
    look?.(orderOf(7))
    await settle()
    expect(station.read().order?.packed).toBe(1)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(station.read().order?.packed).toBe(1)
  })

  it('leaves the red screen with the right item, or with Esc', async () => {
    const { station, scan } = stationWith({
      ...opening(orderOf(7)),
      'order/{id}/scan': (_, nth) => (nth === 2 ? answerOf('ok') : answerOf('wrong', { line: null })),
    })
    await scan('1:7')
    await scan('5709999999990')
    expect(station.read().wrong).toMatchObject({ code: '5709999999990' })
    await scan('5701234567890')
    expect(station.read().wrong).toBeNull()
    await scan('5709999999990')
    station.dispatch({ type: 'back' })
    expect(station.read()).toMatchObject({ wrong: null, message: null })
  })

  it('asks for no serial number any more after Esc', async () => {
    const { station, scan } = stationWith({ ...opening(orderOf(7)), 'order/{id}/scan': () => answerOf('serial_needed') })
    await scan('1:7')
    await scan('5701234567890')
    expect(station.read()).toMatchObject({ asking: 1, message: { tone: 'attention' } })
    station.dispatch({ type: 'back' })
    expect(station.read()).toMatchObject({ asking: null, message: null })
  })

  it('links an unknown code only when it is scanned a second time', async () => {
    const { station, scan, lines } = stationWith(
      {
        ...opening(orderOf(7)),
        find: input => (input.code === '1:7' ? found(orderOf(7)) : { orders: [] }),
        'order/{id}/scan': (_, nth) => (nth === 1 ? answerOf('unknown', { line: null }) : answerOf('ok')),
        'order/{id}/link_barcode': () => undefined,
      },
      ['scan_admin'],
    )
    await scan('1:7')
    await scan('NEW-CODE-1')
    station.dispatch({ type: 'begin_linking', code: 'NEW-CODE-1' })
    station.dispatch({ type: 'choose', number: 2 })
    expect(lines()).not.toContain('order/{id}/link_barcode')
    await scan('NEW-CODE-1')
    expect(lines().slice(-2)).toEqual(['order/{id}/link_barcode', 'order/{id}/scan'])
  })

  it('shows the label error and makes the label again after a correction', async () => {
    const failed = orderOf(7, { packed: 3, session: { ...orderOf(7).session!, state: 'label_error' } })
    const { station, scan, asked } = stationWith({
      ...opening(orderOf(7)),
      'order/{id}': () => failed,
      'order/{id}/scan': () => answerOf('order_done', { packed: 3 }),
      'order/{id}/close': (_, nth) => (nth === 1 ? { ...labelled, outcome: 'label_error' } : labelled),
    })
    await scan('1:7')
    await scan('5701234567890')
    expect(station.read().view).toBe('label_error')
    station.dispatch({ type: 'close', weight_g: 1_200 })
    await settle()
    expect(asked.at(-1)?.input.body).toMatchObject({ weight_g: 1_200, weight_confirmed: true })
    expect(station.read().view).toBe('idle')
  })

  it('prints no other order’s label while somebody waits for this one’s', async () => {
    const failed = orderOf(8, { packed: 3, session: { ...orderOf(8).session!, state: 'label_error' } })
    const { station, scan, lines } = stationWith({
      find: input => found(input.code === '1:8' ? failed : orderOf(7)),
      'order_start/{id}': ({ id }) => (id === 8 ? failed : orderOf(7)),
      'order/{id}': () => failed,
      'order/{id}/scan': () => answerOf('order_done', { packed: 3 }),
      'order/{id}/close': () => labelled,
    })
    await scan('1:7')
    await scan('5701234567890')
    await scan('1:8')
    await scan('CMD:REPRINT')
    expect(station.read()).toMatchObject({ view: 'label_error', message: { text: 'Order {{order_no}} has no label yet' } })
    expect(lines().filter(line => line.includes('label'))).toEqual([])
  })

  it('prints no label while an order without one is packed, opened or chosen, whatever was packed before', async () => {
    let start: ((given: PackingOrder) => void) | undefined
    const { station, scan, lines } = stationWith({
      find: input => (input.code === '1:8' ? { orders: [...found(orderOf(8)).orders, ...found(orderOf(9)).orders] } : found(orderOf(7))),
      'order_start/{id}': ({ id }) => (id === 7 ? orderOf(7) : new Promise(resolve => (start = resolve))),
      'order/{id}/scan': () => answerOf('order_done', { packed: 3 }),
      'order/{id}/close': () => labelled,
      [reprintLine]: () => reprinted,
    })
    await scan('1:7')
    await scan('5701234567890')
    await scan('1:8')
    await scan('CMD:REPRINT')
    expect(station.read()).toMatchObject({ view: 'choose', message: { text: 'No order is open' } })
    station.dispatch({ type: 'choose', number: 1 })
    await scan('CMD:REPRINT')
    expect(station.read()).toMatchObject({ view: 'opening', message: { text: 'No order is open' } })
    start?.(orderOf(8))
    await settle()
    await scan('CMD:REPRINT')
    expect(station.read()).toMatchObject({
      view: 'packing',
      message: { text: 'Order {{order_no}} has no label yet', values: { order_no: '1008' } },
    })
    expect(lines()).not.toContain(reprintLine)
  })

  it('prints the label of the open order, and between orders that of the last one', async () => {
    const begun = orderOf(8, { parcels: [parcelOf('booked')] })
    const { scan, asked } = stationWith({
      find: input => found(input.code === '1:8' ? begun : orderOf(7)),
      'order_start/{id}': ({ id }) => (id === 8 ? begun : orderOf(7)),
      'order/{id}/scan': () => answerOf('order_done', { packed: 3 }),
      'order/{id}/close': () => labelled,
      [reprintLine]: () => reprinted,
    })
    await scan('1:7')
    await scan('5701234567890')
    await scan('CMD:REPRINT')
    await scan('1:8')
    await scan('CMD:REPRINT')
    expect(asked.filter(one => one.line === reprintLine).map(one => one.input)).toMatchObject([{ order_id: 7 }, { order_id: 8 }])
  })

  it('forgets a code that came while a label was made when the order is left', async () => {
    let reachable = false
    const { station, scan } = stationWith({
      find: input => found(orderOf(Number(input.code.split(':')[1]))),
      'order_start/{id}': ({ id }) => orderOf(id),
      'order/{id}/scan': () => answerOf('order_done', { packed: 3 }),
      'order/{id}/close': () => (reachable ? labelled : new CallError(444)),
    })
    await scan('1:7')
    await scan('5701234567890')
    await scan('1:8')
    station.dispatch({ type: 'back' })
    reachable = true
    await scan('1:9')
    await scan('5701234567890')
    await vi.advanceTimersByTimeAsync(10_000)
    expect(station.read()).toMatchObject({ view: 'idle', last: { order: { order_id: 9 } } })
  })

  it('counts everything as packed only when what was scanned before is acknowledged', async () => {
    let answer: ((given: ScanAnswer) => void) | undefined
    const { station, scan, lines } = stationWith({
      ...opening(orderOf(7)),
      'order/{id}/scan': () => new Promise(resolve => (answer = resolve)),
      'order/{id}/bypass_barcode_check': () => orderOf(7, { packed: 3 }),
      'order/{id}/close': () => labelled,
    })
    await scan('1:7')
    await scan('5701234567890')
    station.dispatch({ type: 'bypass', reason: 'Unreadable', pin: '' })
    await settle()
    expect(lines()).not.toContain('order/{id}/bypass_barcode_check')
    answer?.(answerOf('ok'))
    await settle()
    expect(lines().slice(-2)).toEqual(['order/{id}/bypass_barcode_check', 'order/{id}/close'])
  })

  it('shows a changed address once, and not when somebody else’s scan or a comment changed the order', async () => {
    let city = 'Odense'
    const order = () => orderOf(7, { ship_to: { ...orderOf(7).ship_to, city } })
    const { station, scan, sounds } = stationWith({
      find: () => found(order()),
      'order_start/{id}': order,
      'order/{id}': order,
      'order/{id}/scan': () => answerOf('ok'),
    })
    await scan('1:7')
    station.dispatch({ type: 'noticed', topic: 'order', id: 7 })
    await settle()
    expect(station.read().readdressed).toBe(false)
    city = 'Aarhus'
    station.dispatch({ type: 'noticed', topic: 'order', id: 7 })
    await settle()
    expect(station.read()).toMatchObject({ view: 'packing', readdressed: true, order: { ship_to: { city: 'Aarhus' } } })
    expect(sounds.at(-1)).toBe('attention')
    await scan('5701234567890')
    expect(station.read().readdressed).toBe(false)
  })

  it('watches the papers of an order after it has left, and those of a reprint in their place', async () => {
    const printed: Closing = { ...labelled, print_jobs: [{ id: 1, document: 'label', state: 'sending', error: null }] }
    const { station, scan, sounds } = stationWith({
      find: input => found(orderOf(input.code === '1:8' ? 8 : 7)),
      'order_start/{id}': ({ id }) => orderOf(id),
      'order/{id}/scan': () => answerOf('order_done', { packed: 3 }),
      'order/{id}/close': () => printed,
      [reprintLine]: () => reprinted,
    })
    await scan('1:7')
    await scan('5701234567890')
    station.dispatch({ type: 'print_changed', job_id: 1, state: 'failed' })
    expect(sounds.at(-1)).toBe('error')
    await scan('1:8')
    await scan('1:8')
    expect(station.read()).toMatchObject({ view: 'packing', prints: [{ job_id: 1, order_no: '1007', state: 'failed' }] })
    station.dispatch({ type: 'reprint', order_id: 7, order_no: '1007' })
    await settle()
    expect(station.read().prints.map(print => [print.job_id, print.state])).toEqual([[2, 'accepted']])
    station.dispatch({ type: 'print_gone', job_id: 2 })
    expect(station.read().prints).toEqual([])
  })

  it('counts a product without a barcode by the code for done', async () => {
    const order = orderOf(7, { lines: [lineOf(1, 4, { no_barcode: true })], to_pack: 4 })
    const { scan, asked } = stationWith({
      ...opening(order),
      'order/{id}/count': () => answerOf('order_done', { packed: 4, to_pack: 4 }),
      'order/{id}/close': () => labelled,
    })
    await scan('1:7')
    await scan('CMD:DONE')
    expect(asked.find(one => one.line === 'order/{id}/count')?.input.body).toMatchObject({ order_line_id: 1, quantity: 4 })
  })

  it('asks a lead for a PIN or badge where the packer may not cancel the rest alone', async () => {
    const order = orderOf(7, { packed: 1 })
    const { station, scan, asked } = stationWith({
      ...opening(order),
      'order/{id}/approve': () => ({ approval: 'signed', approver: 'Jonas' }),
      'order/{id}/close': () => labelled,
    })
    await scan('1:7')
    await scan('CMD:FINALIZE')
    station.dispatch({ type: 'choose', number: 2 })
    expect(station.read().approving).toMatchObject({ act: 'cancel_rest' })
    await scan('U9-AAAAAAAAAAAAAAAAAAAAAA')
    expect(asked.find(one => one.line === 'order/{id}/approve')?.input.body).toEqual({
      act: 'cancel_rest',
      badge: 'U9-AAAAAAAAAAAAAAAAAAAAAA',
    })
    expect(asked.some(one => one.line === 'order/{id}/close')).toBe(false)
    station.dispatch({ type: 'choose', number: 2 })
    await expect
      .poll(() => asked.findLast(one => one.line === 'order/{id}/close')?.input.body)
      .toMatchObject({ rest: 'cancel', approval: 'signed', notify_recipient: false })
  })

  /** Order 7 is packed with the scan of a product; `closing` answers its close call. */
  const packing7 = (closing: (nth: number) => Closing | Promise<Closing>): Answers => ({
    find: input => found(orderOf(Number(input.code.split(':')[1]))),
    'order_start/{id}': ({ id }) => orderOf(id),
    'order/{id}/scan': () => answerOf('order_done', { packed: 3 }),
    'order/{id}/close': (_, nth) => closing(nth),
  })
  const printing = (state: string): Closing => ({ ...labelled, print_jobs: [{ id: 1, document: 'label', state, error: null }] })

  it.each(['queued', 'sending', 'sent', 'failed'])(
    'is not green while the print of the label is %s, and green once the printer has it',
    async state => {
      const { station, scan, sounds } = stationWith(packing7(() => printing(state)))
      await scan('1:7')
      await scan('5701234567890')
      expect(station.read().view).toBe('idle')
      expect([isGreen(station.read()), lacksLabel(station.read()), sounds.at(-1)]).toEqual([
        false,
        true,
        state === 'failed' ? 'error' : 'attention',
      ])
      await vi.advanceTimersByTimeAsync(60_000)
      station.dispatch({ type: 'print_changed', job_id: 1, state: 'accepted' })
      expect([isGreen(station.read()), lacksLabel(station.read()), sounds.at(-1)]).toEqual([true, false, 'done'])
    },
  )

  it('takes the next order only with the second scan while the last one has no label, and holds it once', async () => {
    const { station, scan, lines } = stationWith({
      ...packing7(() => printing('failed')),
      'order/{id}/abort': () => undefined,
    })
    await scan('1:7')
    await scan('5701234567890')
    await scan('1:8')
    expect(station.read()).toMatchObject({
      view: 'idle',
      message: { text: 'Order {{order_no}} has no label yet. Scan once more to go on without it.', values: { order_no: '1007' } },
    })
    expect(lines().filter(line => line === 'find')).toHaveLength(1)
    await scan('1:8')
    expect(station.read()).toMatchObject({ view: 'packing', order: { order_id: 8 } })
    await scan('CMD:ABORT')
    await scan('1:9')
    expect(station.read()).toMatchObject({ view: 'packing', order: { order_id: 9 } })
  })

  it('counts the code that came while the label was made as the first of the two scans', async () => {
    let close: ((given: Closing) => void) | undefined
    const { station, scan } = stationWith(packing7(() => new Promise(resolve => (close = resolve))))
    await scan('1:7')
    await scan('5701234567890')
    await scan('1:8')
    close?.(printing('failed'))
    await settle()
    expect(station.read()).toMatchObject({ view: 'idle', heldBy: 7 })
    await scan('1:8')
    expect(station.read()).toMatchObject({ view: 'packing', order: { order_id: 8 } })
  })

  it.each([
    ['waiting', 'labelling'],
    ['label_error', 'label_error'],
  ] as const)('holds the next order for one scan while the label is %s', async (outcome, state) => {
    const { station, scan } = stationWith({
      ...packing7(() => ({ ...labelled, outcome, parcels: [], print_jobs: [] })),
      'order/{id}': () => orderOf(7, { packed: 3, session: { ...orderOf(7).session!, state } }),
    })
    await scan('1:7')
    await scan('5701234567890')
    expect(station.read().view).toBe(outcome)
    await scan('1:8')
    expect(station.read()).toMatchObject({ view: outcome, order: { order_id: 7 }, message: { tone: 'attention' } })
    await scan('1:8')
    expect(station.read()).toMatchObject({ view: 'packing', order: { order_id: 8 } })
  })

  it('asks what was printed of a label that came after a wait, and is green only if the printer has it', async () => {
    let session: PackingOrder['session'] = { ...orderOf(7).session!, state: 'labelling' }
    const { station, scan } = stationWith({
      ...packing7(nth => (nth === 1 ? { ...labelled, outcome: 'waiting', parcels: [], print_jobs: [] } : printing('queued'))),
      'order/{id}': () => orderOf(7, { packed: 3, session, work_state: session ? 'in_pack' : 'packed' }),
    })
    await scan('1:7')
    await scan('5701234567890')
    session = null
    station.dispatch({ type: 'noticed', topic: 'order', id: 7 })
    await settle()
    expect([station.read().view, lacksLabel(station.read())]).toEqual(['idle', true])
    station.dispatch({ type: 'print_changed', job_id: 1, state: 'done' })
    expect(isGreen(station.read())).toBe(true)
  })

  it('is green for a label that was scanned on its parcel, however its print went', async () => {
    const { station, scan } = stationWith({
      ...packing7(() => ({ ...printing('failed'), outcome: 'label_check' })),
      'order/{id}': () => orderOf(7, { packed: 3, session: { ...orderOf(7).session!, state: 'label_check' } }),
      'check_tracking_and_trace/{order_overview_id}/{barcode}': () => ({ ok: true, text: 'Right', values: {}, left: 0 }),
    })
    await scan('1:7')
    await scan('5701234567890')
    await scan('OWN1')
    expect(isGreen(station.read())).toBe(true)
  })

  it('is green once the label that no printer took is saved as a file', async () => {
    const { station, scan } = stationWith({
      ...packing7(() => printing('failed')),
      'orders/download_shipping_label/{order_id}/from/{packing_station}': () => new File([], 'label.pdf'),
    })
    await scan('1:7')
    await scan('5701234567890')
    station.dispatch({ type: 'save_label', order_id: 7 })
    await settle()
    expect(isGreen(station.read())).toBe(true)
  })

  it('stays green while a copy of a label that came out waits for the printer', async () => {
    const { station, scan } = stationWith({
      ...packing7(() => labelled),
      [reprintLine]: () => ({ shipments: [], print_jobs: [{ id: 2, state: 'queued', error: 'No answer' }] }),
    })
    await scan('1:7')
    await scan('5701234567890')
    await scan('CMD:REPRINT')
    expect([station.read().prints.map(print => print.state), lacksLabel(station.read())]).toEqual([['queued'], false])
  })

  it('knows what became of a label from the answer to closing', () => {
    const none = { ...labelled, print_jobs: [] }
    expect(labelAfter(labelled)).toBe('printing')
    expect(labelAfter(none)).toBe('missing')
    expect(labelAfter({ ...labelled, parcels: [parcelOf('unknown')] })).toBe('missing')
    expect(labelAfter({ ...none, parcels: [], outcome: 'no_parcel' })).toBe('unneeded')
  })

  it('forgets everything when somebody signs out', async () => {
    const { station, scan } = stationWith(opening(orderOf(7)))
    await scan('1:7')
    station.dispatch({ type: 'signed_out' })
    expect(station.read()).toMatchObject({ view: 'idle', order: null })
  })

  const codes = (asked: { line: string; input: { body: object } }[]) =>
    asked.filter(one => one.line === 'order/{id}/scan').map(one => one.input.body)

  it('counts the next scan as the serial number that the answer asked for, also when it was made before the answer came', async () => {
    let answer: ((given: ScanAnswer) => void) | undefined
    const { scan, asked } = stationWith({
      ...opening(orderOf(7)),
      'order/{id}/scan': (_, nth) => (nth === 1 ? new Promise(resolve => (answer = resolve)) : answerOf('ok')),
    })
    await scan('1:7')
    for (const code of ['5701234567890', 'SERIAL', '5701234567890']) await scan(code)
    answer?.(answerOf('serial_needed', { line: { order_line_id: 11, qty: 1, packed_qty: 0, missing_serials: 0 } }))
    await settle()
    expect(codes(asked)).toMatchObject([{ code: '5701234567890' }, { code: 'SERIAL', serial_for: 11 }, { code: '5701234567890' }])
    expect(codes(asked)[2]).not.toHaveProperty('serial_for')
  })

  it('stores with a scan which serial number it is, for the page after a reload', async () => {
    const { scan, stored } = stationWith({
      ...opening(orderOf(7)),
      'order/{id}/scan': (_, nth) =>
        nth === 1
          ? answerOf('serial_needed', { line: { order_line_id: 11, qty: 1, packed_qty: 0, missing_serials: 0 } })
          : new CallError(444),
    })
    await scan('1:7')
    await scan('5701234567890')
    await scan('SERIAL')
    expect([...stored.values()]).toMatchObject([{ code: 'SERIAL', serial_for: 11 }])
  })

  it('sends scans as version 0.1.0 stored them', async () => {
    const at = Date.now() - 60_000
    const { station, asked, stored } = stationWith({ 'order/{id}/scan': () => answerOf('ok'), 'order/{id}/undo': () => answerOf('undone') })
    stored.set('b', { kind: 'undo', scan_id: 'b', order_id: 7, user_id: 5, at: at + 0.001 })
    stored.set('a', { kind: 'scan', code: '4006381333931', method: 'camera', line_id: 12, scan_id: 'a', order_id: 7, user_id: 5, at })
    await station.restore()
    await settle()
    expect(asked.map(one => [one.line, one.input.id, one.input.body])).toEqual([
      ['order/{id}/scan', 7, { scan_id: 'a', code: '4006381333931', method: 'camera', line_id: 12 }],
      ['order/{id}/undo', 7, { scan_id: 'b' }],
    ])
    expect(stored.size).toBe(0)
  })
})

describe('a gap in the network', () => {
  const gone = () => new CallError(444)
  /** A server that counts like the real one, and is away while `away` says so. */
  function serverOf(lines: PackingOrder['lines'], refuse: (code: string) => Partial<ScanAnswer> | undefined = () => undefined) {
    const answered = new Map<string, ScanAnswer>()
    const parcels = new Set<string>()
    const state = { away: false, parcel_no: 1 }
    const order = () => {
      const packed = lines.reduce((sum, line) => sum + line.packed_qty, 0)
      const before = orderOf(7)
      return orderOf(7, {
        ...{ lines, packed, to_pack: lines.reduce((sum, line) => sum + line.qty, 0) },
        session: before.session && { ...before.session, parcel_no: state.parcel_no },
      })
    }
    const answers: Answers = {
      find: () => (state.away ? gone() : found(order())),
      'order_start/{id}': () => (state.away ? gone() : order()),
      'order/{id}': () => (state.away ? gone() : order()),
      'order/{id}/close': () => (state.away ? gone() : labelled),
      'order/{id}/next_parcel': ({ body }) => {
        if (state.away) return gone()
        const { scan_id } = body as { scan_id: string }
        if (!parcels.has(scan_id)) state.parcel_no++
        parcels.add(scan_id)
        return order()
      },
      'order/{id}/scan': ({ body }) => {
        if (state.away) return gone()
        const { scan_id, code } = body as unknown as { scan_id: string; code: string }
        const before = answered.get(scan_id)
        if (before) return before
        const line = lines.find(one => one.codes.some(known => known.code === code) && one.packed_qty < one.qty)
        const refused = refuse(code)
        if (line && !refused) line.packed_qty++
        const { packed, to_pack } = order()
        const answer = answerOf(
          refused ? 'over' : code.startsWith('CR') ? 'crate_set' : !line ? 'unknown' : packed === to_pack ? 'order_done' : 'ok',
          {
            ...{ scan_id, packed, to_pack, counted: line && !refused ? 1 : 0 },
            line: line ? { ...line, missing_serials: 0 } : null,
            ...refused,
          },
        )
        answered.set(scan_id, answer)
        return answer
      },
    }
    return { state, answers, answered, parcels }
  }
  const sent = (asked: { line: string }[], path: string) => asked.filter(one => one.line === path).length

  it('counts on, sends each scan once and in order, and makes the label at its end', async () => {
    const server = serverOf([lineOf(1, 8), lineOf(2, 4)])
    const { station, scan } = stationWith(server.answers)
    await scan('1:7')
    server.state.away = true
    for (let nth = 0; nth < 8; nth++) await scan('CODE-1')
    expect(station.read()).toMatchObject({ cutOff: true, order: { packed: 0 }, forecast: { order: { packed: 8 } } })
    await scan('CMD:NEXT')
    await scan('CRB4')
    for (let nth = 0; nth < 4; nth++) await scan('CODE-2')
    expect(station.read()).toMatchObject({
      ...{ view: 'packing', unsent: 14, message: { text: expect.stringContaining('Everything is packed') } },
      forecast: { order: { packed: 12, session: { parcel_no: 2 } }, unconfirmed: [1, 2] },
    })
    await vi.advanceTimersByTimeAsync(30_000)
    server.state.away = false
    station.retryNow()
    await vi.advanceTimersByTimeAsync(15_000)
    expect(station.read()).toMatchObject({ view: 'idle', unsent: 0, forecast: null })
    // Twelve items, the box and the parcel.
    expect([server.answered.size, server.parcels.size]).toEqual([13, 1])
  })

  it('is red at once for what is not in the order, and stays silent when the server says the same', async () => {
    const server = serverOf([lineOf(1, 8)])
    const { station, scan, sounds } = stationWith(server.answers)
    await scan('1:7')
    server.state.away = true
    await scan('CODE-1')
    await scan('5701234567890')
    expect(station.read().wrong).toMatchObject({ result: 'unknown', code: '5701234567890' })
    expect(sounds.at(-1)).toBe('error')
    station.dispatch({ type: 'back' })
    await scan('CODE-1')
    const before = sounds.length
    server.state.away = false
    station.retryNow()
    await vi.advanceTimersByTimeAsync(15_000)
    expect(station.read()).toMatchObject({ wrong: null, forecast: null, order: { packed: 2 } })
    expect(sounds.slice(before)).toEqual([])
  })

  it('sends nothing behind an answer that differs before it is read', async () => {
    const server = serverOf([lineOf(1, 4), lineOf(2, 4)], code => (code === 'CODE-2' ? { text: 'Cancelled meanwhile' } : undefined))
    const { station, scan, asked } = stationWith(server.answers)
    await scan('1:7')
    server.state.away = true
    await scan('CODE-1')
    await scan('CODE-2')
    await scan('CODE-1')
    expect(station.read().forecast?.order.packed).toBe(3)
    server.state.away = false
    station.retryNow()
    await vi.advanceTimersByTimeAsync(15_000)
    expect(station.read()).toMatchObject({ held: true, wrong: { text: 'Cancelled meanwhile' }, unsent: 1 })
    const before = sent(asked, 'order/{id}/scan')
    await scan('CODE-1')
    expect(station.read().message?.text).toContain('Read this first')
    expect(sent(asked, 'order/{id}/scan')).toBe(before)
    await scan('CMD:DONE')
    await vi.advanceTimersByTimeAsync(15_000)
    expect(station.read()).toMatchObject({ held: false, wrong: null, unsent: 0, order: { packed: 2 } })
  })

  it('begins when an answer stays out for one and a half seconds', async () => {
    const server = serverOf([lineOf(1, 8)])
    let answer: (() => void) | undefined
    const { station, scan } = stationWith({
      ...server.answers,
      'order/{id}/scan': input => new Promise(resolve => (answer = () => resolve(server.answers['order/{id}/scan']?.(input, 1)))),
    })
    await scan('1:7')
    await scan('CODE-1')
    expect(station.read()).toMatchObject({ cutOff: false, forecast: null })
    await vi.advanceTimersByTimeAsync(1_500)
    expect(station.read()).toMatchObject({ cutOff: true, forecast: { order: { packed: 1 } } })
    answer?.()
    await settle()
    expect(station.read()).toMatchObject({ cutOff: false, forecast: null, order: { packed: 1 } })
  })

  it('outlives a reload of the page: order, counts and scans are as they were', async () => {
    const [page, server] = [serverOf([lineOf(1, 8)]), serverOf([lineOf(1, 8)])]
    const first = stationWith(page.answers)
    await first.scan('1:7')
    page.state.away = true
    server.state.away = true
    await first.scan('CODE-1')
    await first.scan('CODE-1')
    const { station, scan, stored } = stationWith(server.answers, ['scan'], first.kept)
    for (const [id, one] of first.stored) stored.set(`before ${id}`, { ...one, scan_id: `before ${id}` })
    await station.restore()
    station.dispatch({ type: 'open', order_id: 7 })
    await settle()
    expect(station.read()).toMatchObject({ view: 'packing', order: { order_id: 7 }, forecast: { order: { packed: 2 } } })
    await scan('CODE-1')
    server.state.away = false
    station.retryNow()
    await vi.advanceTimersByTimeAsync(15_000)
    expect(station.read()).toMatchObject({ view: 'packing', unsent: 0, forecast: null, order: { packed: 3 } })
    expect(server.answered.size).toBe(3)
  })

  it('shows the kept order to the person who packed it, at that station, and to no other', async () => {
    const server = serverOf([lineOf(1, 8)])
    server.state.away = true
    for (const whose of [
      { user_id: 6, station: 'Bench 1' },
      { user_id: 5, station: 'Bench 2' },
    ]) {
      const { station } = stationWith(server.answers, ['scan'], { order: { order: orderOf(7), ...whose } })
      station.dispatch({ type: 'open', order_id: 7 })
      await settle()
      expect(station.read()).toMatchObject({ view: 'opening', order: null })
    }
  })
})
