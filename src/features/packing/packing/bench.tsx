/**
 * The bench: what one station has in hand. Scans go into the queue, the server counts, and everything shown is its last word.
 * It stands outside React, because scanner, queue and notices reach it at any moment, and a screen may come and go meanwhile.
 */
import { useSyncExternalStore } from 'react'
import { access, may, type Permission } from '#contract/access.ts'
import { CallError } from '#web/call-error.ts'
import type { send as sendCall } from '#web/calls.ts'
import type { Sound } from '#web/scanner/sounds.ts'
import { labels } from '../../shipping/labels/labels.contract.ts'
import { counted, fillsScreen, missing, nextLine, type Standing, standingOf, type Tone, toneOf, worthAnotherTry } from './bench.rules.ts'
import type { Code, Command } from './codes.rules.ts'
import { type Closing, type PackingOrder, packing, type ScanAnswer } from './packing.contract.ts'
import { openScanQueue, type QueuedScan, type ScanShelf } from './scan-queue.rules.ts'

/** A sentence of the server or of ours, with its places; translated where it is shown. */
export interface Say {
  text: string
  values?: Record<string, string | number | null>
  tone: Tone
}

export interface FoundOrder {
  order_id: number
  order_no: string
  company: string
  customer_name: string
  phase: string
}

export type View = 'idle' | 'opening' | 'choose' | 'looking' | 'packing' | 'closing' | 'label_error' | 'label_check' | 'waiting'
export type Dialog = 'finalize' | 'hospital' | 'abort' | 'bypass'
type Way = 'scan' | 'camera'

/** The order that just left, for the green answer, its prints and a reprint. */
export interface LastOrder {
  order: PackingOrder
  closing: Closing
  /** Milliseconds since 1970. */
  at: number
}

export interface BenchState {
  view: View
  /** What is being opened, as people read it. */
  opening: string
  found: readonly FoundOrder[]
  order: PackingOrder | null
  /** Why the order cannot be packed now, in the words of the refusal. */
  refusal: Say | null
  /** The last answer; `nth` tells two equal ones apart. */
  message: (Say & { nth: number }) | null
  /** A wrong, unknown or surplus scan, until the right item or Esc. */
  wrong: (ScanAnswer & { code: string }) | null
  /** The line whose serial number is asked for. */
  asking: number | null
  /** One code that means several lines. */
  choosing: { code: string; method: Way; lines: readonly number[]; text: string; values: Say['values'] } | null
  /** An unknown code on its way to become a product's. */
  linking: { code: string; line_id: number | null } | null
  dialog: Dialog | null
  /** The line that moved last. */
  touched: number | null
  closing: Closing | null
  /** The close call found no server and tries again. */
  closeCutOff: boolean
  last: LastOrder | null
  /** The code of another order was scanned while this one is open. */
  other: { order_id: number; order_no: string; code: string } | null
  /** Warnings of this session that were read. */
  warned: boolean
  /** Scans that the server has not acknowledged, of this order and of all. */
  unsent: number
  unsentElsewhere: number
  cutOff: boolean
  /** A command is on its way. */
  busy: boolean
  hidden: boolean
}

const nothing: BenchState = {
  view: 'idle',
  opening: '',
  found: [],
  order: null,
  refusal: null,
  message: null,
  wrong: null,
  asking: null,
  choosing: null,
  linking: null,
  dialog: null,
  touched: null,
  closing: null,
  closeCutOff: false,
  last: null,
  other: null,
  warned: false,
  unsent: 0,
  unsentElsewhere: 0,
  cutOff: false,
  busy: false,
  hidden: false,
}

export interface BenchDoors {
  send: typeof sendCall
  shelf: ScanShelf
  play: (sound: Sound) => void
  me: () => { user_id: number; permissions: readonly Permission[] } | undefined
  device: () => { station: string; label_printer_id: number | null; a4_printer_id: number | null }
  /** The open order goes into the address, so that a reload finds it again. */
  remember: (order_id: number | null) => void
  /** Lists of the idle bench are outdated. */
  changed: () => void
  save: (file: File) => void
  newId: () => string
}

/** One of a few numbered answers: a digit, its button, or `CMD:DONE` for the first. */
export interface Choice {
  key: string
  text: string
  values?: Say['values']
  /** A line that the choice is about. */
  line_id?: number
  detail?: string
  /** Why it cannot be chosen. */
  closed?: string
  run: () => void
}

