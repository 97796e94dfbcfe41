/** The sender or the receiver of a shipment. */

export interface Party {
  name: string
  company: string | null
  attention: string | null
  address1: string
  address2: string | null
  postcode: string
  city: string
  /** ISO 3166-1 alpha-2. */
  country: string
  phone: string | null
  email: string | null
  instruction: string | null
}
