/** What the processes of a server ask each other. */
import type { SharedLimits } from '#platform/limits/shared-limits.ts'
import type { ProcessMetrics } from '#platform/observability/metrics.ts'
import type { ProcessRole } from '#platform/processes/process-share.ts'

/** What the primary process answers the ones that it started. */
export type PrimaryAnswers = { [K in keyof SharedLimits]: SharedLimits[K] } & {
  /** The metrics of each process. */
  allMetrics(): Promise<ProcessMetrics[]>
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
  /** Ends what runs, and then the process. */
  stop(): Promise<void>
}
