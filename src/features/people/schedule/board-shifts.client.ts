/**
 * What the week and the day board share: the shift that a person holds, the plan with it, and the keys. Arrows move between cells and the shifts
 * in them, Space lifts a shift, arrows carry it, Shift and the arrows stretch it. A live region says what happened.
 */
import { type KeyboardEvent, type RefObject, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { day as dayWord } from '#ui/kit/format.ts'
import { useT } from '#ui/kit/translate.ts'
import type { Received } from '#ui/query/calls.ts'
import {
  type BoardRow,
  copyOf,
  type EntriesByRow,
  entriesByRow,
  entriesOfCell,
  movedBy,
  placed,
  stretched,
  warningsOnBoard,
  withChange,
  withEntryMoved,
} from './board.rules.ts'
import type { BoardActions } from './board-state.client.ts'
import type { schedule } from './schedule.contract.ts'
import type { NewShift, ScheduleEntry, ScheduleWarning } from './schedule.schemas.ts'
import { warningSentence } from './schedule-words.client.ts'

export interface BoardProps {
  board: Received<typeof schedule.board>
  rows: readonly BoardRow[]
  by: 'people' | 'stations'
  actions: BoardActions
  /** Times of a shift that is drawn into an empty cell. */
  usual: Pick<NewShift, 'start_local' | 'end_local' | 'break_s' | 'station' | 'skill'>
  open: (entry: ScheduleEntry) => void
  add: (row: BoardRow, day: string) => void
  copied: ScheduleEntry | null
  setCopied: (entry: ScheduleEntry | null) => void
}

/** A shift in the hands of a person: by mouse or by keyboard. */
export interface Held {
  entry: ScheduleEntry
  change: Partial<NewShift>
  copy: boolean
  /** Beside the pointer; null with the keyboard. */
  at: { x: number; y: number } | null
}

/** The cell that the keys work on, and which of its shifts. */
interface Cursor {
  row: number
  column: number
  nth: number
}

export interface BoardShifts {
  /** Holds the cells: elements with `data-cell="row:column"`. */
  grid: RefObject<HTMLDivElement | null>
  held: Held | null
  setHeld: (held: Held | null) => void
  drop: (held: Held) => void
  /** The plan by row, with the held shift where it would be put. Rows that it does not touch stay the same objects. */
  shown: EntriesByRow
  entriesOf: (row: BoardRow) => readonly ScheduleEntry[]
  /** By entry; lists that a held shift does not change stay the same objects. */
  warnings: ReadonlyMap<number, ScheduleWarning[]>
  names: ReadonlyMap<number, string>
  cursor: Cursor
  /** Where the focus went by itself. */
  cursorTo: (at: Pick<Cursor, 'row' | 'column'>) => void
  /** The one of several shifts in the cell of the cursor that the keys work on; null where there is no choice. */
  chosen: number | null
  /** Moves the focus to the cell of a shift that was clicked. */
  focusShift: (element: Element, entry: ScheduleEntry) => void
  cellUnder: (point: { clientX: number; clientY: number }) => { row: BoardRow; day: string; at: Pick<Cursor, 'row' | 'column'> } | null
  keys: (event: KeyboardEvent) => void
  /** For the live region. */
  said: string
}

const none: readonly ScheduleEntry[] = []

/** Minutes of one step of a time. */
export const quarter = 15

/** `along`: what lies from left to right. Shifts of a cell stand below each other in a week and side by side in a day. */
export function useBoardShifts(
  { board, rows, by, actions, open, add, copied, setCopied }: Omit<BoardProps, 'usual'>,
  days: readonly string[],
  along: 'days' | 'hours',
): BoardShifts {
  const t = useT()
  const grid = useRef<HTMLDivElement>(null)
  const [cursor, setCursor] = useState<Cursor>({ row: 0, column: 0, nth: 0 })
  const [held, setHeld] = useState<Held | null>(null)
  const [said, setSaid] = useState('')
  const zone = board.time_zone
  const [first = '', last = first] = [days[0], days.at(-1)]
  const names = useMemo(() => new Map(board.people.map(person => [person.user_id, person.name])), [board.people])
  const saved = useMemo(() => {
    const people = entriesByRow(board.entries, 'people')
    const found = board.people.flatMap(person =>
      warningsOnBoard(person, people.get(String(person.user_id)) ?? [], { from: first, to: last, zone }),
    )
    return { people, rows: by === 'people' ? people : entriesByRow(board.entries, by), warnings: Map.groupBy(found, one => one.entry_id) }
  }, [board.entries, board.people, by, first, last, zone])
  const { rows: shown, warnings } = useMemo(() => {
    let { people, rows: byRow } = saved
    const touched = new Set<number | null>()
    for (const one of [actions.pending, held && !held.copy ? { id: held.entry.id, change: held.change } : null]) {
      const before = one === null ? undefined : board.entries.find(entry => entry.id === one.id)
      if (one === null || before?.kind !== 'shift') continue
      const after = withChange(before, one.change, zone)
      people = withEntryMoved(people, 'people', before, after)
      byRow = withEntryMoved(byRow, by, before, after)
      touched.add(before.user_id).add(after.user_id)
    }
    if (touched.size === 0) return saved
    // The law is asked only about the people whose work changes.
    const kept = [...saved.warnings.values()].flat().filter(one => !touched.has(one.user_id))
    const found = board.people
      .filter(person => touched.has(person.user_id))
      .flatMap(person => warningsOnBoard(person, people.get(String(person.user_id)) ?? [], { from: first, to: last, zone }))
    const all = new Map(kept.map(one => [one.entry_id, saved.warnings.get(one.entry_id) ?? []]))
    for (const [entry_id, some] of Map.groupBy(found, one => one.entry_id)) all.set(entry_id, some)
    return { people, rows: byRow, warnings: all }
  }, [saved, board.entries, board.people, actions.pending, held, by, first, last, zone])
  const entriesOf = (row: BoardRow) => shown.get(row.key) ?? none
  const shiftsIn = ({ row, column }: Pick<Cursor, 'row' | 'column'>) => {
    const [place, day] = [rows[row], days[column]]
    return place && day ? entriesOfCell(entriesOf(place), day).filter(entry => entry.kind === 'shift') : []
  }
  const inside = shiftsIn(cursor)
  const chosen = inside[Math.min(cursor.nth, inside.length - 1)]

  const focusCell = (next: Cursor) => {
    const row = Math.max(0, Math.min(rows.length - 1, next.row))
    const column = Math.max(0, Math.min(days.length - 1, next.column))
    const nth = Math.max(0, Math.min(shiftsIn({ row, column }).length - 1, next.nth))
    // The row of the cursor is always drawn, also out of sight.
    flushSync(() => setCursor({ row, column, nth }))
    const cell = grid.current?.querySelector<HTMLElement>(`[data-cell="${row}:${column}"]`)
    cell?.focus({ preventScroll: true })
    cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    return { row, column, nth }
  }
  const placeOf = (element: Element | null | undefined) => {
    const [row, column] = element?.closest<HTMLElement>('[data-cell]')?.dataset.cell?.split(':').map(Number) ?? []
    return row === undefined || column === undefined ? null : { row, column }
  }
  const cellUnder: BoardShifts['cellUnder'] = ({ clientX, clientY }) => {
    const at = placeOf(document.elementFromPoint(clientX, clientY))
    const [row, day] = [at && rows[at.row], at && days[at.column]]
    return at && row && day ? { row, day, at } : null
  }
  const sayShift = (entry: ScheduleEntry, change: Partial<NewShift> = {}) => {
    const after = withChange(entry, change, zone)
    const person = board.people.find(one => one.user_id === after.user_id)
    const work = withEntryMoved(saved.people, 'people', entry, after).get(String(after.user_id)) ?? []
    const found = person ? warningsOnBoard(person, work, { from: first, to: last, zone }).filter(one => one.entry_id === entry.id) : []
    setSaid(
      [
        after.user_id === null ? t('Open shift') : (names.get(after.user_id) ?? ''),
        dayWord(after.work_date),
        t('{{from}} to {{to}}', { from: after.start_local ?? '', to: after.end_local ?? '' }),
        ...found.map(warning => warningSentence(t, warning)),
      ].join(', '),
    )
  }
  const drop = (one: Held) => {
    setHeld(null)
    if (Object.keys(one.change).length === 0) return
    if (one.copy) actions.create([copyOf(one.entry, one.change)])
    else actions.move(one.entry, one.change)
  }
  const hold = (one: Held, change: Partial<NewShift>) => {
    setHeld({ ...one, change: { ...one.change, ...change } })
    sayShift(one.entry, { ...one.change, ...change })
  }
  /** Times of a held shift as they would be put down. */
  const timesOf = ({ entry, change }: Held) => ({
    start_local: change.start_local ?? entry.start_local ?? '',
    end_local: change.end_local ?? entry.end_local ?? '',
  })

  const arrow = (event: KeyboardEvent, down: number, right: number) => {
    const lifted: Held | null = held ?? (chosen ? { entry: chosen, change: {}, copy: false, at: null } : null)
    if (event.shiftKey && lifted) {
      const edge = event.ctrlKey || event.metaKey ? 'start' : 'end'
      hold(lifted, stretched(timesOf(lifted), edge, (right || -down) * quarter))
      return
    }
    if (held && along === 'hours' && right) {
      hold(held, movedBy(timesOf(held), right * quarter))
      return
    }
    const step = along === 'days' ? down : right
    const nth = cursor.nth + step
    const next =
      !held && step && (along === 'hours' || (nth >= 0 && nth < inside.length))
        ? focusCell({ ...cursor, nth })
        : focusCell({ row: cursor.row + down, column: cursor.column + right, nth: down < 0 && along === 'days' ? Infinity : 0 })
    const [place, day] = [rows[next.row], days[next.column]]
    if (!place || !day) return
    if (held) return hold(held, placed(place, by, day))
    const there = shiftsIn(next)[next.nth]
    if (there) sayShift(there)
    else setSaid(`${place.name}, ${dayWord(day)}, ${t('free')}`)
  }

  const keys = (event: KeyboardEvent) => {
    const [place, day] = [rows[cursor.row], days[cursor.column]]
    if (!place || !day) return
    const command = event.ctrlKey || event.metaKey
    const key = event.key.toLowerCase()
    const [down, right] = ({ arrowup: [-1, 0], arrowdown: [1, 0], arrowleft: [0, -1], arrowright: [0, 1] } as const)[key] ?? [0, 0]
    /** Null where the key means nothing here. */
    const run = (): (() => void) | null => {
      if (down || right) return () => arrow(event, down, right)
      if (command) {
        if (key === 'z' && !event.shiftKey) return board.undo === null ? null : () => actions.undo(board.undo ?? '')
        if (key === 'y' || key === 'z') return board.redo === null ? null : () => actions.redo(board.redo ?? '')
        if (key === 'v') return copied && (() => actions.create([copyOf(copied, placed(place, by, day))]))
        if ((key === 'c' || key === 'x') && chosen)
          return () => {
            setCopied(chosen)
            if (key === 'x') actions.remove(chosen)
            else setSaid(t('Copied'))
          }
        return null
      }
      if (held) {
        if (key === ' ' || key === 'enter') return () => drop(held)
        if (key !== 'escape') return null
        return () => {
          setHeld(null)
          setSaid(t('Cancelled'))
        }
      }
      if (key === 'n' || (key === 'enter' && !chosen)) return () => add(place, day)
      if (!chosen) return null
      if (key === 'enter') return () => open(chosen)
      if (key === 'delete') return () => actions.remove(chosen)
      if (key !== ' ') return null
      return () => {
        setHeld({ entry: chosen, change: {}, copy: false, at: null })
        setSaid(t('Lifted. Move it with the arrows, put it down with Space.'))
      }
    }
    const action = run()
    if (!action) return
    event.preventDefault()
    event.stopPropagation()
    action()
  }

  return {
    ...{ grid, held, setHeld, drop, shown, entriesOf, warnings, names, cursor, cellUnder, keys, said },
    cursorTo: ({ row, column }) => setCursor(at => (at.row === row && at.column === column ? at : { row, column, nth: 0 })),
    chosen: inside.length > 1 ? (chosen?.id ?? null) : null,
    focusShift: (element, entry) => {
      const at = placeOf(element)
      if (at)
        focusCell({
          ...at,
          nth: Math.max(
            0,
            shiftsIn(at).findIndex(one => one.id === entry.id),
          ),
        })
    },
  }
}
