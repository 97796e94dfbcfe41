/** Figures of a period on Home: what came in, was packed and left, beside an earlier period, by courier, with what is on hold. */

import { Button, Group, TextInput } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { access } from '#contract/access.ts'
import { daysBetween, ratio } from '#features/insight/statistics/statistics.rules.ts'
import { reasonWord } from '#features/orders/orders/locks/hold-reasons.client.ts'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { day, number, percent, time, today } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { Skeleton } from '#ui/kit/Skeleton.tsx'
import { spanText } from '#ui/kit/span-filter.ts'
import { type FileCell, tableFile } from '#ui/kit/table-file.ts'
import { toastError } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { urlChoice, urlText } from '#ui/kit/url-fields.ts'
import { type SetUrl, type UrlSearch, useUrlState } from '#ui/kit/url-state.ts'
import { useIsOffered } from '#ui/navigation/menu.ts'
import { saveFile, useCall } from '#ui/query/calls.ts'
import { useIsAllowed, useSignedIn } from '#ui/query/session.ts'
import { comparisons } from './figures.codes.ts'
import { figureReaders, figures } from './figures.contract.ts'
import type { Figures } from './figures.schemas.ts'
import style from './HomeFigures.module.css'

const ActivityChart = lazy(() => import('./ActivityChart.tsx'))

const periods = ['today', 'yesterday', 'week', 'month', 'own'] as const
const FiguresUrl = {
  period: urlChoice(periods, 'today'),
  from: urlText(),
  to: urlText(),
  compare: urlChoice(comparisons, 'before'),
  company: urlText(),
}

const daysBack: Record<Exclude<(typeof periods)[number], 'own'>, { first: number; last: number }> = {
  today: { first: 0, last: 0 },
  yesterday: { first: 1, last: 1 },
  week: { first: 6, last: 0 },
  month: { first: 29, last: 0 },
}

function daysOf({ period, from, to }: { period: (typeof periods)[number]; from: string; to: string }): { from: string; to: string } {
  const now = Temporal.PlainDate.from(today())
  if (period === 'own') return { from: from || now.toString(), to: to || now.toString() }
  const { first, last } = daysBack[period]
  return { from: now.subtract({ days: first }).toString(), to: now.subtract({ days: last }).toString() }
}

export function HomeFigures() {
  const allowed = useIsAllowed(figureReaders)
  return allowed ? <Panel /> : null
}

function Panel() {
  const t = useT()
  const [url, setUrl] = useUrlState(FiguresUrl)
  const days = daysOf(url)
  const { user, init } = useSignedIn()
  const companies = user.is_main_company && init.CompanyLookup.length > 1 ? init.CompanyLookup : []
  const company = companies.some(one => String(one.id) === url.company) ? url.company : ''
  const answer = useCall(
    figures.home,
    { ...days, compare: url.compare, ...(company && { company_id: Number(company) }) },
    { every: 60_000, fresh: 30_000 },
  )
  return (
    <section className={style.panel} aria-label={t('Figures')}>
      <header className={style.head}>
        <h2>{t('Figures')}</h2>
        {companies.length === 0 ? null : (
          <NativeChoice
            size="xs"
            aria-label={t('Company')}
            value={company}
            choose={value => setUrl({ company: value })}
            data={[{ value: '', label: t('All companies') }, ...companies.map(one => ({ value: String(one.id), label: one.name }))]}
          />
        )}
        <Period url={url} setUrl={setUrl} days={days} />
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconDownload size={16} />}
          {...disabledBecause(answer.data === undefined && t('The figures are not there yet'))}
          onClick={() => answer.data && void save(answer.data, t).catch(toastError)}
        >
          {t('Export')}
        </Button>
      </header>
      <QueryState of={answer} shape="rows">
        {found => <Shown found={found} company={company} />}
      </QueryState>
    </section>
  )
}

