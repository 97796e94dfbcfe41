/** One day of the schedule on an axis of its hours. Everything that the mouse does the keys do too. */
import { Fragment, type PointerEvent, useMemo, useState } from 'react'
import { addDays, clockAt, instantAt } from '#domain/local-time.ts'
import { day as dayWord, time } from '#ui/kit/format.ts'
import { RowSpace } from '#ui/kit/table/RowSpace.tsx'
import { useT } from '#ui/kit/translate.ts'
import { BesidePointer } from './BesidePointer.tsx'
import { entriesOfCell, movedBy, placed, stretched } from './board.rules.ts'
import { followPointer } from './board-pointer.client.ts'
import { type BoardProps, type Held, quarter, useBoardShifts } from './board-shifts.client.ts'
import { useRowsInSight } from './rows-in-sight.client.ts'
import { ShiftChip, type ShiftPart } from './ShiftChip.tsx'
import type { ScheduleEntry, ScheduleWarning } from './schedule.schemas.ts'
import style from './WeekBoard.module.css'
import { RowHead } from './WeekBoard.tsx'

const noWarnings: readonly ScheduleWarning[] = []
const quarter_ms = quarter * 60_000

/** The axis of a day with 23, 24 or 25 hours; the hour that comes twice is named twice. */
export function DayBoard({ day, ...props }: BoardProps & { day: string }) {
  const t = useT()
  const { board, rows, by, actions, usual, open, add } = props
  const zone = board.time_zone
  const days = useMemo(() => [day], [day])
  const shifts = useBoardShifts(props, days, 'hours')
  const { grid, held, setHeld, drop, entriesOf, warnings, names, cursor, cellUnder } = shifts
  const inSight = useRowsInSight(grid, rows.length, [cursor.row])
  const [drawn, setDrawn] = useState<{ row: number; from: number; to: number } | null>(null)
  const [start, end] = useMemo(() => [instantAt(day, '00:00', zone), instantAt(addDays(day, 1), '00:00', zone)] as const, [day, zone])
  const axis = Array.from({ length: Math.round((end - start) / 3_600_000) }, (_, hour) => start + hour * 3_600_000)
  const span = (from: number, to: number) => ({
    left: `${((from - start) / (end - start)) * 100}%`,
    width: `${(Math.max(0, to - from) / (end - start)) * 100}%`,
  })
  const place = ({ start_at, end_at }: ScheduleEntry) =>
    span(Math.max(start, Date.parse(start_at ?? '')), Math.min(end, Date.parse(end_at ?? '')))

  const down = (entry: ScheduleEntry) => (event: PointerEvent, part: ShiftPart) => {
    if (event.button !== 0 || actions.busy) return
    event.stopPropagation()
    event.preventDefault()
    const element = event.currentTarget
    const width = element.closest(`.${style.day}`)?.clientWidth ?? 1
    const x = event.clientX
    let now: Held | null = null
    const move = (moved: globalThis.PointerEvent) => {
      const minutes = Math.round((((moved.clientX - x) / width) * (end - start)) / quarter_ms) * quarter
      const times = { start_local: entry.start_local ?? '', end_local: entry.end_local ?? '' }
      const cell = cellUnder(moved)
      const change =
        part === 'body' ? { ...movedBy(times, minutes), ...(cell && placed(cell.row, by, day)) } : stretched(times, part, minutes)
      if (!now && minutes === 0 && (!cell || cell.row === rowOf(element))) return
      now = { entry, change, copy: part === 'body' && moved.altKey, at: { x: moved.clientX, y: moved.clientY } }
      setHeld(now)
    }
    followPointer(move, cancelled => {
      if (now && !cancelled) return drop(now)
      setHeld(null)
      if (!cancelled) shifts.focusShift(element, entry)
    })
  }
  const rowOf = (element: Element) => rows[Number(element.closest<HTMLElement>('[data-cell]')?.dataset.cell?.split(':')[0])]
  const draw = (row: number) => (event: PointerEvent) => {
    if (event.button !== 0 || event.pointerType === 'touch') return
    const line = event.currentTarget.getBoundingClientRect()
    const under = (clientX: number, toQuarter: (quarters: number) => number) =>
      start + toQuarter(((clientX - line.left) / line.width) * ((end - start) / quarter_ms)) * quarter_ms
    const from = under(event.clientX, Math.floor)
    let to = from
    const move = (moved: globalThis.PointerEvent) => {
      to = Math.min(end, under(moved.clientX, Math.ceil))
      setDrawn(to > from ? { row, from, to } : null)
    }
    followPointer(move, cancelled => {
      setDrawn(null)
      const place = rows[row]
      if (cancelled || to <= from || !place) return
      const times = { start_local: clockAt(from, zone), end_local: clockAt(to, zone) }
      actions.create([{ user_id: null, ...usual, ...times, ...placed(place, by, day), work_date: day }])
    })
  }

  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the lines take the focus, and their keys arrive here */}
      <div ref={grid} className={style.board} onKeyDown={shifts.keys}>
        {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid is a table whose cells take the focus */}
        <table className={style.grid} role="grid" aria-label={t('Schedule')} aria-busy={actions.busy} aria-rowcount={rows.length + 1}>
          <thead>
            <tr>
              <th scope="col" className={`${style.head} ${style.corner}`}>
                {by === 'people' ? t('Person') : t('Station')}
              </th>
              <th scope="col" className={`${style.head} ${style.hours}`} aria-label={dayWord(day)}>
                <div className={style.axis}>
                  {axis.map(at => (
                    <span key={at}>{time(at).slice(0, 2)}</span>
                  ))}
                </div>
              </th>
            </tr>
          </thead>
          <tbody>
            {inSight.rows.map(({ at, before }) => {
              const row = rows[at]
              if (!row) return null
              return (
                <Fragment key={row.key}>
                  <RowSpace height={before} span={2} />
                  <tr ref={inSight.measure} data-index={at} aria-rowindex={at + 2}>
                    <th scope="row" className={style.rowHead}>
                      <RowHead row={row} person={undefined} entries={entriesOf(row)} />
                    </th>
                    <td
                      className={style.day}
                      data-cell={`${at}:0`}
                      tabIndex={cursor.row === at ? 0 : -1}
                      style={{ backgroundSize: `${100 / axis.length}% 100%` }}
                      onFocus={() => shifts.cursorTo({ row: at, column: 0 })}
                      onPointerDown={draw(at)}
                      onDoubleClick={event => event.target === event.currentTarget && add(row, day)}
                    >
                      <span className={style.hidden}>{`${row.name}, ${dayWord(day)} `}</span>
                      {drawn?.row === at ? <span className={style.drawn} style={span(drawn.from, drawn.to)} /> : null}
                      {entriesOfCell(entriesOf(row), day).map(entry => (
                        <ShiftChip
                          key={entry.id}
                          entry={entry}
                          warnings={warnings.get(entry.id) ?? noWarnings}
                          lifted={held?.entry.id === entry.id}
                          chosen={cursor.row === at && shifts.chosen === entry.id}
                          name={by === 'stations' && entry.user_id !== null ? names.get(entry.user_id) : undefined}
                          open={() => open(entry)}
                          down={down(board.entries.find(known => known.id === entry.id) ?? entry)}
                          place={entry.kind === 'shift' ? place(entry) : undefined}
                        />
                      ))}
                    </td>
                  </tr>
                </Fragment>
              )
            })}
            <RowSpace height={inSight.after} span={2} />
          </tbody>
        </table>
      </div>
      <BesidePointer shifts={shifts} zone={zone} />
      <div aria-live="polite" className={style.hidden}>
        {shifts.said}
      </div>
    </>
  )
}
