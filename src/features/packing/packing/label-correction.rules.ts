/** What of a refused label a person can correct, by the field that the courier named. */

export type Correction = 'weight' | 'shop' | 'method' | 'address' | 'sender' | 'retry'
export function correctionOf(field: string | null): Correction {
  if (field === null) return 'retry'
  if (/weight/.test(field)) return 'weight'
  if (/service_point/.test(field)) return 'shop'
  if (/shipping_method|method|agent/.test(field)) return 'method'
  if (/^sender/.test(field)) return 'sender'
  if (/recipient|receiver|address|postcode|city|phone|email|name/.test(field)) return 'address'
  return 'retry'
}

/** `recipient.postcode` → the address field that it means, when people may change it. */
const addressFields = ['name', 'company', 'attention', 'address1', 'address2', 'postcode', 'city', 'phone', 'email'] as const
export type AddressField = (typeof addressFields)[number]
export function addressFieldOf(field: string | null): AddressField | undefined {
  const last = field?.split('.').at(-1)
  return addressFields.find(one => one === last)
}

const lineFields = ['hs_code', 'origin', 'net_weight_g'] as const
export type LineField = (typeof lineFields)[number]
/** `parcels.0.lines.2.hs_code` → what is wrong of which line of the parcel. */
export function lineFieldOf(field: string | null): { line: number; what: LineField } | undefined {
  const [, line, last] = /\blines\.(\d{1,4})\.(\w+)$/.exec(field ?? '') ?? []
  const what = lineFields.find(one => one === last)
  return what && { line: Number(line), what }
}
