/** The canonical order: the format of the import API, its answer, and the sentences that reject an invalid order. */
import * as z from 'zod'
import { interpolate } from '#contract/errors.ts'
import { isCountry } from '#domain/country-names.ts'
import { isCurrency } from '#domain/money.ts'
import { isRecord } from '#domain/objects.ts'
import { mostProblems, type Problem, problemAt, problemsOf, shown } from './validation-issues.ts'

/** Maximum orders in one call. */
export const largestImport = 500
export const mostLines = 2_000

// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are rejected
const noControls = /^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$/

/**
 * No control characters but tab and line ends, and no lone surrogates: PostgreSQL stores neither in text and jsonb. The pattern leaves surrogates
 * to a separate check, because other languages must read it the same way.
 */
const text = (max: number) =>
  z
    .string()
    .max(max)
    .regex(noControls, 'storable')
    .refine(value => value.isWellFormed(), 'storable')
const required = (max: number) => text(max).regex(/\S/, 'missing')
const optional = (max: number) => text(max).nullable().default(null)

const money = z.string().regex(/^-?\d{1,12}(\.\d{1,6})?$/, 'money')
const price = money.nullable().default(null)
const percent = z
  .string()
  .regex(/^\d{1,3}(\.\d{1,4})?$/, 'percent')
  .nullable()
  .default(null)
/** `"2"` and `"2.0"` both mean two; a bare integer is accepted too. */
const quantity = z.union(
  [z.string().regex(/^0*[1-9]\d{0,5}(\.0{1,6})?$/, 'quantity'), z.int('quantity').min(1, 'quantity').max(999_999, 'quantity')],
  'quantity',
)
const flag = (otherwise: boolean) => z.boolean().default(otherwise)
const instant = z.iso.datetime({ offset: true, error: 'instant' }).max(40)
const day = z.iso.date('day')
const country = z
  .string()
  .regex(/^[A-Za-z]{2}$/, 'country')
  .refine(code => isCountry(code.toUpperCase()), 'country')
const grams = z.int().min(0).max(10_000_000)
const millimetres = z.int().min(0).max(100_000)
const scalar = z.union([text(2_000), z.number(), z.boolean(), z.null()], 'scalar')
const own = z
  .record(text(100).regex(/\S/, 'missing'), scalar)
  .refine(values => Object.keys(values).length <= 100, 'crowded')
  .default({})

const OrderStatus = z.enum(['new', 'ready', 'held', 'cancelled', 'closed'])
const PaymentStatus = z.enum(['pending', 'authorized', 'partially_paid', 'paid', 'partially_refunded', 'refunded', 'voided'])
/** `fee` is any other charge; only `item` lines are packed. */
export const LineType = z.enum(['item', 'shipping', 'discount', 'gift_card', 'payment_fee', 'fee'])
export type LineType = z.infer<typeof LineType>

/** Missing address fields are shown as a warning hours before packing; only the country is required, to interpret the rest. */
const ShipTo = z.strictObject({
  name: text(120).default(''),
  attention: optional(120),
  company: optional(120),
  address1: text(200).default(''),
  address2: optional(200),
  postcode: text(20).default(''),
  city: text(100).default(''),
  region: optional(100),
  country,
  phone: optional(40),
  email: optional(254),
  instruction: optional(500),
  door_code: optional(40),
})

const BillTo = z.strictObject({
  name: text(120).default(''),
  attention: optional(120),
  company: optional(120),
  address1: text(200).default(''),
  address2: optional(200),
  postcode: text(20).default(''),
  city: text(100).default(''),
  region: optional(100),
  country: country.nullable().default(null),
  phone: optional(40),
  email: optional(254),
  vat_no: optional(40),
})

const Customer = z.strictObject({
  external_id: optional(100),
  name: optional(120),
  email: optional(254),
  phone: optional(40),
  vat_no: optional(40),
})

const ServicePoint = z.strictObject({
  carrier: optional(40),
  id: required(60),
  name: optional(120),
  address1: optional(200),
  postcode: optional(20),
  city: optional(100),
  country: country.nullable().default(null),
})

