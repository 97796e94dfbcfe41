/** The people of a period or of any days with what they earn, and one of them opened to what sums to each amount. */
import { Text } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import { hoursAndMinutes } from '#features/people/punch-clock/punch-words.client.ts'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { FilterBar, type View } from '#ui/kit/FilterBar.tsx'
import { compare, money } from '#ui/kit/format.ts'
import { type ListState, staticList } from '#ui/kit/list-state.ts'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { tableFile } from '#ui/kit/table-file.ts'
import { toastError } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { saveFile } from '#ui/query/calls.ts'
import type { LineKind } from './salary.codes.ts'
import type { PersonPay } from './salary.schemas.ts'
import { hundredthsText, lineWord, problemWord } from './salary-words.client.ts'

export const payViews = ['all', 'solve', 'changed'] as const
type PayView = (typeof payViews)[number]

const sumOf = (row: PersonPay, ...kinds: LineKind[]): number =>
  row.lines.reduce((sum, line) => (kinds.includes(line.kind) ? sum + line.amount : sum), 0)
const shows: Record<PayView, (row: PersonPay) => boolean> = {
  all: () => true,
  solve: row => row.problems.some(one => one.blocks),
  changed: row => row.corrections !== 0 || row.problems.some(one => one.kind === 'changed'),
}
const sorts: Record<string, (one: PersonPay, other: PersonPay) => number> = {
  name: (one, other) => compare(one.user_name, other.user_name),
  employee_no: (one, other) => compare(one.employee_no, other.employee_no),
  hours: (one, other) => one.paid_s - other.paid_s,
  total: (one, other) => one.total - other.total,
}
const keyOf = (row: PersonPay): number => row.user_id

interface Props {
  rows: readonly PersonPay[]
  /** The call that gives them. */
  state: Pick<ListState<PersonPay>, 'isLoading' | 'isRefreshing' | 'error' | 'refetch'>
  currency: string
  fileName: string
  url: { view: PayView; query: string; sort: string }
  setUrl: (change: { view?: PayView; query?: string; sort?: string }) => void
  /** What the address says beside. */
  search: Record<string, string>
  open: (user_id: number) => void
  opened: number | null
  isExported: boolean
  /** Where nothing is: what comes next. */
  next: ReactNode
}

export function PayTable({ rows: all, state, currency, fileName, url, setUrl, search, open, opened, isExported, next }: Props) {
  const t = useT()
  const words = url.query.trim().toLowerCase()
  const rows = useMemo(() => {
    const order = url.sort.startsWith('-') ? -1 : 1
    const by = sorts[url.sort.replace(/^-/, '')] ?? compareNames
    return all
      .filter(row => shows[url.view](row) && (row.user_name.toLowerCase().includes(words) || row.employee_no.includes(words)))
      .toSorted((one, other) => order * by(one, other))
  }, [all, url.view, url.sort, words])
  const hasPilot = all.some(row => row.pilot_total !== null)
  const columns = useMemo<Column<PersonPay>[]>(() => {
    const amount = (minor: number) => (minor === 0 ? '–' : money(minor, currency))
    return [
      { key: 'name', title: t('Name'), flex: 2, sort: true, cell: row => row.user_name },
      { key: 'employee_no', title: t('Number'), sort: true, cell: row => row.employee_no || '–' },
      { key: 'hours', title: t('Hours'), align: 'end', sort: true, cell: row => hoursAndMinutes(row.paid_s) },
      { key: 'basic', title: t('Base pay'), align: 'end', cell: row => amount(sumOf(row, 'hours', 'commission', 'floor')) },
      { key: 'supplements', title: t('Supplements'), align: 'end', cell: row => amount(sumOf(row, 'supplement')) },
      { key: 'corrections', title: t('Corrections'), align: 'end', hidden: true, cell: row => amount(row.corrections) },
      { key: 'total', title: t('Total'), align: 'end', sort: true, cell: row => money(row.total, currency) },
      ...(hasPilot
        ? [
            {
              key: 'pilot',
              title: t('Pilot'),
              align: 'end' as const,
              cell: (row: PersonPay) => (row.pilot_total === null ? '–' : money(row.pilot_total, currency)),
            },
          ]
        : []),
      { key: 'state', title: t('To solve'), flex: 2, cell: row => <Problems row={row} isExported={isExported} /> },
    ]
  }, [t, currency, hasPilot, isExported])
  const views: View[] = [
    { key: 'all', title: t('All'), search, count: all.length },
    { key: 'solve', title: t('To solve'), search: { ...search, view: 'solve' }, count: all.filter(shows.solve).length },
    { key: 'changed', title: t('Corrections'), search: { ...search, view: 'changed' }, count: all.filter(shows.changed).length },
  ]
  const save = async (format: 'csv' | 'xlsx') => {
    const header = [t('Name'), t('Number'), t('Pay line'), t('Pay code'), t('Units'), t('Pay rate'), t('Amount'), t('Corrects')]
    const table = rows.flatMap(row =>
      row.lines.map(line => [
        ...[row.user_name, row.employee_no, lineWord(t, line), line.pay_code],
        ...[line.units_c === null ? null : line.units_c / 100, line.rate === null ? null : line.rate / 100, line.amount / 100],
        line.origin === null ? '' : `${line.origin.from} – ${line.origin.to}`,
      ]),
    )
    saveFile(await tableFile(fileName, header, table, format))
  }
  return (
    <DataTable
      name="payroll"
      label={t('Payroll')}
      columns={columns}
      list={{ ...staticList(rows), ...state }}
      keyOf={keyOf}
      open={row => open(row.user_id)}
      opened={opened}
      sort={url.sort}
      onSort={sort => setUrl({ sort })}
      exports={{ start: format => void save(format).catch(toastError) }}
      toolbar={
        <FilterBar
          name="payroll"
          views={views}
          search={{ value: url.query, set: query => setUrl({ query }), label: t('Name or number') }}
        />
      }
      filtered={all.length > 0 && (url.view !== 'all' || url.query !== '')}
      clearFilters={() => setUrl({ view: 'all', query: '' })}
      empty={
        <EmptyList title={t('No approved hours')} action={next}>
          {t('Pay comes from approved days of the timesheet.')}
        </EmptyList>
      }
      card={row => (
        <RowCard>
          <RowCardLine>
            <strong>{row.user_name}</strong>
            <span>{money(row.total, currency)}</span>
          </RowCardLine>
          <RowCardLine>
            <Text size="sm">{t('{{hours}} h', { hours: hundredthsText(Math.round(row.paid_s / 36)) })}</Text>
            <Problems row={row} isExported={isExported} />
          </RowCardLine>
        </RowCard>
      )}
    />
  )
}

const compareNames = (one: PersonPay, other: PersonPay): number => compare(one.user_name, other.user_name)

function Problems({ row, isExported }: { row: PersonPay; isExported: boolean }) {
  const t = useT()
  const [first, ...more] = row.problems.toSorted((one, other) => Number(other.blocks) - Number(one.blocks))
  if (!first) return <StateBadge tone="done">{isExported ? t('Exported') : t('Ready')}</StateBadge>
  return (
    <StateBadge tone={first.blocks ? 'stop' : 'soon'}>
      {problemWord(t, first)}
      {more.length > 0 ? ` +${more.length}` : ''}
    </StateBadge>
  )
}
