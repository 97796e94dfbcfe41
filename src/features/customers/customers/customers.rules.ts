/** By what a customer is recognized: normalized e-mail addresses, phone numbers and customer numbers of shops. */
import { elementAt } from '#domain/objects.ts'
import { phoneOf, tidy } from '#domain/order/address.ts'
import { foldings } from '#domain/order/search-terms.ts'
import { type CheckType, checkTypes } from './customers.codes.ts'

export interface Lookup {
  type: CheckType
  value: string
}

/** What an order says about its customer. */
export interface Contact {
  shop: string
  customer_external_id: string | null
  customer_name: string
  customer_email: string | null
  customer_phone: string | null
  recipient: { name: string; postcode: string; country: string; phone: string | null }
}

/** Addresses that many customers share: automatic senders, and marketplaces that forward mail. */
const sharedMailboxes: ReadonlySet<string> = new Set(['noreply', 'no-reply', 'donotreply', 'do-not-reply'])
const relayDomains: readonly string[] = [
  'marketplace.amazon.com',
  'marketplace.amazon.de',
  'marketplace.amazon.co.uk',
  'marketplace.amazon.se',
  'members.ebay.com',
  'customer.cdon.com',
  'fruugomail.com',
]

const longestEmail = 254

/** Lower case and trimmed; tags (`a+b@…`) and dots stay, since they are different mailboxes with some providers. */
export function emailKey(written: string | null): string | null {
  const email = written?.normalize('NFC').trim().toLowerCase() ?? ''
  const at = email.lastIndexOf('@')
  if (at < 1 || email.length > longestEmail || /\s/.test(email)) return null
  const domain = email.slice(at + 1)
  if (!/^[^.]+(\.[^.]+)+$/.test(domain)) return null
  if (sharedMailboxes.has(email.slice(0, at)) || relayDomains.includes(domain)) return null
  return email
}

/** E.164, read as a number dialled in that country; null for what cannot be dialled and for one repeated digit. */
export function phoneKey(written: string | null, country: string): string | null {
  const e164 = phoneOf(written === null ? null : tidy(written), country)
  if (e164 === null) return null
  // A shop fills a required field with 00000000 or 11111111.
  return /(\d)\1{6}$/.test(e164) ? null : e164
}

/** A customer number is unique within one shop of one company; 0 stands for a guest. */
export function shopCustomerKey(company_id: number, shop: string, external_id: string | null): string | null {
  const id = external_id?.trim() ?? ''
  const key = `${company_id}:${shop}:${id}`
  return id === '' || /^0+$/.test(id) || key.length > longestEmail ? null : key
}

/** Without case, accents and punctuation. */
export const folded = (text: string): string =>
  foldings(text)
    .at(-1)!
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .join(' ')

/** `DK 5000 lene holm`: equal for two spellings of one name at one postcode; null where either is missing. */
export function namePostcodeKey(name: string, postcode: string, country: string): string | null {
  const [person, place] = [folded(name), folded(postcode).replaceAll(' ', '')]
  return person === '' || place === '' ? null : `${country} ${place} ${person}`.slice(0, 400)
}

/**
 * The lookups of an order's customer, strongest first. The recipient's phone number counts only where the recipient is the customer:
 * a present goes to another person.
 */
export function lookupsOf(contact: Contact, company_id: number): Lookup[] {
  const { recipient, shop, customer_external_id, customer_name, customer_email, customer_phone } = contact
  const isOwnPhone = customer_phone !== recipient.phone || folded(customer_name) === folded(recipient.name)
  const values: Record<CheckType, string | null> = {
    shop_customer: shopCustomerKey(company_id, shop, customer_external_id),
    email: emailKey(customer_email),
    phone: phoneKey(isOwnPhone ? customer_phone : null, recipient.country),
  }
  return checkTypes.flatMap(type => (values[type] === null ? [] : [{ type, value: values[type] }]))
}

/** The company's own address and number stand on orders that its staff enter: they identify no customer. */
export const isOwnLookup = ({ type, value }: Lookup, sender: { email: string; phone: string; country: string }): boolean =>
  (type === 'email' && value === emailKey(sender.email)) || (type === 'phone' && value === phoneKey(sender.phone, sender.country))

/** A lookup that belongs to a customer already. */
export interface KnownLookup {
  customer_id: number
  /** The company in scope knows the value. */
  seen: boolean
  /** The company in scope knows the customer. */
  here: boolean
}

/** A customer that is new to the company, made under the first of its lookups unless it has an id. */
export interface NewCustomer {
  customer_id: number | null
  first: Lookup
  name: string
  name_postcode: string | null
}

/** A lookup to be stored: of a known customer, or of the new customer at that place. */
export interface NewLookup extends Lookup {
  customer_id: number | null
  customer: number | null
}

/** How an order gets its customer: known, or by a lookup that is stored with the order. */
export interface Attachment {
  customer_id: number | null
  by: Lookup | null
}

export interface CustomerPlan {
  customers: NewCustomer[]
  lookups: NewLookup[]
  /** One for each contact, in their order. */
  attachments: Attachment[]
}

export const lookupKey = ({ type, value }: Lookup): string => `${type}\n${value}`

/**
 * What has to be stored so that each contact has its customer: known ones are found, one person's orders of a batch share one.
 * `owners` are the customers that orders have already: they keep them, and new lookups become theirs.
 */
export function planCustomers(
  contacts: readonly Contact[],
  lookups: readonly (readonly Lookup[])[],
  known: ReadonlyMap<string, KnownLookup>,
  owners: readonly (number | null)[] = [],
): CustomerPlan {
  const plan: CustomerPlan = { customers: [], lookups: [], attachments: [] }
  /** The owner of each lookup that this plan stores: an id, or a place in `customers`. */
  const planned = new Map<string, NewLookup>()
  const introduced = new Set<number>()
  contacts.forEach((contact, at) => {
    const own = elementAt(lookups, at)
    const owner = owners[at] ?? null
    const first = own[0]
    if (!first) {
      plan.attachments.push({ customer_id: owner, by: null })
      return
    }
    const found = own.map(lookup => known.get(lookupKey(lookup)) ?? planned.get(lookupKey(lookup))).find(one => one !== undefined)
    const name = contact.customer_name.slice(0, 300)
    const { postcode, country } = contact.recipient
    const introduce = (customer_id: number | null) =>
      plan.customers.push({ customer_id, first, name, name_postcode: namePostcodeKey(contact.customer_name, postcode, country) }) - 1
    const customer_id = owner ?? found?.customer_id ?? null
    const isNew = customer_id === null
    const customer = isNew ? (found && 'customer' in found ? found.customer : introduce(null)) : null
    if (!isNew && !introduced.has(customer_id) && !(found?.customer_id === customer_id && 'here' in found && found.here))
      introduce(customer_id)
    if (!isNew) introduced.add(customer_id)
    for (const lookup of own) {
      const key = lookupKey(lookup)
      const before = known.get(key)
      if (planned.has(key) || before?.seen) continue
      const row = { ...lookup, customer_id: before?.customer_id ?? customer_id, customer: before ? null : customer }
      planned.set(key, row)
      plan.lookups.push(row)
    }
    plan.attachments.push(
      isNew
        ? { customer_id: null, by: own.find(lookup => planned.get(lookupKey(lookup))?.customer === customer)! }
        : { customer_id, by: null },
    )
  })
  return plan
}
