/** The offline queue against a server that is slow, gone, forgetful or refusing. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type EntryStore, openOfflineQueue } from './offline-queue.client.ts'
import type { EntryFormat, Outcome } from './offline-queue.rules.ts'

interface Entry {
  id: string
  key: number
  user_id: number
  at: number
  /** Entries of one group that follow each other are sent together. */
  group?: number
}
const mostTogether = 100

const single: EntryFormat<Entry> = {
  id: entry => entry.id,
  key: entry => entry.key,
  user_id: entry => entry.user_id,
  at: entry => entry.at,
  withTime: (entry, at) => ({ ...entry, at }),
}
/** As a picker's phone sends: everything in one order, neighbours of one group together. */
const grouped: EntryFormat<Entry> = {
  ...single,
  key: () => 'all',
  batchSize(entries) {
    const end = entries.findIndex(entry => entry.group !== entries[0]?.group)
    return Math.min(end < 0 ? entries.length : end, mostTogether)
  },
}

const answerTo = (batch: readonly Entry[], answer = 'ok'): Outcome<string> => ({
  kind: 'answered',
  answers: new Map(batch.map(entry => [entry.id, answer])),
})
const gone: Outcome<string> = { kind: 'again', reachable: false }
const busy: Outcome<string> = { kind: 'again', reachable: true }

function storeOf(stored: Entry[] = []): EntryStore<Entry> & { entries: Map<string, Entry> } {
  const entries = new Map(stored.map(entry => [entry.id, entry]))
  return {
    entries,
    load: async () => [...entries.values()],
    put: async entry => void entries.set(entry.id, entry),
    async remove(ids) {
      for (const id of ids) entries.delete(id)
    },
  }
}

const entryOf = (id: string, more: Partial<Entry> = {}): Entry => ({ id, key: 7, user_id: 1, at: Date.now(), ...more })

function deviceOf(
  answers: (batch: readonly Entry[], nth: number) => Outcome<string> | Promise<Outcome<string>>,
  { store = storeOf(), format = single }: { store?: EntryStore<Entry> & { entries: Map<string, Entry> }; format?: EntryFormat<Entry> } = {},
) {
  const sent: string[][] = []
  const acknowledged: string[] = []
  const refused: string[] = []
  let user = 1
  const queue = openOfflineQueue<Entry, string>({
    format,
    store,
    expiresAfter: 24 * 3_600_000,
    send: async batch => {
      sent.push(batch.map(entry => entry.id))
      return answers(batch, sent.length)
    },
    onAnswer: (entry, answer) => acknowledged.push(`${entry.id} ${answer}`),
    onRefused: batch => refused.push(...batch.map(entry => entry.id)),
    onChange: () => undefined,
    user_id: () => user,
  })
  return { queue, sent, acknowledged, refused, store, become: (id: number) => (user = id) }
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())
const settle = () => vi.advanceTimersByTimeAsync(0)

