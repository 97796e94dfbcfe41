/**
 * Runs what the station's reducer asks for (calls, the queue of scans, sounds, timers) and feeds the results back as events.
 * It lives outside React, because scanner, queue and notices reach it at any moment while a screen comes and goes.
 */
import { orders } from '#features/orders/orders/orders.contract.ts'
import { packing } from '#features/packing/packing/packing.contract.ts'
import type { PackingOrder, ScanAnswer } from '#features/packing/packing/packing.schemas.ts'
import type { MissingPhotoReason } from '#features/packing/packing-photos/packing-photos.codes.ts'
import { packingPhotos } from '#features/packing/packing-photos/packing-photos.contract.ts'
import type { TakenPhoto } from '#features/packing/packing-photos/packing-photos.schemas.ts'
import { labels } from '#features/shipping/labels/labels.contract.ts'
import { type EntryStore, openOfflineQueue } from '#ui/offline/offline-queue.client.ts'
import { entryStore, openOfflineDatabase } from '#ui/offline/offline-store.client.ts'
import { createReducerStore } from '#ui/offline/reducer-store.client.ts'
import { retryDelay, retryOf } from '#ui/offline/retry.rules.ts'
import { CallError } from '#ui/query/call-error.ts'
import type { send as sendCall } from '#ui/query/calls.ts'
import type { Sound } from '#ui/scanner/sounds.ts'
import type { Forecaster } from './forecast.rules.ts'
import {
  type AnswerOf,
  type CallName,
  type Effect,
  type Failure,
  type InputOf,
  initialState,
  type PackingState,
  type ScaleReading,
  type Situation,
  type StationEvent,
  type Unlabelled,
} from './packing-model.rules.ts'
import { reduce } from './packing-state.rules.ts'
import { expiresAfter, type QueuedScan, scanFormat } from './scan-format.rules.ts'
import { packingStation } from './station.contract.ts'

export interface StationServices {
  send: typeof sendCall
  store: EntryStore<QueuedScan>
  play: (sound: Sound) => void
  user: () => Situation['user']
  device: () => { station: string; label_printer_id: number | null; a4_printer_id: number | null }
  /** The open order on this device. */
  keptOrder: { load: () => Promise<KeptOrder | undefined>; save: (kept: KeptOrder | null) => Promise<void> }
  loadForecast: () => Promise<Forecaster>
  /** The open order goes into the address, so that a reload finds it again. */
  remember: (order_id: number | null) => void
  /** What the scale says; undefined where none was connected. */
  scale: () => ScaleReading | undefined
  /** A photo by the station's camera, or why it gives none. Never throws. */
  photo: () => Promise<Blob | MissingPhotoReason>
  /** Opens the page on which this device's printers are chosen. */
  choosePrinter: () => void
  /** Lists of the idle station are outdated. */
  refreshLists: () => void
  save: (file: File) => void
  newId: () => string
}

/** An order as the server last described it, and for whom. */
interface KeptOrder {
  order: PackingOrder
  user_id: number
  station: string
}

/** Milliseconds. */
const lateAfter = 1_500

type CallEffect = Extract<Effect, { type: 'call' }>
export type Station = ReturnType<typeof createStation>

