/** Links to the public tracking page: signed, so that no one guesses another's parcel. */
import type { Services } from '#platform/http/feature-module.ts'
import { publicUrl } from '#platform/http/public-url.ts'

const signedText = (company_id: number, order_id: number): string => `${company_id}:${order_id}`
const shipmentText = (company_id: number, shipment_id: number): string => `${company_id}:shipment:${shipment_id}`

/** The page of a shipment's order, else of the shipment itself. */
export function trackingUrl(
  services: Services,
  company: { id: number; code: string },
  shown: { order_id: number; shipment_id?: number } | { order_id: number | null; shipment_id: number },
): string {
  const [name, id, text] =
    shown.order_id === null
      ? ['p', shown.shipment_id, shipmentText(company.id, shown.shipment_id ?? 0)]
      : ['o', shown.order_id, signedText(company.id, shown.order_id)]
  return `${publicUrl(services, company.code)}/tracking?${name}=${id}&s=${services.vault.sign('tracking', text)}`
}

export const isTrackingLink = (services: Services, company_id: number, order_id: number, signature: string): boolean =>
  services.vault.verify('tracking', signedText(company_id, order_id), signature)

export const isShipmentLink = (services: Services, company_id: number, shipment_id: number, signature: string): boolean =>
  services.vault.verify('tracking', shipmentText(company_id, shipment_id), signature)

const ticketHours = 24
const ticketPurpose = 'tracking ticket'
const ticketText = (company_id: number, order_id: number, until: string): string => `${signedText(company_id, order_id)}:${until}`

/**
 * For a visitor who knew number and postcode: asks again for a day. Not the link itself, which never ends and is the recipient's.
 */
export function trackingTicket(services: Services, company_id: number, order_id: number): string {
  const until = Math.floor(services.now().getTime() / 1_000 + ticketHours * 3_600).toString(36)
  return `${until}.${services.vault.sign(ticketPurpose, ticketText(company_id, order_id, until))}`
}

export function isTrackingTicket(services: Services, company_id: number, order_id: number, ticket: string): boolean {
  const [until = '', signature = ''] = ticket.split('.')
  return (
    services.vault.verify(ticketPurpose, ticketText(company_id, order_id, until), signature) &&
    Number.parseInt(until, 36) * 1_000 > services.now().getTime()
  )
}
