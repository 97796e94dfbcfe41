/** The fair queue as a specification: order, weights, bounds, departure, and that everything that waits is served. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type WorkClass, workClasses } from '#contract/work-classes.ts'
import { createFairQueue, type FairQueueLimits, QueueFullError, turnCosts } from './fair-queue.ts'

const all = (count: number): Record<WorkClass, number> => ({ scan: count, change: count, read: count, search: count, bulk: count })
const wide = 1_000_000

function testQueue(limits: Partial<FairQueueLimits> = {}, clock = () => 0) {
  const begun: string[] = []
  const running: (() => void)[] = []
  const queue = createFairQueue(
    { running: all(1), runningOfCompany: all(wide), aloneAfter: wide, waitingOfCompany: all(wide), waiting: wide, ...limits },
    { clock },
  )
  return {
    queue,
    /** What has begun, in its order. */
    begun,
    enter: (company: string, work: WorkClass, options?: { promised?: boolean }) =>
      queue.enter(
        company,
        work,
        end => {
          begun.push(`${company} ${work}`)
          running.push(end)
        },
        options,
      ),
    /** Ends what began first of all that runs. */
    endOne: () => running.shift()?.(),
    endAll() {
      while (running.length > 0) running.shift()?.()
    },
  }
}

describe('order', () => {
  it('begins at once where a place is free', () => {
    const { begun, enter } = testQueue()
    enter('a', 'bulk')
    expect(begun).toEqual(['a bulk'])
  })

  it('serves one company and class in the order of arrival', () => {
    const begun: number[] = []
    const queue = createFairQueue({ running: all(1), runningOfCompany: all(1), aloneAfter: wide, waitingOfCompany: all(9), waiting: 9 })
    const ends = [1, 2, 3].map(n => queue.enter('a', 'read', () => void begun.push(n)))
    for (const end of ends) end()
    expect(begun).toEqual([1, 2, 3])
  })

  it('serves the first request of a company before the second one of a company with a long queue', () => {
    const { begun, enter, endOne } = testQueue()
    for (let n = 0; n < 24; n++) enter('busy', 'read')
    enter('other', 'read')
    endOne()
    endOne()
    endOne()
    expect(begun).toEqual(['busy read', 'busy read', 'other read', 'busy read'])
  })

  it('takes turns between companies with long queues', () => {
    const { begun, enter, endAll } = testQueue()
    for (let n = 0; n < 4; n++) for (const company of ['a', 'b', 'c']) enter(company, 'search')
    endAll()
    const turns = begun.slice(1, 10)
    for (const company of ['a', 'b', 'c']) expect(turns.filter(one => one === `${company} search`)).toHaveLength(3)
  })

  it('serves a scan before everything of lower weight that came earlier', () => {
    const { begun, enter, endOne } = testQueue()
    for (const work of ['bulk', 'search', 'read', 'change'] as const) for (let n = 0; n < 3; n++) enter('busy', work)
    enter('other', 'scan')
    endOne()
    expect(begun.at(-1)).toBe('other scan')
  })
})

describe('weights', () => {
  it('gives each class turns in inverse proportion to its cost', () => {
    const { begun, enter, endOne } = testQueue()
    enter('first', 'read')
    for (const work of workClasses) for (let n = 0; n < 500; n++) enter('a', work)
    for (let n = 0; n < 31 * 10; n++) endOne()
    const turns = (work: WorkClass) => begun.filter(one => one === `a ${work}`).length
    for (const work of workClasses) expect(Math.abs(turns(work) - (10 * turnCosts.bulk) / turnCosts[work])).toBeLessThanOrEqual(2)
  })
})

