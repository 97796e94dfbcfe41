/** An instant: short on the page, in full when pointed at; `age` (“3 hours ago”) and `elapsed` (“3 hr”, for columns) count on by themselves. */
import { useEffect, useState } from 'react'
import { dayOf, instant, instantInFull, relative, span, time } from './format.ts'
import { useT } from './translate.ts'

export function RelativeTime({
  at,
  as = 'instant',
}: {
  at: string | number | Date | null | undefined
  as?: 'instant' | 'time' | 'day' | 'age' | 'elapsed'
}) {
  useT()
  const [, tick] = useState(0)
  // The outside system is the clock.
  useEffect(() => {
    if (as !== 'age' && as !== 'elapsed') return
    const timer = setInterval(() => tick(count => count + 1), 30_000)
    return () => clearInterval(timer)
  }, [as])
  if (at === null || at === undefined) return <span>–</span>
  const text = { age: relative, elapsed: sinceThen, time, day: dayOf, instant }[as](at)
  // The browser's own tooltip: a list shows hundreds of these.
  return (
    <time dateTime={new Date(at).toISOString()} title={instantInFull(at)}>
      {text}
    </time>
  )
}

const sinceThen = (at: string | number | Date): string => span(Date.now() - new Date(at).getTime())
