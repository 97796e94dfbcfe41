/** Shows what the person has to read or agree with, over the page: never while an order, a wagon or a changed form is open. */
import { useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useNothingOpen } from '#ui/query/app-config.ts'
import { useCall } from '#ui/query/calls.ts'
import { useConnection } from '#ui/query/change-stream.ts'
import { announcements } from './announcements.contract.ts'

const AnnouncementPage = lazy(() => import('./AnnouncementPage.tsx').then(module => ({ default: module.AnnouncementPage })))

/** Milliseconds for which nothing is open before an announcement comes: a packer who scans the next order at once is left alone. */
const calmFor = 2_000

/** The kiosk stands for everyone: what its own account has to read would keep all others from clocking in. */
const kiosk = '/punchclock'

/** True once nothing was open for a while; false at once when something opens. */
function useCalm(): boolean {
  const free = useNothingOpen()
  const [calm, setCalm] = useState(false)
  // The outside system is the clock.
  useEffect(() => {
    if (!free) {
      setCalm(false)
      return
    }
    const timer = setTimeout(() => setCalm(true), calmFor)
    return () => clearTimeout(timer)
  }, [free])
  return free && calm
}

export function AnnouncementGate() {
  const path = useRouterState({ select: state => (state.resolvedLocation ?? state.location).pathname })
  const answer = useCall(announcements.waiting, {}, { live: ['announcement', 'group'], fresh: 60_000, every: 600_000 })
  const calm = useCalm()
  const connected = useConnection() !== 'lost'
  const waiting = answer.data ?? []
  const [first] = waiting
  if (!first || !calm || !connected || path === kiosk) return null
  return (
    <Suspense>
      <AnnouncementPage key={`${first.id} ${first.version_no}`} of={first} count={waiting.length} />
    </Suspense>
  )
}
