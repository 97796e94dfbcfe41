/** The board of deadlines on a television: for everyone who has its link, dark, without scrolling, read from five metres. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { boards } from '#features/company/boards/boards.contract.ts'
import { number, setTimeZone, time } from '#ui/kit/format.ts'
import { usePageTitle } from '#ui/kit/page-title.ts'
import { useT } from '#ui/kit/translate.ts'
import { currentAppConfig, fetchAppConfig, reloadIntoNewVersion, useNewerVersion } from '#ui/query/app-config.ts'
import { CallError } from '#ui/query/call-error.ts'
import { send } from '#ui/query/calls.ts'
import { useAlarmSound } from './alarm-sound.client.ts'
import { TelevisionBurnDown } from './BurnDown.tsx'
import { helpWords, outlook, timeLeft } from './board-words.client.ts'
import { leftOf } from './board-words.rules.ts'
import { isDrawn } from './burn-down.rules.ts'
import { alarms } from './deadline-board.codes.ts'
import { deadlineBoard } from './deadline-board.contract.ts'
import type { Board, BoardRow } from './deadline-board.schemas.ts'
import { hasFullScreen, turnFullScreen } from './full-screen.client.ts'
import style from './TelevisionBoard.module.css'

const every = 10_000
const slowest = 60_000
const endedEvery = 300_000
const staleAfter = 60_000
const rowsOfPage = 6
/** Rows beside a burn-down. */
const rowsOfChart = 3
const pageEvery = 15_000
const minute = 60_000
/** No reload so shortly before a pickup. */
const calm = 2 * minute

const home = '/deadlinesexternal/board'

interface Seen {
  board: Board
  /** When it came, on the clock that only counts. */
  at: number
}

/** The token of the link is given for a cookie, and leaves the address; a bookmarked link does so again at each load. */
async function read(): Promise<Seen> {
  const token = window.location.pathname.split('/')[2] ?? ''
  if (token !== '' && token !== 'board') {
    const { id } = await send(boards.open, { body: { token } }, { cookies: true })
    window.history.replaceState(window.history.state, '', `${home}?board=${id}`)
  }
  const which = new URLSearchParams(window.location.search).get('board')
  const board = await send(deadlineBoard.shown, which === null ? {} : { board: Number(which) }, { cookies: true })
  setTimeZone(board.time_zone)
  return { board, at: performance.now() }
}

const isEnded = (error: unknown): boolean => error instanceof CallError && (error.status === 410 || error.status === 401)

/** Between 80 and 120 %, so that many screens do not ask at once. */
const spread = (milliseconds: number): number => milliseconds * (0.8 + Math.random() * 0.4)

export function TelevisionBoardScreen() {
  const t = useT()
  usePageTitle(t('Deadlines'))
  const failures = useRef(0)
  const answer = useQuery({
    queryKey: ['deadline board'],
    queryFn: async () => {
      try {
        const seen = await read()
        failures.current = 0
        return seen
      } catch (error) {
        failures.current++
        throw error
      }
    },
    refetchInterval: query =>
      isEnded(query.state.error) ? endedEvery : spread(Math.min(slowest, every * 2 ** Math.min(failures.current, 4))),
    refetchIntervalInBackground: true,
    networkMode: 'always',
    retry: false,
  })
  const tick = useTick()
  const sound = useAlarmSound(answer.data?.board)
  useBoardKeys(sound)
  const seen = answer.data
  const now = seen ? Date.parse(seen.board.server_time) + tick - seen.at : null
  const nextDue = seen?.board.rows
    .map(row => (row.due_at === null ? null : Date.parse(row.due_at)))
    .find(due => due !== null && due > (now ?? 0))
  useFreshPage(now !== null && nextDue != null && nextDue - now < calm)
  useScreenOn()
  if (isEnded(answer.error) || !seen || now === null)
    return (
      <div className={style.board}>
        <p className={style.notice} role="status">
          {isEnded(answer.error)
            ? t('This board link is no longer valid. Ask for a new one.')
            : answer.error
              ? t('The server does not answer')
              : t('Loading')}
        </p>
      </div>
    )
  const stale = tick - seen.at > staleAfter
  const perPage = seen.board.rows.some(row => isDrawn(row, seen.board)) ? rowsOfChart : rowsOfPage
  const pages = Math.max(1, Math.ceil(seen.board.rows.length / perPage))
  const page = Math.floor(tick / pageEvery) % pages
  const shown = seen.board.rows.slice(page * perPage, (page + 1) * perPage)
  const drawn = shown
    .filter(row => isDrawn(row, seen.board))
    .reduce<BoardRow | undefined>((worst, row) => (worst && rankOf(worst) >= rankOf(row) ? worst : row), undefined)
  const shift = Math.floor(tick / minute) % 3
  return (
    <div
      className={style.board}
      data-stale={stale || undefined}
      data-drawn={drawn !== undefined || undefined}
      style={{ transform: `translate(${shift - 1}px, ${shift - 1}px)` }}
    >
      <header className={style.head}>
        <h1 className={style.title}>{seen.board.name}</h1>
        <span className={style.time}>{time(now)}</span>
        <span className={style.live} role="status">
          {stale ? t('Last data {{time}}', { time: time(Date.parse(seen.board.server_time)) }) : t('Live')}
          {sound.state === 'blocked' ? ` · ${t('Sound is off. Press any key.')}` : sound.state === 'muted' ? ` · ${t('Sound is off')}` : ''}
          {pages > 1 ? ` · ${page + 1} / ${pages}` : ''}
        </span>
      </header>
      <ul className={style.rows}>
        {shown.map(row => (
          <BoardLine key={row.deadline_id} row={row} now={now} />
        ))}
        {seen.board.rows.length === 0 ? <li className={style.notice}>{t('No deadlines yet')}</li> : null}
      </ul>
      {drawn?.burn_down && drawn.due_at !== null ? (
        <TelevisionBurnDown row={drawn} of={drawn.burn_down} due={Date.parse(drawn.due_at)} words={outlook(drawn)} />
      ) : null}
      {seen.board.totals ? <Totals of={seen.board.totals} /> : null}
    </div>
  )
}

