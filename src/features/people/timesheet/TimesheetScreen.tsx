/** The timesheet: planned, clocked and approved hours side by side, approved day by day or all at once. */
import { ActionIcon, Button, Menu, Text } from '@mantine/core'
import { IconCalendarMonth, IconChevronLeft, IconChevronRight, IconDots, IconLock } from '@tabler/icons-react'
import { useMemo, useRef, useState } from 'react'
import { addDays, mondayOf } from '#domain/local-time.ts'
import { PunchBoardLinksDrawer } from '#features/people/punch-clock/PunchBoardLinks.tsx'
import { punchClock } from '#features/people/punch-clock/punch-clock.contract.ts'
import { hoursAndMinutes } from '#features/people/punch-clock/punch-words.client.ts'
import { ActionBar } from '#ui/kit/ActionBar.tsx'
import { confirm } from '#ui/kit/Confirm.tsx'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { dayRange } from '#ui/kit/day-range.ts'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { FilterBar, type View } from '#ui/kit/FilterBar.tsx'
import { day, today } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { staticList, useSelection } from '#ui/kit/list-state.ts'
import { Page } from '#ui/kit/Page.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { tableFile } from '#ui/kit/table-file.ts'
import { toastError, toastFailure, toastSuccess } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { urlChoice, urlText } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { saveFile, useCall, useSend } from '#ui/query/calls.ts'
import { DayDrawer } from './DayDrawer.tsx'
import { DayState, plannedText, spanText } from './day-words.tsx'
import { HoursRulesDrawer } from './HoursRulesDrawer.tsx'
import { leftOpen } from './left-open.client.ts'
import { timesheet } from './timesheet.contract.ts'
import type { Results, TimesheetRow } from './timesheet.schemas.ts'
import { UnknownTapsDrawer } from './UnknownTaps.tsx'

const viewNames = ['open', 'differs', 'missing', 'over', 'all'] as const
const Url = {
  view: urlChoice(viewNames, 'open'),
  span: urlChoice(['week', 'month'], 'week'),
  /** A day of the week or month; empty for that of today. */
  week: urlText(),
  query: urlText(),
  id: urlText(),
}

const keyOf = (row: TimesheetRow): string => `${row.user_id} ${row.work_date}`

const isMissing = (row: TimesheetRow): boolean =>
  row.flags.some(flag => ['no_punch', 'missing_out', 'unverified', 'correction'].includes(flag))
const isOpenDay = (row: TimesheetRow): boolean => row.punched !== null && (row.approved === null || row.approved.changed)
const shows: Record<(typeof viewNames)[number], (row: TimesheetRow) => boolean> = {
  open: isOpenDay,
  differs: row => row.flags.includes('differs') || row.flags.includes('no_shift'),
  missing: isMissing,
  over: row => row.over_week_s !== null || row.over_average_s !== null,
  all: () => true,
}

interface Period {
  start: string
  end: string
}

function weekAround(day: string): Period {
  const start = mondayOf(day)
  return { start, end: addDays(start, 6) }
}

function monthAround(day: string): Period {
  const start = `${day.slice(0, 7)}-01`
  return { start, end: addDays(`${addDays(start, 31).slice(0, 7)}-01`, -1) }
}

