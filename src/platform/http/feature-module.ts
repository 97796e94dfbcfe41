/** Serving: a slice's calls joined with their handlers, and what every handler is given. */
import type { Answer, Calls, Given } from '#contract/endpoint.ts'
import type { Config } from '#platform/config.ts'
import type { Database, Db } from '#platform/database/database.ts'
import type { NewEvent } from '#platform/database/events.ts'
import type { FileStore } from '#platform/files/file-store.ts'
import type { Keeper } from '#platform/crypto/vault.ts'
import type { Live } from '#platform/notifications/change-notifier.ts'
import type { Person } from '#platform/auth/identity.ts'
import type { Queue } from '#platform/jobs/job-queue.ts'
import type { Scope } from '#platform/database/tenant-scope.ts'

/** What the whole house stands on; one of each a process. */
export interface House {
  config: Config
  database: Database
  files: FileStore
  keeper: Keeper
  live: Live
  queue: Queue
  /** The clock: tests turn it. */
  now(): Date
  log: { info(about: object, text: string): void; warn(about: object, text: string): void; error(about: object, text: string): void }
  /** The demo operator's fixed logins while its data exist; else empty. */
  demo: { logins: { login: string; password: string; name: string; role: string; company: string }[] }
  /** Ends when the server closes, so that long waits end with it. */
  closing: AbortSignal
}

/** What a handler knows of the request. */
interface Around {
  house: House
  /** Who asks; `nobody` where a call is for anyone. */
  person: Person
  scope: Scope
  ip: string
  /** The station named by the client, or ''. */
  station: string
  headers: Record<string, string | undefined>
  /** Ends when the caller has gone. */
  signal: AbortSignal
  now(): Date
}

/** One transaction's tools: everything asked of them happens with the transaction or not at all. */
export interface Tools {
  db: Db
  /** Writes down what happened, as done by this person at this station. */
  record(event: NewEvent): Promise<void>
  /** Tells live screens, once the transaction has committed, what changed – never the data itself. */
  tell(topic: string, id?: number, company_id?: number): void
  /** Queues work in the same transaction. */
  enqueue(task: string, payload: object, options?: { key?: string; run_at?: Date; queue?: string }): Promise<void>
}

/** `db` is one transaction; it commits when the handler answers and never happened when it throws. */
export interface Context extends Around, Tools {}

/** For calls that speak to the world outside: each `work` is a transaction of its own, and none is open between them. */
export interface OutsideContext extends Around {
  work<T>(step: (context: Context) => Promise<T>): Promise<T>
}

export type Handlers<T extends Calls> = {
  [K in keyof T]: (input: Given<T[K]>, context: T[K]['is']['outside'] extends true ? OutsideContext : Context) => Promise<Answer<T[K]>>
}
export interface Slice {
  calls: Calls
  handlers: Record<string, (input: never, context: never) => Promise<unknown>>
}

/** Joins a contract with its handlers: a missing one, or a wrong answer, does not compile. */
export function serve<T extends Calls>(calls: T, handlers: Handlers<T>): Slice {
  return { calls, handlers: handlers as unknown as Slice['handlers'] }
}
