/** Warnings of an order that somebody has read: once a session, also across a reload of the page. */
import type { PackingOrder } from '#features/packing/packing/packing.contract.ts'

const hasWarning = (order: PackingOrder): boolean => order.comments.some(comment => comment.type === 'warning')
const readKey = 'bench-warnings-read'
export function warningsRead(order: PackingOrder): boolean {
  if (!hasWarning(order)) return true
  try {
    return (sessionStorage.getItem(readKey) ?? '').split(',').includes(`${order.session?.id}`)
  } catch {
    return false
  }
}
export function rememberWarning(session_id: number): void {
  try {
    const known = (sessionStorage.getItem(readKey) ?? '').split(',').slice(-20)
    sessionStorage.setItem(readKey, [...known, session_id].join(','))
  } catch {
    // Private windows: the warning is shown again after a reload.
  }
}
