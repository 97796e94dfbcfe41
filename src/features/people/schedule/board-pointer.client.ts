/** The pointer on the boards of the schedule, from pressing until letting go. */

/** Follows the pointer until it is let go. Escape, or a pointer that the system takes away, cancels. */
export function followPointer(moved: (event: PointerEvent) => void, ended: (cancelled: boolean) => void): void {
  const stop = new AbortController()
  const end = (cancelled: boolean) => {
    stop.abort()
    ended(cancelled)
  }
  const { signal } = stop
  window.addEventListener('pointermove', moved, { signal })
  window.addEventListener('pointerup', () => end(false), { signal })
  window.addEventListener('pointercancel', () => end(true), { signal })
  // Before the keys of the cells, which keep Escape to themselves.
  window.addEventListener('keydown', event => event.key === 'Escape' && end(true), { capture: true, signal })
}
