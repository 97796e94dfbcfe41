/** The fields that conditions of rules compare, with their types, operators and names. */
import { keysOf } from '#domain/objects.ts'
import { trackingStages } from '#domain/tracking-stages.ts'

/** Operators of each type of field. */
const operatorsByType = {
  text: ['eq', 'ne', 'contains', 'starts', 'ends', 'matches', 'is_empty'],
  code: ['eq', 'ne', 'in', 'not_in', 'starts', 'is_empty'],
  postcode: ['eq', 'ne', 'in', 'not_in', 'starts', 'between', 'is_empty'],
  set: ['has_any', 'has_all', 'has_none', 'is_empty'],
  int: ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'between', 'is_empty'],
  grams: ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'between', 'is_empty'],
  cm3: ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'between', 'is_empty'],
  money: ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'between', 'is_empty'],
  bool: ['is'],
  enum: ['eq', 'ne', 'in', 'not_in', 'is_empty'],
  country: ['eq', 'ne', 'in', 'not_in', 'is_empty'],
  instant: ['before', 'after', 'within', 'older_than', 'weekday_in', 'between', 'is_empty'],
  age: ['within', 'older_than'],
  day: ['weekday_in'],
  clock: ['between'],
} as const

export type FieldType = keyof typeof operatorsByType
export type Operator = (typeof operatorsByType)[FieldType][number]

/** Whole minor units of a currency. */
export interface MoneyValue {
  amount: number
  currency: string
}

/** What a fact of each type holds. Instants are ISO 8601; `day` and `clock` are taken from the time of the evaluation. */
interface FactTypes {
  text: string
  code: string
  postcode: string
  set: readonly string[]
  int: number
  grams: number
  cm3: number
  money: MoneyValue
  bool: boolean
  enum: string
  country: string
  instant: string
  age: string
  day: never
  clock: never
}

interface FieldDefinition {
  type: FieldType
  /** The name in the middle of a sentence, and its translation key. */
  label: string
  /** The values of an `enum`. */
  values?: readonly string[]
}

/** Reasons that the product knows, and what customers ask for: as features/returns/returns names them. */
const returnReasons = [
  'does_not_fit',
  'not_as_described',
  'damaged_in_transit',
  'defective',
  'wrong_item',
  'late',
  'ordered_twice',
  'changed_mind',
  'missing_part',
] as const
const returnOutcomes = ['refund', 'exchange', 'credit', 'repair'] as const

const paymentStatuses = ['pending', 'authorized', 'partially_paid', 'paid', 'partially_refunded', 'refunded', 'voided'] as const

export const ruleFields = {
  'return.reason': { type: 'enum', label: 'reason for the return', values: returnReasons },
  'return.outcome': { type: 'enum', label: 'what the customer wants', values: returnOutcomes },
  'return.days': { type: 'int', label: 'days since delivery' },
  'return.value': { type: 'money', label: 'value of the returned items' },
  'return.share': { type: 'int', label: 'share of items that the customer returned, in percent' },
  'order.value': { type: 'money', label: 'order value' },
  'order.value_excl_vat': { type: 'money', label: 'order value without VAT' },
  'order.item_count': { type: 'int', label: 'number of items' },
  'order.line_count': { type: 'int', label: 'number of lines' },
  'order.weight': { type: 'grams', label: 'weight' },
  'order.volume': { type: 'cm3', label: 'volume' },
  'order.currency': { type: 'code', label: 'currency' },
  'order.locale': { type: 'code', label: 'language' },
  'order.shop': { type: 'code', label: 'shop' },
  'order.source': { type: 'code', label: 'source' },
  'order.payment_status': { type: 'enum', label: 'payment', values: paymentStatuses },
  'order.method_code': { type: 'code', label: 'shipping code of the shop' },
  'order.tags': { type: 'set', label: 'order tags' },
  'order.age': { type: 'age', label: 'received' },
  'order.ordered_at': { type: 'instant', label: 'ordered' },
  'order.ship_by': { type: 'instant', label: 'ship by' },
  'order.note': { type: 'text', label: 'note' },
  'order.pinned': { type: 'bool', label: 'pinned' },
  'order.is_abroad': { type: 'bool', label: 'sent abroad' },
  'line.sku': { type: 'code', label: 'SKU' },
  'line.name': { type: 'text', label: 'product name' },
  'line.qty': { type: 'int', label: 'quantity' },
  'line.value': { type: 'money', label: 'line value' },
  'line.unit_price': { type: 'money', label: 'unit price' },
  'line.weight': { type: 'grams', label: 'item weight' },
  'line.hs_code': { type: 'code', label: 'HS code' },
  'line.origin': { type: 'country', label: 'country of origin' },
  'line.serial_required': { type: 'bool', label: 'serial number required' },
  'line.has_bin': { type: 'bool', label: 'has a bin' },
  'line.has_barcode': { type: 'bool', label: 'has a barcode' },
  'line.tag': { type: 'set', label: 'product tags' },
  'line.unknown_product': { type: 'bool', label: 'unknown product' },
  'ship.country': { type: 'country', label: 'country' },
  'ship.postcode': { type: 'postcode', label: 'postcode' },
  'ship.city': { type: 'text', label: 'city' },
  'ship.company': { type: 'text', label: 'company' },
  'ship.phone_missing': { type: 'bool', label: 'phone number missing' },
  'ship.email_missing': { type: 'bool', label: 'e-mail address missing' },
  'ship.service_point': { type: 'code', label: 'parcel shop' },
  'ship.agent': { type: 'code', label: 'courier' },
  'ship.method': { type: 'code', label: 'shipping method' },
  'bill.country': { type: 'country', label: 'billing country' },
  'bill.postcode': { type: 'postcode', label: 'billing postcode' },
  'bill.differs': { type: 'bool', label: 'billing address differs' },
  'customer.order_count': { type: 'int', label: 'earlier orders of the customer' },
  'customer.orders_24h': { type: 'int', label: 'orders of the customer in 24 hours' },
  'customer.orders_30d': { type: 'int', label: 'orders of the customer in 30 days' },
  'customer.same_sku_24h': { type: 'int', label: 'orders of the customer with the same SKU in 24 hours' },
  'customer.value_365d': { type: 'money', label: 'value of the customer’s orders in 365 days' },
  'customer.is_new': { type: 'bool', label: 'new customer' },
  'customer.tags': { type: 'set', label: 'customer tags' },
  'shipment.stage': { type: 'enum', label: 'tracking stage', values: trackingStages },
  'shipment.agent': { type: 'code', label: 'courier of the parcel' },
  'shipment.weight': { type: 'grams', label: 'weight of the parcels' },
  'shipment.parcels': { type: 'int', label: 'number of parcels' },
  'now.day': { type: 'day', label: 'weekday now' },
  'now.clock': { type: 'clock', label: 'time now' },
} as const satisfies Record<string, FieldDefinition>

