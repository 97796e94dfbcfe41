/** What the address of the exceptions screen holds. */
import { type UrlValues, urlChoice, urlNumber, urlNumbers, urlText, urlTexts } from '#ui/kit/url-fields.ts'
import { exceptionKinds, exceptionViews } from './exceptions.codes.ts'

export const ExceptionsUrl = {
  query: urlText(),
  view: urlChoice(exceptionViews, 'open'),
  kind: urlTexts(),
  company: urlNumbers(1),
  page: urlNumber(1),
  /** The exception that is shown. */
  id: urlNumber(0),
}
export type ExceptionsUrl = UrlValues<typeof ExceptionsUrl>

/** What the address asks of the list. */
export function questionOf({ query, view, kind, company }: ExceptionsUrl) {
  const kinds = exceptionKinds.filter(one => kind.includes(one))
  return { query, view, ...(kinds.length > 0 && { kind: kinds }), ...(company.length > 0 && { company }) }
}
