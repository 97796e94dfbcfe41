/** What the address of the returns screen holds. */
import { type UrlValues, urlChoice, urlChoices, urlNumber, urlNumbers, urlText } from '#ui/kit/url-fields.ts'
import { moneyStates, returnSorts, returnSources, returnViews } from './returns.codes.ts'

export const ReturnsUrl = {
  query: urlText(),
  view: urlChoice(returnViews, 'open'),
  source: urlChoices(returnSources),
  money: urlChoices(moneyStates),
  company: urlNumbers(1),
  sort: urlChoice(returnSorts, '-requested'),
  page: urlNumber(1),
  /** The return that is shown. */
  id: urlNumber(0),
}
export type ReturnsUrl = UrlValues<typeof ReturnsUrl>

/** What the address asks of the list. */
export const returnsQuestion = ({ query, view, source, money, company, sort }: ReturnsUrl) => ({
  query,
  view,
  sort,
  ...(source.length > 0 && { source }),
  ...(money.length > 0 && { money }),
  ...(company.length > 0 && { company }),
})
