/** A warehouse day by a seed: shops, pickers, stations, couriers and printers with faults, and a server that dies now and then. */
import { addActors, type DayPlan } from './day-actors.ts'
import { faultsOfDay, openDay } from './day-server.ts'
import { judge } from './day-totals.ts'

interface DayResult {
  seed: number
  steps: number
  crashes: number
  /** Of every step: the same seed gives the same. */
  hash: string
  lines: readonly string[]
  /** Totals that do not agree, by what they say. */
  wrong: Record<string, object[]>
  figures: Record<string, number>
}

const wholeDay: DayPlan = { shops: 3, pickers: 10, stations: 20, orders: 42 }
/** A day that has not ended after so many steps stands still. */
const mostSteps = 20_000

export async function simulateDay(seed: number, plan: DayPlan = wholeDay, faults = faultsOfDay): Promise<DayResult> {
  const day = await openDay(seed, plan.shops)
  try {
    const books = await addActors(day, plan)
    day.begin(faults)
    await day.stepper.run(mostSteps)
    const { wrong, figures } = await judge(day, books)
    day.stepper.note(JSON.stringify(figures))
    const { stepper } = day
    return { seed, steps: stepper.steps(), crashes: stepper.crashes(), hash: stepper.hash(), lines: stepper.lines(), wrong, figures }
  } catch (error) {
    console.error(`seed ${seed} stopped after:\n${day.stepper.lines().slice(-25).join('\n')}`)
    throw error
  } finally {
    await day.close()
  }
}