function Period({
  url,
  setUrl,
  days,
}: {
  url: { period: (typeof periods)[number]; compare: (typeof comparisons)[number] }
  setUrl: SetUrl<typeof FiguresUrl>
  days: { from: string; to: string }
}) {
  const t = useT()
  const words = {
    today: t('Today'),
    yesterday: t('Yesterday'),
    week: t('Last 7 days'),
    month: t('Last 30 days'),
    own: t('From … to …'),
  }
  const against = { before: t('Period before'), last_year: t('Last year'), none: t('No comparison') }
  return (
    <Group gap="xs" className={style.period ?? ''}>
      <NativeChoice
        size="xs"
        aria-label={t('Period')}
        value={url.period}
        choose={period => setUrl({ period, ...(period === 'own' && days) })}
        data={periods.map(value => ({ value, label: words[value] }))}
      />
      {url.period === 'own' ? (
        <>
          <TextInput
            size="xs"
            type="date"
            aria-label={t('From')}
            value={days.from}
            max={days.to}
            onChange={event => event.currentTarget.value && setUrl({ from: event.currentTarget.value })}
          />
          <TextInput
            size="xs"
            type="date"
            aria-label={t('Until')}
            value={days.to}
            min={days.from}
            max={today()}
            onChange={event => event.currentTarget.value && setUrl({ to: event.currentTarget.value })}
          />
        </>
      ) : null}
      <NativeChoice
        size="xs"
        aria-label={t('Compare with')}
        value={url.compare}
        choose={compare => setUrl({ compare })}
        data={comparisons.map(value => ({ value, label: against[value] }))}
      />
    </Group>
  )
}

interface Tile {
  key: string
  title: string
  meaning: string
  value: string
  link: Target | null
  before: { value: string; link: Target | null } | null
}
interface Target {
  to: '/parcels/orders' | '/parcels/shipments' | '/returns'
  search: UrlSearch
}

const share = (part: number, whole: number): string => {
  const found = ratio(part, whole)
  return found === null ? '–' : percent(found)
}

/** The lists behind the figures, for who may open them. */
function useLists(company: string) {
  const orders = useIsOffered('/parcels/orders')
  const shipments = useIsOffered('/parcels/shipments')
  const returns = useIsOffered('/returns')
  const of: UrlSearch = company ? { company } : {}
  return {
    orders: (search: UrlSearch): Target | null => (orders ? { to: '/parcels/orders', search: { ...search, ...of } } : null),
    shipments: (search: UrlSearch): Target | null => (shipments ? { to: '/parcels/shipments', search: { ...search, ...of } } : null),
    returns: (search: UrlSearch): Target | null =>
      returns ? { to: '/returns', search: { view: 'all', ...search, ...(company && { company: [company] }) } } : null,
  }
}

function useTiles({ now, before, span, late, returns }: Figures, company: string): Tile[] {
  const t = useT()
  const lists = useLists(company)
  const here = spanText(span)
  const then = before ? spanText(before.span) : ''
  const counted = (
    key: string,
    [title, meaning]: readonly [string, string],
    [value, earlier]: readonly [string, string | null | undefined],
    link: (span: string) => Target | null,
  ): Tile => ({
    ...{ key, title, meaning, value, link: link(here) },
    before: earlier == null ? null : { value: earlier, link: link(then) },
  })
  const pair = (of: (sums: Figures['now']) => string) => [of(now), before && of(before)] as const
  return [
    counted(
      'received',
      [t('Received'), t('Orders that came in.')],
      pair(sums => number(sums.received)),
      received => lists.orders({ received }),
    ),
    counted(
      'packed',
      [t('Packed'), t('Orders that were packed, each counted once.')],
      pair(sums => number(sums.packed)),
      packed => lists.orders({ packed }),
    ),
    counted(
      'on_time',
      [t('On time'), t('Share of the packed orders that were packed before their pickup.')],
      pair(sums => share(sums.packed_on_time, sums.packed)),
      packed => lists.orders({ packed, in_time: 'yes' }),
    ),
    counted(
      'packed_late',
      [t('Packed late'), t('Orders that were packed after their pickup.')],
      pair(sums => number(sums.packed - sums.packed_on_time)),
      packed => lists.orders({ packed, in_time: 'no' }),
    ),
    counted(
      'handed_over',
      [t('Handed over'), t('Parcels that left with a courier.')],
      pair(sums => number(sums.handed_over)),
      left => lists.shipments({ left }),
    ),
    ...(returns === null
      ? []
      : [
          counted(
            'returns',
            [t('Returns'), t('Returns that were requested.')],
            [number(returns), before?.returns == null ? null : number(before.returns)],
            requested => lists.returns({ requested }),
          ),
        ]),
    {
      ...{ key: 'late', title: t('Late now'), meaning: t('Orders in the warehouse whose ship-by time has passed.') },
      ...{ value: number(late), link: lists.orders({ due: 'late' }), before: null },
    },
  ]
}

