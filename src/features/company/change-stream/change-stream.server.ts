/** Change stream: one event stream per screen, with notifications about companies that its user may see. */

import { tooMany } from '#contract/errors.ts'
import { liveSessions } from '#platform/auth/session-store.ts'
import { implement, type Services } from '#platform/http/feature-module.ts'
import { live } from './change-stream.contract.ts'
import { liveSchemas } from './change-stream.schemas.ts'
import { frameOfRecent, OpenStreams, reloadFrame } from './open-streams.server.ts'

/** Proxies close idle connections after a minute. */
const keepAlive = 20_000
/** Time limit of opening the stream, in milliseconds. */
const wayHere = 1_000
/** Milliseconds between two looks at whether the users of open streams are still signed in with the same rights. */
const checkEvery = 4_000

export const liveServer = implement(live, liveSchemas, {
  async listen({ missed, topics }, { services, scope, signal, principal }) {
    const streams = streamsOf(services)
    const owner = { operator_id: scope.operator_id, user_id: principal.id, company_id: principal.company.id }
    const refusal = await services.limits.openStream(owner)
    if (refusal)
      throw refusal.of === 'user'
        ? tooMany('too_many_streams', '{{count}} screens of this user are open. Close one of them.', { count: refusal.limit })
        : tooMany('too_many_streams', '{{count}} screens of this company are open. Close one of them.', { count: refusal.limit })
    const stream = streams.open(
      {
        ...owner,
        companies: scope.companies,
        session_id: principal.session_id,
        permissions: principal.permissions,
        interests: topics,
      },
      () => void services.limits.closeStream(owner).catch(error => services.log.warn({ err: error }, 'A stream stays counted')),
    )
    // The caller may have gone before the first frame is asked for.
    signal.addEventListener('abort', () => streams.close(stream))
    if (signal.aborted) streams.close(stream)
    const lately = missed > 0 ? services.notifier.recent(missed + wayHere) : []
    const first = lately === undefined ? reloadFrame : frameOfRecent(stream, lately)
    stream.frames.push(reloadFrame, ...(first === undefined ? [] : [first]))
    async function* notices(): AsyncGenerator<string> {
      try {
        while (!signal.aborted && !stream.closed) {
          for (let frame = stream.frames.shift(); frame !== undefined; frame = stream.frames.shift()) yield frame
          const quiet = await new Promise<boolean>(resolve => {
            const timer = setTimeout(() => resolve(true), keepAlive)
            const end = () => {
              clearTimeout(timer)
              signal.removeEventListener('abort', end)
              resolve(false)
            }
            stream.onFrame = end
            signal.addEventListener('abort', end)
            if (stream.closed || signal.aborted || stream.frames.length > 0) end()
          })
          if (quiet) yield ': still here\n\n'
        }
      } finally {
        streams.close(stream)
      }
    }
    return { bytes: notices(), media_type: 'text/event-stream' }
  },
})

const perProcess = new WeakMap<Services, OpenStreams>()

export const countOpenStreams = (services: Services): number => perProcess.get(services)?.all().length ?? 0

function streamsOf(services: Services): OpenStreams {
  const known = perProcess.get(services)
  if (known) return known
  const streams = new OpenStreams()
  perProcess.set(services, streams)
  services.notifier.subscribe(
    notice => {
      streams.receive(notice)
      if (notice.topic === 'people') void closeEnded(services, streams)
    },
    () => streams.reloadAll(),
  )
  const timer = setInterval(() => void closeEnded(services, streams), checkEvery)
  timer.unref()
  services.closing.addEventListener('abort', () => clearInterval(timer))
  return streams
}

/** Ends the streams whose session is over, or whose user has other rights now: the screen asks again, and gets what it may. */
async function closeEnded(services: Services, streams: OpenStreams): Promise<void> {
  const open = streams.all()
  if (open.length === 0) return
  try {
    const sessions = await services.database.systemRead('open streams belong to many tenants', db =>
      liveSessions(db, [...new Set(open.map(stream => stream.session_id))], services.now()),
    )
    for (const stream of open) {
      const permissions = sessions.get(stream.session_id)
      if (permissions === undefined || !sameSet(permissions, stream.permissions)) streams.close(stream)
    }
  } catch (error) {
    // The next look decides: a database that does not answer ends no session.
    services.log.warn({ err: error }, 'The sessions of open streams could not be checked')
  }
}

const sameSet = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every(code => other.includes(code))
