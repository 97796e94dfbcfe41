/**
 * One step at a time: actors wait at named points, and the seed draws which of them goes on. Between two points nothing else runs, so that
 * the same seed gives the same course. A point inside the server may also be the last thing that the server does.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { type Chance, newChance } from '#optimization/random/seeded-random.ts'

/** The server died while it worked on this. */
export class Died extends Error {
  override name = 'Died'
}

/** One life of the server: what belongs to it does nothing more once it is dead. */
export interface Life {
  no: number
  dead: boolean
}

interface Waiting {
  point: string
  /** Milliseconds of the virtual clock. */
  at: number
  /** Absent where the client waits. */
  life?: Life
  resume(): void
}

interface Actor {
  name: string
  chance: Chance
  waiting?: Waiting | undefined
  finished: boolean
  /** The server has not done anything yet of what the client asks. */
  fresh: boolean
  /** Ends the wait of the stepper. */
  arrived?: (() => void) | undefined
}

interface Place {
  actor: Actor
  /** Inside a transaction, or in work that runs several at once: no pause there. */
  whole: boolean
}

interface StepperOptions {
  seed: number
  start: Date
  /** The clock was moved. */
  onTime(at: Date): Promise<void>
  /** The server died, and what it had in hand has ended: the next life begins. */
  onDeath(next: Life): Promise<void>
}

/** Milliseconds by which a step moves the clock at most. */
const longestStep = 1_500
/** Milliseconds after which work inside the server goes on before others: it stands still for no longer than its leases allow. */
const longestStand = 8_000

export function createStepper({ seed, start, onTime, onDeath }: StepperOptions) {
  const places = new AsyncLocalStorage<Place>()
  const chance = newChance(seed)
  const actors: Actor[] = []
  const lines: string[] = []
  const hash = createHash('sha256')
  const failures: unknown[] = []
  let now = start.getTime()
  let steps = 0
  let crashes = 0
  let life: Life = { no: 1, dead: false }

  function note(text: string): void {
    const line = `${String(steps).padStart(5)} ${new Date(now).toISOString().slice(11, 23)} ${text}`
    lines.push(line)
    hash.update(`${line}\n`)
  }

  function arrive(actor: Actor): void {
    actor.arrived?.()
    actor.arrived = undefined
  }

  function waitAt(actor: Actor, point: string, at: number, of?: Life): Promise<void> {
    return new Promise(resolve => {
      actor.waiting = { point, at, resume: resolve, ...(of && { life: of }) }
      arrive(actor)
    })
  }

  /** Lets the actor go on until it waits again or has finished. */
  async function go(actor: Actor, waiting: Waiting): Promise<void> {
    const arrived = new Promise<void>(resolve => {
      actor.arrived = resolve
    })
    actor.waiting = undefined
    waiting.resume()
    await arrived
  }

  const placeOf = (): Place => {
    const place = places.getStore()
    if (!place) throw new Error('Only an actor can do this')
    return place
  }

  return {
    chance,
    note,
    now: () => new Date(now),
    steps: () => steps,
    crashes: () => crashes,
    life: () => life,
    hash: () => hash.copy().digest('hex'),
    lines: () => lines,
    /** Whether this code runs for an actor that may pause here. */
    canPause: () => places.getStore()?.whole === false,
    hasActor: () => places.getStore() !== undefined,
    /** Runs work that has no points inside it. */
    whole: <T>(work: () => Promise<T>): Promise<T> => {
      const place = places.getStore()
      return place ? places.run({ actor: place.actor, whole: true }, work) : work()
    },
    chanceOfActor: () => placeOf().actor.chance,
    actorName: () => places.getStore()?.actor.name ?? '',

    /** The client waits for its turn, `seconds` of the virtual clock at least. */
    async pause(point: string, seconds = 0): Promise<void> {
      const { actor } = placeOf()
      await waitAt(actor, point, now + seconds * 1_000)
      actor.fresh = true
    },

    /** A point of the server: it may go on later, or never. */
    async point(name: string, of: Life, deadly: () => boolean): Promise<void> {
      if (of.dead) throw new Died(name)
      const place = places.getStore()
      if (!place) return
      if (deadly()) {
        note(`${place.actor.name} – the server dies at: ${name}`)
        crashes++
        of.dead = true
        throw new Died(name)
      }
      // To wait before the first change is to come later.
      const { fresh } = place.actor
      place.actor.fresh = false
      if (fresh || place.whole || place.actor.waiting) return
      await waitAt(place.actor, name, now, of)
      if (of.dead) throw new Died(name)
    },

    add(name: string, work: (chance: Chance) => Promise<void>): void {
      const actor: Actor = { name, chance: newChance(seed * 7_919 + actors.length + 1), finished: false, fresh: false }
      actors.push(actor)
      void places.run({ actor, whole: false }, async () => {
        await waitAt(actor, 'begins', now)
        try {
          await work(actor.chance)
        } catch (error) {
          failures.push(error)
        }
        actor.finished = true
        arrive(actor)
      })
    },

    /** Runs until every actor has finished; throws what an actor did not expect. */
    async run(most: number): Promise<void> {
      for (;;) {
        if (failures.length > 0) throw failures[0]
        const waiting = actors.filter(actor => actor.waiting)
        if (waiting.length === 0) return
        if (++steps > most) throw new Error(`The day has not ended after ${most} steps`)
        const ready = waiting.filter(actor => (actor.waiting?.at ?? 0) <= now)
        now = ready.length > 0 ? now + chance.below(longestStep) : Math.min(...waiting.map(actor => actor.waiting?.at ?? now))
        await onTime(new Date(now))
        const able = ready.length > 0 ? ready : waiting.filter(actor => (actor.waiting?.at ?? 0) <= now)
        const late = able.find(({ waiting }) => waiting?.life && now - waiting.at > longestStand)
        const actor = late ?? able[chance.below(able.length)]
        const step = actor?.waiting
        if (!actor || !step) continue
        note(`${actor.name} – ${step.point}`)
        await go(actor, step)
        if (!life.dead) continue
        // All that wait inside the dead server learn of it at once.
        for (const other of actors) if (other.waiting?.life?.dead) await go(other, other.waiting)
        life = { no: life.no + 1, dead: false }
        await onDeath(life)
        note('the server starts again')
      }
    },
  }
}
export type Stepper = ReturnType<typeof createStepper>
