/** Live: one stream a screen, of notices about companies that its person may see. */

import { implement } from '#platform/http/feature-module.ts'
import type { Notice } from '#platform/notifications/change-notifier.ts'
import { live } from './change-stream.contract.ts'

/** Proxies close quiet connections after a minute. */
const breath = 20_000
/** What asking for the stream may take, in milliseconds. */
const wayHere = 1_000
const askAnew = 'event: ready\ndata: {}\n\n'

export const liveServer = implement(live, {
  async listen({ missed }, { services, scope, signal, principal, transaction }) {
    const stillHere = () =>
      transaction(({ db }) =>
        db.selectFrom('sessions').select('id').where('id', '=', principal.session_id).where('ended_at', 'is', null).executeTakeFirst(),
      )
    const waiting: string[] = [askAnew]
    let wake = () => {}
    const startOver = () => {
      waiting.splice(0, waiting.length, askAnew)
      wake()
    }
    const hear = ({ operator_id, company_id, topic, id }: Notice) => {
      if (operator_id !== scope.operator_id || !scope.companies.includes(company_id)) return
      // A screen that reads too slowly is told to ask for everything anew instead of filling the memory.
      if (waiting.length > 500) return startOver()
      waiting.push(`event: changed\ndata: ${JSON.stringify({ topic, id, company_id })}\n\n`)
      wake()
    }
    const lately = missed > 0 ? services.notifier.recent(missed + wayHere) : []
    if (lately) for (const notice of lately) hear(notice)
    else waiting.push(askAnew)
    const stop = services.notifier.subscribe(hear, startOver)
    async function* notices(): AsyncGenerator<string> {
      try {
        while (!signal.aborted) {
          while (waiting.length > 0) yield waiting.shift() as string
          const quiet = await new Promise<boolean>(resolve => {
            const timer = setTimeout(() => resolve(true), breath)
            const end = () => {
              clearTimeout(timer)
              signal.removeEventListener('abort', end)
              resolve(false)
            }
            wake = end
            signal.addEventListener('abort', end)
          })
          // A session that was ended hears nothing more.
          if (quiet && !(await stillHere())) return
          if (quiet) yield ': still here\n\n'
        }
      } finally {
        stop()
      }
    }
    return { bytes: notices(), media_type: 'text/event-stream' }
  },
})