export function createStation(services: StationServices) {
  const { send, device } = services
  let lookTimer: ReturnType<typeof setTimeout> | undefined
  /** Ends the pauses of calls that wait for their next try. */
  const wakes = new Set<() => void>()

  const situation = (): Situation => {
    const { station, label_printer_id } = device()
    return {
      now: Date.now(),
      user: services.user(),
      station,
      hasLabelPrinter: label_printer_id !== null,
      scale: services.scale(),
      forecast,
    }
  }
  let forecast: Forecaster | undefined
  void services.loadForecast().then(
    loaded => (forecast = loaded),
    () => undefined,
  )

  const { read, dispatch, subscribe } = createReducerStore<PackingState, StationEvent, Effect>(
    initialState,
    (state, event) => reduce(state, event, situation()),
    effect => run(effect),
  )

  function run(effect: Effect) {
    switch (effect.type) {
      case 'call':
        return void perform(effect)
      case 'play':
        return services.play(effect.tone)
      case 'enqueue': {
        const user_id = services.user()?.user_id
        if (user_id === undefined) return
        return queue.add({ ...effect.action, scan_id: services.newId(), order_id: effect.order_id, user_id, at: Date.now() })
      }
      case 'remember':
        return services.remember(effect.order_id)
      case 'refresh_lists':
        return services.refreshLists()
      case 'store_acknowledged':
        return storeAcknowledgedSessions(effect.session_ids)
      case 'store_unlabelled':
        return storeUnlabelled(effect.orders)
      case 'choose_printer':
        return services.choosePrinter()
      case 'forget_kept':
        return void services.keptOrder.save(null).catch(() => undefined)
      case 'take_photo':
        return void photograph(effect.order_id)
      case 'hold_queue':
        return queue.hold(effect.order_id)
      case 'release_queue':
        return queue.release(effect.order_id)
      case 'look_after':
        clearTimeout(lookTimer)
        lookTimer = setTimeout(() => dispatch({ type: 'look_due' }), effect.ms)
        return
      case 'cancel_look':
        return clearTimeout(lookTimer)
    }
  }

  async function photograph(order_id: number): Promise<void> {
    const made = await services.photo()
    dispatch(typeof made === 'string' ? { type: 'photo_failed', order_id, problem: made } : { type: 'photo_made', order_id, picture: made })
  }

  /** Without an answer for so long the screen counts what it expects. */
  let lateTimer: ReturnType<typeof setTimeout> | undefined
  function showQueue() {
    clearTimeout(lateTimer)
    const waiting = queue.waiting()
    const [oldest] = waiting
    const age = oldest ? Date.now() - oldest.at : 0
    if (oldest && age < lateAfter) lateTimer = setTimeout(showQueue, lateAfter - age)
    dispatch({ type: 'queue_changed', waiting, offline: queue.isOffline() || age >= lateAfter })
  }

  const queue = openOfflineQueue<QueuedScan, ScanAnswer | PackingOrder | TakenPhoto>({
    format: scanFormat,
    store: services.store,
    expiresAfter,
    user_id: () => services.user()?.user_id,
    async send([scan]) {
      if (!scan) return { kind: 'answered', answers: new Map() }
      try {
        return { kind: 'answered', answers: new Map([[scan.scan_id, await sendScan(scan)]]) }
      } catch (error) {
        const { again, reachable } = retryOf(error)
        return again ? { kind: 'again', reachable } : { kind: 'refused', error }
      }
    },
    onAnswer(scan, answer) {
      if ('lines' in answer) dispatch({ type: 'parcel_begun', order: answer })
      else if ('photo_id' in answer) dispatch({ type: 'photo_stored', order_id: scan.order_id, ...answer })
      else dispatch({ type: 'scan_answered', scan, answer })
    },
    onRefused(scans, error) {
      for (const { order_id } of scans) dispatch({ type: 'scan_refused', order_id, failure: failureOf(error) })
    },
    onChange: showQueue,
  })

  function sendScan(scan: QueuedScan): Promise<ScanAnswer | PackingOrder | TakenPhoto> {
    const { scan_id, order_id: id } = scan
    if (scan.kind === 'next') {
      const { label_printer_id, a4_printer_id } = device()
      return send(packing.nextParcel, {
        id,
        body: { scan_id, label_printer_id, a4_printer_id, ...(scan.without_photo && { without_photo: scan.without_photo }) },
      })
    }
    if (scan.kind === 'photo')
      return send(packingPhotos.take, {
        id,
        photo: scan_id,
        age_ms: Math.max(0, Date.now() - scan.at),
        kind: scan.approves ? 'approval' : 'box',
        upload: scan.picture,
      })
    if (scan.kind === 'weight') {
      const { weight_g, source, confirmed, approval } = scan
      const consent = { ...(confirmed && { confirmed }), ...(approval && { approval }) }
      return send(packing.weigh, { id, body: { scan_id, weight_g, source, ...consent } })
    }
    if (scan.kind === 'undo') return send(packing.undo, { id, body: { scan_id, ...(scan.pack && { pack: true }) } })
    if (scan.kind === 'count')
      return send(packing.count, { id, body: { scan_id, order_line_id: scan.order_line_id, quantity: scan.quantity } })
    const { code, method, line_id } = scan
    // A scan that was made before the answer asked for a serial number is that serial number too.
    const serial_for = scan.serial_for ?? (line_id === undefined ? read().serialLines[id] : undefined)
    return send(packing.scan, { id, body: { scan_id, code, method, ...(serial_for && { serial_for }), ...(line_id && { line_id }) } })
  }

  const calls: { [Name in CallName]: (input: InputOf<Name>) => Promise<AnswerOf<Name>> } = {
    find: ({ code }) => send(packing.find, { code }),
    oldest: async () => ({ order: (await send(packingStation.queue, {})).next[0] ?? null }),
    start: ({ order_id: id, take_over, approval }) =>
      send(packing.start, { id, body: { station: device().station, take_over, ...(approval && { approval }) } }),
    look: ({ order_id: id }) => send(packing.get, { id }),
    look_refused: ({ order_id: id }) => send(packing.get, { id }),
    close({ order_id: id, rest_lines, weight_g, ...how }) {
      const { label_printer_id, a4_printer_id } = device()
      const weight = weight_g !== undefined && { weight_g, weight_confirmed: true }
      return send(packing.close, {
        id,
        body: { label_printer_id, a4_printer_id, ...how, ...(rest_lines && { rest_lines: [...rest_lines] }), ...weight },
      })
    },
    close_again({ order_id: id }) {
      const { label_printer_id, a4_printer_id } = device()
      return send(packing.close, { id, body: { label_printer_id, a4_printer_id } })
    },
    check_label: ({ session_id, code }) => send(packing.checkLabel, { order_overview_id: session_id, barcode: code }),
    park: async ({ order_id: id, kind, reason, order_line_id }) =>
      void (await send(packing.park, { id, body: { kind, reason, ...(order_line_id !== null && { order_line_id }) } })),
    abort: async ({ order_id: id, empty }) => void (await send(packing.abort, { id, body: { empty } })),
    put_back: async ({ order_id: id }) => void (await send(packing.putBack, { id })),
    unpack: async ({ order_id: id, shipment_id }) => void (await send(packing.unpack, { id, body: { shipment_id } })),
    reopen: async ({ order_id: id }) => void (await send(orders.setState, { id, state: 'picked' })),
    bypass: ({ order_id: id, reason, pin, approval }) =>
      send(packing.bypass, { id, body: { reason, ...(pin && { pin }), ...(approval && { approval }) } }),
    approve: ({ order_id: id, act, proof }) => send(packing.approve, { id, body: { act, ...('photo_id' in proof ? {} : proof) } }),
    ask_approval({ order_id, rule_id, line_id, proof, reason }) {
      // Only other acts are proved by the answer to an earlier question.
      const own = proof === null || 'request_id' in proof ? null : proof
      const method = own === null ? 'remote' : 'badge' in own ? 'badge' : 'photo_id' in own ? 'photo' : 'pin'
      return send(packing.ask, { body: { order_id, rule_id, line_id, method, ...own, ...(reason && { reason }) } })
    },
    add: ({ order_id: id, id: addition_id, skip }) => send(packing.addition, { id, body: { addition_id, ...(skip && { skip }) } }),
    link_barcode: async ({ order_id: id, code, order_line_id }) =>
      void (await send(packing.linkBarcode, { id, body: { code, order_line_id } })),
    print({ order_id }) {
      const { station, label_printer_id: printer_id } = device()
      return send(labels.print, { order_id, printer_id: printer_id ?? 0, packing_station: station || '-' })
    },
    async download({ order_id }) {
      services.save(await send(labels.download, { order_id, packing_station: device().station || '-' }))
    },
  }

  async function perform(effect: CallEffect): Promise<void> {
    const { name, input, turn, retry, afterScansOf } = effect
    const isCurrent = () => turn === read().turn
    const ask = calls[name] as (input: CallEffect['input']) => Promise<unknown>
    if (afterScansOf !== null) await queue.drained(afterScansOf)
    for (let failures = 0; retry === 'never' || isCurrent(); failures++) {
      const result = await settled(() => ask(input))
      if (!('error' in result)) return dispatch({ type: 'answered', name, input, turn, ...result } as StationEvent)
      const { again, reachable } = retryOf(result.error)
      if (retry === 'never' || !again || (reachable && retry !== 'busy'))
        return dispatch({ type: 'call_failed', name, input, turn, failure: failureOf(result.error) } as StationEvent)
      if (!isCurrent()) return
      dispatch({ type: 'retrying', turn, reachable })
      if (name === 'start' && failures === 0) await showKept(effect.input as InputOf<'start'>, isCurrent)
      await pause(retryDelay(failures, false))
    }
  }

  /** The open order as it was before a reload, if it is asked for again by the same person at the same station. */
  const kept = services.keptOrder.load().catch(() => undefined)
  async function showKept({ order_id }: InputOf<'start'>, isCurrent: () => boolean): Promise<void> {
    const { order, user_id, station } = (await kept) ?? {}
    if (order?.order_id === order_id && user_id === services.user()?.user_id && station === device().station && isCurrent())
      dispatch({ type: 'kept_order', order })
  }

  /** What is kept of the open order: with it a reload without a connection goes on. */
  let keeping: PackingOrder | null = null
  function keep() {
    const { order, view } = read()
    const open = view === 'packing' ? order : null
    if (open === keeping || view === 'opening') return
    keeping = open
    const user_id = services.user()?.user_id
    void services.keptOrder
      .save(open && user_id !== undefined ? { order: open, user_id, station: device().station } : null)
      .catch(() => undefined)
  }
  subscribe(keep)

  const pause = (ms: number): Promise<void> =>
    new Promise(resolve => {
      const timer = setTimeout(end, ms)
      function end() {
        clearTimeout(timer)
        wakes.delete(end)
        resolve()
      }
      wakes.add(end)
    })

  dispatch({ type: 'acknowledged_loaded', session_ids: acknowledgedSessions() })
  dispatch({ type: 'unlabelled_loaded', orders: unlabelledOrders() })

  return {
    read,
    subscribe,
    situation,
    dispatch,
    /** The network is back, or the page is shown again. */
    retryNow() {
      queue.retryNow()
      for (const wake of wakes) wake()
      if (read().order) dispatch({ type: 'look_due' })
    },
    /** Takes up the scans that an earlier page left behind. */
    restore: () => queue.restore(),
  }
}

