/** Tables that people upload: CSV text is passed on as it is, a workbook is read in a worker thread and becomes CSV. */
import { unprocessable } from '#contract/errors.ts'
import { checkedStart, isWorkbook } from '#domain/csv-text.ts'
import { collectUpTo, peekStart } from '#platform/files/content.ts'
import { runInThread } from '#platform/threads/worker-thread.ts'
import { textTable } from './csv-rows.ts'
import { type WorkbookProblem, type WorkbookTable, workbookLimits } from './workbook.ts'

export interface WorkbookTask {
  archive: Uint8Array
}
export type WorkbookAnswer = WorkbookTable | { problem: WorkbookProblem['reason'] }

const thread = new URL('./workbook.thread.ts', import.meta.url)
/** Heap limit of the thread in megabytes: a workbook at the limits of its cells needs about 700. */
const memory = 1_024
/** Milliseconds: a workbook at the limits takes some 15 seconds on a slow processor. */
const patience = 60_000

const workbookSentences = {
  too_large: 'The workbook is too large: it may have {{rows}} rows, {{columns}} columns and {{megabytes}} MB',
  damaged: 'The workbook cannot be read: it is damaged, or it is no workbook of Excel',
  empty: 'The workbook has no rows',
} as const

const refusal = (problem: WorkbookProblem['reason']) =>
  problem === 'too_large'
    ? unprocessable('workbook_too_large', workbookSentences.too_large, {
        rows: workbookLimits.rows - 100,
        columns: workbookLimits.columns,
        megabytes: workbookLimits.packed / 1_000_000,
      })
    : problem === 'empty'
      ? unprocessable('workbook_no_rows', workbookSentences.empty)
      : unprocessable('workbook_damaged', workbookSentences.damaged)

const noMemory = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'

async function readInThread(archive: Uint8Array, closing: AbortSignal): Promise<WorkbookTable> {
  const time = AbortSignal.timeout(patience)
  try {
    const answer = await runInThread<WorkbookAnswer>(thread, { archive } satisfies WorkbookTask, {
      signal: AbortSignal.any([closing, time]),
      memory,
    })
    if ('problem' in answer) throw refusal(answer.problem)
    return answer
  } catch (error) {
    if (noMemory(error) || (time.aborted && !closing.aborted)) throw refusal('too_large')
    throw error
  }
}

/** Workbooks are read one after the other: each takes a core and the memory above. */
let reading: Promise<unknown> = Promise.resolve()
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = reading.then(work)
  reading = turn.catch(() => undefined)
  return turn
}

/** What is stored of an upload, and the sheet that was read where a workbook has several. Throws a Refusal for what is no table. */
export async function uploadedTable(
  upload: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<{ content: Uint8Array | AsyncIterable<Uint8Array>; sheet: string | null }> {
  const { start, content } = await peekStart(upload, checkedStart)
  if (!isWorkbook(start)) return { content: textTable(content), sheet: null }
  const archive = await collectUpTo(content, workbookLimits.packed)
  if (!archive) throw refusal('too_large')
  const { csv, sheet } = await inTurn(() => readInThread(archive, signal))
  return { content: csv, sheet }
}
