/** The board of who is in: by first name, for everyone who has its link, read from four metres. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { boards } from '#features/company/boards/boards.contract.ts'
import { setTimeZone, time } from '#ui/kit/format.ts'
import { usePageTitle } from '#ui/kit/page-title.ts'
import { useT } from '#ui/kit/translate.ts'
import { CallError } from '#ui/query/call-error.ts'
import { type Received, send } from '#ui/query/calls.ts'
import style from './PunchBoard.module.css'
import { punchClock } from './punch-clock.contract.ts'
import { typeWord } from './punch-words.client.ts'

const every = 10_000
const staleAfter = 60_000

/** The token of the link is given for a cookie once, and leaves the address. */
async function read(): Promise<Received<typeof punchClock.board>> {
  const token = window.location.hash.slice(1)
  if (token !== '') {
    await send(boards.open, { body: { token } }, { cookies: true })
    window.history.replaceState(window.history.state, '', window.location.pathname)
  }
  const answer = await send(punchClock.board, {}, { cookies: true })
  setTimeZone(answer.time_zone)
  return answer
}

export function PunchBoardScreen() {
  const t = useT()
  usePageTitle(t('Punch clock'))
  const answer = useQuery({ queryKey: ['punch board'], queryFn: read, refetchInterval: every, retry: false })
  const now = useNow()
  if (answer.error && !answer.data)
    return (
      <div className={style.board}>
        <h1 className={style.title}>{t('Punch clock')}</h1>
        <p className={style.notice} role="alert">
          {answer.error instanceof CallError ? t(answer.error.key, answer.error.values) : t('The server does not answer')}
        </p>
      </div>
    )
  const stale = answer.dataUpdatedAt > 0 && now - answer.dataUpdatedAt > staleAfter
  const rows = answer.data?.rows ?? []
  const columns = [
    { key: 'in', title: t('In now'), rows: rows.filter(row => row.state === 'work') },
    { key: 'break', title: t('On break'), rows: rows.filter(row => row.state === 'break') },
    { key: 'elsewhere', title: t('Elsewhere'), rows: rows.filter(row => row.state !== 'work' && row.state !== 'break') },
  ]
  return (
    <div className={style.board} data-stale={stale || undefined}>
      <header className={style.head}>
        <h1 className={style.title}>{answer.data?.company ?? ''}</h1>
        <span className={style.time}>{time(now)}</span>
        <span className={style.live} role="status">
          {stale ? t('Last data {{time}}', { time: time(answer.dataUpdatedAt) }) : answer.data ? t('Live') : t('Loading')}
        </span>
      </header>
      <div className={style.columns}>
        {columns.map(column => (
          <section key={column.key} data-kind={column.key}>
            <h2>
              {column.title} <b>{column.rows.length}</b>
            </h2>
            <ul>
              {column.rows.slice(0, 60).map(row => (
                <li key={`${row.first_name} ${row.since}`}>
                  <span className={style.dot} aria-hidden />
                  <span className={style.who}>{row.first_name}</span>
                  <span className={style.since}>
                    {column.key === 'elsewhere' ? `${typeWord(t, row.state)} ` : ''}
                    {time(row.since)}
                  </span>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </div>
  )
}

function useNow(): number {
  const [now, setNow] = useState(Date.now)
  // The outside system is the clock.
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