/** The most urgent pickup is drawn, the first of equal ones. */
const rankOf = (row: BoardRow): number => (row.alarm === null ? -1 : alarms.indexOf(row.alarm))

function BoardLine({ row, now }: { row: BoardRow; now: number }) {
  const t = useT()
  const due = row.due_at === null ? null : Date.parse(row.due_at)
  const share = row.total === 0 ? 0 : row.done / row.total
  return (
    <li className={style.row} data-alarm={row.alarm ?? undefined}>
      <span className={style.name}>{row.name}</span>
      <span className={style.due}>{due === null ? '–' : time(due)}</span>
      <span className={style.countdown}>{due === null ? '–' : timeLeft(due - now)}</span>
      <span className={style.bar} aria-hidden>
        <span style={{ width: `${share * 100}%` }} />
      </span>
      <span className={style.done}>{`${number(row.done)} / ${number(row.total)}`}</span>
      <span className={style.outlook}>
        <Outlook row={row} />
        {row.seen_at === null ? null : <small>{t('Seen {{time}}', { time: time(row.seen_at) })}</small>}
        {row.carried_over > 0 ? <small>{t('{{n}} missed earlier', { n: number(row.carried_over) })}</small> : null}
      </span>
    </li>
  )
}

function Outlook({ row }: { row: BoardRow }) {
  const t = useT()
  if (leftOf(row) === 0) return <>{row.on_hold + row.exceptions > 0 ? t('On hold') : t('Done')}</>
  if (row.forecast_missed === null) return <>{t('{{n}} left', { n: number(leftOf(row)) })}</>
  if (row.forecast_missed === 0) return <>{t('On time')}</>
  return (
    <>
      {`⚠ ${t('{{n}} late', { n: number(row.forecast_missed) })}`}
      {helpWords(row) === '' ? null : <small>{helpWords(row)}</small>}
    </>
  )
}

function Totals({ of: totals }: { of: NonNullable<Board['totals']> }) {
  const t = useT()
  const figures: readonly (readonly [label: string, value: number])[] = [
    [t('Waiting'), totals.waiting],
    [t('Packed in the last hour'), totals.packed_last_hour],
    [t('Short'), totals.short],
    [t('Exceptions'), totals.exceptions],
  ]
  return (
    <dl className={style.totals}>
      {figures.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{number(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

/** `M` switches the sound of this screen off and on, `F` fills the screen. */
function useBoardKeys({ state, mute }: ReturnType<typeof useAlarmSound>): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key.toLowerCase() === 'f' && hasFullScreen()) turnFullScreen()
    if (event.key.toLowerCase() !== 'm') return
    // The key that lets the browser sound does no more than that.
    if (state === 'on' || state === 'muted') mute(state === 'on')
  })
  // The outside system is the keyboard.
  useEffect(() => {
    const heard = (event: KeyboardEvent) => press(event)
    window.addEventListener('keydown', heard)
    return () => window.removeEventListener('keydown', heard)
  }, [])
}

/** Seconds of the clock that only counts, whatever happens to the device's clock. */
function useTick(): number {
  const [at, setAt] = useState(() => performance.now())
  // The outside system is the clock.
  useEffect(() => {
    const timer = setInterval(() => setAt(performance.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return at
}

/** Loads a new version as soon as its page is there, and the page anew each night; never shortly before a pickup. */
function useFreshPage(busy: boolean): void {
  const newer = useNewerVersion()
  const look = useEffectEvent(async (begun: number) => {
    await fetchAppConfig()
    if (busy) return
    const hour = new Date().getHours()
    const old = performance.now() - begun > 3 * 3_600_000 && hour === 4
    if (!newer && !old) return
    const page = await fetch(window.location.href, { cache: 'no-store' }).catch(() => undefined)
    if (!page?.ok) return
    if (newer) await reloadIntoNewVersion(window.location.href)
    else if (currentAppConfig()) window.location.reload()
  })
  // The outside system is the deployment.
  useEffect(() => {
    const begun = performance.now()
    const timer = setInterval(() => void look(begun), spread(minute))
    return () => clearInterval(timer)
  }, [])
}

/** Keeps the screen on where the browser allows it. */
function useScreenOn(): void {
  // The outside system is the screen.
  useEffect(() => {
    if (!('wakeLock' in navigator)) return
    let lock: WakeLockSentinel | undefined
    const ask = () => {
      if (document.visibilityState === 'visible')
        navigator.wakeLock.request('screen').then(
          held => {
            lock = held
          },
          () => undefined,
        )
    }
    ask()
    document.addEventListener('visibilitychange', ask)
    return () => {
      document.removeEventListener('visibilitychange', ask)
      void lock?.release()
    }
  }, [])
}
