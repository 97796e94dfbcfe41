/** Beside a request for leave: six weeks of the person, the shifts that become open, and the account. */
import { Stack, Text } from '@mantine/core'
import { addDays, mondayOf } from '#domain/local-time.ts'
import { day as dayWord, weekday } from '#ui/kit/format.ts'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall } from '#ui/query/calls.ts'
import { days as daysOf } from './hours.client.ts'
import { schedule } from './schedule.contract.ts'
import type { ScheduleEntry, WaitingLeave } from './schedule.schemas.ts'
import { dayPart, dayPartWords, daysWord } from './schedule-words.client.ts'
import style from './WeekBoard.module.css'

const weeks = 6

export function LeavePreview({ leave: { entry, name, shifts } }: { leave: WaitingLeave }) {
  const t = useT()
  const user_id = entry.user_id ?? 0
  const start = addDays(mondayOf(entry.work_date), -14)
  const plan = useCall(schedule.list, { user_id, start, end: addDays(start, weeks * 7 - 1) }, { live: ['schedule'] })
  const account = useCall(schedule.account, { user_id }, { live: ['schedule'] })
  return (
    <section className={style.preview} aria-label={t('Six weeks of {{name}}', { name })}>
      <Text fw={600}>{name}</Text>
      <QueryState of={plan} shape="rows">
        {({ entries, public_holidays }) => (
          <Strip start={start} asked={entry} entries={entries} holidays={new Map(public_holidays.map(one => [one.day, one.name]))} />
        )}
      </QueryState>
      {shifts.length > 0 && entry.state === 'requested' ? (
        <Stack gap={0}>
          <Text size="sm" fw={500}>
            {t('{{count}} shifts become open', { count: shifts.length })}
          </Text>
          {shifts.map(shift => (
            <Text key={shift.id} size="sm" className="num">
              {dayWord(shift.work_date)} · {shift.start_local}–{shift.end_local}
              {shift.station ? ` · ${shift.station}` : ''}
            </Text>
          ))}
        </Stack>
      ) : null}
      {account.data && account.data.employed_from !== null ? (
        <Stack gap={0}>
          <Text size="sm" fw={500}>
            {t('Holiday account')}
          </Text>
          {account.data.years.map(year => (
            <Text key={year.year_start} size="sm">
              {t('{{count}} days until {{day}}', { count: year.left_milli / 1_000, day: daysWord(year.taken_until, null) })} ·{' '}
              {t('{{earned}} earned, {{booked}} taken and adjusted', {
                earned: daysOf(year.earned_milli),
                booked: daysOf(year.booked_milli),
              })}
            </Text>
          ))}
        </Stack>
      ) : null}
    </section>
  )
}

interface StripProps {
  start: string
  asked: ScheduleEntry
  entries: readonly ScheduleEntry[]
  holidays: ReadonlyMap<string, string>
}

const covers = ({ work_date, date_to }: ScheduleEntry, day: string): boolean => work_date <= day && day <= (date_to ?? work_date)

function Strip({ start, asked, entries, holidays }: StripProps) {
  const t = useT()
  return (
    <table className={style.strip}>
      <thead>
        <tr>
          {[1, 2, 3, 4, 5, 6, 0].map(one => (
            <th key={one} scope="col">
              {weekday(one)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {Array.from({ length: weeks }, (_, week) => Array.from({ length: 7 }, (_, day) => addDays(start, week * 7 + day))).map(row => (
          <tr key={row[0]}>
            {row.map(day => {
              const work = entries.filter(one => one.kind === 'shift' && one.work_date === day)
              const away = entries.some(one => one.kind === 'leave' && one.id !== asked.id && covers(one, day))
              const words = [
                dayWord(day),
                holidays.get(day) ?? '',
                covers(asked, day) ? t('Requested') : away ? t('Away') : '',
                ...work.map(one => `${one.start_local}–${one.end_local}`),
              ]
              return (
                <td
                  key={day}
                  title={words.filter(Boolean).join(' · ')}
                  data-asked={covers(asked, day) || undefined}
                  data-away={away || undefined}
                  data-holiday={holidays.has(day) || undefined}
                >
                  <span className="num">{Number(day.slice(8))}</span>
                  <b>{work.map(one => t(dayPartWords[dayPart(one.start_local ?? '')]).slice(0, 1)).join('')}</b>
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
