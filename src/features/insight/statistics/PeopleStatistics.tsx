import { Button, Group, NativeSelect, SegmentedControl, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useMemo } from 'react'
import { periodOf, periods } from '#domain/periods.ts'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { ErrorState } from '#ui/kit/ErrorState.tsx'
import { compare, day, duration, number, percent, today } from '#ui/kit/format.ts'
import { staticList } from '#ui/kit/list-state.ts'
import { Page } from '#ui/kit/Page.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { Skeleton } from '#ui/kit/Skeleton.tsx'
import { tableFile } from '#ui/kit/table-file.ts'
import { toastError } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { urlChoice, urlText } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { keyOf, saveFile, useCall } from '#ui/query/calls.ts'

import style from './Statistics.module.css'
import type { statistics } from './statistics.contract.ts'
import { daysBetween, groupedBy, periodBefore, summed } from './statistics.rules.ts'

const DayChart = lazy(() => import('./DayChart.tsx'))

export const PeriodUrl = {
  period: urlChoice(periods, 'this_week'),
  from: urlText(),
  to: urlText(),
  measure: urlText('pieces'),
  sort: urlText('-pieces'),
  /** A list and a wagon: `12-1`. */
  wagon: urlText(),
}

/** A figure: its formula over sums, its format, and its meaning. */
export interface Measure<R> {
  key: string
  title: string
  meaning: string
  of: (sum: R) => number | null
  as: 'number' | 'rate' | 'percent' | 'duration' | 'metres'
  /** Shown large on top. */
  tile?: boolean
}

interface PersonDay {
  user_id: number
  user_name: string
  day: string
}

const written = (value: number | null, as: Measure<never>['as']): string =>
  value === null
    ? '–'
    : as === 'percent'
      ? percent(value, 1)
      : as === 'duration'
        ? duration(value)
        : as === 'metres'
          ? `${number(value / 10)} m`
          : number(value, as === 'rate' ? 1 : 0)

type Calls = typeof statistics
interface Props<R extends PersonDay> {
  name: string
  title: string
  call: Calls['picks'] | Calls['packs']
  measures: readonly Measure<R>[]
  /** More content from the same answer. */
  children?: (answer: { wagons?: unknown }) => ReactNode
}

