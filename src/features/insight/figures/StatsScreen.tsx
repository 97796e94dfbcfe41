/** The public figures: for everyone who has their link, counts only, for today and the last 30 days. */
import { useQuery } from '@tanstack/react-query'
import { boards } from '#features/company/boards/boards.contract.ts'
import { number, percent, setTimeZone, time } from '#ui/kit/format.ts'
import { usePageTitle } from '#ui/kit/page-title.ts'
import { useT } from '#ui/kit/translate.ts'
import { CallError } from '#ui/query/call-error.ts'
import { send } from '#ui/query/calls.ts'
import { figures } from './figures.contract.ts'
import type { PublishedFigures } from './figures.schemas.ts'
import style from './Stats.module.css'

const every = 60_000
const endedEvery = 300_000

/** The token of the link is given for a cookie once, and leaves the address. */
async function read(): Promise<PublishedFigures> {
  const token = window.location.hash.slice(1)
  if (token !== '') {
    const { id } = await send(boards.open, { body: { token } }, { cookies: true })
    window.history.replaceState(window.history.state, '', `${window.location.pathname}?board=${id}`)
  }
  const which = new URLSearchParams(window.location.search).get('board')
  const answer = await send(figures.published, which === null ? {} : { board: Number(which) }, { cookies: true })
  setTimeZone(answer.time_zone)
  return answer
}

const isEnded = (error: unknown): boolean => error instanceof CallError && (error.status === 410 || error.status === 401)

export function StatsScreen() {
  const t = useT()
  usePageTitle(t('Statistics'))
  const answer = useQuery({
    queryKey: ['public figures'],
    queryFn: read,
    refetchInterval: query => (isEnded(query.state.error) ? endedEvery : every),
    retry: false,
  })
  const found = answer.data
  if (!found || isEnded(answer.error))
    return (
      <main className={style.page}>
        <p className={style.notice} role="status">
          {isEnded(answer.error)
            ? t('This board link is no longer valid. Ask for a new one.')
            : answer.error
              ? t('The server does not answer')
              : t('Loading')}
        </p>
      </main>
    )
  return (
    <main className={style.page}>
      <header className={style.head}>
        <h1>{found.name}</h1>
        <span role="status">
          {answer.error
            ? t('Last data {{time}}', { time: time(answer.dataUpdatedAt) })
            : t('As of {{time}}', { time: time(found.server_time) })}
        </span>
      </header>
      <div className={style.columns}>
        <Part title={t('Today')} of={found.today} />
        <Part title={t('Last 30 days')} of={found.last_30_days} />
      </div>
      <p className={style.foot}>{t('A figure with fewer than five orders behind it is not shown.')}</p>
    </main>
  )
}

function Part({ title, of }: { title: string; of: PublishedFigures['today'] }) {
  const t = useT()
  const most = Math.max(1, ...of.couriers.map(one => one.n))
  const shown = (value: number | null) => (value === null ? '–' : number(value))
  return (
    <section className={style.part} aria-label={title}>
      <h2>{title}</h2>
      <dl className={style.tiles}>
        <div>
          <dt>{t('Orders received')}</dt>
          <dd>{shown(of.received)}</dd>
        </div>
        <div>
          <dt>{t('Parcels sent')}</dt>
          <dd>{shown(of.handed_over)}</dd>
        </div>
        <div>
          <dt>{t('On time')}</dt>
          <dd>{of.on_time === null ? '–' : percent(of.on_time)}</dd>
        </div>
      </dl>
      {of.couriers.length === 0 ? null : (
        <>
          <h3>{t('Parcels by courier')}</h3>
          <ul>
            {of.couriers.map(({ name, n }) => (
              <li key={name}>
                <span>{t(name)}</span>
                <span className={style.bar} aria-hidden>
                  <span style={{ width: `${(n / most) * 100}%` }} />
                </span>
                <strong>{number(n)}</strong>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