/** A call's result as a value, so that a fault in handling an answer is not taken for a failed call. */
async function settled(ask: () => Promise<unknown>): Promise<{ answer: unknown } | { error: unknown }> {
  try {
    return { answer: await ask() }
  } catch (error) {
    return { error }
  }
}

export function failureOf(error: unknown): Failure {
  if (!(error instanceof CallError)) return { status: 0, text: 'Something in the program failed', fields: [] }
  const values = Object.fromEntries(Object.entries(error.values).map(([name, value]) => [name, value ?? null]))
  return { status: error.status, text: error.key, values, fields: Object.keys(error.fields) }
}

/**
 * Where scans survive a reload: the browser's own database on this device. The name is that of version 0.1.0: scans of its devices are
 * still sent.
 */
export const openScanStore = (): EntryStore<QueuedScan> => entryStore(openOfflineDatabase('pakhus-bench', { scans: 'scan_id' }), 'scans')

/** A database of its own, so that a change of what the server says of an order never touches scans: its name grows with that shape. */
export function openKeptOrder(): StationServices['keptOrder'] {
  const database = openOfflineDatabase('pakhus-station-order-3', { order: null })
  return {
    load: () => database.get<KeptOrder>('order', 'open'),
    save: kept => (kept ? database.put('order', kept, 'open') : database.remove('order', ['open'])),
  }
}

