/** What every part of the bench stands on: its state, its voice, and the turns that make late answers void. */
import { isAllowed, type Permission } from '#contract/access.ts'
import { CallError } from '#ui/query/call-error.ts'
import type { send as sendCall } from '#ui/query/calls.ts'
import type { Sound } from '#ui/scanner/sounds.ts'
import { type BenchState, nothing, type Say } from './packing-state.rules.ts'
import type { ScanShelf } from './scan-queue.rules.ts'
import type { Person, Tone } from './station.rules.ts'

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

export interface BenchCore {
  readonly doors: BenchDoors
  readonly state: BenchState
  set(change: Partial<BenchState>): void
  /** Puts everything out of hand; what just left stays in sight. */
  clear(change?: Partial<BenchState>): void
  watch(watcher: () => void): () => void
  play(sound: Sound): void
  say(text: string, tone: Tone, values?: Say['values']): void
  sayError(error: unknown): void
  person(): Person
  mayDo(what: readonly Permission[]): boolean
  /** Begins a turn: every answer that is still under way is void. */
  nextTurn(): () => boolean
  /** The answer's question: whether it is still wanted. */
  thisTurn(): () => boolean
}

const sounds: Record<Tone, Sound> = { ok: 'ok', line: 'line', done: 'done', attention: 'attention', error: 'error', ignored: 'ignored' }

export function createBenchCore(doors: BenchDoors): BenchCore {
  let state = nothing
  let turn = 0
  let nth = 0
  const watchers = new Set<() => void>()

  function set(change: Partial<BenchState>) {
    state = { ...state, ...change }
    for (const watcher of watchers) watcher()
  }
  function say(text: string, tone: Tone, values?: Say['values']) {
    nth += 1
    set({ message: { text, tone, nth, ...(values && { values }) } })
    doors.play(sounds[tone])
  }
  function thisTurn() {
    const mine = turn
    return () => mine === turn
  }

  return {
    doors,
    get state() {
      return state
    },
    set,
    clear: change => set({ ...nothing, last: state.last, prints: state.prints, heldBy: state.heldBy, ...change }),
    watch(watcher) {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
    play: doors.play,
    say,
    sayError(error) {
      const { key, values } = wordsOf(error)
      say(key, 'error', values)
    },
    person: () => ({ user_id: doors.me()?.user_id ?? 0, station: doors.device().station }),
    mayDo: what => isAllowed(doors.me()?.permissions ?? [], what),
    nextTurn() {
      turn += 1
      return thisTurn()
    },
    thisTurn,
  }
}

export function wordsOf(error: unknown): { key: string; values?: Say['values'] } {
  if (!(error instanceof CallError)) return { key: 'Something in the program failed' }
  const values = Object.fromEntries(Object.entries(error.values).map(([name, value]) => [name, value ?? null]))
  return { key: error.key, values }
}
