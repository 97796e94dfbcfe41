/** Creates the partitions of the coming months for tables that grow without end. The start of a server does the same. */
import type { Services } from '#platform/http/feature-module.ts'
import type { ScheduledTask } from './scheduler.ts'

/** This month and the two after it. Rows of a month without a partition are in the default partition until its own is created. */
export async function addMonthPartitions(services: Services): Promise<void> {
  const client = await services.database.pool.connect()
  try {
    // The connection's role owns no table; its login does.
    await client.query('begin; set local role none')
    const { rows } = await client.query<{ n: number }>('select create_month_partitions($1) n', [services.now().toISOString()])
    await client.query('commit')
    if (rows[0]?.n) services.log.info({ partitions: rows[0].n }, 'partitions of coming months were created')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  } finally {
    client.release()
  }
}

export const createMonthPartitions: ScheduledTask = { name: 'create partitions of coming months', seconds: 3_600, run: addMonthPartitions }
