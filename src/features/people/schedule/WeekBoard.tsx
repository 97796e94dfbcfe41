/**
 * The board of a week or a day. Everything that the mouse does the keyboard does too: arrows move between cells, Space lifts a shift,
 * arrows carry it, Shift and the arrows stretch it. A live region says what happened.
 */
import { type KeyboardEvent, type PointerEvent, useMemo, useRef, useState } from 'react'
import { day as dayWord } from '#ui/kit/format.ts'
import { useT } from '#ui/kit/translate.ts'
import type { Received } from '#ui/query/calls.ts'
import { type BoardRow, copyOf, entriesOfCell, openRow, placed, rowSeconds, stretched, warningsOnBoard, withChange } from './board.rules.ts'
import type { BoardActions } from './board-state.client.ts'
import { hours } from './hours.client.ts'
import { ShiftChip } from './ShiftChip.tsx'
import type { schedule } from './schedule.contract.ts'
import type { NewShift, ScheduleEntry } from './schedule.schemas.ts'
import { warningSentence } from './schedule-words.client.ts'
import style from './WeekBoard.module.css'

type Board = Received<typeof schedule.board>

export interface WeekBoardProps {
  board: Board
  rows: readonly BoardRow[]
  by: 'people' | 'stations'
  days: readonly string[]
  today: string
  actions: BoardActions
  /** Times of a shift that is drawn into an empty cell. */
  usual: Pick<NewShift, 'start_local' | 'end_local' | 'break_s' | 'station' | 'skill'>
  open: (entry: ScheduleEntry) => void
  add: (row: BoardRow, day: string) => void
  copied: ScheduleEntry | null
  setCopied: (entry: ScheduleEntry | null) => void
}

interface Cursor {
  row: number
  column: number
}

/** A shift in the hands of a person: by mouse or by keyboard. */
export interface Held {
  entry: ScheduleEntry
  part: 'body' | 'start' | 'end'
  change: Partial<NewShift>
  copy: boolean
  /** Beside the pointer; null with the keyboard. */
  at: { x: number; y: number } | null
}

/** Pixels of the pointer that stretch a shift by a quarter of an hour. */
const stretchStep = 6
export const quarter = 15

