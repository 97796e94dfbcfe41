/** Worker thread that looks at order files. */
import { answerTasks } from '#platform/threads/reused-thread.ts'
import { type FileLook, type FileLookTask, lookAtFile } from './file-look.server.ts'

answerTasks<FileLookTask, FileLook>(lookAtFile)