export type RuleField = keyof typeof ruleFields
type FactOf<F extends RuleField> = FactTypes[(typeof ruleFields)[F]['type']] | null
type FieldsOf<Prefix extends string> = Extract<RuleField, `${Prefix}.${string}`>

export type LineFacts = { readonly [F in FieldsOf<'line'>]: FactOf<F> }
/** What is known of an order; null is not known. `now` fields come from the time of the evaluation. */
export type OrderFacts = { readonly [F in FieldsOf<'return' | 'order' | 'ship' | 'bill' | 'customer' | 'shipment'>]: FactOf<F> } & {
  readonly lines: readonly LineFacts[]
}

/** Fields that need a look at tags of the order, its products or its customer. */
export const tagFields = ['order.tags', 'line.tag', 'customer.tags'] as const satisfies readonly RuleField[]

/** Fields that need a look at earlier orders of the same customer. */
export const historyFields = keysOf(ruleFields).filter(name => name.startsWith('customer.') && name !== 'customer.tags')

interface RuleSetDefinition {
  prefixes: readonly string[]
  /** Fields that are not known when this rule set is evaluated. */
  without: readonly RuleField[]
}

/** Each kind of rule set with the fields that its conditions use. */
const ruleSets = {
  shipping_method: {
    prefixes: ['order', 'line', 'ship', 'bill', 'customer', 'now'],
    // The choice decides courier and method, and an order is not pinned before it has arrived.
    without: ['ship.agent', 'ship.method', 'order.pinned'],
  },
  /** Of a SKU: which crate, alone, flat. */
  crate: { prefixes: ['order', 'line', 'ship', 'bill', 'customer', 'now'], without: ['order.pinned'] },
  /** Which orders get a sample, a flyer or a gift. */
  additional_product: { prefixes: ['order', 'line', 'ship', 'bill', 'customer', 'now'], without: [] },
  approval: { prefixes: ['order', 'line', 'ship', 'bill', 'customer', 'now'], without: [] },
  /** About whose orders somebody learns. */
  alert: { prefixes: ['order', 'line', 'ship', 'bill', 'customer', 'now'], without: [] },
  /** Which orders get a tag. */
  tag: { prefixes: ['order', 'line', 'ship', 'bill', 'customer', 'now'], without: [] },
  /** Who sees a campaign on the tracking page. */
  campaign: { prefixes: ['order', 'line', 'ship', 'customer', 'shipment', 'now'], without: [] },
  /** How returned items are treated; items are those of one line that comes back. */
  return: { prefixes: ['return', 'order', 'line', 'ship', 'bill', 'customer', 'now'], without: ['order.pinned'] },
} as const satisfies Record<string, RuleSetDefinition>
export type RuleSetKind = keyof typeof ruleSets

export const isRuleField = (name: string): name is RuleField => Object.hasOwn(ruleFields, name)
export const isLineField = (name: RuleField): boolean => name.startsWith('line.')

/** The fields of a rule set, in the order in which they are offered. */
export function fieldsOf(kind: RuleSetKind): RuleField[] {
  const { prefixes, without }: RuleSetDefinition = ruleSets[kind]
  return keysOf(ruleFields).filter(name => prefixes.includes(name.replace(/\..*$/, '')) && !without.includes(name))
}

export const fieldDefinition = (name: RuleField): FieldDefinition => ruleFields[name]
export const operatorsOf = (type: FieldType): readonly Operator[] => operatorsByType[type]
