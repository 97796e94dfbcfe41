/** Worker thread that reads a workbook. */
import { answerTask } from '#platform/threads/worker-thread.ts'
import type { WorkbookAnswer, WorkbookTask } from './uploaded-table.ts'
import { WorkbookProblem, workbookTable } from './workbook.ts'

await answerTask<WorkbookTask, WorkbookAnswer>(async ({ archive }) => {
  try {
    return { answer: await workbookTable(archive) }
  } catch (error) {
    if (error instanceof WorkbookProblem) return { answer: { problem: error.reason } }
    throw error
  }
})
