/** The phone's queue against a server that is slow, gone, forgetful or refusing. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type EventShelf, mostAtOnce, type Outcome, openEventQueue, pauseAfter, type QueuedEvent } from './event-queue.rules.ts'
import type { EventAnswer, PickEvent } from './picking.contract.ts'

const answerTo = (id: string, more: Partial<EventAnswer> = {}): EventAnswer => ({
  id,
  ok: true,
  result: 'ok',
  text: '',
  values: {},
  line: null,
  walk: null,
  short_id: null,
  wagon_state: 'picking',
  reload: false,
  ...more,
})
const answered = (events: readonly PickEvent[]): Outcome => ({ kind: 'answered', answers: events.map(event => answerTo(event.id)) })
const gone: Outcome = { kind: 'again', reachable: false }

function shelfOf(stored: QueuedEvent[] = []): EventShelf & { events: Map<string, QueuedEvent> } {
  const events = new Map(stored.map(one => [one.event.id, one]))
  return {
    events,
    load: async () => [...events.values()],
    put: async one => void events.set(one.event.id, one),
    remove: async ids => {
      for (const id of ids) events.delete(id)
    },
  }
}

const eventOf = (id: string): PickEvent => ({
  id,
  kind: 'pick',
  line: 1,
  quantity: 1,
  code: '',
  reason: null,
  note: '',
  by: 'scan',
  of: null,
  at: new Date().toISOString(),
})
const queued = (id: string, more: Partial<Omit<QueuedEvent, 'seq'>> = {}) => ({
  event: eventOf(id),
  pick_list_id: 7,
  wagon_no: 1,
  user_id: 1,
  ...more,
})

function phoneOf(answer: (events: readonly PickEvent[], nth: number) => Outcome | Promise<Outcome>, shelf = shelfOf()) {
  const sent: { wagon: string; ids: string[] }[] = []
  const heard: string[] = []
  const refused: string[] = []
  let user = 1
  const queue = openEventQueue({
    shelf,
    user_id: () => user,
    send: async (pick_list_id, wagon_no, events) => {
      sent.push({ wagon: `${pick_list_id}/${wagon_no}`, ids: events.map(event => event.id) })
      return answer(events, sent.length)
    },
    onAnswer: (one, { result }) => heard.push(`${one.event.id} ${result}`),
    onRefused: events => refused.push(...events.map(one => one.event.id)),
    onChange: () => undefined,
  })
  return { queue, sent, heard, refused, shelf, become: (id: number) => (user = id) }
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())
const settle = () => vi.advanceTimersByTimeAsync(0)

describe('the queue of events', () => {
  it('sends at once what is alone, and together, in order, what gathered meanwhile', async () => {
    const open: (() => void)[] = []
    const { queue, sent, heard } = phoneOf(events => new Promise(resolve => open.push(() => resolve(answered(events)))))
    for (const id of ['a', 'b', 'c']) queue.add(queued(id))
    await settle()
    expect(sent.map(one => one.ids)).toEqual([['a']])
    open.shift()?.()
    await settle()
    expect(sent.map(one => one.ids)).toEqual([['a'], ['b', 'c']])
    open.shift()?.()
    await settle()
    expect(heard).toEqual(['a ok', 'b ok', 'c ok'])
    expect(queue.waiting()).toEqual([])
  })

  it('keeps everything through a dead spot, and sends it in order afterwards, at most a hundred at once', async () => {
    let reachable = false
    const { queue, sent, heard, shelf } = phoneOf(events => (reachable ? answered(events) : gone))
    for (let i = 0; i < 230; i++) queue.add(queued(`e${i}`))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(queue.cutOff()).toBe(true)
    expect(queue.waiting()).toHaveLength(230)
    expect(shelf.events.size).toBe(230)
    reachable = true
    const tries = sent.length
    queue.hurry()
    await settle()
    expect(sent.slice(tries).map(one => one.ids.length)).toEqual([mostAtOnce, mostAtOnce, 30])
    expect(heard).toEqual(Array.from({ length: 230 }, (_, i) => `e${i} ok`))
    expect(shelf.events.size).toBe(0)
    expect(queue.cutOff()).toBe(false)
  })

  it('sends the same events again with the same ids when the answer was lost', async () => {
    const { queue, sent, heard } = phoneOf((events, nth) => (nth === 1 ? gone : answered(events)))
    queue.add(queued('a'))
    await vi.advanceTimersByTimeAsync(1_000)
    expect(sent.map(one => one.ids)).toEqual([['a'], ['a']])
    expect(heard).toEqual(['a ok'])
  })

  it('goes on with the others when one of a batch is refused', async () => {
    const { queue, heard } = phoneOf((events, nth) =>
      nth === 1
        ? gone
        : { kind: 'answered', answers: events.map(event => answerTo(event.id, event.id === 'b' ? { ok: false, result: 'too_many' } : {})) },
    )
    for (const id of ['a', 'b', 'c']) queue.add(queued(id))
    await vi.advanceTimersByTimeAsync(1_000)
    expect(heard).toEqual(['a ok', 'b too_many', 'c ok'])
  })

  it('asks again for what the server did not answer', async () => {
    const { queue, heard } = phoneOf((events, nth) => (nth === 2 ? answered(events.slice(0, 1)) : nth === 1 ? gone : answered(events)))
    for (const id of ['a', 'b']) queue.add(queued(id))
    await vi.advanceTimersByTimeAsync(2_000)
    expect(heard).toEqual(['a ok', 'b ok'])
  })

  it('sends events of another wagon by themselves, and in between if they were made in between', async () => {
    const { queue, sent } = phoneOf((events, nth) => (nth === 1 ? gone : answered(events)))
    queue.add(queued('a'))
    queue.add(queued('b', { wagon_no: 2 }))
    queue.add(queued('c'))
    await vi.advanceTimersByTimeAsync(2_000)
    expect(sent.slice(1)).toEqual([
      { wagon: '7/1', ids: ['a'] },
      { wagon: '7/2', ids: ['b'] },
      { wagon: '7/1', ids: ['c'] },
    ])
  })

  it('takes up after a reload what an earlier page left behind, in its order and only once', async () => {
    const shelf = shelfOf()
    const first = phoneOf(() => gone, shelf)
    for (const id of ['a', 'b']) first.queue.add(queued(id))
    await settle()
    first.queue.stop()
    const second = phoneOf(answered, shelf)
    await second.queue.restore()
    await second.queue.restore()
    second.queue.add(queued('c'))
    await settle()
    expect(second.heard).toEqual(['a ok', 'b ok', 'c ok'])
    expect(shelf.events.size).toBe(0)
  })

  it('leaves what another person did to that person', async () => {
    const { queue, sent, become } = phoneOf((events, nth) => (nth === 1 ? gone : answered(events)))
    queue.add(queued('a'))
    await settle()
    become(2)
    queue.add(queued('b', { user_id: 2 }))
    await vi.advanceTimersByTimeAsync(5_000)
    expect(sent.slice(1).map(one => one.ids)).toEqual([['b']])
    expect(queue.waiting()).toEqual([])
    become(1)
    queue.hurry()
    await settle()
    expect(sent.at(-1)?.ids).toEqual(['a'])
  })

  it('says what was refused as a whole, and goes on', async () => {
    const { queue, refused, heard } = phoneOf((events, nth) =>
      nth === 1 ? { kind: 'refused', error: new Error('gone') } : answered(events),
    )
    queue.add(queued('a'))
    await settle()
    queue.add(queued('b'))
    await settle()
    expect([refused, heard]).toEqual([['a'], ['b ok']])
  })

  it('tells when everything is acknowledged', async () => {
    const { queue } = phoneOf((events, nth) => (nth < 3 ? gone : answered(events)))
    queue.add(queued('a'))
    let drained = false
    void queue.drained().then(() => {
      drained = true
    })
    await settle()
    expect(drained).toBe(false)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(drained).toBe(true)
  })

  it('works on where the device keeps nothing', async () => {
    const broken: EventShelf = {
      load: () => Promise.reject(new Error('no')),
      put: () => Promise.reject(new Error('no')),
      remove: () => Promise.reject(new Error('no')),
    }
    const heard: string[] = []
    const queue = openEventQueue({
      shelf: broken,
      user_id: () => 1,
      send: async (_list, _wagon, events) => answered(events),
      onAnswer: one => heard.push(one.event.id),
      onRefused: () => undefined,
      onChange: () => undefined,
    })
    await queue.restore()
    queue.add(queued('a'))
    await settle()
    expect(heard).toEqual(['a'])
  })

  it('waits longer with every try, and never longer than five seconds', () => {
    const pauses = Array.from({ length: 12 }, (_, i) => pauseAfter(i, false))
    expect(pauses).toEqual(pauses.toSorted((a, b) => a - b))
    expect(Math.max(...pauses)).toBe(5_000)
    expect(pauseAfter(0, true)).toBeLessThan(pauseAfter(0, false))
  })
})
