/** A process that the primary one starts: it answers calls, or it runs tasks and schedules. */
import { setPriority } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { prepareCountryNames } from '#domain/country-names.ts'
import { cacheFigures } from '#platform/caches/caches.ts'
import { readConfig } from '#platform/config.ts'
import type { SharedLimits } from '#platform/limits/shared-limits.ts'
import { openProcessChannel } from '#platform/processes/process-channel.ts'
import { type App, createApp } from './create-app.ts'
import { showDemoLogins, welcome } from './first-run.ts'
import type { PrimaryAnswers, ServerProcessAnswers } from './process-answers.ts'

/** Where processors are scarce, answers go first, and jobs still get about a third of what an equal process would. */
const jobPriority = 5

/** Called once, in a process that `node:cluster` has started. It ends by itself when the primary process has gone. */
export function runServerProcess(): void {
  // Ctrl-C and a service manager signal the whole group of processes. The primary one says what ends when.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
  let app: App | undefined
  const opened = (): App => {
    if (!app) throw new Error('The process has opened nothing yet')
    return app
  }
  const answers: ServerProcessAnswers = {
    async open(role, url) {
      process.title = `pakhus ${role}`
      if (role === 'jobs') setPriority(jobPriority)
      app = await createApp(readConfig(process.env), url, {
        role,
        limits,
        allMetrics: () => channel.ask('allMetrics'),
        allCaches: operator_id => channel.ask('allCaches', operator_id),
      })
    },
    async welcome(port) {
      const { host, text } = await welcome(opened())
      const listening = await listen(opened(), port, host)
      return { host, port: listening, text: await text(listening) }
    },
    async listen(port, host) {
      await showDemoLogins(opened().services)
      await listen(opened(), port, host)
    },
    async startWorkers() {
      await prepareCountryNames(() => setImmediate())
      await opened().startWorkers()
    },
    metrics: () => opened().metrics(),
    caches: async operator_id => cacheFigures(operator_id),
    async stop() {
      await app?.close()
      process.exit(0)
    },
  }
  const channel = openProcessChannel<PrimaryAnswers>(process, answers)
  const limits: SharedLimits = {
    beginLogin: (...given) => channel.ask('beginLogin', ...given),
    succeedLogin: (...given) => channel.ask('succeedLogin', ...given),
    beginPin: (...given) => channel.ask('beginPin', ...given),
    succeedPin: (...given) => channel.ask('succeedPin', ...given),
    countCall: (...given) => channel.ask('countCall', ...given),
    callsNow: (...given) => channel.ask('callsNow', ...given),
    openStream: (...given) => channel.ask('openStream', ...given),
    closeStream: (...given) => channel.ask('closeStream', ...given),
    isListening: (...given) => channel.ask('isListening', ...given),
  }
}

/** Returns the port, which the system chooses where none is given. */
async function listen({ app }: App, port: number, host: string): Promise<number> {
  await app.listen({ port, host })
  await prepareCountryNames(() => setImmediate())
  const address = app.server.address()
  return typeof address === 'object' && address ? address.port : port
}