describe('the offline queue', () => {
  it('sends one entry at a time, in the order in which they were made', async () => {
    const open: (() => void)[] = []
    const { queue, sent, acknowledged } = deviceOf(batch => new Promise(resolve => open.push(() => resolve(answerTo(batch)))))
    for (const id of ['a', 'b', 'c']) queue.add(entryOf(id))
    await settle()
    expect(sent.flat()).toEqual(['a'])
    open.shift()?.()
    await settle()
    expect(sent.flat()).toEqual(['a', 'b'])
    expect(queue.waiting(7)).toHaveLength(2)
    open.shift()?.()
    await settle()
    open.shift()?.()
    await settle()
    expect(acknowledged).toEqual(['a ok', 'b ok', 'c ok'])
    expect(queue.waiting()).toEqual([])
  })

  it('takes the same entry only once', async () => {
    const { queue, sent } = deviceOf(batch => answerTo(batch))
    queue.add(entryOf('a'))
    queue.add(entryOf('a'))
    await settle()
    queue.add(entryOf('a'))
    await settle()
    expect(sent).toEqual([['a']])
  })

  it('sends an entry again with the same id until the server answers, and nothing overtakes it', async () => {
    const { queue, sent, acknowledged, store } = deviceOf((batch, nth) => (nth <= 3 ? gone : answerTo(batch)))
    queue.add(entryOf('a'))
    queue.add(entryOf('b'))
    await settle()
    expect(queue.isOffline()).toBe(true)
    expect(store.entries.size).toBe(2)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(sent.flat()).toEqual(['a', 'a', 'a', 'a', 'b'])
    expect(acknowledged).toEqual(['a ok', 'b ok'])
    expect(queue.isOffline()).toBe(false)
    expect(store.entries.size).toBe(0)
  })

  it('is not offline while the server is only busy', async () => {
    const { queue, acknowledged } = deviceOf((batch, nth) => (nth === 1 ? busy : answerTo(batch)))
    queue.add(entryOf('a'))
    await settle()
    expect(queue.isOffline()).toBe(false)
    await vi.advanceTimersByTimeAsync(100)
    expect(acknowledged).toEqual(['a ok'])
  })

  it('sends at once when the network is back', async () => {
    const { queue, sent } = deviceOf((batch, nth) => (nth <= 6 ? gone : answerTo(batch)))
    queue.add(entryOf('a'))
    await vi.advanceTimersByTimeAsync(10_500)
    const before = sent.length
    queue.retryNow()
    await settle()
    expect(sent.length).toBe(before + 1)
  })

  it('goes on after a reload with what the page before left behind, oldest first', async () => {
    const first = deviceOf(() => gone)
    first.queue.add(entryOf('a', { at: 1_000 }))
    first.queue.add(entryOf('b', { at: 2_000 }))
    await settle()
    first.queue.stop()
    vi.setSystemTime(3_000)
    const second = deviceOf(batch => answerTo(batch), { store: storeOf([...first.store.entries.values()].reverse()) })
    await second.queue.restore()
    await settle()
    expect(second.acknowledged).toEqual(['a ok', 'b ok'])
    expect(second.store.entries.size).toBe(0)
  })

  it('keeps working when the device can store nothing', async () => {
    const broken = {
      ...storeOf(),
      load: () => Promise.reject(new Error('no storage')),
      put: () => Promise.reject(new Error('no storage')),
      remove: () => Promise.reject(new Error('no storage')),
    }
    const { queue, acknowledged } = deviceOf(batch => answerTo(batch), { store: broken })
    await queue.restore()
    queue.add(entryOf('a'))
    await settle()
    expect(acknowledged).toEqual(['a ok'])
  })

  it('reports a refusal and goes on with the next entry', async () => {
    const { queue, refused, acknowledged } = deviceOf(batch => (batch[0]?.id === 'a' ? { kind: 'refused', error: 'no' } : answerTo(batch)))
    queue.add(entryOf('a'))
    queue.add(entryOf('b'))
    await settle()
    expect(refused).toEqual(['a'])
    expect(acknowledged).toEqual(['b ok'])
  })

  it('does not let one key wait for another', async () => {
    const { queue, acknowledged } = deviceOf(batch => (batch[0]?.key === 7 ? gone : answerTo(batch)))
    queue.add(entryOf('a'))
    queue.add(entryOf('b', { key: 8 }))
    await settle()
    expect(acknowledged).toEqual(['b ok'])
    expect(queue.waiting(7)).toHaveLength(1)
    queue.stop()
  })

  it('resolves when a key has nothing left to acknowledge', async () => {
    const { queue } = deviceOf((batch, nth) => (nth === 1 ? gone : answerTo(batch)))
    let drained = false
    queue.add(entryOf('a'))
    queue.add(entryOf('b'))
    void queue.drained(7).then(() => (drained = true))
    await settle()
    expect(drained).toBe(false)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(drained).toBe(true)
    await expect(queue.drained(99)).resolves.toBeUndefined()
  })

  it("never sends another person's entries, and keeps them for that person", async () => {
    const { queue, sent, store, become } = deviceOf(batch => answerTo(batch), { store: storeOf([entryOf('a', { user_id: 2 })]) })
    await queue.restore()
    await settle()
    expect(sent).toEqual([])
    expect(queue.waiting()).toEqual([])
    expect(store.entries.size).toBe(1)
    become(2)
    queue.retryNow()
    await settle()
    expect(sent.flat()).toEqual(['a'])
  })

  it('drops entries that are too old', async () => {
    vi.setSystemTime(100 * 3_600_000)
    const { queue, sent, store } = deviceOf(batch => answerTo(batch), { store: storeOf([entryOf('a', { at: 1 })]) })
    await queue.restore()
    await settle()
    expect(sent).toEqual([])
    expect(store.entries.size).toBe(0)
  })

  it('keeps entries of one millisecond in their order across a reload', async () => {
    vi.setSystemTime(1_000)
    const first = deviceOf(() => gone)
    for (const id of ['c', 'a', 'b']) first.queue.add(entryOf(id))
    await settle()
    first.queue.stop()
    const second = deviceOf(batch => answerTo(batch), { store: first.store })
    await second.queue.restore()
    await settle()
    expect(second.acknowledged).toEqual(['c ok', 'a ok', 'b ok'])
  })
})