export const hospitalReasons = [
  'An item is missing',
  'An item is damaged',
  'The wrong item was picked',
  'The address or label is wrong',
  'Something else',
] as const

/** Scans that wait while an order opens; more than this is a broken scanner. */
const mostEarly = 20

/** Milliseconds: after one's own scan the notice about it says nothing new, so the next look waits for a pause. */
const quietAfterOwnScan = 900

export type Bench = ReturnType<typeof createBench>

export function createBench(doors: BenchDoors) {
  let state = nothing
  const watchers = new Set<() => void>()
  let nth = 0
  /** Grows with everything that makes an answer under way outdated. */
  let turn = 0
  /** Grows with every acknowledged scan: a look at the order that began before it is thrown away. */
  let acknowledged = 0
  let ackAt = 0
  let lookTimer: ReturnType<typeof setTimeout> | undefined
  let nextCode: { code: Code; method: Way } | undefined
  /** Scanned while the order was still being opened. */
  let early: { code: Code; method: Way }[] = []

  const set = (change: Partial<BenchState>): void => {
    state = { ...state, ...change }
    for (const watcher of watchers) watcher()
  }
  const person = () => ({ user_id: doors.me()?.user_id ?? 0, station: doors.device().station })
  const mayDo = (what: readonly Permission[]): boolean => may(doors.me()?.permissions ?? [], what)

  const sounds: Record<Tone, Sound> = { ok: 'ok', line: 'line', done: 'done', attention: 'attention', error: 'error', ignored: 'ignored' }
  function say(text: string, tone: Tone, values?: Say['values']) {
    nth += 1
    set({ message: { text, tone, nth, ...(values && { values }) } })
    doors.play(sounds[tone])
  }
  const sayError = (error: unknown): void => {
    const { key, values } = wordsOf(error)
    say(key, 'error', values)
  }

  const queue = openScanQueue<ScanAnswer>({
    shelf: doors.shelf,
    user_id: () => doors.me()?.user_id,
    asksSerialOf: answer =>
      answer.result === 'serial_needed' || (answer.result === 'serial_refused' && answer.line)
        ? (answer.line?.order_line_id ?? undefined)
        : undefined,
    async send(scan) {
      try {
        return { kind: 'answered', answer: await sendScan(scan) }
      } catch (error) {
        const { status, key } = error instanceof CallError ? error : { status: 444, key: '' }
        const { again, reachable } = worthAnotherTry(status, key)
        return again ? { kind: 'again', reachable } : { kind: 'refused', error }
      }
    },
    onAnswer: hear,
    onRefused(scan, error) {
      if (scan.order_id !== state.order?.order_id) return
      sayError(error)
      void look()
    },
    onChange: countUnsent,
  })

  function countUnsent() {
    const all = queue.waiting()
    const here = all.filter(scan => scan.order_id === state.order?.order_id).length
    set({ unsent: here, unsentElsewhere: all.length - here, cutOff: queue.cutOff() })
  }

  function sendScan(scan: QueuedScan): Promise<ScanAnswer> {
    const { scan_id, order_id: id } = scan
    if (scan.kind === 'undo') return doors.send(packing.undo, { id, body: { scan_id } })
    if (scan.kind === 'count')
      return doors.send(packing.count, { id, body: { scan_id, order_line_id: scan.order_line_id, quantity: scan.quantity } })
    const { code, method, serial_for, line_id } = scan
    return doors.send(packing.scan, { id, body: { scan_id, code, method, ...(serial_for && { serial_for }), ...(line_id && { line_id }) } })
  }

  type Action =
    | { kind: 'scan'; code: string; method: Way; line_id?: number }
    | { kind: 'count'; order_line_id: number; quantity: number }
    | { kind: 'undo' }
  function enqueue(action: Action) {
    const { order } = state
    const user_id = doors.me()?.user_id
    if (!order || user_id === undefined) return
    queue.add({ ...action, scan_id: doors.newId(), order_id: order.order_id, user_id, at: Date.now() })
  }

  /** The server has counted, or said why not. */
  function hear(scan: QueuedScan, answer: ScanAnswer) {
    const { order } = state
    if (order?.order_id !== scan.order_id) return
    acknowledged += 1
    ackAt = Date.now()
    const code = scan.kind === 'scan' ? scan.code : ''
    const tone = toneOf(answer.result)
    set({
      order: counted(order, answer),
      asking: queue.asking(order.order_id) ?? null,
      wrong: fillsScreen(answer.result) ? { ...answer, code } : null,
      choosing:
        answer.result === 'ambiguous' && scan.kind === 'scan'
          ? { code, method: scan.method, lines: answer.choices, text: answer.text, values: answer.values }
          : null,
      linking: null,
      other: null,
      touched: answer.line && answer.counted !== 0 ? answer.line.order_line_id : state.touched,
    })
    say(answer.text, tone, answer.values)
    if (answer.result === 'stopped') void look()
    else if (answer.result === 'order_done') void close()
    else if (answer.result === 'unknown' && scan.kind === 'scan') void isItAnOrder(code)
  }

  /** An unknown code may be the number of a parcel or of an order that lies on the bench. */
  async function isItAnOrder(code: string) {
    const mine = turn
    const found = await doors.send(packing.find, { code }).catch(() => undefined)
    const [first] = found?.orders ?? []
    if (mine !== turn || state.wrong?.code !== code || !first || first.order_id === state.order?.order_id) return
    set({ wrong: null })
    askForOther(first, code)
  }

  /** Shows an order as the server tells it. */
  function show(order: PackingOrder) {
    const standing = standingOf(order, person())
    const before = state
    const fresh = before.order?.order_id !== order.order_id
    const view = viewOf(order, standing)
    const stoppedNow = !fresh && isStop(standing) && before.order !== null && !isStop(standingOf(before.order, person()))
    set({
      view,
      order,
      ...(fresh && {
        touched: null,
        asking: queue.asking(order.order_id) ?? null,
        wrong: null,
        choosing: null,
        linking: null,
        dialog: null,
        other: null,
        warned: warningsRead(order),
      }),
      ...(view !== 'packing' && { wrong: null, choosing: null, dialog: null, other: null }),
      ...(view === 'packing' && { refusal: null }),
    })
    doors.remember(order.order_id)
    countUnsent()
    if (stoppedNow) {
      set({ message: null })
      doors.play('error')
    }
  }

  function viewOf(order: PackingOrder, standing: Standing): View {
    if (standing.kind !== 'mine') return 'looking'
    switch (order.session?.state) {
      case 'open':
        return 'packing'
      case 'label_error':
        return 'label_error'
      case 'label_check':
        return 'label_check'
      default:
        return 'waiting'
    }
  }

  /** Asks again how the open order stands; an answer that a scan has overtaken is not shown. */
  async function look() {
    clearTimeout(lookTimer)
    lookTimer = undefined
    const id = state.order?.order_id
    if (id === undefined || state.view === 'closing') return
    const [mine, seen] = [turn, acknowledged]
    let order: PackingOrder
    try {
      order = await doors.send(packing.get, { id })
    } catch (error) {
      if (mine === turn && error instanceof CallError && error.status === 404) leave()
      return
    }
    if (mine !== turn || state.order?.order_id !== id) return
    if (seen !== acknowledged) return lookSoon(150)
    const was = state.view
    if (was === 'waiting' && order.session === null && order.work_state !== 'in_pack') return finished(order)
    show(order)
  }

  function lookSoon(pause: number) {
    clearTimeout(lookTimer)
    lookTimer = setTimeout(() => void look(), pause)
  }

  async function finished(order: PackingOrder) {
    const closing: Closing = {
      outcome: 'labelled',
      session_id: 0,
      parcels: order.parcels,
      print_jobs: [],
      text: 'The parcel is done',
      values: {},
    }
    done(order, closing)
  }

  /** Back to the prompt; the order stays as it is on the server. */
  function leave(change: Partial<BenchState> = {}) {
    turn += 1
    early = []
    clearTimeout(lookTimer)
    const { last, hidden } = state
    doors.remember(null)
    set({ ...nothing, last, hidden, ...change })
    countUnsent()
    doors.changed()
  }

  async function findAndOpen(code: string) {
    turn += 1
    early = []
    const mine = turn
    set({ ...nothing, last: state.last, view: 'opening', opening: code })
    try {
      const { orders } = await doors.send(packing.find, { code })
      if (mine !== turn) return
      const [first] = orders
      if (!first) {
        leave()
        say('There is no order for {{code}}', 'error', { code })
      } else if (orders.length === 1) await open(first.order_id, { shown: first.order_no })
      else {
        set({ view: 'choose', found: orders })
        doors.play('attention')
      }
    } catch (error) {
      if (mine !== turn) return
      leave()
      sayError(error)
    }
  }

  /** Opens an order here, goes on with it, or shows why not. */
  async function open(id: number, { take_over = false, shown = '' }: { take_over?: boolean; shown?: string } = {}) {
    turn += 1
    const mine = turn
    const { station } = doors.device()
    if (state.order?.order_id === id) set({ busy: true })
    else set({ ...nothing, last: state.last, view: 'opening', opening: shown || state.opening })
    try {
      const order = await doors.send(packing.start, { id, body: { station, take_over } })
      if (mine !== turn) return
      set({ busy: false })
      show(order)
      welcome(order)
      const waited = early
      early = []
      if (state.view === 'packing') for (const one of waited) scanned(one.code, one.method)
    } catch (error) {
      if (mine !== turn) return
      set({ busy: false })
      await lookAt(id, error)
    }
  }

  /** What a freshly opened order asks for first. */
  function welcome(order: PackingOrder) {
    if (state.view === 'waiting') {
      if (order.session?.state === 'labelling' || order.session?.state === 'closing') void close()
    } else if (state.view === 'packing' && order.to_pack > 0 && order.packed >= order.to_pack) void close()
    else if (state.view === 'packing' && !state.warned) doors.play('attention')
    else if (state.view === 'packing') doors.play('ok')
    else doors.play('attention')
  }

  async function lookAt(id: number, refusal: unknown) {
    const mine = turn
    const { key, values } = wordsOf(refusal)
    try {
      const order = await doors.send(packing.get, { id })
      if (mine !== turn) return
      early = []
      show(order)
      set({ refusal: { text: key, tone: 'error', ...(values && { values }) } })
      doors.play('error')
    } catch {
      if (mine !== turn) return
      leave()
      sayError(refusal)
    }
  }

  /** The parcel is complete: every scan acknowledged, label booked and printed. */
  async function close(more: { rest?: 'backorder' | 'cancel' | 'hold'; weight_g?: number } = {}) {
    const { order } = state
    if (!order || state.view === 'closing') return
    const mine = turn
    const id = order.order_id
    set({ view: 'closing', dialog: null, wrong: null, choosing: null, closing: null, closeCutOff: false })
    await queue.drained(id)
    const { label_printer_id, a4_printer_id } = doors.device()
    const body = { label_printer_id, a4_printer_id, ...more, ...(more.weight_g !== undefined && { weight_confirmed: true }) }
    for (let tries = 0; mine === turn; tries++) {
      try {
        const closing = await doors.send(packing.close, { id, body })
        if (mine === turn) await closed(closing)
        return
      } catch (error) {
        if (mine !== turn) return
        const { status, key } = error instanceof CallError ? error : { status: 444, key: '' }
        const { again, reachable } = worthAnotherTry(status, key)
        if (!again) {
          set({ view: 'packing', closeCutOff: false })
          await look()
          sayError(error)
          return
        }
        set({ closeCutOff: !reachable })
        await new Promise(resolve => setTimeout(resolve, Math.min(5_000, 400 * 2 ** tries)))
      }
    }
  }

  async function closed(closing: Closing) {
    const { order } = state
    if (!order) return
    set({ closing, closeCutOff: false })
    if (closing.outcome === 'labelled' || closing.outcome === 'no_parcel') return done(order, closing)
    nextCode = undefined
    set({ view: closing.outcome === 'label_check' ? 'label_check' : closing.outcome === 'label_error' ? 'label_error' : 'waiting' })
    await look()
    if (closing.outcome === 'label_error' || closing.outcome === 'stopped') doors.play('error')
    else doors.play('attention')
  }

  function done(order: PackingOrder, closing: Closing) {
    leave({ last: { order: { ...order, parcels: closing.parcels }, closing, at: Date.now() } })
    doors.play('done')
    const next = nextCode
    nextCode = undefined
    if (next) scanned(next.code, next.method)
  }

  async function checkLabel(code: string) {
    const { order, closing } = state
    const session_id = order?.session?.id ?? closing?.session_id
    if (!order || session_id === undefined) return
    const mine = turn
    set({ busy: true })
    try {
      const answer = await doors.send(packing.checkLabel, { order_overview_id: session_id, barcode: code })
      if (mine !== turn) return
      set({ busy: false })
      if (!answer.ok) return say(answer.text, 'error', answer.values)
      done(
        order,
        closing ?? { outcome: 'labelled', session_id, parcels: order.parcels, print_jobs: [], text: 'The parcel is done', values: {} },
      )
    } catch (error) {
      if (mine !== turn) return
      set({ busy: false })
      sayError(error)
    }
  }

  function askForOther(other: { order_id: number; order_no: string }, code: string) {
    set({ other: { ...other, code } })
    say('Order {{order_no}} is still open. Scan {{other}} once more to set it aside and open the other one.', 'attention', {
      order_no: state.order?.order_no ?? '',
      other: other.order_no,
    })
  }

  /** Another order's code while one is open: it must be meant, so it is scanned twice – unless nothing was packed yet. */
  async function switchTo(code: string) {
    const { order, other } = state
    if (!order) return
    if (other?.code === code) return setAsideFor(other.order_id)
    const mine = turn
    try {
      const { orders } = await doors.send(packing.find, { code })
      if (mine !== turn) return
      const [found] = orders
      if (!found) return say('There is no order for {{code}}', 'error', { code })
      if (found.order_id === order.order_id) {
        if (!state.warned) return acknowledge()
        return say('This order is open here', 'ignored')
      }
      if (order.packed === 0 && state.unsent === 0) return await setAsideFor(found.order_id)
      askForOther(found, code)
    } catch (error) {
      if (mine === turn) sayError(error)
    }
  }

  async function setAsideFor(next: number) {
    const { order } = state
    if (!order) return
    await queue.drained(order.order_id)
    try {
      if (order.packed === 0) await doors.send(packing.abort, { id: order.order_id, body: {} })
      else await doors.send(packing.park, { id: order.order_id, body: {} })
    } catch (error) {
      return sayError(error)
    }
    leave()
    await open(next)
  }

  /** The order is left by a command; what was packed so far stays written down. */
  async function leaveBy(act: (id: number) => Promise<unknown>, said: string) {
    const { order } = state
    if (!order || state.busy) return
    const mine = turn
    set({ busy: true, dialog: null })
    await queue.drained(order.order_id)
    try {
      await act(order.order_id)
      if (mine !== turn) return
      leave()
      say(said, 'ok', { order_no: order.order_no })
    } catch (error) {
      if (mine !== turn) return
      set({ busy: false })
      sayError(error)
      await look()
    }
  }

  /** A command that answers with the order as it is then. */
  async function change(act: (id: number) => Promise<PackingOrder>, said?: Say): Promise<boolean> {
    const { order } = state
    if (!order || state.busy) return false
    const mine = turn
    set({ busy: true })
    await queue.drained(order.order_id)
    try {
      const fresh = await act(order.order_id)
      if (mine !== turn) return false
      set({ busy: false })
      show(fresh)
      if (said) say(said.text, said.tone, said.values)
      return true
    } catch (error) {
      if (mine === turn) {
        set({ busy: false })
        sayError(error)
      }
      return false
    }
  }

  function acknowledge() {
    const session_id = state.order?.session?.id
    if (session_id !== undefined) rememberWarning(session_id)
    set({ warned: true })
    doors.play('ok')
  }

  async function reprint(order: { order_id: number; order_no: string }) {
    const { station, label_printer_id } = doors.device()
    try {
      if (label_printer_id === null) {
        doors.save(await doors.send(labels.download, { order_id: order.order_id, packing_station: station || '-' }))
        say('No label printer is chosen here: the label of {{order_no}} is saved as a PDF file', 'attention', { order_no: order.order_no })
      } else {
        await doors.send(labels.print, { order_id: order.order_id, printer_id: label_printer_id, packing_station: station || '-' })
        say('The label of {{order_no}} prints again', 'ok', { order_no: order.order_no })
      }
    } catch (error) {
      sayError(error)
    }
  }

  async function pdf(order_id: number) {
    try {
      doors.save(await doors.send(labels.download, { order_id, packing_station: doors.device().station || '-' }))
    } catch (error) {
      sayError(error)
    }
  }

  function command(name: Command) {
    if (name === 'PAUSE') return set({ hidden: true })
    if (name === 'REPRINT') {
      const target = state.view === 'looking' && state.order && state.order.parcels.length > 0 ? state.order : state.last?.order
      return target ? void reprint(target) : say('Nothing was packed here yet', 'ignored')
    }
    if (name === 'DONE') return primary()
    if (state.view === 'label_error' || state.view === 'waiting' || state.view === 'label_check') {
      if (name === 'HOSPITAL' || name === 'ABORT') return leaveAfterLabel()
      return say('This order is being closed', 'ignored')
    }
    if (state.view === 'looking' && (name === 'ABORT' || name === 'HOSPITAL')) return leave()
    if (state.view !== 'packing' || !state.order) return say('No order is open', 'ignored')
    const { order } = state
    switch (name) {
      case 'FINALIZE':
        if (order.to_pack > 0 && order.packed >= order.to_pack) return void close()
        if (order.packed === 0 && state.unsent === 0) return say('Nothing is packed yet. Set the order aside instead.', 'attention')
        return ask('finalize')
      case 'NEXT':
        return void change(id => doors.send(packing.nextParcel, { id }), { text: 'A new parcel begins', tone: 'line' })
      case 'UNDO':
        return enqueue({ kind: 'undo' })
      case 'HOSPITAL':
        return ask('hospital')
      case 'ABORT':
        if (order.packed === 0 && state.unsent === 0)
          return void leaveBy(id => doors.send(packing.abort, { id, body: {} }), 'Order {{order_no}} is given back')
        return ask('abort')
    }
  }

  function ask(dialog: Dialog) {
    set({ dialog, wrong: null, choosing: null, linking: null, other: null })
    doors.play('attention')
  }

  function leaveAfterLabel() {
    const { order, view } = state
    if (!order) return leave()
    if (view === 'waiting') return leave()
    void leaveBy(id => doors.send(packing.park, { id, body: {} }), 'Order {{order_no}} waits in the hospital list')
  }

  /** What Enter, `CMD:DONE` and the main button do. */
  function primary() {
    const [first] = choices().filter(choice => choice.closed === undefined)
    const { order, view } = state
    if (state.hidden) return set({ hidden: false })
    if (first && (state.dialog === 'finalize' || state.dialog === 'abort')) return first.run()
    if (state.dialog || state.choosing || state.linking || view === 'choose') return doors.play('attention')
    if (state.other) return void setAsideFor(state.other.order_id)
    if (!order) return doors.play('ignored')
    if (view === 'packing') {
      if (!state.warned) return acknowledge()
      if (state.wrong) return set({ wrong: null })
      if (order.packed >= order.to_pack) return void close()
      const next = nextLine(order.lines, state.asking)
      if (next?.no_barcode && !next.needs_serial)
        return enqueue({ kind: 'count', order_line_id: next.order_line_id, quantity: missing(next) })
      return doors.play('ignored')
    }
    if (view === 'label_error') return void close()
    if (view === 'waiting') return leave()
    if (view === 'looking') {
      const standing = standingOf(order, person())
      if (standing.kind === 'cancelled') return order.put_back ? void putBack() : leave()
      if (standing.kind === 'claimed' && (standing.own || standing.free || mayDo(access.scanAdmin)))
        return void open(order.order_id, { take_over: !standing.own })
      if (standing.kind === 'ready' || standing.kind === 'in_pick' || standing.kind === 'stopped') return void open(order.order_id)
      return leave()
    }
  }

  async function putBack() {
    await leaveBy(id => doors.send(packing.putBack, { id }), 'Everything of {{order_no}} lies in its bins again')
  }

  /** The numbered answers that the screen offers now. */
  function choices(): Choice[] {
    const { order, view, dialog } = state
    if (view === 'choose')
      return state.found.map(one => ({
        key: `${one.order_id}`,
        text: '{{order_no}}',
        values: { order_no: one.order_no },
        detail: `${one.company} · ${one.customer_name}`,
        run: () => void open(one.order_id, { shown: one.order_no }),
      }))
    if (view !== 'packing' || !order) return []
    if (dialog === 'finalize')
      return [
        {
          key: 'backorder',
          text: 'Send the rest later',
          detail: 'The order comes back as soon as the goods are here',
          run: () => void close({ rest: 'backorder' }),
        },
        {
          key: 'cancel',
          text: 'Cancel the rest and tell the shop',
          detail: 'The missing pieces are taken off the order',
          ...(!mayDo(access.scanAdmin) && !mayDo(access.parcelsAdmin) && { closed: 'It needs the right scan_admin or parcels_admin' }),
          run: () => void close({ rest: 'cancel' }),
        },
        {
          key: 'hold',
          text: 'Send this, and hold the rest',
          detail: 'Somebody decides what happens to the rest',
          run: () => void close({ rest: 'hold' }),
        },
      ]
    if (dialog === 'hospital')
      return hospitalReasons.map(text => ({
        key: text,
        text,
        run: () =>
          void leaveBy(id => doors.send(packing.park, { id, body: { reason: text } }), 'Order {{order_no}} waits in the hospital list'),
      }))
    if (dialog === 'abort')
      return [
        {
          key: 'keep',
          text: 'Keep the pieces in the box',
          detail: 'Whoever opens the order goes on where you stopped',
          run: () => void abort(false),
        },
        { key: 'empty', text: 'Take everything out of the box', detail: 'Nothing counts as packed any more', run: () => void abort(true) },
      ]
    if (state.choosing) {
      const { code, method, lines } = state.choosing
      return lines.map(line_id => ({
        key: `${line_id}`,
        text: order.lines.find(line => line.order_line_id === line_id)?.name ?? `${line_id}`,
        line_id,
        run: () => {
          set({ choosing: null })
          enqueue({ kind: 'scan', code, method, line_id })
        },
      }))
    }
    if (state.linking && state.linking.line_id === null) {
      const { code } = state.linking
      return order.lines
        .filter(line => line.product_id !== null)
        .slice(0, 9)
        .map(line => ({
          key: `${line.order_line_id}`,
          text: line.name,
          line_id: line.order_line_id,
          run: () => set({ linking: { code, line_id: line.order_line_id } }),
        }))
    }
    return []
  }

  const abort = (empty: boolean) => leaveBy(id => doors.send(packing.abort, { id, body: { empty } }), 'Order {{order_no}} is given back')

  async function link(code: string, line_id: number) {
    const { order } = state
    if (!order) return
    set({ linking: null, wrong: null })
    try {
      await doors.send(packing.linkBarcode, { id: order.order_id, body: { code, order_line_id: line_id } })
    } catch (error) {
      return sayError(error)
    }
    enqueue({ kind: 'scan', code, method: 'scan' })
  }

  /** One scan, wherever it comes from. Always taken: nothing that was scanned goes by unanswered. */
  function scanned(code: Code, method: Way = 'scan') {
    if (state.hidden) set({ hidden: false })
    if (doors.device().station === '') return doors.play('attention')
    if (code.kind === 'command') return command(code.command)
    const opens = code.kind === 'order' || code.kind === 'paperless'
    switch (state.view) {
      case 'idle':
      case 'choose':
      case 'looking':
        if (code.kind === 'refused') return say(code.reason, 'error')
        if (code.kind === 'badge') return say('A staff badge opens no order. Scan an order code.', 'ignored')
        if (state.view === 'looking' && !opens && !isParcelNumber(code))
          return say('This order cannot be packed now. Scan another order code.', 'ignored')
        return void findAndOpen(code.text)
      case 'opening':
        // A quick hand is not told to wait: the scan counts as soon as the order is open.
        if (opens || early.length >= mostEarly) return doors.play('ignored')
        early.push({ code, method })
        return
      case 'closing':
        if (opens) nextCode = { code, method }
        return doors.play(opens ? 'ok' : 'ignored')
      case 'waiting':
      case 'label_error':
        if (opens) {
          leave()
          return void findAndOpen(code.text)
        }
        return say('Scan the next order, or put this one right first', 'ignored')
      case 'label_check':
        return void checkLabel(code.text)
      case 'packing':
        break
    }
    if (opens) return void switchTo(code.text)
    if (!state.warned) return say('Read the warning first: press Enter, or scan the order code again', 'attention')
    if (state.linking?.line_id) {
      const { code: wanted, line_id } = state.linking
      if (wanted === code.text) return void link(wanted, line_id)
    }
    if (state.dialog) set({ dialog: null })
    if (code.kind === 'badge') return say('A staff badge is no product', 'ignored')
    enqueue({ kind: 'scan', code: code.kind === 'refused' ? code.text : scannedText(code), method })
  }

  /** Closes what lies on top; at the end, nothing. */
  function back() {
    if (state.hidden) return set({ hidden: false })
    if (state.dialog) return set({ dialog: null })
    if (state.linking) return set({ linking: null })
    if (state.choosing) return set({ choosing: null })
    if (state.other) return set({ other: null })
    if (state.wrong) return set({ wrong: null })
    if (state.view === 'packing' && state.asking !== null && state.order) {
      queue.stopAsking(state.order.order_id)
      return set({ asking: null })
    }
    if (state.view === 'looking' || state.view === 'choose' || state.view === 'opening' || state.view === 'waiting') return leave()
    if (state.view === 'closing' && state.closeCutOff) return leave()
    if (state.view === 'idle') set({ message: null, last: state.last })
  }

  return {
    read: () => state,
    watch(watcher: () => void) {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
    standing: (): Standing | null => (state.order ? standingOf(state.order, person()) : null),
    choices,
    scanned,
    command,
    primary,
    back,
    open,
    findAndOpen,
    leave: () => leave(),
    /** A numbered choice, counted from 1. */
    choose(number: number) {
      const choice = choices()[number - 1]
      if (choice && choice.closed === undefined) choice.run()
    },
    count(order_line_id: number, quantity: number) {
      if (state.view === 'packing') enqueue({ kind: 'count', order_line_id, quantity })
    },
    beginLinking(code: string) {
      set({ linking: { code, line_id: null }, wrong: null })
    },
    ask,
    bypass: (reason: string, pin?: string) =>
      doors.send(packing.bypass, { id: state.order?.order_id ?? 0, body: { reason, ...(pin ? { pin } : {}) } }).then(order => {
        show(order)
        set({ dialog: null })
        say('Everything counts as packed without a scan', 'line')
        if (order.packed >= order.to_pack) void close()
      }),
    /** Closes again after something was put right. */
    retry: (more: { weight_g?: number } = {}) => void close(more),
    putBack: () => void putBack(),
    reprint: (order: { order_id: number; order_no: string }) => void reprint(order),
    pdf: (order_id: number) => void pdf(order_id),
    /** One more parcel of a packed order got its label. */
    printed(order: { order_no: string }) {
      say('Order {{order_no}} has one more parcel', 'line', { order_no: order.order_no })
      void look()
    },
    hide: () => set({ hidden: true }),
    /** Something changed somewhere: own scans bring notices too, which say nothing new. */
    noticed(topic: string, id: number | undefined) {
      if (!state.order || (id !== undefined && id !== state.order.order_id)) return
      const since = Date.now() - ackAt
      if (topic === 'packing' && since < quietAfterOwnScan) lookSoon(quietAfterOwnScan - since + 50)
      else void look()
    },
    /** The network is back, or the page is looked at again. */
    hurry() {
      queue.hurry()
      if (state.order) void look()
    },
    restore: () => queue.restore(),
    /** Somebody signed out: nothing of theirs stays on the screen. */
    forget() {
      turn += 1
      set(nothing)
    },
    sayError,
  }
}

/** A parcel's or an order's number, rather than a product's: it may open an order where no order is open. */
const isParcelNumber = (code: Code): boolean => code.kind === 'other' && (code.gs1?.sscc !== undefined || /^OWN\d+$/.test(code.text))

/** A GS1 code keeps its separators, which the server reads; everything else goes as people read it. */
const scannedText = (code: Code): string => code.text

const isStop = (standing: Standing): boolean => standing.kind === 'stopped' || standing.kind === 'cancelled'

function wordsOf(error: unknown): { key: string; values?: Say['values'] } {
  if (!(error instanceof CallError)) return { key: 'Something in the program failed' }
  const values = Object.fromEntries(Object.entries(error.values).map(([name, value]) => [name, value ?? null]))
  return { key: error.key, values }
}

const hasWarning = (order: PackingOrder): boolean => order.comments.some(comment => comment.type === 'warning')
const readKey = 'bench-warnings-read'
/** Warnings are read once a session, also across a reload of the page. */
function warningsRead(order: PackingOrder): boolean {
  if (!hasWarning(order)) return true
  try {
    return (sessionStorage.getItem(readKey) ?? '').split(',').includes(`${order.session?.id}`)
  } catch {
    return false
  }
}
function rememberWarning(session_id: number): void {
  try {
    const known = (sessionStorage.getItem(readKey) ?? '').split(',').slice(-20)
    sessionStorage.setItem(readKey, [...known, session_id].join(','))
  } catch {
    // Private windows: the warning is shown again after a reload.
  }
}

export const useBench = (bench: Bench): BenchState => useSyncExternalStore(bench.watch, bench.read)