const Opened = ({ link, label, children }: { link: Target | null; label: string; children: string }) =>
  link === null ? (
    children
  ) : (
    <Link to={link.to} search={link.search} aria-label={label}>
      {children}
    </Link>
  )

function Shown({ found, company }: { found: Figures; company: string }) {
  const t = useT()
  const tiles = useTiles(found, company)
  return (
    <>
      <dl className={style.tiles}>
        {tiles.map(({ key, title, meaning, value, link, before }) => (
          <div key={key} className={style.tile} title={meaning}>
            <dt>{title}</dt>
            <dd>
              <Opened link={link} label={`${title}: ${value}`}>
                {value}
              </Opened>
            </dd>
            {before === null ? null : (
              <dd className={style.before}>
                <Opened link={before.link} label={`${title}, ${t('before: {{value}}', { value: before.value })}`}>
                  {t('before: {{value}}', { value: before.value })}
                </Opened>
              </dd>
            )}
          </div>
        ))}
        {found.people === null ? null : <People count={found.people} />}
      </dl>
      {found.series.length === 0 ? null : (
        <>
          <ul className={style.legend}>
            {[
              { key: 'received', word: t('Received') },
              { key: 'packed', word: t('Packed') },
              { key: 'handed_over', word: t('Handed over') },
            ].map(({ key, word }) => (
              <li key={key} data-series={key}>
                {word}
              </li>
            ))}
          </ul>
          <div className={style.chart}>
            <Suspense fallback={<Skeleton shape="rows" rows={3} />}>
              <ActivityChart points={pointsOf(found)} />
            </Suspense>
          </div>
        </>
      )}
      <Lists found={found} company={company} />
    </>
  )
}

/** How many are at work, and for who plans them, who that is. */
function People({ count }: { count: number }) {
  const t = useT()
  const seesNames = useIsAllowed(access.scheduleAdmin)
  const [opened, setOpened] = useState(false)
  return (
    <div className={style.tile} title={t('People who are clocked in for work.')}>
      <dt>{t('At work now')}</dt>
      <dd>
        {seesNames ? (
          <button type="button" className={style.open} onClick={() => setOpened(true)} aria-label={`${t('At work now')}: ${number(count)}`}>
            {number(count)}
          </button>
        ) : (
          number(count)
        )}
      </dd>
      <Drawer opened={opened} onClose={() => setOpened(false)} title={t('At work now')}>
        {opened ? <Names /> : null}
      </Drawer>
    </div>
  )
}

function Names() {
  const t = useT()
  const answer = useCall(figures.people, {}, { every: 60_000 })
  return (
    <QueryState of={answer} shape="rows">
      {({ rows }) => (
        <ul className={style.names} aria-label={t('At work now')}>
          {rows.map(({ name, since }) => (
            <li key={`${name} ${since}`}>
              <span className={style.name}>{name}</span>
              <span className={style.share}>{t('since {{time}}', { time: time(since) })}</span>
            </li>
          ))}
        </ul>
      )}
    </QueryState>
  )
}

