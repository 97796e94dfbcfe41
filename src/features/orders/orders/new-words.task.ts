/** The schedule that sorts new words of orders into their index, so that no search reads them one by one and no import sorts them. */
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'

export const sortNewWords: ScheduledTask = {
  name: 'sort new words of orders into their index',
  seconds: 5,
  run: ({ database }) =>
    database.ownerTransaction(async client => {
      await client.query(`select gin_clean_pending_list('order_words_find')`)
    }),
}
