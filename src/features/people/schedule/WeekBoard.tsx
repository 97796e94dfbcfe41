/** The board of a week: rows of people or stations, a cell for each day. Everything that the mouse does the keys do too. */
import { Fragment, memo, type PointerEvent, type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { keysOf } from '#domain/objects.ts'
import { day as dayWord } from '#ui/kit/format.ts'
import { RowSpace } from '#ui/kit/table/RowSpace.tsx'
import { useT } from '#ui/kit/translate.ts'
import { BesidePointer } from './BesidePointer.tsx'
import { type BoardRow, type EntriesByRow, entriesOfCell, placed, rowSeconds, stretched } from './board.rules.ts'
import { followPointer } from './board-pointer.client.ts'
import { type BoardProps, type BoardShifts, type Held, quarter, useBoardShifts } from './board-shifts.client.ts'
import { hours } from './hours.client.ts'
import { type RowsInSight, useRowsInSight } from './rows-in-sight.client.ts'
import { ShiftChip, type ShiftPart } from './ShiftChip.tsx'
import type { BoardPerson, NewShift, ScheduleEntry, ScheduleWarning } from './schedule.schemas.ts'
import style from './WeekBoard.module.css'

type Board = BoardProps['board']

interface WeekBoardProps extends BoardProps {
  days: readonly string[]
  today: string
}

/** Pixels of the pointer that stretch a shift by a quarter of an hour. */
const stretchStep = 6

export function WeekBoard({ days, today, ...props }: WeekBoardProps) {
  const t = useT()
  const { board, rows, by, actions, usual, open, add } = props
  const shifts = useBoardShifts(props, days, 'days')
  const { grid, held, setHeld, drop, shown, names, cursor, cellUnder } = shifts
  const inSight = useRowsInSight(grid, rows.length, [cursor.row])
  const people = useMemo(() => new Map(board.people.map(person => [person.user_id, person])), [board.people])
  const [drawn, setDrawn] = useState<{ row: number; from: number; to: number } | null>(null)
  const holidays = useMemo(() => new Map(board.public_holidays.map(one => [one.day, one.name])), [board.public_holidays])

  const down = (entry: ScheduleEntry) => (event: PointerEvent, part: ShiftPart) => {
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
        change: change ?? now?.change ?? {},
        copy: part === 'body' && moved.altKey,
        at: { x: moved.clientX, y: moved.clientY },
      }
      setHeld(now)
    }
    followPointer(move, cancelled => {
      if (now && !cancelled) return drop(now)
      setHeld(null)
      if (!cancelled) shifts.focusShift(element, entry)
    })
  }
  const placeUnder = (point: { clientX: number; clientY: number }): Partial<NewShift> | null => {
    const cell = cellUnder(point)
    return cell && placed(cell.row, by, cell.day)
  }
  const draw = (row: number, column: number) => (event: PointerEvent) => {
    if (event.button !== 0 || event.pointerType === 'touch') return
    let to = column
    const move = (moved: globalThis.PointerEvent) => {
      const at = cellUnder(moved)?.at
      if (at?.row !== row) return
      to = at.column
      setDrawn({ row, from: Math.min(column, to), to: Math.max(column, to) })
    }
    followPointer(move, cancelled => {
      setDrawn(null)
      if (to === column || cancelled) return
      const place = rows[row]
      const chosen = days.slice(Math.min(column, to), Math.max(column, to) + 1)
      if (place) actions.create(chosen.map(day => newShift(place, day)))
    })
  }
  const acts = useRef<RowActs>(null)
  useLayoutEffect(() => {
    acts.current = {
      down: entry => down(board.entries.find(known => known.id === entry.id) ?? entry),
      draw,
      open,
      add,
      cursorTo: shifts.cursorTo,
    }
  })
  const newShift = (row: BoardRow, day: string): NewShift => ({ user_id: null, ...usual, ...placed(row, by, day), work_date: day })

  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the cells take the focus, and their keys arrive here */}
      <div ref={grid} className={style.board} onKeyDown={shifts.keys}>
        {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid is a table whose cells take the focus */}
        <table className={style.grid} role="grid" aria-label={t('Schedule')} aria-busy={actions.busy} aria-rowcount={rows.length + 1}>
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
            {inSight.rows.map(({ at, before }) => {
              const row = rows[at]
              if (!row) return null
              return (
                <Fragment key={row.key}>
                  <RowSpace height={before} span={days.length + 1} />
                  <WeekRow
                    {...{ row, at, days, holidays, acts }}
                    measure={inSight.measure}
                    person={by === 'people' && row.user_id !== null ? people.get(row.user_id) : undefined}
                    entries={shifts.entriesOf(row)}
                    warnings={shifts.warnings}
                    names={by === 'stations' ? names : null}
                    focus={cursor.row === at ? cursor.column : null}
                    chosen={cursor.row === at ? shifts.chosen : null}
                    lifted={held?.entry.id ?? null}
                    drawn={drawn?.row === at ? drawn : null}
                  />
                </Fragment>
              )
            })}
            <RowSpace height={inSight.after} span={days.length + 1} />
          </tbody>
          <Forecasts board={board} days={days} shown={shown} />
        </table>
      </div>
      <BesidePointer shifts={shifts} zone={board.time_zone} />
      <div aria-live="polite" className={style.hidden}>
        {shifts.said}
      </div>
    </>
  )
}

