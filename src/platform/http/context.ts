/** What a handler receives: transactions, events, notifications and queued tasks on behalf of a principal. */
import type { IncomingHttpHeaders } from 'node:http'
import { sql } from 'kysely'
import { AppError } from '#contract/errors.ts'
import type { NewEvent } from '#contract/events.ts'
import { anonymous, type Principal } from '#platform/auth/identity.ts'
import type { Db } from '#platform/database/database.ts'
import { actorOf, type EventActor, insertEvent, insertEvents, withActorName } from '#platform/database/events.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import type { Notice } from '#platform/notifications/change-notifier.ts'
import { runSubscribers } from './event-subscriptions.ts'
import type { Context, ExternalContext, JobOrigin, Services } from './feature-module.ts'
import { PartialFailureError } from './http-errors.ts'

/** The context of a handler that opens its own transactions. Tasks of the queue get the same. */
export function createContext(
  services: Services,
  principal: Principal,
  scope: TenantScope,
  request: {
    ip: string
    station: string
    headers: IncomingHttpHeaders
    signal: AbortSignal
    host?: string
    secure?: boolean
    setHeader?: (name: string, value: string) => void
    /** Runs each transaction in its turn; absent where the whole request has its turn, and for schedules. */
    inTurn?: <T>(transaction: () => Promise<T>) => Promise<T>
  },
): ExternalContext & { read<T>(step: (context: Context) => Promise<T>): Promise<T> } {
  const { ip, station, headers, host = '', secure = false, setHeader = () => undefined } = request
  const shared = { services, principal, scope, ip, station, headers, host, secure, setHeader, now: services.now }
  const actor = actorOf(principal, station)
  const contextOver = (db: Db, notices: Notice[]): Context => {
    const runAll = (events: readonly NewEvent[]) => runSubscribers(services.subscribers, events, context)
    const insertAll = (by: EventActor, events: readonly NewEvent[]) =>
      insertEvents(db, by, events, { steps: services.eventSteps, now: services.now() })
    const context: Context = {
      ...shared,
      get signal() {
        return request.signal
      },
      db,
      async recordEvent(event) {
        if (services.eventSteps.some(steps => steps.kinds.has(event.kind))) await insertAll(actor, [event])
        else await insertEvent(db, actor, event)
        await runAll([event])
      },
      async recordEvents(events, { actor: name } = {}) {
        await insertAll(withActorName(actor, name), events)
        await runAll(events)
      },
      runSubscribers: runAll,
      notify: (topic, id, company_id = scope.company_id) =>
        void notices.push({ topic, ...(id === undefined ? {} : { id }), operator_id: scope.operator_id, company_id }),
      async enqueue(task, payload, { key, run_at, queue } = {}) {
        const origin: JobOrigin = {
          ...scope,
          companies: [...scope.companies],
          user_id: principal.id,
          user_name: principal.name,
          station: request.station,
        }
        await sql`select enqueue(${task}, ${JSON.stringify({ ...payload, carried: origin })}::jsonb, ${key ?? null}, ${run_at?.toISOString() ?? null}, ${queue ?? null})`.execute(
          db,
        )
      },
    }
    return context
  }
  return {
    ...shared,
    get signal() {
      return request.signal
    },
    async transaction(step) {
      const notices: Notice[] = []
      const transaction = () => services.database.transaction(scope, db => step(contextOver(db, notices)))
      const answer = await (request.inTurn ? request.inTurn(transaction) : transaction())
      services.notifier.publish(notices)
      return answer
    },
    read: step => services.database.readOnly(scope, db => step(contextOver(db, []))),
  }
}

/** A context of the system within one tenant, for the scheduler. */
export function createSystemContext(services: Services, scope: TenantScope): ReturnType<typeof createContext> {
  const company = {
    operator_id: scope.operator_id,
    id: scope.company_id,
    code: '',
    name: '',
    is_main: scope.companies.length > 1,
    packing_ip_pattern: '',
  }
  return createContext(services, anonymous(company), scope, { ip: '', station: '', headers: {}, signal: services.closing })
}

/**
 * Runs a handler whose transactions commit one by one. An unexpected error after the first commit becomes a PartialFailureError,
 * so that the answer does not claim that nothing changed.
 */
export async function withPartialCommitGuard<T>(context: ExternalContext, handle: (outside: ExternalContext) => Promise<T>): Promise<T> {
  let committed = false
  try {
    return await handle({
      ...context,
      async transaction(step) {
        let changed = false
        const markChanged =
          <G extends unknown[], A>(tool: (...given: G) => A) =>
          (...given: G): A => {
            changed = true
            return tool(...given)
          }
        const answer = await context.transaction(context =>
          step({
            ...context,
            recordEvent: markChanged(context.recordEvent),
            recordEvents: markChanged(context.recordEvents),
            notify: markChanged(context.notify),
            enqueue: markChanged(context.enqueue),
          }),
        )
        committed ||= changed
        return answer
      },
    })
  } catch (error) {
    if (!committed || error instanceof AppError) throw error
    throw new PartialFailureError(error)
  }
}
