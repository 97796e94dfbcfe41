/** Words for connections to shops. */
import type { ConnectionState, LogKind, LogOutcome } from './shop-connections.codes.ts'

export const stateWords: Readonly<Record<ConnectionState, string>> = { active: 'Running', paused: 'Paused', broken: 'Broken' }
/** Tones of badges. */
export const stateTones = { active: 'done', paused: 'quiet', broken: 'stop' } as const satisfies Record<ConnectionState, string>

export const kindWords: Readonly<Record<LogKind, string>> = {
  pull: 'Orders read',
  push: 'Reported to the shop',
  sweep: 'Nightly comparison',
  backfill: 'Old orders',
  fetch: 'Asked by a person',
  test: 'Test',
}

export const outcomeWords: Readonly<Record<LogOutcome, string>> = {
  created: 'New order',
  updated: 'Order changed',
  unchanged: 'Unchanged',
  echo: 'Own change came back',
  ignored: 'Not taken',
  done: 'Done',
  refused: 'Refused',
  failed: 'Failed',
}
export const outcomeTones = {
  created: 'done',
  updated: 'done',
  unchanged: 'quiet',
  echo: 'quiet',
  ignored: 'quiet',
  done: 'done',
  refused: 'stop',
  failed: 'stop',
} as const satisfies Record<LogOutcome, string>

/** Statuses that an order of a shop can mean here. */
export const meaningWords: Readonly<Record<string, string>> = {
  new: 'New: waits for its payment',
  ready: 'Ready to pack',
  held: 'On hold',
  closed: 'Closed',
  cancelled: 'Cancelled',
  refused: 'Refused',
  ignored: 'Not taken',
  removed: 'Removed',
}

/** Events after which something is reported to a shop. */
export const pushWords: Readonly<Record<string, string>> = {
  'order.packed': 'Order packed',
  'order.partially_packed': 'Part of the order packed',
  'order.partially_shipped': 'Part of the order packed',
  'order.handed_over': 'Order handed over',
  'order.cancelled': 'Order cancelled',
  'order.status_history': 'Status history',
  'shipment.booked': 'Label created',
  'shipment.settled': 'Label created',
  'shipment.handed_over': 'Parcel handed over',
}