describe('bounds', () => {
  it('keeps places free for the classes before a full one', () => {
    const { begun, enter } = testQueue({ running: { scan: 4, change: 3, read: 2, search: 2, bulk: 1 } })
    for (const work of ['bulk', 'bulk', 'search', 'search', 'read', 'change', 'change', 'scan', 'scan'] as const) enter('a', work)
    expect(begun).toEqual(['a bulk', 'a search', 'a change', 'a scan'])
  })

  it('counts a class among those behind another one, and never the other way', () => {
    const { begun, enter } = testQueue({ running: { scan: 4, change: 4, read: 4, search: 2, bulk: 2 } })
    for (let n = 0; n < 3; n++) enter('a', 'scan')
    enter('a', 'bulk')
    expect(begun).toHaveLength(4)
  })

  it('runs no more of one company’s class than its bound, and gives the other places to other companies', () => {
    const { queue, begun, enter, endOne } = testQueue({ running: all(4), runningOfCompany: { ...all(4), search: 2 } })
    enter('other', 'scan')
    endOne()
    for (let n = 0; n < 5; n++) enter('busy', 'search')
    expect(begun).toHaveLength(3)
    enter('other', 'search')
    expect(begun.at(-1)).toBe('other search')
    endOne()
    expect(begun.at(-1)).toBe('busy search')
    expect(queue.running('search')).toBe(3)
    expect(queue.waiting('search')).toBe(2)
  })

  it('gives a company that is alone all places of a class, until another company comes', () => {
    let now = 0
    const { queue, enter, endOne } = testQueue(
      { running: all(4), runningOfCompany: { ...all(4), search: 1 }, aloneAfter: 1_000 },
      () => now,
    )
    enter('other', 'scan')
    endOne()
    for (let n = 0; n < 9; n++) enter('busy', 'search')
    expect(queue.running('search')).toBe(1)
    now = 1_000
    enter('busy', 'search')
    expect(queue.running('search')).toBe(4)
    enter('other', 'scan')
    for (let n = 0; n < 3; n++) endOne()
    expect(queue.running('search')).toBe(1)
    endOne()
    expect(queue.running('search')).toBe(1)
  })

  it('refuses what has to wait in a full queue of its company and class, and nothing of others', () => {
    const { queue, enter } = testQueue({ waitingOfCompany: { ...all(9), search: 2 } })
    for (let n = 0; n < 3; n++) enter('busy', 'search')
    expect(() => enter('busy', 'search')).toThrow(expect.objectContaining({ full: 'company' }) as QueueFullError)
    expect(queue.waiting('search')).toBe(2)
    expect(() => enter('busy', 'scan')).not.toThrow()
    expect(() => enter('other', 'search')).not.toThrow()
  })

  it('refuses what has to wait when too much waits in all', () => {
    const { enter } = testQueue({ waiting: 2 })
    for (const company of ['a', 'b', 'c']) enter(company, 'read')
    expect(() => enter('d', 'scan')).toThrow(expect.objectContaining({ full: 'server' }) as QueueFullError)
  })

  it('refuses nothing that was promised', () => {
    const { queue, enter } = testQueue({ waiting: 0, waitingOfCompany: all(0) })
    enter('a', 'bulk')
    expect(() => enter('a', 'bulk')).toThrow(QueueFullError)
    enter('a', 'bulk', { promised: true })
    expect(queue.waiting('bulk')).toBe(1)
  })
})

describe('departure', () => {
  it('takes back what waits: it never begins, and its place is free', () => {
    const { queue, begun, enter, endAll } = testQueue({ waitingOfCompany: all(2) })
    enter('a', 'read')
    const leave = enter('a', 'read')
    enter('a', 'read')
    leave()
    expect(queue.waiting('read')).toBe(1)
    enter('a', 'read')
    endAll()
    expect(begun).toHaveLength(3)
  })

  it('frees the place of what runs, once however often it is ended', () => {
    const { queue, begun, enter } = testQueue()
    const end = enter('a', 'read')
    for (let n = 0; n < 3; n++) enter('b', 'read')
    end()
    end()
    expect(begun).toEqual(['a read', 'b read'])
    expect(queue.running('read')).toBe(1)
  })

  it('of something that ends as it begins gives the place to the next', () => {
    const begun: number[] = []
    const queue = createFairQueue({ running: all(1), runningOfCompany: all(1), aloneAfter: wide, waitingOfCompany: all(9), waiting: 9 })
    const first = queue.enter('a', 'read', () => undefined)
    for (const n of [1, 2, 3])
      queue.enter('a', 'read', end => {
        begun.push(n)
        end()
      })
    first()
    expect(begun).toEqual([1, 2, 3])
    expect(queue.running('read')).toBe(0)
  })
})

