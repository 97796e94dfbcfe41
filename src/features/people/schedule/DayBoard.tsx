/** One day of the schedule on an axis of its hours. */
import { type PointerEvent, useMemo, useState } from 'react'
import { addDays, instantAt } from '#domain/local-time.ts'
import { time } from '#ui/kit/format.ts'
import { useT } from '#ui/kit/translate.ts'
import { clockLater, entriesOfCell, placed, stretched, warningsOnBoard, withChange } from './board.rules.ts'
import { ShiftChip } from './ShiftChip.tsx'
import type { ScheduleEntry } from './schedule.schemas.ts'
import style from './WeekBoard.module.css'
import { type Held, quarter, RowHead, type WeekBoardProps } from './WeekBoard.tsx'

type DayBoardProps = Omit<WeekBoardProps, 'days' | 'today' | 'usual' | 'copied' | 'setCopied'> & { day: string }

/** The axis of a day with 23, 24 or 25 hours; the hour that comes twice is named twice. */
export function DayBoard({ board, rows, by, day, actions, open, add }: DayBoardProps) {
  const t = useT()
  const zone = board.time_zone
  const [start, end] = useMemo(() => [instantAt(day, '00:00', zone), instantAt(addDays(day, 1), '00:00', zone)] as const, [day, zone])
  const [held, setHeld] = useState<Held | null>(null)
  const names = useMemo(() => new Map(board.people.map(person => [person.user_id, person.name])), [board.people])
  const shown = board.entries.map(entry => {
    const change = held?.entry.id === entry.id ? held.change : actions.pending?.id === entry.id ? actions.pending.change : undefined
    return change && entry.kind === 'shift' ? withChange(entry, change, zone) : entry
  })
  const warnings = board.people.flatMap(person => warningsOnBoard(person, shown, { from: day, to: day, zone }))
  const axis = Array.from({ length: Math.round((end - start) / 3_600_000) }, (_, hour) => start + hour * 3_600_000)
  const place = (entry: ScheduleEntry) => {
    const from = Math.max(start, Date.parse(entry.start_at ?? ''))
    const to = Math.min(end, Date.parse(entry.end_at ?? ''))
    return { left: `${((from - start) / (end - start)) * 100}%`, width: `${(Math.max(0, to - from) / (end - start)) * 100}%` }
  }
  const down = (entry: ScheduleEntry) => (event: PointerEvent, part: Held['part']) => {
    if (event.button !== 0 || actions.busy) return
    event.stopPropagation()
    event.preventDefault()
    const width = event.currentTarget.closest(`.${style.day}`)?.clientWidth ?? 1
    const x = event.clientX
    let now: Held | null = null
    const move = (moved: globalThis.PointerEvent) => {
      const minutes = Math.round((((moved.clientX - x) / width) * (end - start)) / 60_000 / quarter) * quarter
      const times = { start_local: entry.start_local ?? '', end_local: entry.end_local ?? '' }
      const row =
        rows[Number(document.elementFromPoint(moved.clientX, moved.clientY)?.closest<HTMLElement>('[data-line]')?.dataset.line ?? -1)]
      const change =
        part === 'body'
          ? {
              start_local: clockLater(times.start_local, minutes),
              end_local: clockLater(times.end_local, minutes),
              ...(row ? placed(row, by, day) : {}),
            }
          : stretched(times, part, minutes)
      now = { entry, part, change, copy: false, at: { x: moved.clientX, y: moved.clientY } }
      setHeld(now)
    }
    const up = () => {
      window.removeEventListener('pointermove', move)
      window.removeEventListener('pointerup', up)
      setHeld(null)
      if (now) actions.move(entry, now.change)
    }
    window.addEventListener('pointermove', move)
    window.addEventListener('pointerup', up)
  }
  return (
    <div className={style.board}>
      <div className={style.dayGrid}>
        <div className={`${style.head} ${style.corner}`}>{by === 'people' ? t('Person') : t('Station')}</div>
        <div className={`${style.head} ${style.axis}`}>
          {axis.map(at => (
            <span key={at}>{time(at).slice(0, 2)}</span>
          ))}
        </div>
        {rows.map((row, at) => (
          <div key={row.key} style={{ display: 'contents' }}>
            <RowHead row={row} board={board} shown={shown} by={by} />
            {/* biome-ignore lint/a11y/noStaticElementInteractions: the week board offers the same by keyboard */}
            <div
              className={style.day}
              data-line={at}
              style={{ backgroundSize: `${100 / axis.length}% 100%` }}
              onDoubleClick={() => add(row, day)}
            >
              {entriesOfCell(shown, row, by, day).map(entry => (
                <ShiftChip
                  key={entry.id}
                  entry={entry}
                  warnings={warnings.filter(warning => warning.entry_id === entry.id)}
                  lifted={held?.entry.id === entry.id}
                  name={by === 'stations' && entry.user_id !== null ? names.get(entry.user_id) : undefined}
                  open={() => open(entry)}
                  down={down(board.entries.find(known => known.id === entry.id) ?? entry)}
                  place={entry.kind === 'shift' ? place(entry) : undefined}
                />
              ))}
            </div>
          </div>
        ))}
      </div>
    </div>
  )
}
