/** One entry in a cell of the board. */
import { IconAlertTriangle } from '@tabler/icons-react'
import type { PointerEvent } from 'react'
import { useT } from '#ui/kit/translate.ts'
import type { ScheduleEntry, ScheduleWarning } from './schedule.schemas.ts'
import { leaveWords, partWords, warningSentence } from './schedule-words.client.ts'
import style from './WeekBoard.module.css'

/** What of a shift the pointer takes. */
export type ShiftPart = 'body' | 'start' | 'end'

interface ShiftChipProps {
  entry: ScheduleEntry
  warnings: readonly ScheduleWarning[]
  lifted: boolean
  /** The keys work on this one of several shifts in its cell. */
  chosen?: boolean
  /** A name, where the row is not that of a person. */
  name?: string | undefined
  open: () => void
  down?: ((event: PointerEvent, part: ShiftPart) => void) | undefined
  place?: { left: string; width: string } | undefined
}

export function ShiftChip({ entry, warnings, lifted, chosen = false, name, open, down, place }: ShiftChipProps) {
  const t = useT()
  const sentences = warnings.map(warning => warningSentence(t, warning))
  if (entry.kind !== 'shift') {
    const word = entry.kind === 'leave' ? t('Away') : entry.state === 'available' ? t('Can work') : t('Cannot work')
    const part =
      entry.part === 'rest'
        ? ` · ${entry.start_local}–${entry.end_local}`
        : entry.part && entry.part !== 'full'
          ? ` · ${t(partWords[entry.part])}`
          : ''
    const asked = entry.state === 'requested' ? ` · ${t('Requested')}` : ''
    const why = entry.reason_id === null ? '' : t(leaveWords[entry.reason_id] ?? '')
    return (
      <div className={`${style.chip} ${style.away}`} title={[why, entry.note].filter(Boolean).join(' · ')}>
        {word}
        {part}
        {asked}
      </div>
    )
  }
  const worst = warnings.some(warning => warning.refused) ? 'refused' : warnings.length > 0 ? 'warned' : null
  const times = `${entry.start_local}–${entry.end_local}`
  const where = [name, entry.station ?? entry.skill].filter(Boolean).join(' · ')
  const label = [times, name, entry.station, entry.skill, entry.unpublished ? t('not published') : '', ...sentences]
    .filter(Boolean)
    .join(', ')
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the cell around it takes the keys
    <div
      className={[
        style.chip,
        entry.unpublished ? style.draft : '',
        worst ? style[worst] : '',
        lifted ? style.lifted : '',
        chosen ? style.chosen : '',
        place ? style.bar : '',
      ].join(' ')}
      style={place}
      data-chip={entry.id}
      title={label}
      onPointerDown={down && (event => down(event, 'body'))}
      onDoubleClick={open}
    >
      {down ? <span className={`${style.edge} ${style.start}`} onPointerDown={event => down(event, 'start')} /> : null}
      <span className="num">{times}</span>
      {where ? <span className={style.where}>{where}</span> : null}
      {worst ? (
        <span className={`${style.mark} ${worst === 'refused' ? style.stop : style.soon}`}>
          <IconAlertTriangle size={16} aria-label={sentences.join('. ')} />
        </span>
      ) : null}
      {down ? <span className={`${style.edge} ${style.end}`} onPointerDown={event => down(event, 'end')} /> : null}
    </div>
  )
}
