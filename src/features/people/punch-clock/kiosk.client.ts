/**
 * The kiosk of a warehouse: who stands before it, what they may tap, and taps that wait for the network. It lives outside React, because
 * scanner, queue and timers reach it at any moment. Times come from the server: without network from its last signed time and what has
 * passed since, never from the clock of the device.
 */
import { readCode } from '#domain/codes.ts'
import { type EntryStore, openOfflineQueue } from '#ui/offline/offline-queue.client.ts'
import { retryOf } from '#ui/offline/retry.rules.ts'
import { CallError, tooLate } from '#ui/query/call-error.ts'
import type { Received, send as sendCall } from '#ui/query/calls.ts'
import { type EarlyWhy, mostSynced, type PunchType } from './punch.codes.ts'
import { isEarlyOut } from './punch.rules.ts'
import { punchClock } from './punch-clock.contract.ts'
import type { Mark, SyncEntry, Tapped, Who } from './punch-clock.schemas.ts'

type Roster = Received<typeof punchClock.kiosk>['roster']
type Credential = Exclude<Who, { ticket: string }>

/** The server's signed time, and what the clocks of this page showed when it came. */
interface KeptMark {
  mark: Mark
  boot_id: string
  monotonic: number
  device: number
}

/** What the device keeps, so that it still knows people after a reload without network. */
export interface KeptKiosk {
  roster: Roster
  public_key: string
  early_out_min: number
  mark: KeptMark
}

export interface QueuedTap extends SyncEntry {
  /** The kiosk's own account. */
  user_id: number
  at: number
}

export interface KioskPerson {
  user_id: number
  first_name: string
  open: Tapped['person']['open']
  today_s: number | null
  week_s: number | null
  /** Null while the server was not asked. */
  ticket: string | null
  credential: Credential
  forgotten: Tapped['forgotten']
  announcements: Tapped['announcements']
}

export interface KioskState {
  view: 'idle' | 'checking' | 'person' | 'done' | 'kept' | 'early' | 'refused' | 'forgotten' | 'announcement'
  person: KioskPerson | null
  /** What was tapped, for the answer and for undoing it. */
  tap: {
    client_id: string
    action: 'in' | 'out'
    type: PunchType
    at: string | null
    duplicate: boolean
    /** It waits for the network. */
    kept: boolean
    /** The end of the shift, where it was well before that. */
    early: string | null
    /** Seconds of leave that the answer made; 0 for none, null before an answer. */
    leave_s: number | null
  } | null
  refusal: { key: string; values: Record<string, string | number | null | undefined> } | null
  roster: Roster
  waiting: number
  offline: boolean
  /** Sent taps that were no clock-in. */
  rejected: number
  ready: boolean
  /** Another page of this device is the kiosk. */
  elsewhere: boolean
}

interface KioskServices {
  send: typeof sendCall
  store: EntryStore<QueuedTap>
  kept: { load: () => Promise<KeptKiosk | undefined>; save: (kept: KeptKiosk) => Promise<void> }
  user_id: () => number | undefined
  newId: () => string
  monotonic: () => number
  deviceClock: () => number
  seal: (public_key: string, text: string) => Promise<string>
  hash: (text: string) => Promise<string>
}

/** Milliseconds after which a tap counts as one without network. */
const patience = 4_000
export const doneFor = 5_000
/** A person who has gone must not leave the screen open for the next one. */
const personFor = 25_000
const refusedFor = 4_000
/** For the question why somebody goes early; who has gone without an answer has clocked out all the same. */
const askingFor = 25_000
/** An announcement is read in peace, but the next person does not wait for one who has gone. */
const readingFor = 120_000
/** Taps that a device keeps, and for how long; beyond them paper is safer. */
const mostKept = 500
const expiresAfter = 24 * 3_600_000

const initial: KioskState = {
  ...{ view: 'idle', person: null, tap: null, refusal: null, roster: [], waiting: 0, offline: false, rejected: 0 },
  ...{ ready: false, elsewhere: false },
}

const format = {
  id: (tap: QueuedTap) => tap.client_id,
  key: () => 'all',
  user_id: (tap: QueuedTap) => tap.user_id,
  at: (tap: QueuedTap) => tap.at,
  withTime: (tap: QueuedTap, at: number): QueuedTap => ({ ...tap, at }),
  batchSize: (taps: readonly QueuedTap[]) => Math.min(taps.length, mostSynced),
}