describe('an offline queue that sends several entries in one request', () => {
  it('sends at once what is alone, and together, in order, what gathered meanwhile', async () => {
    const open: (() => void)[] = []
    const { queue, sent, acknowledged } = deviceOf(batch => new Promise(resolve => open.push(() => resolve(answerTo(batch)))), {
      format: grouped,
    })
    for (const id of ['a', 'b', 'c']) queue.add(entryOf(id))
    await settle()
    expect(sent).toEqual([['a']])
    open.shift()?.()
    await settle()
    expect(sent).toEqual([['a'], ['b', 'c']])
    open.shift()?.()
    await settle()
    expect(acknowledged).toEqual(['a ok', 'b ok', 'c ok'])
    expect(queue.waiting()).toEqual([])
  })

  it('keeps everything while there is no network, and sends it in order afterwards, at most a hundred at once', async () => {
    let reachable = false
    const { queue, sent, acknowledged, store } = deviceOf(batch => (reachable ? answerTo(batch) : gone), { format: grouped })
    for (let i = 0; i < 230; i++) queue.add(entryOf(`e${i}`))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(queue.isOffline()).toBe(true)
    expect(queue.waiting()).toHaveLength(230)
    expect(store.entries.size).toBe(230)
    reachable = true
    const tries = sent.length
    queue.retryNow()
    await settle()
    expect(sent.slice(tries).map(ids => ids.length)).toEqual([mostTogether, mostTogether, 30])
    expect(acknowledged).toEqual(Array.from({ length: 230 }, (_, i) => `e${i} ok`))
    expect(store.entries.size).toBe(0)
    expect(queue.isOffline()).toBe(false)
  })

  it('goes on with the others when one of a batch is refused', async () => {
    const { queue, acknowledged } = deviceOf(
      (batch, nth) =>
        nth === 1 ? gone : { kind: 'answered', answers: new Map(batch.map(({ id }) => [id, id === 'b' ? 'too_many' : 'ok'])) },
      { format: grouped },
    )
    for (const id of ['a', 'b', 'c']) queue.add(entryOf(id))
    await vi.advanceTimersByTimeAsync(1_000)
    expect(acknowledged).toEqual(['a ok', 'b too_many', 'c ok'])
  })

  it('sends again what the server did not answer', async () => {
    const { queue, acknowledged } = deviceOf(
      (batch, nth) => (nth === 1 ? gone : nth === 2 ? answerTo(batch.slice(0, 1)) : nth === 3 ? answerTo([]) : answerTo(batch)),
      { format: grouped },
    )
    for (const id of ['a', 'b']) queue.add(entryOf(id))
    await vi.advanceTimersByTimeAsync(3_000)
    expect(acknowledged).toEqual(['a ok', 'b ok'])
  })

  it('sends entries of another group by themselves, and in between if they were made in between', async () => {
    const { queue, sent } = deviceOf((batch, nth) => (nth === 1 ? gone : answerTo(batch)), { format: grouped })
    queue.add(entryOf('a', { group: 1 }))
    queue.add(entryOf('b', { group: 2 }))
    queue.add(entryOf('c', { group: 1 }))
    await vi.advanceTimersByTimeAsync(2_000)
    expect(sent.slice(1)).toEqual([['a'], ['b'], ['c']])
  })

  it('takes up stored entries only once', async () => {
    const store = storeOf()
    const first = deviceOf(() => gone, { store, format: grouped })
    for (const id of ['a', 'b']) first.queue.add(entryOf(id))
    await settle()
    first.queue.stop()
    const second = deviceOf(batch => answerTo(batch), { store, format: grouped })
    await second.queue.restore()
    await second.queue.restore()
    second.queue.add(entryOf('c'))
    await settle()
    expect(second.acknowledged).toEqual(['a ok', 'b ok', 'c ok'])
    expect(store.entries.size).toBe(0)
  })

  it('sends what another person made after that person is back', async () => {
    const { queue, sent, become } = deviceOf((batch, nth) => (nth === 1 ? gone : answerTo(batch)), { format: grouped })
    queue.add(entryOf('a'))
    await settle()
    become(2)
    queue.add(entryOf('b', { user_id: 2 }))
    await vi.advanceTimersByTimeAsync(5_000)
    expect(sent.slice(1)).toEqual([['b']])
    expect(queue.waiting()).toEqual([])
    become(1)
    queue.retryNow()
    await settle()
    expect(sent.at(-1)).toEqual(['a'])
  })
})
