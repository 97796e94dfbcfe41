/** What a shift becomes where the pointer is, with the warnings of the law. */
import { day as dayWord } from '#ui/kit/format.ts'
import { useT } from '#ui/kit/translate.ts'
import { withChange } from './board.rules.ts'
import type { BoardShifts } from './board-shifts.client.ts'
import { warningSentence } from './schedule-words.client.ts'
import style from './WeekBoard.module.css'

export function BesidePointer({ shifts: { held, names, warnings }, zone }: { shifts: BoardShifts; zone: string }) {
  const t = useT()
  if (!held?.at) return null
  const { start_local, end_local, user_id, work_date } = withChange(held.entry, held.change, zone)
  return (
    <div className={style.beside} style={{ left: held.at.x + 16, top: held.at.y + 16 }}>
      <strong>
        {start_local}–{end_local}
      </strong>{' '}
      {user_id === null ? t('Open shift') : names.get(user_id)} · {dayWord(work_date)}
      {held.copy ? ` · ${t('Copy')}` : ''}
      {(warnings.get(held.entry.id) ?? []).map(warning => (
        <div key={warning.rule} className={warning.refused ? style.stop : style.soon}>
          {warningSentence(t, warning)}
        </div>
      ))}
    </div>
  )
}
