/** Tasks of the queue that failed, for the administration of a server. */
import { makeWorkerUtils } from 'graphile-worker'

export interface FailedTask {
  id: number
  name: string
  attempts: number
  most_attempts: number
  error: string
}

/** Tasks whose last attempt failed, the newest first, at most 100. */
export async function failedTasks(url: string): Promise<FailedTask[]> {
  const utils = await makeWorkerUtils({ connectionString: url })
  try {
    return await utils.withPgClient(async client => {
      const { rows } = await client.query<FailedTask>(
        `select id::integer, task_identifier as name, attempts, max_attempts as most_attempts, left(last_error, 200) as error
         from graphile_worker.jobs where last_error is not null order by updated_at desc limit 100`,
      )
      return rows
    })
  } finally {
    await utils.release()
  }
}

/** Runs a task again from now on with all its attempts; answers false where it does not exist or runs at this moment. */
export async function retryTask(url: string, id: number): Promise<boolean> {
  const utils = await makeWorkerUtils({ connectionString: url })
  try {
    return await utils.withPgClient(async client => {
      // The library's own function leaves the attempts out where they are 0.
      const { rowCount } = await client.query(
        'select from graphile_worker.reschedule_jobs(array[$1::bigint], run_at := now(), attempts := 0)',
        [id],
      )
      return rowCount === 1
    })
  } finally {
    await utils.release()
  }
}
