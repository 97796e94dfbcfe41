/** The board of a week: rows of people or stations, a cell for each day. Everything that the mouse does the keys do too. */
import { type PointerEvent, useMemo, useState } from 'react'
import { day as dayWord } from '#ui/kit/format.ts'
import { useT } from '#ui/kit/translate.ts'
import { BesidePointer } from './BesidePointer.tsx'
import { type BoardRow, entriesOfCell, openRow, placed, rowSeconds, stretched } from './board.rules.ts'
import { followPointer } from './board-pointer.client.ts'
import { type BoardProps, type Held, quarter, useBoardShifts } from './board-shifts.client.ts'
import { hours } from './hours.client.ts'
import { ShiftChip, type ShiftPart } from './ShiftChip.tsx'
import type { NewShift, ScheduleEntry } from './schedule.schemas.ts'
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
  const newShift = (row: BoardRow, day: string): NewShift => ({ user_id: null, ...usual, ...placed(row, by, day), work_date: day })

  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the cells take the focus, and their keys arrive here */}
      <div ref={grid} className={style.board} onKeyDown={shifts.keys}>
        {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid is a table whose cells take the focus */}
        <table className={style.grid} role="grid" aria-label={t('Schedule')} aria-busy={actions.busy}>
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
                  <RowHead row={row} board={board} shown={shown} by={by} week />
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
                      onFocus={() => shifts.cursorTo({ row: at, column })}
                      onPointerDown={draw(at, column)}
                      onDoubleClick={event => event.target === event.currentTarget && add(row, one)}
                    >
                      <span className={style.hidden}>{`${row.name}, ${dayWord(one)} `}</span>
                      {entries.map(entry => (
                        <ShiftChip
                          key={entry.id}
                          entry={entry}
                          warnings={shifts.warningsOf(entry)}
                          lifted={held?.entry.id === entry.id}
                          chosen={shifts.isChosen({ row: at, column }, entry)}
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
      <BesidePointer shifts={shifts} zone={board.time_zone} />
      <div aria-live="polite" className={style.hidden}>
        {shifts.said}
      </div>
    </>
  )
}

export function RowHead({
  row,
  board,
  shown,
  by,
  week,
}: {
  row: BoardRow
  board: Board
  shown: readonly ScheduleEntry[]
  by: 'people' | 'stations'
  /** Compares the hours with those that were agreed for a week. */
  week: boolean
}) {
  const t = useT()
  const person = by === 'people' ? board.people.find(one => one.user_id === row.user_id) : undefined
  const own = shown.filter(entry =>
    row.key === openRow ? entry.user_id === null : by === 'people' ? entry.user_id === row.user_id : entry.station === row.station,
  )
  const seconds = rowSeconds(own)
  const most = (week && person?.weekly_s) || null
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
