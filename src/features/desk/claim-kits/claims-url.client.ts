/** What the address of the claims holds. */
import { claimKinds, claimSorts, claimViews } from '#features/shipping/claims/claims.codes.ts'
import { type UrlValues, urlChoice, urlNumber, urlNumbers, urlText, urlTexts } from '#ui/kit/url-fields.ts'

export const ClaimsUrl = {
  query: urlText(),
  view: urlChoice(claimViews, 'active'),
  kind: urlTexts(),
  agent: urlText(),
  company: urlNumbers(1),
  sort: urlChoice(claimSorts, 'deadline'),
  page: urlNumber(1),
  /** The claim that is shown. */
  id: urlNumber(0),
  /** A new claim is written, or the deadlines of couriers are set. */
  add: urlChoice(['', 'yes', 'rules'], ''),
  /** The shipment of the new claim. */
  shipment: urlNumber(0),
}
export type ClaimsUrl = UrlValues<typeof ClaimsUrl>

/** What the address asks of the list. */
export function questionOf({ query, view, kind, agent, company, sort }: ClaimsUrl) {
  const kinds = claimKinds.filter(one => kind.includes(one))
  return {
    query,
    view,
    sort,
    ...(kinds.length > 0 && { kind: kinds }),
    ...(agent && { agent_code: agent }),
    ...(company.length > 0 && { company }),
  }
}