const Shipping = z.strictObject({
  title: optional(200),
  code: optional(100),
  price_incl_vat: price,
  vat_percent: percent,
})

const Delivery = z.strictObject({
  not_before: day.nullable().default(null),
  wished_date: day.nullable().default(null),
  ship_by: instant.nullable().default(null),
  partial_allowed: flag(true),
})

const Line = z.strictObject({
  /** Unique in the order; by default the line's position, counted from 1. */
  external_id: optional(100),
  type: LineType.default('item'),
  sku: optional(64),
  barcode: text(256).nullable().default(null),
  name: required(300),
  variant: optional(200),
  qty: quantity,
  unit_price_excl_vat: price,
  /** Replaces the price without VAT, where the shop has only this one. */
  unit_price_incl_vat: price,
  /** Of the whole line, as a positive amount. */
  discount_excl_vat: price,
  vat_percent: percent,
  cost_price: price,
  weight_g: grams.nullable().default(null),
  /** Length, width, height. */
  dim_mm: z.tuple([millimetres, millimetres, millimetres], 'dimensions').nullable().default(null),
  bin: optional(40),
  image_url: z
    .string()
    .max(2_000)
    .regex(/^https?:\/\/[^\s]+$/i, 'url')
    .regex(noControls, 'storable')
    .refine(value => value.isWellFormed(), 'storable')
    .nullable()
    .default(null),
  hs_code: z
    .string()
    .regex(/^[\d .]{4,14}$/, 'hs_code')
    .nullable()
    .default(null),
  origin: country.nullable().default(null),
  customs_text: optional(300),
  /** The external_id of the line that sells this one as part of a bundle. */
  bundle_of: optional(100),
  serial_required: flag(false),
  requires_shipping: flag(true),
  custom: own,
})

const Customs = z.strictObject({
  reason: z.enum(['sale_of_goods', 'gift', 'documents', 'commercial_sample', 'returned_goods', 'other']).nullable().default(null),
  incoterm: z
    .string()
    .regex(/^[A-Za-z]{3}$/, 'incoterm')
    .nullable()
    .default(null),
  voec: optional(40),
  ioss: optional(40),
  eori: optional(40),
})

const Note = z.strictObject({
  type: z
    .string()
    .regex(/^[a-z_]{1,30}$/, 'note_type')
    .default('info'),
  text: required(2_000),
})

/**
 * One order. Money and quantities are decimal text (`"12.50"`, `"2"`), instants are ISO 8601 with an offset, weights are grams, lengths millimetres.
 * `null` and leaving out mean the same. Unknown fields are rejected, so that a mistyped one does not get lost; `attributes` and a line's `custom` accept any names.
 */
export const CanonicalOrder = z.strictObject({
  /** The shop's own id: the same id identifies the same order. Defaults to `order_no`. */
  external_id: optional(100),
  order_no: required(60),
  shop: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/, 'shop')
    .default('main'),
  source: z
    .string()
    .regex(/^[a-z0-9_-]{1,30}$/, 'source')
    .default('api'),
  ordered_at: instant.nullable().default(null),
  paid_at: instant.nullable().default(null),
  status: OrderStatus.default('ready'),
  payment_status: PaymentStatus.nullable().default(null),
  currency: z
    .string()
    .regex(/^[A-Za-z]{3}$/, 'currency')
    .refine(code => isCurrency(code.toUpperCase()), 'currency'),
  locale: z
    .string()
    .regex(/^[A-Za-z]{2,3}([_-][A-Za-z0-9]{2,8})*$/, 'locale')
    .max(20)
    .nullable()
    .default(null),
  customer: Customer.nullable().default(null),
  ship_to: ShipTo,
  bill_to: BillTo.nullable().default(null),
  service_point: ServicePoint.nullable().default(null),
  shipping: Shipping.nullable().default(null),
  delivery: Delivery.nullable().default(null),
  lines: z.array(Line).min(1).max(mostLines),
  totals: z.strictObject({ excl_vat: price, vat: price, incl_vat: price }).nullable().default(null),
  customs: Customs.nullable().default(null),
  notes: z.array(Note).max(50).default([]),
  tags: z.array(required(60)).max(50).default([]),
  attributes: own,
  /** Increases with every change in the shop, so that a late delivery of an older state is detected. */
  version: z.int().min(0).nullable().default(null),
})
export type CanonicalOrder = z.output<typeof CanonicalOrder>
/** The input type: fields with defaults may be left out. */
export type WrittenOrder = z.input<typeof CanonicalOrder>

