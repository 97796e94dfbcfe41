/** What the tasks that picking leaves behind need of a transaction: shorts end holds, and holds end by the house's clock. */
import type { Context } from '#platform/http/feature-module.ts'

export type TaskTools = Pick<Context, 'db' | 'recordEvent' | 'notify' | 'now'>
