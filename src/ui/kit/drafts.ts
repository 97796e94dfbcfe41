/** What somebody has half written, kept on this device until it is sent or emptied: a reload or another record between loses none of it. */
import type { Guard } from '#domain/guards.ts'
import { device, useDevice } from '#ui/device/device-storage.ts'
import { useSignedIn } from '#ui/query/session.ts'

/** As many as somebody could still remember. */
const most = 100
const longest = 30 * 86_400_000

export interface Draft<V> {
  value: V
  /** Keeps what is written so far; a draft that says no more than an empty one is forgotten. */
  set: (value: V) => void
  forget: () => void
}

export interface DraftShape<V> {
  empty: V
  fits: Guard<V>
}

/**
 * One person's draft under a name. What was kept and does not fit any more is not shown.
 *
 *     const note = useDraft(`order ${order.id} lock`, { empty: { note: '' }, fits: objectOf({ note: isText }) })
 */
export function useDraft<V extends object>(name: string, { empty, fits }: DraftShape<V>): Draft<V> {
  const { user } = useSignedIn()
  const key = `${user.user_id}:${name}`
  const kept = useDevice('drafts')?.[key]
  const value: unknown = kept?.value
  return {
    value: fits(value) ? value : empty,
    set: value => keepDraft(key, JSON.stringify(value) === JSON.stringify(empty) ? null : value),
    forget: () => keepDraft(key, null),
  }
}

export function keepDraft(key: string, value: object | null): void {
  const { [key]: before, ...others } = device.read('drafts') ?? {}
  if (value === null && before === undefined) return
  const now = Date.now()
  const drafts = Object.entries(others).filter(([, draft]) => now - draft.at < longest)
  if (value !== null) drafts.push([key, { at: now, value }])
  const newest = drafts.toSorted(([, a], [, b]) => a.at - b.at).slice(-most)
  if (newest.length === 0) device.forget('drafts')
  else device.write('drafts', Object.fromEntries(newest))
}
