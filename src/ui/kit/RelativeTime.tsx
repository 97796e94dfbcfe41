/** An instant: short on the page, in full when pointed at; `age` counts on by itself. */
import { useEffect, useState } from 'react'
import { dayOf, instant, instantInFull, relative, time } from './format.ts'
import { useT } from './translate.ts'

export function RelativeTime({
  at,
  as = 'instant',
}: {
  at: string | number | Date | null | undefined
  as?: 'instant' | 'time' | 'day' | 'age'
}) {
  useT()
  const [, tick] = useState(0)
  // The outside system is the clock.
  useEffect(() => {
    if (as !== 'age') return
    const timer = setInterval(() => tick(count => count + 1), 30_000)
    return () => clearInterval(timer)
  }, [as])
  if (at === null || at === undefined) return <span>–</span>
  const text = as === 'age' ? relative(at) : as === 'time' ? time(at) : as === 'day' ? dayOf(at) : instant(at)
  // The browser's own tooltip: a list shows hundreds of these.
  return (
    <time dateTime={new Date(at).toISOString()} title={instantInFull(at)} style={{ whiteSpace: 'nowrap' }}>
      {text}
    </time>
  )
}
