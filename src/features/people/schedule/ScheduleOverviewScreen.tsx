/** A month at a glance: who works when. A click opens the day. */
import { ActionIcon, Anchor, Button, Group, Table } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconDownload } from '@tabler/icons-react'
import { addDays, daysBetween } from '#domain/local-time.ts'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { compare, day as dayWord, today } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { tableFile } from '#ui/kit/table-file.ts'
import { localeTag, useT } from '#ui/kit/translate.ts'
import { urlText } from '#ui/kit/url-fields.ts'
import { useNavigate, useUrlState } from '#ui/kit/url-state.ts'
import { saveFile, useCall } from '#ui/query/calls.ts'
import { useIsAllowed, useSignedIn } from '#ui/query/session.ts'
import { rowSeconds } from './board.rules.ts'
import { hours } from './hours.client.ts'
import { schedule } from './schedule.contract.ts'
import type { ScheduleEntry } from './schedule.schemas.ts'
import { dayPart, dayPartWords } from './schedule-words.client.ts'
import style from './WeekBoard.module.css'

const View = { month: urlText() }

/** What a person does on a day: shifts in their order, or leave. */
const dayOf = (entries: readonly ScheduleEntry[], day: string) => ({
  shifts: entries
    .filter(entry => entry.kind === 'shift' && entry.work_date === day)
    .sort((one, other) => compare(one.start_local ?? '', other.start_local ?? '')),
  away: entries.some(entry => entry.kind === 'leave' && entry.work_date <= day && (entry.date_to ?? entry.work_date) >= day),
})

const timesOf = (shifts: readonly ScheduleEntry[]): string => shifts.map(one => `${one.start_local}–${one.end_local}`).join(', ')

export function ScheduleOverviewScreen() {
  const t = useT()
  const go = useNavigate()
  const plans = useIsAllowed(['schedule_admin'])
  const { user } = useSignedIn()
  const [url, setUrl] = useUrlState(View)
  const month = /^\d{4}-(0[1-9]|1[0-2])$/.test(url.month) ? url.month : today().slice(0, 7)
  const from = `${month}-01`
  const to = addDays(`${addDays(`${month}-28`, 5).slice(0, 7)}-01`, -1)
  const days = daysBetween(from, to)
  const list = useCall(schedule.list, { user_id: plans ? 0 : user.user_id, start: from, end: to }, { live: ['schedule'], keep: true })
  const board = useCall(schedule.board, { start: from, end: to }, { live: ['schedule'], keep: true, enabled: plans })
  const title = new Intl.DateTimeFormat(localeTag(), { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${from}T00:00:00Z`),
  )
  const turn = (by: number) => setUrl({ month: addDays(by < 0 ? from : to, by).slice(0, 7) })
  const people = plans
    ? (board.data?.people ?? []).map(person => ({ user_id: person.user_id, name: person.name }))
    : [{ user_id: user.user_id, name: user.name }]
  const rows = people
    .map(person => ({ ...person, entries: (list.data?.entries ?? []).filter(entry => entry.user_id === person.user_id) }))
    .filter(row => !plans || row.entries.length > 0)
    .sort((one, other) => compare(one.name, other.name))
  const save = async () =>
    saveFile(
      await tableFile(
        `schedule-${month}`,
        [t('Person'), ...days, t('Hours')],
        rows.map(row => {
          const cells = days.map(day => {
            const { shifts, away } = dayOf(row.entries, day)
            return timesOf(shifts) || (away ? t('Away') : '')
          })
          return [row.name, ...cells, Math.round(rowSeconds(row.entries) / 36) / 100]
        }),
        'xlsx',
      ),
    )
  const working = new Map(days.map(day => [day, rows.filter(row => dayOf(row.entries, day).shifts.length > 0).length]))
  const holidays = new Map((list.data?.public_holidays ?? []).map(one => [one.day, one.name]))
  return (
    <Page
      title={t('Overview')}
      fill
      note={title}
      actions={
        <>
          <ActionIcon variant="default" size="lg" aria-label={t('Previous month')} onClick={() => turn(-1)}>
            <IconChevronLeft size={20} />
          </ActionIcon>
          <ActionIcon variant="default" size="lg" aria-label={t('Next month')} onClick={() => turn(1)}>
            <IconChevronRight size={20} />
          </ActionIcon>
          <Button variant="default" leftSection={<IconDownload size={16} />} onClick={() => void save()}>
            {t('Export')}
          </Button>
        </>
      }
    >
      <QueryState of={list} shape="rows">
        {() =>
          plans && !board.data ? (
            <QueryState of={board} shape="rows">
              {() => null}
            </QueryState>
          ) : plans && rows.length === 0 ? (
            <EmptyList
              title={t('No shifts this month')}
              action={<Button onClick={() => go('/schedule', { day: from })}>{t('Show the plan')}</Button>}
            />
          ) : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls has to be reached by keys
            <section style={{ overflow: 'auto', position: 'relative' }} tabIndex={0} aria-label={title}>
              <Table withTableBorder withColumnBorders stickyHeader>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t('Person')}</Table.Th>
                    {days.map(day => (
                      <Table.Th
                        key={day}
                        title={holidays.get(day)}
                        style={holidays.has(day) ? { background: 'var(--soon-soft)' } : undefined}
                      >
                        {plans ? (
                          <Anchor component={Link} to="/schedule" search={{ view: 'day', day }} aria-label={dayWord(day)} className="num">
                            {Number(day.slice(8))}
                          </Anchor>
                        ) : (
                          <span className="num">{Number(day.slice(8))}</span>
                        )}
                      </Table.Th>
                    ))}
                    <Table.Th>{t('Hours')}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {rows.map(row => (
                    <Table.Tr key={row.user_id}>
                      <Table.Td style={{ whiteSpace: 'nowrap' }}>{row.name}</Table.Td>
                      {days.map(day => {
                        const { shifts, away } = dayOf(row.entries, day)
                        return (
                          <Table.Td
                            key={day}
                            ta="center"
                            title={timesOf(shifts) || (away ? t('Away') : undefined)}
                            style={{ cursor: plans ? 'pointer' : undefined, ...(away && { background: 'var(--soon-soft)' }) }}
                            onClick={plans ? () => go('/schedule', { view: 'day', day }) : undefined}
                          >
                            {shifts.map(one => t(dayPartWords[dayPart(one.start_local ?? '')]).slice(0, 1)).join('')}
                            {away && shifts.length === 0 ? <span className={style.hidden}>{t('Away')}</span> : null}
                          </Table.Td>
                        )
                      })}
                      <Table.Td className="num">{hours(rowSeconds(row.entries))}</Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
                {plans ? (
                  <Table.Tfoot style={{ borderTop: '1px solid var(--edge-strong)' }}>
                    <Table.Tr>
                      <Table.Th scope="row">{t('People')}</Table.Th>
                      {days.map(day => (
                        <Table.Td key={day} ta="center" className="num">
                          {working.get(day) || ''}
                        </Table.Td>
                      ))}
                      <Table.Td className="num">{hours(rows.reduce((sum, row) => sum + rowSeconds(row.entries), 0))}</Table.Td>
                    </Table.Tr>
                  </Table.Tfoot>
                ) : null}
              </Table>
              <Group gap="lg" mt="sm" c="dimmed">
                <span>
                  {t('{{shifts}} · Tinted: away', {
                    shifts: Object.values(dayPartWords)
                      .map(word => t(word))
                      .join(' · '),
                  })}
                </span>
              </Group>
            </section>
          )
        }
      </QueryState>
    </Page>
  )
}
