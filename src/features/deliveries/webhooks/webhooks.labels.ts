/** Words for outgoing webhooks and their deliveries. */
import type { DeliveryState } from './webhooks.codes.ts'

export const webhookWords = { active: 'Running', paused: 'Paused', disabled: 'Off' } as const
export const webhookTones = { active: 'done', paused: 'stop', disabled: 'quiet' } as const

export const deliveryWords: Readonly<Record<DeliveryState, string>> = {
  waiting: 'Waiting',
  sending: 'Sending',
  delivered: 'Delivered',
  failed: 'Failed',
}
export const deliveryTones = { waiting: 'soon', sending: 'busy', delivered: 'done', failed: 'stop' } as const

/** Groups of the catalogue, by the object of their events. */
export const groupWords: Readonly<Record<string, string>> = {
  order: 'Orders',
  shipment: 'Shipments',
  return: 'Returns',
  product: 'Products',
  pick_list: 'Pick lists',
  collect_list: 'Collect lists',
  exception: 'Exceptions',
  shipment_exception: 'Shipment exceptions',
  video: 'Videos',
  import: 'Import',
  invoice: 'Invoices',
  customer: 'Customers',
  message: 'Messages',
  deadline: 'Deadlines',
  print_job: 'Prints',
  serial: 'Serial numbers',
  claim: 'Claims',
  outgoing_webhook: 'Webhooks',
}
