/** One task in one worker thread: computations of seconds that must not block the event loop of the server. */
import { parentPort, Worker, workerData } from 'node:worker_threads'

/** How often progress is reported, in milliseconds; a cancellation by `onProgress` is noticed as often. */
const progressInterval = 400

type Message<Answer> = { answer: Answer } | { done: number; total: number }

interface ThreadOptions {
  /** When it aborts, the thread is terminated and its reason is thrown. */
  signal: AbortSignal
  /** Heap limit of the thread in megabytes. */
  memory: number
  /** Called again and again with the progress, also while it does not change; the thread is terminated when this throws. */
  onProgress?: (done: number, total: number | undefined) => Promise<void>
}

/**
 * Runs `task` in a new thread with the module at `url`, which calls `answerTask`. A thread is not reused: its memory is bounded and
 * returned, and it can be terminated at any moment.
 */
export async function runInThread<Answer>(url: URL, task: unknown, { signal, memory, onProgress }: ThreadOptions): Promise<Answer> {
  signal.throwIfAborted()
  const worker = new Worker(url, {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: memory },
    // Arguments of this process (a test runner's loader, a debugger) must not apply to the thread.
    execArgv: [],
  })
  let progress: { done: number; total: number | undefined } = { done: 0, total: undefined }
  let timer: NodeJS.Timeout | undefined
  let onAbort = () => {}
  let ended = false
  let reported = Promise.resolve()
  try {
    return await new Promise<Answer>((resolve, reject) => {
      onAbort = () => reject(signal.reason)
      signal.addEventListener('abort', onAbort)
      worker.on('message', (message: Message<Answer>) => {
        if ('answer' in message) resolve(message.answer)
        else progress = message
      })
      worker.on('error', reject)
      worker.on('exit', code => reject(new Error(`The thread ended with ${code}`)))
      const report = () => {
        if (ended || !onProgress) return
        timer = setTimeout(() => {
          reported = onProgress(progress.done, progress.total).then(report, reject)
        }, progressInterval)
      }
      report()
    })
  } finally {
    ended = true
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    await worker.terminate()
    await reported
  }
}

/** Called once by the module of a thread: computes the answer to its task. Buffers in `transfer` are moved, not copied. */
export async function answerTask<Task, Answer>(
  compute: (
    task: Task,
    progress: (done: number, total: number) => void,
  ) => { answer: Answer; transfer?: ArrayBuffer[] } | Promise<{ answer: Answer; transfer?: ArrayBuffer[] }>,
): Promise<void> {
  const { answer, transfer = [] } = await compute(workerData as Task, (done, total) => parentPort?.postMessage({ done, total }))
  parentPort?.postMessage({ answer }, transfer)
}
