/** Work done: who worked how long, at what kind of time, and what came of it, by person or by day. */
import { Box, Button, Group, NativeSelect, SegmentedControl, Text, TextInput } from '@mantine/core'
import { useMemo } from 'react'
import { isOneOf } from '#domain/objects.ts'
import { type PeriodName, periodOf, periods } from '#domain/periods.ts'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { dayRange } from '#ui/kit/day-range.ts'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { FilterBar, type View } from '#ui/kit/FilterBar.tsx'
import { compare, day, number, today } from '#ui/kit/format.ts'
import { staticList } from '#ui/kit/list-state.ts'
import { Page } from '#ui/kit/Page.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { toastError } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { urlChoice, urlText } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { saveFile, send, useCall } from '#ui/query/calls.ts'
import { groupedWork, inView, type WorkRow } from './grouped-work.rules.ts'
import { type PunchType, type WorkView, workViews } from './punch.codes.ts'
import { punchClock } from './punch-clock.contract.ts'
import { hoursAndMinutes, typeWord } from './punch-words.client.ts'

const workKinds = ['work', 'meeting', 'cleaning', 'other'] as const
const groupings = ['person', 'day'] as const
const Url = {
  ...{ period: urlChoice(periods, 'this_week'), from: urlText(), to: urlText() },
  ...{ by: urlChoice(groupings, 'person'), view: urlChoice(workViews, 'all'), query: urlText(), sort: urlText('user_name') },
}

const keyOf = (row: WorkRow): string => `${row.user_id} ${row.work_date ?? ''}`
const piecesAnHour = ({ pieces, worked_s }: WorkRow): number | null => (worked_s === 0 || pieces === 0 ? null : (pieces * 3_600) / worked_s)
const figures: Record<string, (row: WorkRow) => number | null> = {
  days: row => row.days,
  ...{ work_s: row => row.work_s, meeting_s: row => row.meeting_s, cleaning_s: row => row.cleaning_s, other_s: row => row.other_s },
  ...{ break_s: row => row.break_s, worked_s: row => row.worked_s, orders: row => row.orders, lines: row => row.lines },
  ...{ pieces: row => row.pieces, rate: piecesAnHour },
}
const shownTime = (seconds: number): string => (seconds === 0 ? '–' : hoursAndMinutes(seconds))
const shownNumber = (count: number): string => (count === 0 ? '–' : number(count))