/** One order, a list of them, or `{ "orders": [...] }`. Each is validated alone, so that one invalid order does not stop the others. */
export const ImportBody = z.union(
  [z.array(z.unknown()), z.record(z.string(), z.unknown())],
  'Send one order, a list of orders, or {"orders": [...]} as JSON',
)
export type ImportBody = z.infer<typeof ImportBody>

export const ordersIn = (body: ImportBody): unknown[] => {
  if (Array.isArray(body)) return body
  const { orders, ...rest } = body
  return Array.isArray(orders) && Object.keys(rest).length === 0 ? orders : [body]
}

export const ImportProblem = z.object({
  field: z.string(),
  /** The sentence with placeholders, for translation. */
  text: z.string(),
  values: z.record(z.string(), z.union([z.string(), z.number()])),
  /** The sentence in English with its values inserted. */
  message: z.string(),
})

export const ImportResult = z.object({
  external_id: z.string().nullable(),
  order_no: z.string().nullable(),
  order_id: z.number().int().nullable(),
  result: z.enum(['created', 'updated', 'unchanged', 'refused']),
  problems: z.array(ImportProblem),
})
export type ImportResult = z.infer<typeof ImportResult>

/** One entry per order sent, in the order in which they were sent. */
export const ImportAnswer = z.object({ orders: z.array(ImportResult) })
export type ImportAnswer = z.infer<typeof ImportAnswer>

export const formatIssue = (problem: Problem): z.infer<typeof ImportProblem> => ({
  field: problem.field,
  text: problem.text,
  values: problem.values,
  message: interpolate(problem.text, problem.values),
})

/** Checks beyond the schema: unique line ids, and a total within a safe integer. */
function problemsBetween(order: CanonicalOrder): Problem[] {
  const problems: Problem[] = []
  const ids = new Set<string>()
  let bundled = false
  let worth = 0
  for (const [index, line] of order.lines.entries()) {
    const id = line.external_id?.trim()
    if (id) {
      if (ids.has(id)) problems.push(problemAt(['lines', index, 'external_id'], 'twice', { value: shown(id) }))
      ids.add(id)
    }
    if (line.bundle_of) bundled = true
    // An estimate is enough: it only keeps sums far below the largest safe integer.
    worth +=
      Math.abs(Number(line.unit_price_excl_vat ?? 0)) * Number(line.qty) +
      Math.abs(Number(line.unit_price_incl_vat ?? 0)) * Number(line.qty)
    if (worth > 1e12) {
      problems.push(problemAt(['lines', index], 'too_dear'))
      break
    }
  }
  if (bundled) {
    for (const [index, line] of order.lines.entries()) {
      const parent = line.bundle_of?.trim()
      if (parent && (!ids.has(parent) || parent === line.external_id?.trim())) {
        problems.push(problemAt(['lines', index, 'bundle_of'], 'bundle', { value: shown(parent) }))
      }
    }
  }
  return problems.slice(0, mostProblems)
}

export type Reading = { order: CanonicalOrder; problems?: never } | { order?: never; problems: Problem[] }

/** Parses one order from JSON: the order with its defaults, or every reason for rejection (at most 20). Never throws. */
export function readCanonical(body: unknown): Reading {
  const read = CanonicalOrder.safeParse(body)
  if (!read.success) return { problems: problemsOf(read.error.issues, body) }
  const problems = problemsBetween(read.data)
  return problems.length > 0 ? { problems } : { order: read.data }
}

/** The ids of an order that may be too malformed to read, for the answer. */
export function namesOf(body: unknown): { external_id: string | null; order_no: string | null } {
  const { external_id, order_no } = isRecord(body) ? body : {}
  const name = (value: unknown) => (typeof value === 'string' && value !== '' ? shown(value) : null)
  return { external_id: name(external_id) ?? name(order_no), order_no: name(order_no) }
}
