/** A worker thread for many short tasks, one after the other: loading its modules takes longer than a task does. */
import { parentPort, Worker } from 'node:worker_threads'
import { AppError } from '#contract/errors.ts'
import { textIn } from '#domain/thrown.ts'

/** The task took more time or memory than it may have. Its thread is gone, and with it everything that it did. */
export class ThreadLimitError extends Error {
  override name = 'ThreadLimit'
}

export interface ReusedThread<Task, Answer> {
  /** Throws a ThreadLimitError at the limits, the reason of the signal when it aborts, and a refusal that the thread throws. */
  run(task: Task, signal: AbortSignal): Promise<Answer>
}

type Message<Answer> =
  | { answer: Answer }
  | { refusal: { status: number; code: AppError['code']; key: string; values: AppError['values'] } }
  | { error: string }

/** Milliseconds without a task after which the thread ends and gives its memory back. */
const idleTime = 60_000

/** The module at `url` calls `answerTasks`. `patience` is in milliseconds, `memory` in megabytes of heap. */
export function createReusedThread<Task, Answer>(
  url: URL,
  { memory, patience }: { memory: number; patience: number },
): ReusedThread<Task, Answer> {
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let previous: Promise<unknown> = Promise.resolve()

  function open(): Worker {
    const fresh = new Worker(url, {
      resourceLimits: { maxOldGenerationSizeMb: memory },
      // Arguments of this process (a test runner's loader, a debugger) must not apply to the thread.
      execArgv: [],
    })
    const forget = () => {
      if (worker === fresh) worker = undefined
    }
    fresh.on('error', forget)
    fresh.on('exit', forget)
    worker = fresh
    return fresh
  }

  async function perform(task: Task, signal: AbortSignal): Promise<Answer> {
    signal.throwIfAborted()
    clearTimeout(idle)
    const thread = worker ?? open()
    thread.ref()
    const message = await messageOf(thread, task, signal).catch(error => {
      // A thread that still works on this task must not get the next one. Without memory it may take long to end.
      worker = undefined
      void thread.terminate()
      throw error
    })
    thread.unref()
    idle = setTimeout(() => void thread.terminate(), idleTime).unref()
    if ('answer' in message) return message.answer
    if ('error' in message) throw new Error(message.error)
    const { status, code, key, values } = message.refusal
    throw new AppError(status, code, key, values)
  }

  function messageOf(thread: Worker, task: Task, signal: AbortSignal): Promise<Message<Answer>> {
    return new Promise<Message<Answer>>((resolve, reject) => {
      const onAbort = () => fail(signal.reason)
      const onError = (error: unknown) =>
        fail(textIn(error, 'code') === 'ERR_WORKER_OUT_OF_MEMORY' ? new ThreadLimitError('The task took too much memory') : error)
      const onExit = (code: number) => fail(new Error(`The thread ended with ${code}`))
      const onMessage = (message: Message<Answer>) => {
        stop()
        resolve(message)
      }
      const timer = setTimeout(() => fail(new ThreadLimitError('The task took too long')), patience)
      const stop = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
        thread.off('message', onMessage).off('error', onError).off('exit', onExit)
      }
      const fail = (error: unknown) => {
        stop()
        reject(error)
      }
      signal.addEventListener('abort', onAbort)
      thread.on('message', onMessage).on('error', onError).on('exit', onExit)
      thread.postMessage(task)
    })
  }

  return {
    run(task, signal) {
      const turn = previous.then(() => perform(task, signal))
      previous = turn.catch(() => undefined)
      return turn
    },
  }
}

/** Called once by the module of a thread: answers its tasks, one at a time. */
export function answerTasks<Task, Answer>(compute: (task: Task) => Answer | Promise<Answer>): void {
  parentPort?.on('message', async (task: Task) => {
    parentPort?.postMessage(await messageOf(task))
  })
  const messageOf = async (task: Task): Promise<Message<Answer>> => {
    try {
      return { answer: await compute(task) }
    } catch (error) {
      if (!(error instanceof AppError)) return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
      const { status, code, key, values } = error
      return { refusal: { status, code, key, values } }
    }
  }
}
