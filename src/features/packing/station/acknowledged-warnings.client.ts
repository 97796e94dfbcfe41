/** Sessions whose warnings were read on this device: once a session, also across a reload of the page. */
const storageKey = 'acknowledged-warnings'

export function acknowledgedSessions(): number[] {
  try {
    return (sessionStorage.getItem(storageKey) ?? '').split(',').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

export function storeAcknowledgedSessions(session_ids: readonly number[]): void {
  try {
    sessionStorage.setItem(storageKey, session_ids.join(','))
  } catch {
    // Private windows: the warning is shown again after a reload.
  }
}
