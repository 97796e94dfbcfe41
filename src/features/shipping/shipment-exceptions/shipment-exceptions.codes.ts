/** Codes of shipment exceptions that screens and schemas share. */

/** `returned` is on its way back or came back; `lost` is what the clock proposes and a person decides. */
export const shipmentExceptionKinds = [
  'no_scan',
  'no_movement',
  'customs',
  'address',
  'delivery_failed',
  'delayed',
  'problem',
  'waiting_in_shop',
  'returned',
  'lost',
] as const
export type ShipmentExceptionKind = (typeof shipmentExceptionKinds)[number]

/** What a person says of it. `lost` also makes the shipment lost. */
export const personResolutions = ['solved', 'reshipped', 'returned', 'lost', 'no_action'] as const
/** What the courier reported ended it, or another exception took its place. */
const shipmentResolutions = ['delivered', 'moving', 'replaced', 'cancelled'] as const
export const shipmentExceptionResolutions = [...personResolutions, ...shipmentResolutions] as const
export type ShipmentExceptionResolution = (typeof shipmentExceptionResolutions)[number]

export const shipmentExceptionViews = ['open', 'mine', 'unassigned', 'overdue', 'resolved'] as const
export const shipmentExceptionSorts = ['due', '-due', 'since', '-since', 'order', '-order'] as const
