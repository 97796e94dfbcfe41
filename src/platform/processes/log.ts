/** The log: one line of JSON for each entry, on standard error. */
import { pino } from 'pino'
import type { Config } from '#platform/config.ts'

export interface Log {
  info(about: object, text: string): void
  warn(about: object, text: string): void
  error(about: object, text: string): void
}

export function openLog({ log_level }: Pick<Config, 'log_level'>): Log {
  return pino(
    // The process tells apart what several of them write at once.
    {
      level: log_level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: ['token', 'password', 'authorization'],
    },
    pino.destination({ dest: 2, sync: false }),
  )
}
