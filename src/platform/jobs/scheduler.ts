/** Runs scheduled tasks, once in the whole deployment however many servers it has. */
import type { Services } from '#platform/http/feature-module.ts'

export interface ScheduledTask {
  name: string
  seconds: number
  /** Run it at the start too: a server may end before the first interval has passed. */
  atStart?: true
  /** Must be harmless when it runs twice. */
  run(services: Services): Promise<void>
}

/** A fixed number per deployment's database: the server that holds it runs the scheduled tasks. */
const schedulerLockId = 732_420

/** Starts the rounds; answers how to stop them. */
export function startScheduler(services: Services, schedules: readonly ScheduledTask[]): () => Promise<void> {
  const timers: NodeJS.Timeout[] = []
  const running = new Set<Promise<void>>()
  schedules.forEach((schedule, i) => {
    const go = async () => {
      const client = await services.database.pool.connect()
      try {
        const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1, $2) mine', [schedulerLockId, i])
        if (!rows[0]?.mine) return
        try {
          await schedule.run(services)
        } finally {
          await client.query('select pg_advisory_unlock($1, $2)', [schedulerLockId, i])
        }
      } finally {
        client.release()
      }
    }
    const start = () => {
      const one = go().catch(error =>
        services.log.warn({ schedule: schedule.name, error: String(error) }, 'a scheduled task failed and runs again'),
      )
      running.add(one)
      void one.finally(() => running.delete(one))
    }
    timers.push(setInterval(start, schedule.seconds * 1_000))
    if (schedule.atStart) start()
  })
  return async () => {
    for (const timer of timers) clearInterval(timer)
    await Promise.all(running)
  }
}
