/** A reused thread: one task after the other, cut off at its limits, and new afterwards. */
import { setTimeout as later } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createReusedThread, ThreadLimitError } from './reused-thread.ts'

/** Answers its thread's number with the task, and has tasks that never end, take all memory, throw and refuse. */
const module = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, threadId } from 'node:worker_threads'
    parentPort.on('message', task => {
      if (task === 'endless') for (;;);
      if (task === 'greedy') { const all = []; for (;;) all.push(Array.from({ length: 1_000_000 }, (_, n) => n + 0.5)) }
      if (task === 'crash') throw new Error('It breaks')
      if (task === 'error') return parentPort.postMessage({ error: 'It fails' })
      if (task === 'refusal')
        return parentPort.postMessage({ refusal: { status: 422, code: 'csv_no_rows', key: 'At most {{max}}', values: { max: 3 } } })
      parentPort.postMessage({ answer: [task, threadId] })
    })`)}`,
)
const thread = (patience = 60_000) => createReusedThread<string, [string, number]>(module, { memory: 64, patience })
const open = new AbortController().signal

it('answers its tasks in their order, in the same thread', async () => {
  const { run } = thread()
  const answers = await Promise.all(['a', 'b', 'c'].map(task => run(task, open)))
  expect(answers.map(([task]) => task)).toEqual(['a', 'b', 'c'])
  expect(new Set(answers.map(([, id]) => id)).size).toBe(1)
})

it('cuts off a task that never ends, while this process goes on, and answers the next one in a new thread', async () => {
  const { run } = thread(1_000)
  const endless = run('endless', open)
  // The event loop of this process turns meanwhile.
  await later(1)
  await expect(endless).rejects.toThrow(ThreadLimitError)
  expect((await run('next', open))[0]).toBe('next')
})

it('cuts off a task that takes too much memory', async () => {
  const { run } = thread()
  await expect(run('greedy', open)).rejects.toThrow(ThreadLimitError)
  expect((await run('next', open))[0]).toBe('next')
})

it('ends a task whose caller goes away', async () => {
  const { run } = thread()
  const leaving = new AbortController()
  const endless = run('endless', leaving.signal)
  const next = run('next', open)
  leaving.abort(new Error('gone'))
  await expect(endless).rejects.toThrow('gone')
  expect((await next)[0]).toBe('next')
})

it('passes on errors and refusals, and a crash ends only its own task', async () => {
  const { run } = thread()
  await expect(run('error', open)).rejects.toThrow('It fails')
  await expect(run('refusal', open)).rejects.toMatchObject({ status: 422, code: 'csv_no_rows', message: 'At most 3' })
  await expect(run('crash', open)).rejects.toThrow('It breaks')
  expect((await run('next', open))[0]).toBe('next')
})
