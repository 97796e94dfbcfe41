/** What the address of the shipment exceptions holds. */
import { type UrlValues, urlChoice, urlNumber, urlNumbers, urlText, urlTexts } from '#ui/kit/url-fields.ts'
import { shipmentExceptionKinds, shipmentExceptionSorts, shipmentExceptionViews } from './shipment-exceptions.codes.ts'

export const ShipmentExceptionsUrl = {
  query: urlText(),
  view: urlChoice(shipmentExceptionViews, 'open'),
  kind: urlTexts(),
  agent: urlText(),
  company: urlNumbers(1),
  sort: urlChoice(shipmentExceptionSorts, 'due'),
  page: urlNumber(1),
  /** The exception that is shown. */
  id: urlNumber(0),
}
export type ShipmentExceptionsUrl = UrlValues<typeof ShipmentExceptionsUrl>

/** What the address asks of the list. */
export function questionOf({ query, view, kind, agent, company, sort }: ShipmentExceptionsUrl) {
  const kinds = shipmentExceptionKinds.filter(one => kind.includes(one))
  return {
    query,
    view,
    sort,
    ...(kinds.length > 0 && { kind: kinds }),
    ...(agent && { agent_code: agent }),
    ...(company.length > 0 && { company }),
  }
}