/** Every part of the period, also those in which nothing happened. */
function pointsOf({ unit, from, to, series, time_zone }: Figures) {
  const none = { received: 0, packed: 0, handed_over: 0 }
  if (unit === 'day') {
    const byDay = new Map(
      series.map(point => [Temporal.Instant.from(point.at).toZonedDateTimeISO(time_zone).toPlainDate().toString(), point]),
    )
    return daysBetween(from, to).map(one => ({ name: day(one), ...none, ...byDay.get(one) }))
  }
  const [first, last] = [series[0], series.at(-1)]
  if (!first || !last) return []
  const byHour = new Map(series.map(point => [Date.parse(point.at), point]))
  const points = []
  for (let at = Date.parse(first.at); at <= Date.parse(last.at); at += 3_600_000)
    points.push({ name: time(at), ...none, ...byHour.get(at) })
  return points
}

function Lists({ found, company }: { found: Figures; company: string }) {
  const t = useT()
  const lists = useLists(company)
  const left = spanText(found.span)
  const leftBefore = found.before ? spanText(found.before.span) : ''
  const total = found.couriers.reduce((sum, one) => sum + one.n, 0)
  if (found.couriers.length === 0 && found.holds.length === 0) return null
  return (
    <div className={style.lists}>
      {found.couriers.length === 0 ? null : (
        <section aria-label={t('Parcels by courier')}>
          <h3>{t('Parcels by courier')}</h3>
          <ul>
            {found.couriers.map(({ agent_code, name, n, before }) => (
              <li key={agent_code}>
                <span className={style.name}>
                  <Opened link={lists.shipments({ agent: agent_code, left })} label={t(name)}>
                    {t(name)}
                  </Opened>
                </span>
                <span className={style.share}>{total > 0 ? percent(n / total) : '–'}</span>
                <strong>{number(n)}</strong>
                {before === null ? null : (
                  <span className={style.before}>
                    <Opened
                      link={lists.shipments({ agent: agent_code, left: leftBefore })}
                      label={`${t(name)}, ${t('before: {{value}}', { value: number(before) })}`}
                    >
                      {t('before: {{value}}', { value: number(before) })}
                    </Opened>
                  </span>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      {found.holds.length === 0 ? null : (
        <section aria-label={t('On hold now')}>
          <h3>{t('On hold now')}</h3>
          <ul>
            {found.holds.map(({ reason, n }) => (
              <li key={reason}>
                <span className={style.name}>
                  <Opened link={lists.orders({ hold: reason })} label={reasonWord(reason)}>
                    {reasonWord(reason)}
                  </Opened>
                </span>
                <strong>{number(n)}</strong>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

/** One figure of a part in each row: totals with those of before, then hours or days, couriers and holds. */
async function save(found: Figures, t: ReturnType<typeof useT>): Promise<void> {
  const { now, before } = found
  const metrics = [
    ['received', t('Received')],
    ['packed', t('Packed')],
    ['handed_over', t('Handed over')],
  ] as const
  const late = (sums: Figures['now']) => sums.packed - sums.packed_on_time
  const rows: FileCell[][] = [
    ...metrics.map(([metric, title]) => [title, t('Total'), now[metric], before?.[metric] ?? null]),
    [t('Packed late'), t('Total'), late(now), before && late(before)],
    ...(found.returns === null ? [] : [[t('Returns'), t('Total'), found.returns, before?.returns ?? null]]),
    [t('Late now'), t('Total'), found.late, null],
    ...(found.people === null ? [] : [[t('At work now'), t('Total'), found.people, null]]),
    ...metrics.flatMap(([metric, title]) => pointsOf(found).map(point => [title, point.name, point[metric], null])),
    ...found.couriers.map(one => [t('Parcels by courier'), t(one.name), one.n, one.before]),
    ...found.holds.map(one => [t('On hold now'), reasonWord(one.reason), one.n, null]),
  ]
  const title = found.from === found.to ? found.from : `${found.from}-${found.to}`
  saveFile(await tableFile(`figures-${title}`, [t('Figure'), t('Part'), t('Value'), t('Before')], rows, 'csv'))
}
