/** Figures of a period on Home: what came in, was packed and left, beside an earlier period, by courier, with what is on hold. */
import { Button, Group, TextInput } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { daysBetween, ratio } from '#features/insight/statistics/statistics.rules.ts'
import { reasonWord } from '#features/orders/orders/locks/hold-reasons.client.ts'
import { day, number, percent, time, today } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { Skeleton } from '#ui/kit/Skeleton.tsx'
import { tableFile } from '#ui/kit/table-file.ts'
import { toastError } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { urlChoice, urlText } from '#ui/kit/url-fields.ts'
import { type SetUrl, useUrlState } from '#ui/kit/url-state.ts'
import { useIsOffered } from '#ui/navigation/menu.ts'
import { saveFile, useCall } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
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
  const answer = useCall(figures.home, { ...days, compare: url.compare }, { every: 60_000, fresh: 30_000 })
  return (
    <section className={style.panel} aria-label={t('Figures')}>
      <header className={style.head}>
        <h2>{t('Figures')}</h2>
        <Period url={url} setUrl={setUrl} days={days} />
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconDownload size={16} />}
          disabled={answer.data === undefined}
          onClick={() => answer.data && void save(answer.data, t).catch(toastError)}
        >
          {t('Export')}
        </Button>
      </header>
      <QueryState of={answer} shape="rows">
        {found => <Shown found={found} />}
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

const onTime = (sums: { packed: number; packed_on_time: number }): string => {
  const share = ratio(sums.packed_on_time, sums.packed)
  return share === null ? '–' : percent(share)
}

function Shown({ found }: { found: Figures }) {
  const t = useT()
  const { now, before } = found
  const tiles: readonly { title: string; meaning: string; value: string; earlier: string | undefined }[] = [
    {
      title: t('Received'),
      meaning: t('Orders that came in.'),
      value: number(now.received),
      earlier: before ? number(before.received) : undefined,
    },
    {
      title: t('Packed'),
      meaning: t('Orders that were packed, each counted once.'),
      value: number(now.packed),
      earlier: before ? number(before.packed) : undefined,
    },
    {
      title: t('Handed over'),
      meaning: t('Parcels that left with a courier.'),
      value: number(now.handed_over),
      earlier: before ? number(before.handed_over) : undefined,
    },
    {
      title: t('On time'),
      meaning: t('Share of the packed orders that were packed before their pickup.'),
      value: onTime(now),
      earlier: before ? onTime(before) : undefined,
    },
    ...(found.people === null
      ? []
      : [{ title: t('At work now'), meaning: t('People who are clocked in for work.'), value: number(found.people), earlier: undefined }]),
  ]
  return (
    <>
      <dl className={style.tiles}>
        {tiles.map(({ title, meaning, value, earlier }) => (
          <div key={title} className={style.tile} title={meaning}>
            <dt>{title}</dt>
            <dd>{value}</dd>
            {earlier === undefined ? null : <dd className={style.before}>{t('before: {{value}}', { value: earlier })}</dd>}
          </div>
        ))}
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
      <Lists found={found} />
    </>
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

function Lists({ found }: { found: Figures }) {
  const t = useT()
  const ordersOffered = useIsOffered('/parcels/orders')
  const shipmentsOffered = useIsOffered('/parcels/shipments')
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
                {shipmentsOffered ? (
                  <Link to="/parcels/shipments" search={{ agent: agent_code }} className={style.name}>
                    {t(name)}
                  </Link>
                ) : (
                  <span className={style.name}>{t(name)}</span>
                )}
                <span className={style.share}>{total > 0 ? percent(n / total) : '–'}</span>
                <strong>{number(n)}</strong>
                {before === null ? null : <span className={style.before}>{t('before: {{value}}', { value: number(before) })}</span>}
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
                {ordersOffered ? (
                  <Link to="/parcels/orders" search={{ phase: ['held'] }} className={style.name}>
                    {reasonWord(reason)}
                  </Link>
                ) : (
                  <span className={style.name}>{reasonWord(reason)}</span>
                )}
                <strong>{number(n)}</strong>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

/** The series, then the couriers, as they are shown. */
async function save(found: Figures, t: ReturnType<typeof useT>): Promise<void> {
  const header = [found.unit === 'hour' ? t('Hour') : t('Day'), t('Received'), t('Packed'), t('Handed over')]
  const rows = pointsOf(found).map(point => [point.name, point.received, point.packed, point.handed_over])
  const sums = [t('Total'), found.now.received, found.now.packed, found.now.handed_over]
  const couriers = found.couriers.map(({ name, n }) => [t(name), null, null, n])
  const title = found.from === found.to ? found.from : `${found.from}-${found.to}`
  saveFile(await tableFile(`figures-${title}`, header, [...rows, sums, ...couriers], 'csv'))
}