export function TimesheetScreen() {
  const t = useT()
  const [url, setUrl] = useUrlState(Url)
  const shown = /^\d{4}-\d\d-\d\d$/.test(url.week) && !Number.isNaN(Date.parse(url.week)) ? url.week : today()
  const monthly = url.span === 'month'
  const [rules, setRules] = useState(false)
  const [board, setBoard] = useState(false)
  const [taps, setTaps] = useState(false)
  const unknown = useCall(punchClock.check, {}, { live: ['punch'] }).data?.rejects ?? 0
  const period = monthly ? monthAround(shown) : weekAround(shown)
  const answer = useCall(timesheet.list, period, { live: ['punch', 'timesheet'], keep: true })
  const all = useMemo(() => answer.data?.rows ?? [], [answer.data])
  const words = url.query.trim().toLowerCase()
  const rows = useMemo(() => all.filter(row => shows[url.view](row) && row.user_name.toLowerCase().includes(words)), [all, url.view, words])
  /** An approved row leaves the view: the next one then stands in its place. */
  const place = useRef(0)
  const openedAt = rows.findIndex(row => keyOf(row) === url.id)
  if (openedAt >= 0) place.current = openedAt
  const openNext = () => {
    const following = rows[openedAt >= 0 ? openedAt + 1 : place.current]
    setUrl({ id: following ? keyOf(following) : '' }, { replace: true })
  }
  const selection = useSelection({ ...period, view: url.view })
  const finish = (sentence: (count: number) => string) => ({
    refreshes: [timesheet.list, timesheet.day],
    done: ({ done, refused }: Results) => {
      if (done > 0) toastSuccess(sentence(done))
      const left = leftOpen(t, refused, done)
      if (left !== null) toastFailure(left)
      selection.clear()
    },
  })
  const approve = useSend(
    timesheet.approve,
    finish(count => t('Days approved: {{count}}', { count })),
  )
  const lock = useSend(timesheet.lock, {
    refreshes: [timesheet.list],
    said: ({ locked }) => t('Days locked: {{count}}', { count: locked }),
  })
  const easy = all.filter(row => isOpenDay(row) && row.auto && !row.own && row.approved?.state !== 'locked')
  const approveRows = (some: readonly TimesheetRow[]) =>
    approve.mutate({ body: { days: some.map(({ user_id, work_date }) => ({ user_id, work_date })) } })
  const chosen = () => rows.filter(row => selection.keys.has(keyOf(row)))
  const lockWeek = async () => {
    const sure = await confirm({
      title: monthly ? t('Lock this month?') : t('Lock this week?'),
      body: t('Locked days can be changed only by those who may see pay, with a reason.'),
      action: monthly ? t('Lock month') : t('Lock week'),
    })
    if (sure) lock.mutate({ body: { from: period.start, to: period.end } })
  }
  const save = async (format: 'csv' | 'xlsx') => {
    const header = [t('Name'), t('Day'), t('Planned'), t('Clocked'), t('Approved'), t('Hours')]
    const table = rows.map(row => [
      row.user_name,
      row.work_date,
      plannedText(t, row),
      spanText(row.punched),
      spanText(row.approved),
      (row.approved?.paid_s ?? row.proposed.paid_s) / 3_600,
    ])
    saveFile(await tableFile(`timesheet-${period.start}`, header, table, format))
  }
  const columns = useMemo<Column<TimesheetRow>[]>(
    () => [
      { key: 'name', title: t('Name'), flex: 2, cell: row => row.user_name },
      { key: 'day', title: t('Day'), cell: row => day(row.work_date) },
      { key: 'planned', title: t('Planned'), cell: row => plannedText(t, row) },
      { key: 'punched', title: t('Clocked'), cell: row => spanText(row.punched) },
      { key: 'proposed', title: t('Proposed'), cell: row => spanText(row.proposed) },
      { key: 'approved', title: t('Approved'), cell: row => spanText(row.approved) },
      { key: 'hours', title: t('Hours'), align: 'end', cell: row => hoursAndMinutes(row.approved?.paid_s ?? row.proposed.paid_s) },
      { key: 'state', title: t('Status'), flex: 2, cell: row => <DayState row={row} /> },
    ],
    [t],
  )
  const count = (view: (typeof viewNames)[number]) => all.filter(shows[view]).length
  const week: Record<string, string> = { ...(url.week && { week: url.week }), ...(monthly && { span: 'month' }) }
  const views: View[] = [
    { key: 'open', title: t('To approve'), search: { ...week }, count: count('open') },
    { key: 'differs', title: t('Differs'), search: { ...week, view: 'differs' }, count: count('differs') },
    { key: 'missing', title: t('Missing'), search: { ...week, view: 'missing' }, count: count('missing') },
    { key: 'over', title: t('Over 48 h'), search: { ...week, view: 'over' }, count: count('over') },
    { key: 'all', title: t('All'), search: { ...week, view: 'all' }, count: all.length },
  ]
  const list = {
    ...staticList(rows),
    isLoading: answer.isPending,
    isRefreshing: answer.isFetching && !answer.isPending,
    error: answer.error,
    refetch: () => void answer.refetch(),
  }
  return (
    <Page
      title={t('Timesheet')}
      fill
      note={dayRange(period.start, period.end)}
      actions={
        <>
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={monthly ? t('Previous month') : t('Previous week')}
            onClick={() => setUrl({ week: addDays(period.start, -1) })}
          >
            <IconChevronLeft size={20} />
          </ActionIcon>
          <Button variant="default" onClick={() => setUrl({ week: '' })}>
            {monthly ? t('This month') : t('This week')}
          </Button>
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={monthly ? t('Next month') : t('Next week')}
            onClick={() => setUrl({ week: addDays(period.end, 1) })}
          >
            <IconChevronRight size={20} />
          </ActionIcon>
          <Menu>
            <Menu.Target>
              <ActionIcon variant="default" size="lg" aria-label={t('More')}>
                <IconDots size={20} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<IconCalendarMonth size={16} />} onClick={() => setUrl({ span: monthly ? 'week' : 'month' })}>
                {monthly ? t('Show one week') : t('Show the month')}
              </Menu.Item>
              <Menu.Item leftSection={<IconLock size={16} />} onClick={() => void lockWeek()}>
                {monthly ? t('Lock month') : t('Lock week')}
              </Menu.Item>
              <Menu.Item onClick={() => setRules(true)}>{t('Rules for hours')}</Menu.Item>
              <Menu.Item onClick={() => setBoard(true)}>{t('Board of the punch clock')}</Menu.Item>
              <Menu.Item onClick={() => setTaps(true)}>{t('Unknown taps')}</Menu.Item>
            </Menu.Dropdown>
          </Menu>
          {unknown > 0 ? (
            <Button variant="default" onClick={() => setTaps(true)}>
              {t('Unknown taps ({{count}})', { count: unknown })}
            </Button>
          ) : null}
          {easy.length > 0 ? (
            <Button loading={approve.isPending} onClick={() => approveRows(easy)}>
              {t('Approve planned ({{count}})', { count: easy.length })}
            </Button>
          ) : null}
        </>
      }
    >
      <DataTable
        name="timesheet"
        label={t('Timesheet')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        open={row => setUrl({ id: keyOf(row) })}
        opened={url.id || null}
        selection={selection}
        exports={{ start: format => void save(format).catch(toastError) }}
        bulk={
          <ActionBar selection={selection} list={list}>
            <Button size="compact-md" loading={approve.isPending} onClick={() => approveRows(chosen())}>
              {t('Approve')}
            </Button>
          </ActionBar>
        }
        toolbar={
          <FilterBar
            name="timesheet"
            views={views}
            search={{ value: url.query, set: query => setUrl({ query }, { replace: true }), label: t('Name') }}
          />
        }
        filtered={all.length > 0 && (url.view !== 'open' || url.query !== '')}
        clearFilters={() => setUrl({ view: 'all', query: '' })}
        empty={
          all.length > 0 ? (
            <EmptyList
              title={t('Nothing to approve')}
              action={
                <Button variant="default" onClick={() => setUrl({ view: 'all' })}>
                  {t('Show all days')}
                </Button>
              }
            />
          ) : (
            <EmptyList
              title={monthly ? t('No hours in this month') : t('No hours in this week')}
              action={
                <Button component={Link} to="/schedule">
                  {t('Plan the week')}
                </Button>
              }
            >
              {t('Days appear once someone clocks in or is planned.')}
            </EmptyList>
          )
        }
        card={row => (
          <RowCard>
            <RowCardLine>
              <strong>{row.user_name}</strong>
              <span>{hoursAndMinutes(row.approved?.paid_s ?? row.proposed.paid_s)}</span>
            </RowCardLine>
            <RowCardLine>
              <Text size="sm">
                {day(row.work_date)} · {spanText(row.punched)}
              </Text>
              <DayState row={row} />
            </RowCardLine>
          </RowCard>
        )}
      />
      <DayDrawer
        id={url.id}
        close={() => setUrl({ id: '' })}
        approve={row => approveRows([row])}
        approving={approve.isPending}
        next={openNext}
      />
      <UnknownTapsDrawer opened={taps} close={() => setTaps(false)} />
      <PunchBoardLinksDrawer opened={board} close={() => setBoard(false)} />
      <HoursRulesDrawer opened={rules} close={() => setRules(false)} />
    </Page>
  )
}