const entryOf = ({ user_id: _user, at: _at, ...entry }: QueuedTap): SyncEntry => entry

export function createKiosk(services: KioskServices) {
  const { send, monotonic, deviceClock } = services
  let state = initial
  let known: KeptKiosk | undefined
  let seq = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const boot_id = services.newId()
  const watchers = new Set<() => void>()
  const set = (change: Partial<KioskState>) => {
    state = { ...state, ...change }
    for (const watcher of watchers) watcher()
  }
  const idle = () => {
    clearTimeout(timer)
    set({ view: 'idle', person: null, tap: null, refusal: null })
  }
  const idleAfter = (ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(idle, ms)
  }

  function noteMark(mark: Mark): void {
    if (!known) return
    known = { ...known, mark: { mark, boot_id, monotonic: monotonic(), device: deviceClock() } }
    void services.kept.save(known).catch(() => undefined)
  }

  /** Now by the server's clock; null after a reload without network. */
  const serverNow = (): number | null => {
    if (known?.mark.boot_id !== boot_id) return null
    return Date.parse(known.mark.mark.server_time) + monotonic() - known.mark.monotonic
  }

  const queue = openOfflineQueue<QueuedTap, Received<typeof punchClock.sync>['results'][number]>({
    format,
    store: services.store,
    expiresAfter,
    user_id: services.user_id,
    async send(batch) {
      try {
        const { results, mark } = await send(punchClock.sync, { body: { entries: batch.map(entryOf) } })
        noteMark(mark)
        void refresh()
        return { kind: 'answered', answers: new Map(results.map(result => [result.client_id, result])) }
      } catch (error) {
        const { again, reachable } = retryOf(error)
        return again ? { kind: 'again', reachable } : { kind: 'refused', error }
      }
    },
    onAnswer: (_, result) => {
      if (result.outcome === 'rejected') set({ rejected: state.rejected + 1 })
    },
    onRefused: batch => set({ rejected: state.rejected + batch.length }),
    onChange: () => set({ waiting: queue.waiting().length, offline: queue.isOffline() || state.offline }),
  })

  /** Asks for the people and a new mark. */
  async function refresh(): Promise<void> {
    try {
      const { roster, public_key, early_out_min, mark } = await send(punchClock.kiosk, {})
      known = { roster, public_key, early_out_min, mark: { mark, boot_id, monotonic: monotonic(), device: deviceClock() } }
      set({ roster, offline: false, ready: true })
      await services.kept.save(known).catch(() => undefined)
    } catch (error) {
      if (retryOf(error).reachable) throw error
      set({ offline: true })
    }
  }

  const inTime = <T>(call: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const limit = AbortSignal.timeout(patience)
    return call(limit).catch((error: unknown) => {
      throw limit.aborted ? tooLate() : error
    })
  }
  const isOutage = (error: unknown): boolean => {
    const { again, reachable } = retryOf(error)
    return again && !reachable
  }

  function refuse(error: unknown): void {
    const refusal = error instanceof CallError ? error : new CallError(500)
    set({ view: 'refused', refusal: { key: refusal.key, values: refusal.values }, person: null })
    idleAfter(refusedFor)
  }

  /** Without network people are known by the first bytes of their badge, or by their number; what they show is checked later. */
  async function offlinePerson(credential: Credential): Promise<KioskPerson | undefined> {
    if (!known) return undefined
    const row =
      'badge' in credential
        ? await badgeHolder(credential.badge)
        : known.roster.find(
            one =>
              one.has_pin && ('user_id' in credential ? one.user_id === credential.user_id : one.employee_no === credential.employee_no),
          )
    if (!row) return undefined
    const open = row.state === null || row.since === null ? null : { id: 0, type: row.state, since: row.since, shift_end: row.shift_end }
    return {
      ...{ user_id: row.user_id, first_name: row.first_name, open, today_s: null, week_s: null },
      ...{ ticket: null, credential, forgotten: null, announcements: [] },
    }
  }

  async function badgeHolder(text: string): Promise<Roster[number] | undefined> {
    const code = readCode(text)
    if (code.kind !== 'badge') return undefined
    const hint = (await services.hash(code.token)).slice(0, 16)
    return known?.roster.find(row => row.badge_hint === hint)
  }

  async function identify(credential: Credential): Promise<void> {
    if (state.view === 'checking') return
    clearTimeout(timer)
    set({ view: 'checking', person: null, tap: null, refusal: null })
    try {
      const { person, forgotten, ticket, mark } = await inTime(signal =>
        send(punchClock.identify, { body: { who: credential } }, { signal }),
      )
      noteMark(mark)
      set({ view: 'person', offline: false, person: { ...person, ticket, credential, forgotten, announcements: [] } })
      idleAfter(personFor)
    } catch (error) {
      if (!isOutage(error)) return refuse(error)
      const person = await offlinePerson(credential)
      set({ offline: true })
      if (!person) return refuse(new CallError(404, 'badge' in credential ? 'Unknown badge.' : 'Wrong number or PIN.'))
      set({ view: 'person', person })
      idleAfter(personFor)
    }
  }

  async function tap(action: 'in' | 'out', type: PunchType): Promise<void> {
    const { person, view } = state
    if (!person || view !== 'person') return
    clearTimeout(timer)
    set({ view: 'checking' })
    const client_id = services.newId()
    const who: Who = person.ticket === null ? person.credential : { ticket: person.ticket }
    try {
      const answer = await inTime(signal =>
        action === 'in'
          ? send(punchClock.punchIn, { body: { client_id, type, who } }, { signal })
          : send(punchClock.punchOut, { x: 0, body: { client_id, who } }, { signal }),
      )
      noteMark(answer.mark)
      const at = action === 'in' ? answer.punch.started_at : answer.punch.ended_at
      set({
        ...{ view: answer.early ? 'early' : 'done', offline: false },
        person: {
          ...{ ...person, ...answer.person, ticket: answer.ticket, announcements: answer.announcements },
          forgotten: action === 'in' ? answer.forgotten : null,
        },
        tap: {
          ...{ client_id, action, type, at, duplicate: answer.duplicate },
          ...{ kept: false, early: answer.early?.shift_end ?? null, leave_s: null },
        },
      })
      noteRoster(person.user_id, answer.person.open?.type ?? null)
      timer = setTimeout(goOn, answer.early ? askingFor : doneFor)
    } catch (error) {
      if (!isOutage(error)) return refuse(error)
      await keep(person, { client_id, action, type })
    }
  }

  /** After a clock-in: first a clock-out that was forgotten, then what the person has to read, then the next person. */
  function goOn(): void {
    const { view, person } = state
    clearTimeout(timer)
    if (view === 'done' && person?.forgotten) {
      set({ view: 'forgotten' })
      idleAfter(60_000)
    } else if (person && person.announcements.length > 0) {
      set({ view: 'announcement' })
      idleAfter(readingFor)
    } else idle()
  }

  /** Why the clock-out was early. The clock-out stands whatever becomes of the answer. */
  async function explain(why: EarlyWhy): Promise<void> {
    const { person, tap: tapped, view } = state
    if (!person || !tapped || view !== 'early') return
    clearTimeout(timer)
    const answered = (leave_s: number) => {
      set({ view: tapped.kept ? 'kept' : 'done', person, tap: { ...tapped, leave_s } })
      timer = setTimeout(goOn, doneFor)
    }
    const { ticket } = person
    if (tapped.kept || ticket === null) {
      await queueTap(person, { client_id: services.newId(), action: 'why', type: 'work', of: tapped.client_id }, why)
      return answered(0)
    }
    set({ view: 'checking' })
    try {
      const body = { client_id: tapped.client_id, ticket, why }
      const { leave_s } = await inTime(signal => send(punchClock.earlyOut, { body }, { signal }))
      answered(leave_s ?? 0)
    } catch (error) {
      if (!isOutage(error)) return refuse(error)
      await queueTap(person, { client_id: services.newId(), action: 'why', type: 'work', of: tapped.client_id }, why)
      set({ offline: true })
      answered(0)
    }
  }

  /** The person has read or agreed with the first announcement. Throws what the page shows. */
  async function agree(): Promise<void> {
    const { person } = state
    const [first, ...rest] = person?.announcements ?? []
    if (!person?.ticket || !first) return idle()
    const { id, version_no, sha256, text } = first
    await send(punchClock.agree, { id, body: { ticket: person.ticket, version_no, sha256, locale: text.locale } })
    set({ person: { ...person, announcements: rest } })
    goOn()
  }

  /** The people on the screen know at once who is in. */
  function noteRoster(user_id: number, type: PunchType | null): void {
    const now = serverNow()
    const since = type === null || now === null ? null : new Date(now).toISOString()
    const roster = state.roster.map(row =>
      row.user_id === user_id ? { ...row, state: type, since, shift_end: type === null ? null : row.shift_end } : row,
    )
    if (known) known = { ...known, roster }
    set({ roster })
  }

  interface Kept {
    client_id: string
    action: SyncEntry['action']
    type: PunchType
    /** The clock-out that it explains. */
    of?: string
  }

  /** Keeps something for later: what was shown and why somebody went is sealed to the server, and cannot be read here again. */
  async function queueTap(person: KioskPerson, kept: Kept, why?: EarlyWhy): Promise<boolean> {
    const user_id = services.user_id()
    if (!known || user_id === undefined || queue.waiting().length >= mostKept) return false
    const { mark, boot_id: mark_boot_id, monotonic: began, device: deviceBegan } = known.mark
    const sealed = await services.seal(known.public_key, JSON.stringify(why ? { ...person.credential, why } : person.credential))
    seq += 1
    queue.add({
      ...{ ...kept, seq: Math.round(deviceClock() / 1_000) % 1_000_000_000, boot_id, mark_boot_id, mark, sealed },
      elapsed_ms: mark_boot_id === boot_id ? monotonic() - began : 0,
      device_elapsed_ms: deviceClock() - deviceBegan,
      ...{ user_id, at: deviceClock() + seq / 1_000 },
    })
    return true
  }

  async function keep(person: KioskPerson, { client_id, action, type }: { client_id: string; action: 'in' | 'out'; type: PunchType }) {
    if (!(await queueTap(person, { client_id, action, type })))
      return refuse(new CallError(503, 'This device can keep no more times. Write them on paper.'))
    noteRoster(person.user_id, action === 'in' ? type : null)
    const now = serverNow()
    const shift_end = action === 'out' ? (person.open?.shift_end ?? null) : null
    const isEarly = now !== null && isEarlyOut(now, shift_end === null ? null : Date.parse(shift_end), known?.early_out_min ?? 0)
    set({
      ...{ view: isEarly ? 'early' : 'kept', offline: true, person },
      tap: {
        ...{ client_id, action, type, at: now === null ? null : new Date(now).toISOString(), duplicate: false },
        ...{ kept: true, early: isEarly ? shift_end : null, leave_s: null },
      },
    })
    clearTimeout(timer)
    timer = setTimeout(goOn, isEarly ? askingFor : doneFor)
  }

  async function undo(): Promise<void> {
    const { person, tap: tapped } = state
    if (!person?.ticket || !tapped || tapped.kept || (state.view !== 'done' && state.view !== 'early')) return
    clearTimeout(timer)
    try {
      const answer = await inTime(signal =>
        send(punchClock.undo, { body: { client_id: tapped.client_id, ticket: person.ticket ?? '' } }, { signal }),
      )
      noteRoster(person.user_id, answer.person.open?.type ?? null)
      set({ view: 'person', tap: null, person: { ...person, ...answer.person } })
      idleAfter(personFor)
    } catch (error) {
      refuse(error)
    }
  }

  /** The person says when a forgotten clock-out was; someone else decides. */
  async function correct(ended_at: string, note: string): Promise<void> {
    const { person } = state
    if (!person?.ticket || !person.forgotten) return goOn()
    const { id, version, started_at, type } = person.forgotten
    const body = { client_id: services.newId(), version, started_at, ended_at, type, note, ticket: person.ticket }
    await send(punchClock.update, { id, body })
    goOn()
  }

  return {
    read: () => state,
    subscribe(watcher: () => void) {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
    /** Takes up what an earlier page left, then asks the server. */
    async start(): Promise<void> {
      known ??= await services.kept.load().catch(() => undefined)
      if (known) set({ roster: known.roster, ready: true })
      await queue.restore()
      await refresh()
    },
    setElsewhere: (elsewhere: boolean) => set({ elsewhere }),
    refresh,
    retryNow: queue.retryNow,
    serverNow,
    identify,
    tap,
    undo,
    explain,
    correct,
    goOn,
    agree,
    idle,
  }
}
