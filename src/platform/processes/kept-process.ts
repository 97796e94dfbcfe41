/** A process of the server that is started again whenever it ends. */
import type { Worker } from 'node:cluster'
import { setTimeout as pause } from 'node:timers/promises'
import { errorOf } from '#domain/thrown.ts'
import type { Log } from '#platform/processes/log.ts'

/** Milliseconds before the first restart; each further end within `steadyAfter` doubles them. */
const firstDelay = 250
const longestDelay = 10_000
const steadyAfter = 60_000

interface ProcessTools {
  name: string
  /** Starts it. */
  fork(): Worker
  /** Resolves when it does its work; throws where it cannot. */
  begin(worker: Worker): Promise<void>
  /** Asks it to end what it does, and then itself. */
  end(worker: Worker): void
  /** It has ended, for whatever reason. */
  onExit(worker: Worker): void
  log: Log
}

export interface KeptProcess {
  /** Resolves when it does its work for the first time. Throws where its first start fails; it is then not started again. */
  readonly started: Promise<void>
  readonly running: boolean
  readonly restarts: number
  /** Ends it; after so many milliseconds at once. */
  stop(patience: number): Promise<void>
}

const endedEarly = ({ code, signal }: { code: number; signal: string }): never => {
  throw new Error(`A process of the server ended before it worked, with ${signal ?? code}`)
}

export function keepProcess({ name, fork, begin, end, onExit, log }: ProcessTools): KeptProcess {
  const started = Promise.withResolvers<void>()
  // The one who waits for it handles it; a stop before that is no fault.
  started.promise.catch(() => undefined)
  const stopping = new AbortController()
  let current: Worker | undefined
  let running = false
  let restarts = 0

  async function run(): Promise<void> {
    let ends = 0
    for (let first = true; !stopping.signal.aborted; first = false) {
      const startedAt = Date.now()
      const worker = fork()
      const exit = new Promise<{ code: number; signal: string }>(resolve =>
        worker.once('exit', (code: number, signal: string) => resolve({ code, signal })),
      )
      worker.on('error', error => log.warn({ process: name, error: error.message }, 'The pipe to a process of the server broke'))
      current = worker
      try {
        await Promise.race([begin(worker), exit.then(endedEarly)])
        running = true
        started.resolve()
      } catch (error) {
        worker.process.kill('SIGKILL')
        if (first) started.reject(error)
        if (first) stopping.abort()
        if (!stopping.signal.aborted) log.error({ process: name, error: errorOf(error).message }, 'A process of the server did not start')
      }
      const { code, signal } = await exit
      running = false
      current = undefined
      onExit(worker)
      if (stopping.signal.aborted) return
      restarts++
      ends = Date.now() - startedAt > steadyAfter ? 1 : ends + 1
      const delay = Math.min(longestDelay, firstDelay * 2 ** (ends - 1))
      log.error({ process: name, code, signal, delay }, 'A process of the server ended and is started again')
      await pause(delay, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }
  const ended = run()

  return {
    started: started.promise,
    get running() {
      return running
    },
    get restarts() {
      return restarts
    },
    async stop(patience) {
      stopping.abort()
      const worker = current
      if (worker) end(worker)
      const timer = setTimeout(() => {
        log.warn({ process: name }, 'A process of the server did not end in time')
        worker?.process.kill('SIGKILL')
      }, patience)
      await ended
      clearTimeout(timer)
    },
  }
}
