/** Looks at order files in a worker thread: whatever a file holds, it keeps neither the server's processor time nor its memory. */
import { unprocessable } from '#contract/errors.ts'
import { createReusedThread, ThreadLimitError } from '#platform/threads/reused-thread.ts'
import type { FileLook, FileLookTask } from './file-look.server.ts'

const url = new URL('./file-look.thread.ts', import.meta.url)
/** Megabytes of heap: 20,000 rows of a megabyte of file, as text and as numbers and dates, take some 100. */
const memory = 512
/** Milliseconds: the slowest files of a megabyte take a quarter of a second, and a busy machine four times as long. */
const patience = 15_000

const tooSlow = 'Reading this file takes too long: split it into smaller files, or leave out columns that are not needed'

/** `limits` is for tests. */
export const fileLookThread = (limits: { memory: number; patience: number } = { memory, patience }) => {
  const thread = createReusedThread<FileLookTask, FileLook>(url, limits)
  return (task: FileLookTask, signal: AbortSignal): Promise<FileLook> =>
    thread.run(task, signal).catch(error => {
      throw error instanceof ThreadLimitError ? unprocessable('file_too_slow', tooSlow) : error
    })
}

export const lookInThread = fileLookThread()