export function PeopleStatistics<R extends PersonDay>({ name, title, call, measures, children }: Props<R>) {
  const t = useT()
  const cache = useQueryClient()
  const [url, setUrl] = useUrlState(PeriodUrl)
  const named = url.period === 'own' ? { from: url.from || today(), to: url.to || today() } : periodOf(url.period, today())
  const before = periodBefore(named.from, named.to)
  const asked = { start: named.from, end: named.to }
  const answer = useCall(call, asked, { fresh: 60_000 })
  const earlier = useCall(call, { start: before.from, end: before.to }, { fresh: 600_000, enabled: answer.isSuccess })

  const rows = useMemo(() => (answer.data?.rows ?? []) as unknown as R[], [answer.data])
  const total = useMemo(() => summed(rows), [rows])
  const totalBefore = useMemo(() => summed((earlier.data?.rows ?? []) as unknown as R[]), [earlier.data])
  const sorted = useMemo(() => {
    const people = groupedBy(rows, row => row.user_id).flatMap(group => summed(group) ?? [])
    const key = url.sort.replace(/^-/, '')
    const measure = measures.find(one => one.key === key)
    const order = url.sort.startsWith('-') ? -1 : 1
    return people.toSorted((a, b) => order * (measure ? (measure.of(a) ?? -1) - (measure.of(b) ?? -1) : compare(a.user_name, b.user_name)))
  }, [rows, url.sort, measures])
  const columns = useMemo<Column<R>[]>(
    () => [
      { key: 'user_name', title: t('Name'), flex: 1, sort: true, cell: row => row.user_name || t('Everyone') },
      ...measures.map(
        (measure): Column<R> => ({
          key: measure.key,
          title: measure.title,
          align: 'end',
          sort: true,
          cell: row => written(measure.of(row), measure.as),
        }),
      ),
    ],
    [t, measures],
  )
  const list = useMemo(() => staticList(sorted), [sorted])
  const shown = measures.find(measure => measure.key === url.measure) ?? measures[0]
  const days = useMemo(() => {
    if (!shown) return []
    const byDay = new Map(groupedBy(rows, row => row.day).map(group => [group[0]?.day, summed(group)]))
    return daysBetween(named.from, named.to).map(one => {
      const sum = byDay.get(one)
      return { day: one, value: (sum && shown.of(sum)) ?? 0 }
    })
  }, [rows, shown, named.from, named.to])

  const save = async (format: 'csv' | 'xlsx') => {
    const header = [t('Name'), t('Day'), ...measures.map(measure => measure.title)]
    const table = rows.map(row => [row.user_name || t('Everyone'), row.day, ...measures.map(measure => measure.of(row))])
    saveFile(await tableFile(`${name}-${named.from}-${named.to}`, header, table, format))
  }
  const period = {
    today: t('Today'),
    yesterday: t('Yesterday'),
    this_week: t('This week'),
    last_week: t('Last week'),
    this_month: t('This month'),
    last_month: t('Last month'),
    own: t('From … to …'),
  } as const

  return (
    <Page
      title={title}
      note={named.from === named.to ? day(named.from) : `${day(named.from)} – ${day(named.to)}`}
      actions={
        answer.isFetching ? (
          <Button variant="default" onClick={() => void cache.cancelQueries({ queryKey: keyOf(call, asked) })}>
            {t('Stop asking')}
          </Button>
        ) : null
      }
    >
      <Group align="end" gap="sm">
        <NativeSelect
          label={t('Period')}
          value={url.period}
          onChange={event =>
            setUrl({ period: event.currentTarget.value as (typeof periods)[number], ...(event.currentTarget.value === 'own' ? named : {}) })
          }
          data={periods.map(value => ({ value, label: period[value] }))}
        />
        {url.period === 'own' ? (
          <>
            <TextInput
              type="date"
              label={t('From')}
              value={named.from}
              max={named.to}
              onChange={event => event.currentTarget.value && setUrl({ from: event.currentTarget.value })}
            />
            <TextInput
              type="date"
              label={t('Until')}
              value={named.to}
              min={named.from}
              max={today()}
              onChange={event => event.currentTarget.value && setUrl({ to: event.currentTarget.value })}
            />
          </>
        ) : null}
      </Group>
      {answer.error && !answer.data ? (
        <ErrorState error={answer.error} again={() => void answer.refetch()} />
      ) : answer.isPending ? (
        answer.fetchStatus === 'idle' ? (
          <Button onClick={() => void answer.refetch()}>{t('Ask again')}</Button>
        ) : (
          <Skeleton shape="page" />
        )
      ) : !total || !shown ? (
        <EmptyList title={t('No activity in this period')}>{t('Select another period.')}</EmptyList>
      ) : (
        <>
          <dl className={style.tiles}>
            {measures
              .filter(measure => measure.tile)
              .map(measure => (
                <div key={measure.key} className={style.tile} title={measure.meaning}>
                  <dt>{measure.title}</dt>
                  <dd>{written(measure.of(total), measure.as)}</dd>
                  <dd className={style.before}>
                    {totalBefore ? t('before: {{value}}', { value: written(measure.of(totalBefore), measure.as) }) : t('before: nothing')}
                  </dd>
                </div>
              ))}
          </dl>
          <section className={style.part}>
            <header>
              <h2>{t('{{measure}} by day', { measure: shown.title })}</h2>
              <div className={style.wide}>
                <SegmentedControl
                  value={shown.key}
                  onChange={measure => setUrl({ measure })}
                  data={measures.filter(measure => measure.tile).map(measure => ({ value: measure.key, label: measure.title }))}
                />
              </div>
            </header>
            <div className={style.chart}>
              <Suspense fallback={<Skeleton shape="rows" rows={3} />}>
                <DayChart label={shown.title} days={days} write={value => written(value, shown.as)} />
              </Suspense>
            </div>
          </section>
          <section>
            <DataTable
              name={name}
              label={title}
              columns={columns}
              list={list}
              keyOf={personOf}
              sort={url.sort}
              onSort={sort => setUrl({ sort })}
              toolbar={<h2>{t('By person')}</h2>}
              exports={{ start: format => void save(format).catch(toastError) }}
              card={row => (
                <RowCard>
                  <RowCardLine>
                    <span>{row.user_name || t('Everyone')}</span>
                  </RowCardLine>
                  {measures.map(measure => (
                    <RowCardLine key={measure.key}>
                      <span>{measure.title}</span>
                      <span className="num">{written(measure.of(row), measure.as)}</span>
                    </RowCardLine>
                  ))}
                </RowCard>
              )}
            />
          </section>
          {children?.(answer.data as { wagons?: unknown })}
          <section className={style.part}>
            <header>
              <h2>{t('What the figures mean')}</h2>
            </header>
            <dl className={style.definitions}>
              {measures.map(measure => (
                <div key={measure.key} style={{ display: 'contents' }}>
                  <dt>{measure.title}</dt>
                  <dd>{measure.meaning}</dd>
                </div>
              ))}
            </dl>
          </section>
        </>
      )}
    </Page>
  )
}

const personOf = (row: { user_id: number }) => row.user_id
