/** What opens over a screen. Its code loads with the first opening, or once the first screen stands, so that the screen itself comes sooner. */
import { type ComponentType, type LazyExoticComponent, lazy, Suspense, useEffect, useState } from 'react'
import { afterFirstScreen } from './first-screen.ts'

export interface OpenedPart<P extends { opened: boolean }> {
  Part: LazyExoticComponent<ComponentType<P>>
  loadBeforehand: () => Promise<unknown>
}

export const openedPart = <P extends { opened: boolean }>(load: () => Promise<ComponentType<P>>): OpenedPart<P> => ({
  Part: lazy(() => load().then(part => ({ default: part }))),
  loadBeforehand: afterFirstScreen(load),
})

export function WhenOpened<P extends { opened: boolean }>({ part, props }: { part: OpenedPart<P>; props: P }) {
  const [wasOpened, setWasOpened] = useState(props.opened)
  if (props.opened && !wasOpened) setWasOpened(true)
  // The outside system is the network: an opening that needs no answer of it comes in a gap too.
  useEffect(() => {
    part.loadBeforehand().catch(() => undefined)
  }, [part])
  if (!wasOpened) return null
  return (
    <Suspense fallback={null}>
      <part.Part {...props} />
    </Suspense>
  )
}
