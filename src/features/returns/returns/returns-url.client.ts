/** What the address of the returns screen holds. */
import { spanOf } from '#ui/kit/span-filter.ts'
import { type UrlValues, urlChoice, urlChoices, urlNumber, urlNumbers, urlText } from '#ui/kit/url-fields.ts'
import { moneyStates, returnSorts, returnSources, returnViews } from './returns.codes.ts'

export const ReturnsUrl = {
  query: urlText(),
  view: urlChoice(returnViews, 'open'),
  source: urlChoices(returnSources),
  money: urlChoices(moneyStates),
  company: urlNumbers(1),
  /** The span in which they were requested. */
  requested: urlText(),
  sort: urlChoice(returnSorts, '-requested'),
  page: urlNumber(1),
  /** The return that is shown. */
  id: urlNumber(0),
}
export type ReturnsUrl = UrlValues<typeof ReturnsUrl>

const requestedIn = (span: ReturnType<typeof spanOf>) => (span ? { requested_from: span.from, requested_until: span.until } : {})

/** What the address asks of the list. */
export const returnsQuestion = ({ query, view, source, money, company, requested, sort }: ReturnsUrl) => ({
  query,
  view,
  sort,
  ...(source.length > 0 && { source }),
  ...(money.length > 0 && { money }),
  ...(company.length > 0 && { company }),
  ...requestedIn(spanOf(requested)),
})
