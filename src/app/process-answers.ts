/** What the processes of a server ask each other. */
import type { CacheFigures } from '#platform/caches/caches.ts'
import type { SharedLimits } from '#platform/limits/shared-limits.ts'
import type { ProcessMetrics } from '#platform/observability/metrics.ts'
import type { ProcessRole } from '#platform/processes/process-share.ts'

/** What the primary process answers the ones that it started. */
export type PrimaryAnswers = { [K in keyof SharedLimits]: SharedLimits[K] } & {
  /** The metrics of each process. */
  allMetrics(): Promise<ProcessMetrics[]>
  /** What each process remembers of an operator. */
  allCaches(operator_id: number): Promise<CacheFigures[][]>
}

/** What a process that was started answers the primary one. */
export type ServerProcessAnswers = {
  open(role: ProcessRole, url: string): Promise<void>
  /** On an empty database: makes the demo or the setup link. Answers calls, and returns where, and what the terminal shows. */
  welcome(port: number): Promise<{ host: string; port: number; text: string }>
  /** Answers calls. */
  listen(port: number, host: string): Promise<void>
  /** Runs tasks and schedules. */
  startWorkers(): Promise<void>
  metrics(): Promise<ProcessMetrics>
  caches(operator_id: number): Promise<CacheFigures[]>
  /** Ends what runs, and then the process. */
  stop(): Promise<void>
}
