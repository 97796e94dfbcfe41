/** What the address of the pick tasks screen holds. */
import { type UrlValues, urlChoice, urlNumber, urlNumbers, urlText, urlTexts } from '#ui/kit/url-fields.ts'
import type { SetUrl } from '#ui/kit/url-state.ts'
import { countReasons, donenessStates, putBackReasons, shortDecisions, shortReasons } from './pick-tasks.codes.ts'

export const TasksUrl = {
  tab: urlChoice(['shorts', 'counts', 'put_backs'], 'shorts'),
  query: urlText(),
  show: urlChoice(donenessStates, 'open'),
  company: urlNumbers(1),
  reason: urlTexts(),
  decision: urlTexts(),
  page: urlNumber(1),
  /** The open task. */
  id: urlNumber(0),
}
export type TasksUrl = UrlValues<typeof TasksUrl>
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
