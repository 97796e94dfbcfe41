/** Who works at which stage now and later, as the forecast takes it. */
import { hourlyRate, type Shift, type Stage } from '#optimization/forecast/forecast.ts'

interface StageFacts {
  done: number
  hours: number
  active: readonly number[]
  usual: number | null
}

export interface PaceFacts {
  pack: StageFacts
  pick: StageFacts
  punched: readonly { user_id: number; type: string }[]
  shifts: readonly { user_id: number; from: number; until: number }[]
  stageOf: ReadonlyMap<number, 'pack' | 'pick'>
}

/** Orders of a person in an hour where the warehouse has no history. */
const untilKnown = { pack: 30, pick: 40, out: 200 } as const

const always = Number.MAX_SAFE_INTEGER

export function peopleAtWork(pace: PaceFacts, now: number): Shift[] {
  const clocked = pace.punched.length > 0
  const atWork = new Set(pace.punched.filter(one => one.type === 'work').map(one => one.user_id))
  const works = (user_id: number): boolean => !clocked || atWork.has(user_id)
  const people: Shift[] = []
  const placed = new Set<number>()
  const add = (user_id: number, stage: Stage) => {
    if (placed.has(user_id)) return
    placed.add(user_id)
    const shift = pace.shifts.find(one => one.user_id === user_id && one.from <= now && one.until > now)
    people.push({ stage, from: now, until: shift?.until ?? always })
  }
  for (const stage of ['pack', 'pick'] as const) for (const user_id of pace[stage].active) if (works(user_id)) add(user_id, stage)
  // Where no one has done anything lately, those who are in for work begin at what they usually do.
  for (const stage of ['pack', 'pick'] as const)
    if (!people.some(one => one.stage === stage)) for (const user_id of atWork) if (pace.stageOf.get(user_id) === stage) add(user_id, stage)
  for (const { user_id, from, until } of pace.shifts) {
    const stage = pace.stageOf.get(user_id)
    if (from > now && stage && !placed.has(user_id)) people.push({ stage, from, until })
  }
  // Scanning out takes little time: someone does it when the parcels stand ready.
  return [...people, { stage: 'out', from: now, until: always }]
}

/** Work of a person in an hour at each stage; `unit` is the mean work of an order. Null where nothing at all is known of the pace. */
export function ratesOf(pace: PaceFacts, unit: number): Record<Stage, number> | null {
  const known = [pace.pack, pace.pick].some(one => one.usual !== null || one.done > 0 || one.active.length > 0)
  if (!known && pace.punched.length === 0 && pace.shifts.length === 0) return null
  const rate = (stage: 'pack' | 'pick') => hourlyRate({ ...pace[stage], usual: (pace[stage].usual ?? untilKnown[stage]) * unit })
  return { pack: rate('pack'), pick: rate('pick'), out: untilKnown.out * unit }
}