describe('starvation', () => {
  it('does not happen to bulk work while scans of ever new companies come', () => {
    const { begun, enter, endOne } = testQueue()
    enter('first', 'scan')
    enter('patient', 'bulk')
    let companies = 0
    while (!begun.includes('patient bulk') && companies < 100) {
      enter(`new ${companies++}`, 'scan')
      endOne()
    }
    expect(companies).toBeLessThanOrEqual(turnCosts.bulk + 1)
  })

  it('does not happen to a company that sends one request at a time beside one with many', () => {
    const { begun, enter, endOne } = testQueue()
    for (let n = 0; n < 1_000; n++) enter('busy', 'search')
    for (let turn = 0; turn < 50; turn++) {
      enter('other', 'search')
      endOne()
      endOne()
    }
    expect(begun.filter(one => one === 'other search').length).toBeGreaterThanOrEqual(49)
  })

  it('does not happen in any order of arrivals, ends and departures, and no bound is ever exceeded', () => {
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.tuple(fc.constant('enter' as const), fc.nat(3), fc.constantFrom(...workClasses)) },
      { weight: 2, arbitrary: fc.tuple(fc.constant('leave' as const), fc.nat(50), fc.constant('scan' as const)) },
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), steps => {
        const running = { scan: 5, change: 4, read: 3, search: 2, bulk: 1 }
        const queue = createFairQueue({
          running,
          runningOfCompany: { ...all(5), search: 1 },
          aloneAfter: wide,
          waitingOfCompany: all(wide),
          waiting: wide,
        })
        queue.enter('earlier', 'scan', end => end())
        const ends: (() => void)[] = []
        const state: ('waiting' | 'begun' | 'over')[] = []
        const searching = new Map<number, number>()
        for (const [kind, number, work] of steps) {
          if (kind === 'enter') {
            const at = state.push('waiting') - 1
            let counted = false
            const leave = queue.enter(String(number), work, () => {
              state[at] = 'begun'
              if (work !== 'search') return
              counted = true
              searching.set(number, (searching.get(number) ?? 0) + 1)
              expect(searching.get(number)).toBe(1)
            })
            ends[at] = () => {
              if (counted) searching.set(number, 0)
              counted = false
              state[at] = 'over'
              leave()
            }
          } else if (ends.length > 0) ends[number % ends.length]?.()
          let behind = 0
          for (const one of workClasses.toReversed()) {
            behind += queue.running(one)
            expect(behind).toBeLessThanOrEqual(running[one])
          }
        }
        // When everything that runs ends in its turn, all that waited has begun.
        for (let again = true; again; ) {
          again = false
          for (const [at, one] of state.entries())
            if (one === 'begun') {
              again = true
              ends[at]?.()
            }
        }
        expect(state.filter(one => one === 'waiting')).toEqual([])
        for (const work of workClasses) expect([queue.running(work), queue.waiting(work)]).toEqual([0, 0])
      }),
    )
  })
})

it('reports how long each waited, in milliseconds', () => {
  let now = 0
  const waits: [WorkClass, number][] = []
  const queue = createFairQueue(
    { running: all(1), runningOfCompany: all(1), aloneAfter: wide, waitingOfCompany: all(9), waiting: 9 },
    { clock: () => now, onBegin: (work, waited) => void waits.push([work, waited]) },
  )
  const end = queue.enter('a', 'scan', () => undefined)
  queue.enter('b', 'bulk', () => undefined)
  now = 40
  end()
  expect(waits).toEqual([
    ['scan', 0],
    ['bulk', 40],
  ])
})
