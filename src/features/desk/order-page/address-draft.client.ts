/** The draft of an order's shipping address: the fields of its form as text, and the guard of what was kept. */

import { isNumber, isText, nullable, objectOf } from '#domain/guards.ts'
import { recordOf } from '#domain/objects.ts'
import type { ShipTo } from '#features/orders/orders/orders.schemas.ts'
import type { DraftShape } from '#ui/kit/drafts.ts'

const fields = [
  'name',
  'company',
  'attention',
  'address1',
  'address2',
  'postcode',
  'city',
  'region',
  'phone',
  'email',
  'instruction',
  'door_code',
] as const
type AddressFields = Record<(typeof fields)[number], string>

export const addressFieldsOf = (to: ShipTo): AddressFields => ({
  ...recordOf(fields, field => to[field] ?? ''),
  phone: to.phone_raw ?? to.phone ?? '',
})

/** What is written, and what it was written over: another address meanwhile is a conflict, anything else about the order is not. */
export interface AddressDraft {
  values: AddressFields | null
  over: AddressFields | null
  version: number
}

const areFields = objectOf<AddressFields>(recordOf(fields, () => isText))
export const addressDraft: DraftShape<AddressDraft> = {
  empty: { values: null, over: null, version: 0 },
  fits: objectOf<AddressDraft>({ values: nullable(areFields), over: nullable(areFields), version: isNumber }),
}
