/** What the address of the pick tasks screen holds. */
import * as z from 'zod'
import type { SetUrl } from '#ui/kit/url-state.ts'
import { countReasons, donenessStates, putBackReasons, shortDecisions, shortReasons } from './pick-tasks.codes.ts'

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

const questionOf = ({ query, show, company }: TasksUrl) => ({ query, show, ...(company.length > 0 && { company }) })

/** The reasons of one list; the address can also hold reasons of the other two. */
function reasonsOf<R extends string>(url: TasksUrl, reasons: readonly R[]): { reason?: R[] } {
  const reason = reasons.filter(one => url.reason.includes(one))
  return reason.length > 0 ? { reason } : {}
}

export function shortsQuestion(url: TasksUrl) {
  const decision = shortDecisions.filter(one => url.decision.includes(one))
  return { ...questionOf(url), ...reasonsOf(url, shortReasons), ...(decision.length > 0 && { decision }) }
}
export const countsQuestion = (url: TasksUrl) => ({ ...questionOf(url), ...reasonsOf(url, countReasons) })
export const putBacksQuestion = (url: TasksUrl) => ({ ...questionOf(url), ...reasonsOf(url, putBackReasons) })
