/** Which events of a picker go together, and events that version 0.1.0 stored. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openOfflineQueue } from '#ui/offline/offline-queue.client.ts'
import { eventFormat, expiresAfter, mostTogether, type QueuedEvent } from './event-format.rules.ts'

const queued = (id: string, seq: number, more: Partial<QueuedEvent> = {}): QueuedEvent => ({
  event: {
    id,
    kind: 'pick',
    line: 1,
    quantity: 1,
    code: '',
    reason: null,
    note: '',
    by: 'scan',
    of: null,
    at: new Date(seq / 1_000).toISOString(),
  },
  pick_list_id: 7,
  wagon_no: 1,
  user_id: 1,
  seq,
  ...more,
})

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

it.each([
  ['events of one wagon', [queued('a', 1), queued('b', 2), queued('c', 3)], 3],
  ['what follows directly, not what was made after another wagon', [queued('a', 1), queued('b', 2, { wagon_no: 2 }), queued('c', 3)], 1],
  ['no events of another list', [queued('a', 1), queued('b', 2), queued('c', 3, { pick_list_id: 8 })], 2],
  ['at most a hundred', Array.from({ length: 230 }, (_, i) => queued(`${i}`, i)), mostTogether],
])('puts into one request: %s', (_, events, size) => {
  expect(eventFormat.batchSize(events)).toBe(size)
})

it('sends events as version 0.1.0 stored them, in their order', async () => {
  const now = Date.now() * 1_000
  const stored = [queued('c', now + 2, { wagon_no: 2 }), queued('b', now + 1), queued('a', now)]
  const sent: string[][] = []
  const queue = openOfflineQueue<QueuedEvent, string>({
    format: eventFormat,
    store: { load: async () => stored, put: async () => undefined, remove: async () => undefined },
    expiresAfter,
    user_id: () => 1,
    send: async batch => {
      sent.push(batch.map(one => one.event.id))
      return { kind: 'answered', answers: new Map(batch.map(one => [one.event.id, 'ok'])) }
    },
    onAnswer: () => undefined,
    onRefused: () => undefined,
    onChange: () => undefined,
  })
  await queue.restore()
  await vi.advanceTimersByTimeAsync(0)
  expect(sent).toEqual([['a', 'b'], ['c']])
  expect(queue.waiting()).toEqual([])
})
