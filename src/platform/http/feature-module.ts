/** Feature modules: the calls of a feature joined with their handlers, and what every handler gets. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Calls, ContractSchemas, HandlerInput, ResponseOutput } from '#contract/endpoint.ts'
import type { EventData, EventKind, NewEvent } from '#contract/events.ts'
import type { TaskName, TaskPayloads } from '#contract/tasks.ts'
import type { ChangeTopic } from '#contract/topics.ts'
import type { Admission } from '#platform/admission/admission.ts'
import type { Principal } from '#platform/auth/identity.ts'
import type { CacheFigures } from '#platform/caches/caches.ts'
import type { Config } from '#platform/config.ts'
import type { Vault } from '#platform/crypto/vault.ts'
import type { Database, Db } from '#platform/database/database.ts'
import type { EventSteps } from '#platform/database/events.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import type { FileStore } from '#platform/files/file-store.ts'
import type { SharedLimits } from '#platform/limits/shared-limits.ts'
import type { ChangeNotifier } from '#platform/notifications/change-notifier.ts'
import type { Log } from '#platform/processes/log.ts'
import { type ServedCall, serveCalls } from './served-calls.ts'

/** What every handler and task shares; one of each per process. */
export interface Services {
  config: Config
  database: Database
  files: FileStore
  vault: Vault
  /** For social security numbers alone, with a key of its own. */
  personalVault: Vault
  notifier: ChangeNotifier
  limits: SharedLimits
  admission: Admission
  /** What features do in the transaction of each kind of event. */
  subscribers: EventSubscribers
  /** What features write in the statement that records an event. */
  eventSteps: readonly EventSteps[]
  /** The clock: tests turn it. */
  now(): Date
  log: Log
  /** The demo operator's fixed logins while its data exist; else empty. */
  demo: { logins: { login: string; password: string; name: string; role: string; company: string }[] }
  /** What all processes of the server remember, of one operator. */
  cacheFigures(operator_id: number): Promise<CacheFigures[]>
  /** Ends when the server closes, so that long waits end with it. */
  closing: AbortSignal
}

/** What a handler knows of the request. */
interface RequestInfo {
  services: Services
  /** Who asks; `anonymous` where a call is for anyone. */
  principal: Principal
  scope: TenantScope
  ip: string
  /** The station named by the client, or ''. */
  station: string
  headers: IncomingHttpHeaders
  /** Ends when the caller has gone. */
  signal: AbortSignal
  /** The host that the caller asked, with its port; '' where no one did. */
  host: string
  /** Whether the caller came over HTTPS. */
  secure: boolean
  /** Sets a header of the answer; a task has no answer. */
  setHeader(name: string, value: string): void
  now(): Date
}

/** One transaction's tools: everything asked of them happens with the transaction or not at all. */
export interface TransactionContext {
  db: Db
  /** Writes down what happened, as done by this person at this station, and runs the subscribers of its kind. */
  recordEvent(event: NewEvent): Promise<void>
  /** The same for many events in one statement. `actor` names who did it where it is not this person. */
  recordEvents(events: readonly NewEvent[], options?: { actor?: string | undefined }): Promise<void>
  /** Runs the subscribers of events that a statement has written itself, or that are not recorded. */
  runSubscribers(events: readonly NewEvent[]): Promise<void>
  /** Tells live screens, once the transaction has committed, what changed – never the data itself. */
  notify(topic: ChangeTopic, id?: number, company_id?: number): void
  /** Queues work in the same transaction. */
  enqueue<N extends TaskName>(task: N, payload: TaskPayloads[N], options?: { key?: string; run_at?: Date; queue?: string }): Promise<void>
}

/** `db` is one transaction; it commits when the handler answers and never happened when it throws. */
export interface Context extends RequestInfo, TransactionContext {}

/** Who queued a task, stored with its payload. */
export interface JobOrigin {
  operator_id: number
  company_id: number
  companies: number[]
  user_id: number
  user_name: string
  station: string
}

/** For calls that speak to the world outside: each `work` is a transaction of its own, and none is open between them. */
export interface ExternalContext extends RequestInfo {
  transaction<T>(step: (context: Context) => Promise<T>): Promise<T>
}

/** An event as its subscribers get it: already written, nothing committed. */
export interface RecordedEvent<K extends EventKind = EventKind> {
  kind: K
  order_id: number | null
  company_id: number
  subject: string | null
  subject_id: number | null
  data: EventData<K>
}

/**
 * Gets all events of its kind that one change records, so that a change of many orders stays a few statements.
 * What it throws refuses the change: nothing of the transaction stays.
 */
type EventHandler<K extends EventKind> = (events: readonly RecordedEvent<K>[], context: Context) => Promise<void>

export type Subscriptions = { readonly [K in EventKind]?: EventHandler<K> }

export type AnyEventHandler = (events: readonly RecordedEvent[], context: Context) => Promise<void>
export type EventSubscribers = ReadonlyMap<EventKind, readonly AnyEventHandler[]>

export type Handlers<T extends Calls> = {
  [K in keyof T]: (
    input: HandlerInput<T[K]>,
    context: T[K]['types']['external'] extends true ? ExternalContext : Context,
  ) => Promise<ResponseOutput<T[K]>>
}
/** A handler whose input has been read through the schemas of its call. */
export type Handler = (input: unknown, context: unknown) => Promise<unknown>
export interface FeatureModule {
  calls: Record<string, ServedCall>
  handlers: Readonly<Record<string, Handler>>
  /** What this feature does when other features record events. */
  subscribe?: Subscriptions | undefined
  /** What this feature writes with events of other features, in SQL only: for what happens with almost every change. */
  eventSteps?: EventSteps
}

/** The schemas by which a contract is typed. */
type SchemasOf<T extends Calls> = ContractSchemas & { calls: { [K in keyof T]: T[K]['types']['schemas'] } }

/** Joins a contract with its schemas and handlers: a missing one, or a wrong answer, does not compile. */
export function implement<T extends Calls>(
  calls: T,
  schemas: SchemasOf<T>,
  handlers: Handlers<T>,
  subscribe?: Subscriptions,
): FeatureModule {
  return { calls: serveCalls(calls, schemas), handlers: handlers as unknown as FeatureModule['handlers'], subscribe }
}
