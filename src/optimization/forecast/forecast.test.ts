import { describe, expect, it } from 'vitest'
import { type Advice, advise, forecast, hourlyRate, type PickupQueue, type Shift, type Situation, type Stage, workOf } from './forecast.ts'

const at = (clock: string): number => Date.parse(`2026-11-11T${clock}:00Z`)
const clockOf = (moment: number | null): string | null => (moment === null ? null : new Date(moment).toISOString().slice(11, 16))
const people = (stage: Stage, count: number, from = '00:00', until = '23:59'): Shift[] =>
  Array.from({ length: count }, () => ({ stage, from: at(from), until: at(until) }))
const queue = (due: string, fields: Partial<PickupQueue>): PickupQueue => ({
  ...{ due: at(due), target: 'packed', ready: 0, picked: 0, packed: 0, unit: 1 },
  ...fields,
})
const situation = (now: string, fields: Partial<Situation>): Situation => ({
  ...{ now: at(now), queues: [], people: [], rates: { pick: 40, pack: 20, out: 200 } },
  ...fields,
})
const missed = (one: Situation) => forecast(one).map(result => result.missed)
const done = (one: Situation) => forecast(one).map(result => clockOf(result.finish_at))
const words = (advice: Advice | null) => advice && { people: advice.people, start_by: clockOf(advice.start_by) }

describe('the forecast of a pickup', () => {
  const slow = { queues: [queue('16:00', { picked: 80 })], rates: { pick: 40, pack: 15, out: 200 } }
  const later = (from: string) => situation('13:30', { ...slow, people: people('pack', 3, from) })

  it('row 20: three packers from 15:10 miss 43; two more packers, or a start by 14:10', () => {
    expect(missed(later('15:10'))).toEqual([43])
    expect(words(advise(later('15:10'), 0))).toEqual({ people: { stage: 'pack', count: 2 }, start_by: '14:10' })
  })

  it('row 21: one packer more from now misses 5', () => {
    expect(missed(situation('13:30', { ...slow, people: [...people('pack', 3, '15:10'), ...people('pack', 1)] }))).toEqual([5])
  })

  it('row 22: a start at 14:15 misses 2, one at 14:10 none', () => {
    expect(missed(later('14:15'))).toEqual([2])
    expect(missed(later('14:10'))).toEqual([0])
  })

  const two = [queue('15:30', { ready: 40, picked: 80 }), queue('16:00', { ready: 103 })]
  const afternoon = (packers: Shift[], queues = two) => situation('13:00', { queues, people: [...people('pick', 2), ...packers] })

  it('row 23: the van is done at 15:00, GLS misses 43 and is done at 16:45; one packer more is done at 15:50', () => {
    const three = afternoon(people('pack', 3))
    expect([missed(three), done(three)]).toEqual([
      [0, 43],
      ['15:00', '16:45'],
    ])
    expect(words(advise(three, 1))).toEqual({ people: { stage: 'pack', count: 1 }, start_by: null })
    expect(done(afternoon(people('pack', 4)))[1]).toBe('15:50')
  })

  it('row 24: a break of all packers: the van is done at 15:30, GLS misses 73; two more packers', () => {
    const rest = afternoon([...people('pack', 3, '13:00', '14:00'), ...people('pack', 3, '14:30')])
    expect(done(rest)[0]).toBe('15:30')
    expect(missed(rest)).toEqual([0, 73])
    expect(advise(rest, 1)?.people).toEqual({ stage: 'pack', count: 2 })
  })

  it('row 25: one packer leaves at 15:00', () => {
    expect(missed(afternoon([...people('pack', 2), ...people('pack', 1, '13:00', '15:00')]))).toEqual([0, 63])
  })

  it('row 26: 24 more orders for GLS by 14:00', () => {
    const more = queue('16:00', { ready: 103, arrivals: [{ from: at('13:00'), until: at('14:00'), work: 24 }] })
    expect(missed(afternoon(people('pack', 3), [two[0]!, more]))).toEqual([0, 67])
  })

  it('row 27: one picker is too few for four packers: one picker more', () => {
    const one = situation('14:00', { queues: [queue('16:00', { ready: 120 })], people: [...people('pick', 1), ...people('pack', 4)] })
    expect(missed(one)).toEqual([44])
    expect(advise(one, 0)?.people).toEqual({ stage: 'pick', count: 1 })
  })

  it('row 28: no one at work', () => {
    const empty = situation('14:00', { queues: [queue('16:00', { ready: 5, picked: 7 })] })
    expect([missed(empty), done(empty)]).toEqual([[12], [null]])
  })

  it('row 29: the last step ends at the pickup', () => {
    expect(missed(situation('15:58', { queues: [queue('16:00', { picked: 3 })], people: people('pack', 2) }))).toEqual([2])
  })

  it('advises nothing for a handful, and says where more people do not help', () => {
    expect(advise(situation('15:58', { queues: [queue('16:00', { picked: 3 })] }), 0)).toBeNull()
    expect(advise(situation('15:58', { queues: [queue('16:00', { picked: 90 })] }), 0)).toEqual({ people: null, start_by: null })
  })

  it('scans out what has to be handed over', () => {
    const out = situation('15:00', {
      queues: [queue('16:00', { target: 'handed_over', packed: 150 })],
      people: people('out', 1),
      rates: { pick: 40, pack: 20, out: 100 },
    })
    expect(missed(out)).toEqual([50])
  })

  it('converts work back to orders, and neither makes nor loses any', () => {
    expect(missed(situation('15:00', { queues: [queue('16:00', { picked: 40, unit: 2 })], people: people('pack', 1) }))).toEqual([10])
    expect([workOf(1), workOf(3), workOf(100)]).toEqual([1, 1.3, 5])
  })

  it('takes a few milliseconds for 50 pickups and a day', () => {
    const queues = Array.from({ length: 50 }, (_, place) => queue('16:00', { due: at('13:00') + place * 900_000, ready: 500 }))
    const many = situation('13:00', { queues, people: [...people('pick', 3), ...people('pack', 5)] })
    forecast(many)
    const before = performance.now()
    forecast(many)
    expect(performance.now() - before).toBeLessThan(50)
  })
})

describe('the rate of a person', () => {
  it.each([
    [30, 45, 1.5, 24, 28.5],
    [31, 0, 0, 24, 24],
    [32, 3, 0.1, 24, 25],
  ])('row %i', (_row, done, hours, usual, rate) => {
    expect(hourlyRate({ done, hours, usual })).toBeCloseTo(rate)
  })
})
