/** Change stream: one event stream per screen, with notifications about companies that its user may see. */
import { implement } from '#platform/http/feature-module.ts'
import type { Notice } from '#platform/notifications/change-notifier.ts'
import { live } from './change-stream.contract.ts'
import { liveSchemas } from './change-stream.schemas.ts'

/** Proxies close idle connections after a minute. */
const keepAlive = 20_000
/** Time limit of opening the stream, in milliseconds. */
const wayHere = 1_000
const askAnew = 'event: ready\ndata: {}\n\n'

export const liveServer = implement(live, liveSchemas, {
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
    const send = ({ operator_id, company_id, topic, id }: Notice) => {
      if (operator_id !== scope.operator_id || !scope.companies.includes(company_id)) return
      // A client that reads too slowly is sent one message to reload everything, so that the buffer stays bounded.
      if (waiting.length > 500) return startOver()
      waiting.push(`event: changed\ndata: ${JSON.stringify({ topic, id, company_id })}\n\n`)
      wake()
    }
    const lately = missed > 0 ? services.notifier.recent(missed + wayHere) : []
    if (lately) for (const notice of lately) send(notice)
    else waiting.push(askAnew)
    const stop = services.notifier.subscribe(send, startOver)
    async function* notices(): AsyncGenerator<string> {
      try {
        while (!signal.aborted) {
          while (waiting.length > 0) yield waiting.shift() as string
          const quiet = await new Promise<boolean>(resolve => {
            const timer = setTimeout(() => resolve(true), keepAlive)
            const end = () => {
              clearTimeout(timer)
              signal.removeEventListener('abort', end)
              resolve(false)
            }
            wake = end
            signal.addEventListener('abort', end)
          })
          // A revoked session receives nothing more.
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