export function WeekBoard({ board, rows, by, days, today, actions, usual, open, add, copied, setCopied }: WeekBoardProps) {
  const t = useT()
  const grid = useRef<HTMLDivElement>(null)
  const [cursor, setCursor] = useState<Cursor>({ row: 0, column: 0 })
  const [held, setHeld] = useState<Held | null>(null)
  const [drawn, setDrawn] = useState<{ row: number; from: number; to: number } | null>(null)
  const [said, setSaid] = useState('')
  const zone = board.time_zone
  const [first = '', last = first] = [days[0], days.at(-1)]

  const names = useMemo(() => new Map(board.people.map(person => [person.user_id, person.name])), [board.people])
  const holidays = useMemo(() => new Map(board.public_holidays.map(one => [one.day, one.name])), [board.public_holidays])
  const shown = useMemo(() => {
    const changes = [actions.pending, held && !held.copy ? { id: held.entry.id, change: held.change } : null].filter(one => one !== null)
    return board.entries.map(entry => {
      const change = changes.find(one => one.id === entry.id)?.change
      return change && entry.kind === 'shift' ? withChange(entry, change, zone) : entry
    })
  }, [board.entries, actions.pending, held, zone])
  const warnings = useMemo(
    () => board.people.flatMap(person => warningsOnBoard(person, shown, { from: first, to: last, zone })),
    [board.people, shown, first, last, zone],
  )
  const warningsOf = (entry: ScheduleEntry) => warnings.filter(warning => warning.entry_id === entry.id)
  const cellEntries = (row: number, column: number) => {
    const place = rows[row]
    const day = days[column]
    return place && day ? entriesOfCell(shown, place, by, day) : []
  }
  const focusCell = (next: Cursor) => {
    const row = Math.max(0, Math.min(rows.length - 1, next.row))
    const column = Math.max(0, Math.min(days.length - 1, next.column))
    setCursor({ row, column })
    const cell = grid.current?.querySelector<HTMLElement>(`[data-cell="${row}:${column}"]`)
    cell?.focus()
    cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    return { row, column }
  }
  const sayEntry = (entry: ScheduleEntry, change: Partial<NewShift> = {}) => {
    const after = entry.kind === 'shift' ? withChange(entry, change, zone) : entry
    const others = board.entries.map(one => (one.id === entry.id ? after : one))
    const person = board.people.find(one => one.user_id === after.user_id)
    const found = person ? warningsOnBoard(person, others, { from: first, to: last, zone }).filter(one => one.entry_id === entry.id) : []
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

  // The mouse.
  const down = (entry: ScheduleEntry) => (event: PointerEvent, part: Held['part']) => {
    if (event.button !== 0 || actions.busy) return
    event.stopPropagation()
    event.preventDefault()
    const start = { x: event.clientX, y: event.clientY }
    const element = event.currentTarget
    let now: Held | null = null
    const move = (moved: globalThis.PointerEvent) => {
      const [dx, dy] = [moved.clientX - start.x, moved.clientY - start.y]
      if (!now && Math.hypot(dx, dy) < 4) return
      const change =
        part === 'body'
          ? placeUnder(moved)
          : stretched(
              { start_local: entry.start_local ?? '', end_local: entry.end_local ?? '' },
              part,
              Math.round(dx / stretchStep) * quarter,
            )
      now = {
        entry,
        part,
        change: change ?? now?.change ?? {},
        copy: part === 'body' && moved.altKey,
        at: { x: moved.clientX, y: moved.clientY },
      }
      setHeld(now)
    }
    const end = (ended: globalThis.PointerEvent | globalThis.KeyboardEvent) => {
      if (ended instanceof globalThis.KeyboardEvent && ended.key !== 'Escape') return
      window.removeEventListener('pointermove', move)
      window.removeEventListener('pointerup', end)
      window.removeEventListener('keydown', end, true)
      if (ended instanceof globalThis.KeyboardEvent || !now) {
        setHeld(null)
        if (!now && !(ended instanceof globalThis.KeyboardEvent)) focusOn(element)
        return
      }
      drop(now)
    }
    window.addEventListener('pointermove', move)
    window.addEventListener('pointerup', end)
    // Before the keys of the cells, which keep Escape to themselves.
    window.addEventListener('keydown', end, true)
  }
  const focusOn = (element: Element) => {
    const [row = '0', column = '0'] = element.closest<HTMLElement>('[data-cell]')?.dataset.cell?.split(':') ?? []
    focusCell({ row: Number(row), column: Number(column) })
  }
  const cellUnder = (event: { clientX: number; clientY: number }): Cursor | null => {
    const cell = document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>('[data-cell]')
    const [row, column] = cell?.dataset.cell?.split(':').map(Number) ?? []
    return row === undefined || column === undefined ? null : { row, column }
  }
  const placeUnder = (event: { clientX: number; clientY: number }): Partial<NewShift> | null => {
    const cell = cellUnder(event)
    const row = cell && rows[cell.row]
    const day = cell && days[cell.column]
    return row && day ? placed(row, by, day) : null
  }
  const draw = (row: number, column: number) => (event: PointerEvent) => {
    if (event.button !== 0 || event.pointerType === 'touch') return
    let to = column
    const move = (moved: globalThis.PointerEvent) => {
      const cell = cellUnder(moved)
      if (cell?.row !== row) return
      to = cell.column
      setDrawn({ row, from: Math.min(column, to), to: Math.max(column, to) })
    }
    const end = () => {
      window.removeEventListener('pointermove', move)
      window.removeEventListener('pointerup', end)
      setDrawn(null)
      if (to === column) return
      const place = rows[row]
      const chosen = days.slice(Math.min(column, to), Math.max(column, to) + 1)
      if (place) actions.create(chosen.map(day => newShift(place, day)))
    }
    window.addEventListener('pointermove', move)
    window.addEventListener('pointerup', end)
  }
  const newShift = (row: BoardRow, day: string): NewShift => ({ user_id: null, ...usual, ...placed(row, by, day), work_date: day })

  // The keyboard.
  const keys = (event: KeyboardEvent) => {
    const { row, column } = cursor
    const place = rows[row]
    const day = days[column]
    if (!place || !day) return
    const arrow = ({ ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] } as const)[event.key]
    const [shift] = cellEntries(row, column).filter(entry => entry.kind === 'shift')
    const command = event.ctrlKey || event.metaKey
    const handled = () => {
      event.preventDefault()
      event.stopPropagation()
    }
    if (arrow && event.shiftKey && shift) {
      handled()
      const minutes = (arrow[1] || -arrow[0]) * quarter
      const one = held?.entry.id === shift.id ? held : { entry: shift, part: 'end' as const, change: {}, copy: false, at: null }
      const from = { start_local: shift.start_local ?? '', end_local: shift.end_local ?? '' }
      const change = { ...one.change, ...stretched(from, command ? 'start' : 'end', minutes) }
      const original = board.entries.find(entry => entry.id === shift.id) ?? shift
      setHeld({ ...one, entry: original, change })
      sayEntry(original, change)
      return
    }
    if (arrow) {
      handled()
      const next = focusCell({ row: row + arrow[0], column: column + arrow[1] })
      if (held) {
        const target = rows[next.row]
        const on = days[next.column]
        if (target && on) {
          const change = { ...held.change, ...placed(target, by, on) }
          setHeld({ ...held, change })
          sayEntry(held.entry, change)
        }
      } else {
        const [there] = cellEntries(next.row, next.column)
        if (there) sayEntry(there)
        else setSaid(`${rows[next.row]?.name ?? ''}, ${dayWord(days[next.column] ?? '')}, ${t('free')}`)
      }
      return
    }
    if (event.key === ' ') {
      handled()
      if (held) drop(held)
      else if (shift) {
        setHeld({ entry: shift, part: 'body', change: {}, copy: false, at: null })
        setSaid(t('Lifted. Move it with the arrows, put it down with Space.'))
      }
    } else if (event.key === 'Escape' && held) {
      handled()
      setHeld(null)
      setSaid(t('Cancelled'))
    } else if (event.key === 'Enter') {
      handled()
      if (held) drop(held)
      else if (shift) open(shift)
      else add(place, day)
    } else if (event.key.toLowerCase() === 'n' && !command) {
      handled()
      add(place, day)
    } else if (event.key === 'Delete' && shift) {
      handled()
      actions.remove(shift)
    } else if (command && event.key.toLowerCase() === 'c' && shift) {
      handled()
      setCopied(shift)
      setSaid(t('Copied'))
    } else if (command && event.key.toLowerCase() === 'x' && shift) {
      handled()
      setCopied(shift)
      actions.remove(shift)
    } else if (command && event.key.toLowerCase() === 'v' && copied) {
      handled()
      actions.create([copyOf(copied, placed(place, by, day))])
    } else if (command && event.key.toLowerCase() === 'z' && board.undo) {
      handled()
      actions.undo(board.undo)
    }
  }

  const heldWarnings = held ? warnings.filter(warning => warning.entry_id === held.entry.id) : []
  const heldTimes = held && withChange(held.entry, held.change, zone)
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the cells take the focus, and their keys arrive here */}
      <div ref={grid} className={style.board} onKeyDown={keys}>
        {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid is a table whose cells take the focus */}
        <table className={style.grid} role="grid" aria-label={t('Schedule')}>
          <thead>
            <tr>
              <th scope="col" className={`${style.head} ${style.corner}`}>
                {by === 'people' ? t('Person') : t('Station')}
              </th>
              {days.map(one => (
                <th
                  key={one}
                  scope="col"
                  className={[style.head, holidays.has(one) ? style.holiday : '', one === today ? style.today : ''].join(' ')}
                  title={holidays.get(one)}
                >
                  {dayWord(one).replace(/\s*\d{4}$/, '')}
                  {holidays.has(one) ? <div className={style.dim}>{holidays.get(one)}</div> : null}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              <tr key={row.key}>
                <th scope="row" className={style.rowHead}>
                  <RowHead row={row} board={board} shown={shown} by={by} />
                </th>
                {days.map((one, column) => {
                  const entries = entriesOfCell(shown, row, by, one)
                  const target = drawn?.row === at && column >= drawn.from && column <= drawn.to
                  return (
                    <td
                      key={one}
                      tabIndex={cursor.row === at && cursor.column === column ? 0 : -1}
                      data-cell={`${at}:${column}`}
                      className={[style.cell, holidays.has(one) ? style.holidayCell : '', target ? style.target : ''].join(' ')}
                      onFocus={() => setCursor({ row: at, column })}
                      onPointerDown={draw(at, column)}
                      onDoubleClick={event => event.target === event.currentTarget && add(row, one)}
                    >
                      <span className={style.hidden}>{`${row.name}, ${dayWord(one)} `}</span>
                      {entries.map(entry => (
                        <ShiftChip
                          key={entry.id}
                          entry={entry}
                          warnings={warningsOf(entry)}
                          lifted={held?.entry.id === entry.id}
                          name={by === 'stations' && entry.user_id !== null ? names.get(entry.user_id) : undefined}
                          open={() => open(entry)}
                          down={down(board.entries.find(known => known.id === entry.id) ?? entry)}
                        />
                      ))}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
          <Forecasts board={board} days={days} shown={shown} />
        </table>
      </div>
      {held?.at && heldTimes ? (
        <div className={style.beside} style={{ left: held.at.x + 16, top: held.at.y + 16 }}>
          <strong>
            {heldTimes.start_local}–{heldTimes.end_local}
          </strong>{' '}
          {heldTimes.user_id === null ? t('Open shift') : names.get(heldTimes.user_id)} · {dayWord(heldTimes.work_date)}
          {held.copy ? ` · ${t('Copy')}` : ''}
          {heldWarnings.map(warning => (
            <div key={warning.rule} className={warning.refused ? style.stop : style.soon}>
              {warningSentence(t, warning)}
            </div>
          ))}
        </div>
      ) : null}
      <div aria-live="polite" className={style.hidden}>
        {said}
      </div>
    </>
  )
}

export function RowHead({
  row,
  board,
  shown,
  by,
}: {
  row: BoardRow
  board: Board
  shown: readonly ScheduleEntry[]
  by: 'people' | 'stations'
}) {
  const t = useT()
  const person = by === 'people' ? board.people.find(one => one.user_id === row.user_id) : undefined
  const own = shown.filter(entry =>
    row.key === openRow ? entry.user_id === null : by === 'people' ? entry.user_id === row.user_id : entry.station === row.station,
  )
  const seconds = rowSeconds(own)
  const most = person?.weekly_s ?? null
  return (
    <div className={style.name}>
      <b title={row.name}>{row.name}</b>
      <span className={`num ${most !== null && seconds > most ? style.soon : style.dim}`}>
        {most === null ? hours(seconds) : t('{{hours}} of {{contract}}', { hours: hours(seconds), contract: hours(most) })}
        {person && person.minor_days.length > 0 ? ` · ${t('under 18')}` : ''}
      </span>
    </div>
  )
}

function Forecasts({ board, days, shown }: { board: Board; days: readonly string[]; shown: readonly ScheduleEntry[] }) {
  const t = useT()
  if (board.forecast.every(one => one.orders === null)) return null
  return (
    <tfoot>
      <tr>
        <th scope="row" className={`${style.rowHead} ${style.foot}`} title={t('Mean of the last eight such weekdays')}>
          {t('Forecast')}
          <div className={style.dim}>{t('Orders and people')}</div>
        </th>
        {days.map(one => {
          const forecast = board.forecast.find(each => each.day === one)
          const orders = forecast?.orders ?? null
          const need = forecast?.people ?? null
          const have = new Set(shown.flatMap(e => (e.kind === 'shift' && e.work_date === one && e.user_id !== null ? [e.user_id] : [])))
            .size
          return (
            <td key={one} className={`${style.foot} num ${need !== null && have < need ? style.short : ''}`}>
              {orders === null ? '–' : t('{{count}} orders', { count: orders })}
              {need === null ? null : <div>{t('{{have}} of {{need}} people', { have, need })}</div>}
            </td>
          )
        })}
      </tr>
    </tfoot>
  )
}