interface RowActs {
  down: (entry: ScheduleEntry) => (event: PointerEvent, part: ShiftPart) => void
  draw: (row: number, column: number) => (event: PointerEvent) => void
  open: (entry: ScheduleEntry) => void
  add: (row: BoardRow, day: string) => void
  cursorTo: (at: { row: number; column: number }) => void
}

interface WeekRowProps {
  row: BoardRow
  at: number
  measure: RowsInSight['measure']
  days: readonly string[]
  holidays: ReadonlyMap<string, string>
  person: BoardPerson | undefined
  entries: readonly ScheduleEntry[]
  warnings: BoardShifts['warnings']
  /** Names of people, where the row is not that of one. */
  names: ReadonlyMap<number, string> | null
  /** The column with the focus of the board. */
  focus: number | null
  /** The one of several shifts in the cell of the focus that the keys work on. */
  chosen: number | null
  lifted: number | null
  drawn: { from: number; to: number } | null
  acts: RefObject<RowActs | null>
}

const noWarnings: readonly ScheduleWarning[] = []

/** Two hundred people have 1,400 cells: a row is drawn again only when something in it changes. */
const WeekRow = memo(
  function WeekRow({
    row,
    at,
    measure,
    days,
    holidays,
    person,
    entries,
    warnings,
    names,
    focus,
    chosen,
    lifted,
    drawn,
    acts,
  }: WeekRowProps) {
    return (
      <tr ref={measure} data-index={at} aria-rowindex={at + 2}>
        <th scope="row" className={style.rowHead}>
          <RowHead row={row} person={person} entries={entries} />
        </th>
        {days.map((day, column) => {
          const target = drawn !== null && column >= drawn.from && column <= drawn.to
          return (
            <td
              key={day}
              tabIndex={focus === column ? 0 : -1}
              data-cell={`${at}:${column}`}
              className={[style.cell, holidays.has(day) ? style.holidayCell : '', target ? style.target : ''].join(' ')}
              onFocus={() => acts.current?.cursorTo({ row: at, column })}
              onPointerDown={event => acts.current?.draw(at, column)(event)}
              onDoubleClick={event => event.target === event.currentTarget && acts.current?.add(row, day)}
            >
              <span className={style.hidden}>{`${row.name}, ${dayWord(day)} `}</span>
              {entriesOfCell(entries, day).map(entry => (
                <ShiftChip
                  key={entry.id}
                  entry={entry}
                  warnings={warnings.get(entry.id) ?? noWarnings}
                  lifted={lifted === entry.id}
                  chosen={focus === column && chosen === entry.id}
                  name={entry.user_id === null ? undefined : names?.get(entry.user_id)}
                  open={() => acts.current?.open(entry)}
                  down={(event, part) => acts.current?.down(entry)(event, part)}
                />
              ))}
            </td>
          )
        })}
      </tr>
    )
  },
  (one, other) =>
    keysOf(other).every(name => name === 'warnings' || name === 'lifted' || Object.is(one[name], other[name])) &&
    other.entries.every(({ id }) => one.warnings.get(id) === other.warnings.get(id) && (one.lifted === id) === (other.lifted === id)),
)

export function RowHead({
  row,
  person,
  entries,
}: {
  row: BoardRow
  /** Whose hours are compared with those that were agreed for a week. */
  person: BoardPerson | undefined
  entries: readonly ScheduleEntry[]
}) {
  const t = useT()
  const seconds = rowSeconds(entries)
  const most = person?.weekly_s ?? null
  return (
    <div className={style.name}>
      <b title={row.name}>{row.name}</b>
      <span className={`num ${most !== null && seconds > most ? style.soon : style.dim}`}>
        {most === null ? hours(seconds) : t('{{hours}} of {{contract}}', { hours: hours(seconds), contract: hours(most) })}
      </span>
      {person && person.minor_days.length > 0 ? <span className={style.dim}>{t('under 18')}</span> : null}
    </div>
  )
}

function Forecasts({ board, days, shown }: { board: Board; days: readonly string[]; shown: EntriesByRow }) {
  const t = useT()
  if (board.forecast.every(one => one.orders === null)) return null
  const planned = new Map<string, Set<number>>(days.map(one => [one, new Set()]))
  for (const entries of shown.values())
    for (const { kind, work_date, user_id } of entries) if (kind === 'shift' && user_id !== null) planned.get(work_date)?.add(user_id)
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
          const have = planned.get(one)?.size ?? 0
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
