/** What the address of the pick tasks screen holds. */
import * as z from 'zod'
import type { SetUrl } from '#ui/kit/url-state.ts'
import { donenessStates } from './pick-tasks.codes.ts'

export const TasksUrl = z.object({
  tab: z.enum(['shorts', 'counts', 'put_backs']).default('shorts'),
  query: z.string().default(''),
  show: z.enum(donenessStates).default('open'),
  company: z.array(z.coerce.number<unknown>().int()).default([]),
  reason: z.array(z.string()).default([]),
  decision: z.array(z.string()).default([]),
  page: z.coerce.number<unknown>().int().min(1).default(1),
  /** The open task. */
  id: z.coerce.number<unknown>().int().min(0).default(0),
})
export type TasksUrl = z.output<typeof TasksUrl>
export interface TabProps {
  url: TasksUrl
  setUrl: SetUrl<typeof TasksUrl>
}

export const questionOf = ({ query, show, company, reason, decision }: TasksUrl) => ({
  query,
  show,
  ...(company.length > 0 && { company }),
  ...(reason.length > 0 && { reason: reason as never }),
  ...(decision.length > 0 && { decision: decision as never }),
})