/** Parcels that lie at this station without a label, a line for each: kept until they have one, also when the browser is closed. */
const unlabelledKey = 'unlabelled-orders'

function unlabelledOrders(): Unlabelled[] {
  try {
    return (localStorage.getItem(unlabelledKey) ?? '').split('\n').flatMap(line => {
      const [, id, order_no] = /^(\d+) (.+)$/.exec(line) ?? []
      return id && order_no ? [{ order_id: Number(id), order_no }] : []
    })
  } catch {
    return []
  }
}

function storeUnlabelled(orders: readonly Unlabelled[]): void {
  try {
    localStorage.setItem(unlabelledKey, orders.map(({ order_id, order_no }) => `${order_id} ${order_no}`).join('\n'))
  } catch {
    // Private windows: the list lasts as long as the page.
  }
}

/** Sessions whose warnings were read on this device: once a session, also across a reload of the page. */
const warningsKey = 'acknowledged-warnings'

function acknowledgedSessions(): number[] {
  try {
    return (sessionStorage.getItem(warningsKey) ?? '').split(',').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

function storeAcknowledgedSessions(session_ids: readonly number[]): void {
  try {
    sessionStorage.setItem(warningsKey, session_ids.join(','))
  } catch {
    // Private windows: the warning is shown again after a reload.
  }
}