export function WorkDoneScreen() {
  const t = useT()
  const [url, setUrl] = useUrlState(Url)
  const { from, to } = url.period === 'own' ? { from: url.from || today(), to: url.to || today() } : periodOf(url.period, today())
  const answer = useCall(punchClock.workDone, { start: from, end: to }, { live: ['punch'], keep: true })
  const withToday = to >= today() && from <= today()
  const running = useCall(punchClock.today, {}, { live: ['punch'], enabled: withToday }).data
  const now = useMemo(() => new Map((running?.rows ?? []).map(row => [row.user_id, row.state])), [running])
  const all = useMemo(() => groupedWork(answer.data?.rows ?? [], url.by), [answer.data, url.by])
  const words = url.query.trim().toLowerCase()
  const rows = useMemo(() => {
    const key = url.sort.replace(/^-/, '')
    const order = url.sort.startsWith('-') ? -1 : 1
    const value = figures[key]
    return all
      .filter(row => inView[url.view](row) && row.user_name.toLowerCase().includes(words))
      .toSorted((a, b) => {
        if (value) return order * ((value(a) ?? -1) - (value(b) ?? -1)) || compare(a.user_name, b.user_name)
        const byDay = compare(a.work_date ?? '', b.work_date ?? '')
        const byName = compare(a.user_name, b.user_name)
        return order * (key === 'day' ? byDay || byName : byName || byDay)
      })
  }, [all, url.view, url.sort, words])
  const columns = useMemo<Column<WorkRow>[]>(() => {
    const time = (key: 'work_s' | 'meeting_s' | 'cleaning_s' | 'other_s' | 'break_s' | 'worked_s', title: string): Column<WorkRow> => ({
      ...{ key, title, align: 'end', sort: true },
      cell: row => shownTime(row[key]),
    })
    const count = (key: 'orders' | 'lines' | 'pieces', title: string): Column<WorkRow> => ({
      ...{ key, title, align: 'end', sort: true },
      cell: row => shownNumber(row[key]),
    })
    const kinds = workKinds.filter(type => all.some(row => row[`${type}_s`] > 0))
    return [
      { key: 'user_name', title: t('Name'), flex: 1, sort: true, cell: row => row.user_name },
      url.by === 'day'
        ? { key: 'day', title: t('Day'), sort: true, cell: row => day(row.work_date ?? '') }
        : { key: 'days', title: t('Days'), align: 'end', sort: true, cell: row => number(row.days) },
      // Kinds that no one clocked would be columns of dashes.
      ...(kinds.length > 1 ? kinds.map(type => time(`${type}_s`, typeWord(t, type))) : []),
      time('worked_s', kinds.length > 1 ? t('Total') : t('Hours')),
      ...(all.some(row => row.break_s > 0) ? [time('break_s', t('Break'))] : []),
      count('orders', t('Orders')),
      count('lines', t('Lines')),
      count('pieces', t('Pieces')),
      {
        ...{ key: 'rate', title: t('Pieces/h'), align: 'end', sort: true },
        cell: row => {
          const rate = piecesAnHour(row)
          return rate === null ? '–' : number(rate, 1)
        },
      },
      { key: 'state', title: t('Status'), flex: 1, cell: row => <WorkState row={row} now={now.get(row.user_id) ?? null} /> },
    ]
  }, [t, url.by, now, all])
  const save = async (format: 'csv' | 'xlsx') =>
    saveFile(await send(punchClock.exportWorkDone, { start: from, end: to, format, by: url.by, view: url.view, query: url.query }))
  const period: Record<PeriodName, string> = {
    ...{ today: t('Today'), yesterday: t('Yesterday'), this_week: t('This week'), last_week: t('Last week') },
    ...{ this_month: t('This month'), last_month: t('Last month'), own: t('From … to …') },
  }
  const kept: Record<string, string> = Object.fromEntries(
    Object.entries({ period: url.period, from: url.from, to: url.to, by: url.by }).filter(
      ([key, value]) => value !== '' && !(key === 'period' && value === 'this_week') && !(key === 'by' && value === 'person'),
    ),
  )
  const count = (view: WorkView) => all.filter(inView[view]).length
  const views: View[] = [
    { key: 'all', title: t('All'), search: { ...kept }, count: all.length },
    { key: 'unfinished', title: t('Time missing'), search: { ...kept, view: 'unfinished' }, count: count('unfinished') },
    { key: 'unclocked', title: t('Not clocked'), search: { ...kept, view: 'unclocked' }, count: count('unclocked') },
  ]
  const list = {
    ...staticList(rows),
    isLoading: answer.isPending,
    isRefreshing: answer.isFetching && !answer.isPending,
    error: answer.error,
    refetch: () => void answer.refetch(),
  }
  const total = rows.reduce((sum, row) => sum + row.worked_s, 0)
  const pieces = rows.reduce((sum, row) => sum + row.pieces, 0)
  return (
    <Page
      title={t('Work done')}
      fill
      note={`${dayRange(from, to)} · ${t('{{hours}} worked, {{pieces}} pieces', { hours: hoursAndMinutes(total), pieces: number(pieces) })}`}
    >
      <DataTable
        name="work-done"
        label={t('Work done')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        sort={url.sort}
        onSort={sort => setUrl({ sort })}
        exports={{ start: format => void save(format).catch(toastError) }}
        toolbar={
          <Group gap="sm">
            <NativeSelect
              aria-label={t('Period')}
              value={url.period}
              data={periods.map(value => ({ value, label: period[value] }))}
              onChange={event => {
                const chosen = event.currentTarget.value
                if (isOneOf(periods, chosen)) setUrl({ period: chosen, ...(chosen === 'own' && { from, to }) })
              }}
            />
            {url.period === 'own' ? (
              <>
                <TextInput
                  type="date"
                  aria-label={t('From')}
                  value={from}
                  max={to}
                  onChange={event => event.currentTarget.value && setUrl({ from: event.currentTarget.value })}
                />
                <TextInput
                  type="date"
                  aria-label={t('Until')}
                  value={to}
                  min={from}
                  onChange={event => event.currentTarget.value && setUrl({ to: event.currentTarget.value })}
                />
              </>
            ) : null}
            <SegmentedControl
              aria-label={t('Rows')}
              value={url.by}
              data={[
                { value: 'person', label: t('By person') },
                { value: 'day', label: t('By day') },
              ]}
              onChange={by => setUrl({ by: groupings.find(one => one === by) ?? 'person' })}
            />
            <Box flex="1 1 20rem" miw={0}>
              <FilterBar
                name="work-done"
                views={views}
                search={{ value: url.query, set: query => setUrl({ query }, { replace: true }), label: t('Name') }}
              />
            </Box>
          </Group>
        }
        filtered={all.length > 0 && (url.view !== 'all' || url.query !== '')}
        clearFilters={() => setUrl({ view: 'all', query: '' })}
        empty={
          <EmptyList
            title={t('No work in this period')}
            action={
              <Button
                variant="default"
                onClick={() => setUrl({ period: url.period === 'last_month' ? 'this_month' : 'last_month', view: 'all', query: '' })}
              >
                {url.period === 'last_month' ? t('This month') : t('Last month')}
              </Button>
            }
          />
        }
        card={row => (
          <RowCard>
            <RowCardLine>
              <strong>{row.user_name}</strong>
              <span>{hoursAndMinutes(row.worked_s)}</span>
            </RowCardLine>
            <RowCardLine>
              <Text size="sm">
                {[
                  row.work_date === null ? '' : day(row.work_date),
                  row.orders + row.pieces === 0
                    ? ''
                    : t('{{orders}} orders, {{pieces}} pieces', { orders: number(row.orders), pieces: number(row.pieces) }),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </Text>
              <WorkState row={row} now={now.get(row.user_id) ?? null} />
            </RowCardLine>
          </RowCard>
        )}
      />
    </Page>
  )
}

function WorkState({ row, now }: { row: WorkRow; now: PunchType | null }) {
  const t = useT()
  const isNow = now !== null && (row.work_date === null || row.work_date === today())
  if (isNow) return <StateBadge tone="busy">{typeWord(t, now)}</StateBadge>
  if (row.unfinished > 0) return <StateBadge tone="stop">{t('Time missing')}</StateBadge>
  if (row.unclocked > 0) return <StateBadge tone="soon">{t('Not clocked')}</StateBadge>
  return null
}
