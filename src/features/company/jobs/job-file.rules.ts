/** Which jobs made a file. */
import { isRecord } from '#domain/objects.ts'
import type { Job } from './jobs.schemas.ts'

export const hasFile = ({ state, result }: Pick<Job, 'state' | 'result'>): boolean =>
  state === 'done' && isRecord(result) && typeof result.file_id === 'number'
