/** Schemas of the calls in products.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { page, pageQuery } from '#contract/page.ts'
import { isCountry } from '#domain/country-names.ts'
import { goodsFlags, isHsCode, plainHsCode } from '#domain/customs/goods.ts'
import { isCurrency } from '#domain/money.ts'
import { ImportProblem } from '#domain/order/canonical-order.ts'
import { longestTag } from '#features/company/tags/tags.codes.ts'
import { mostComponents, mostOfComponent, productWords } from './products.codes.ts'

const orNull = <T extends z.ZodType>(shape: T) => shape.nullable()
const optionalText = (max: number) => text(max).transform(value => value || null)
const whole = (least: number, most: number) => z.number().int().min(least).max(most)

const HsCode = z.string().trim().transform(plainHsCode).refine(isHsCode, productWords.hs_code)
const Origin = z.string().trim().toUpperCase().refine(isCountry, productWords.origin)

/** What is declared beside code, origin and description. What is left out stays as it was. */
const CustomsFields = {
  /** Minor units of its currency, each: declared where goods are given away. */
  cost_price: whole(0, 1_000_000_000).nullable().optional(),
  cost_currency: z.string().trim().toUpperCase().refine(isCurrency, productWords.cost).nullable().optional(),
  /** Without its own packaging; null where it weighs the same. */
  net_weight_g: whole(0, 10_000_000).nullable().optional(),
  /** The number that its maker gave it. */
  manufacturer_no: optionalText(64).nullable().optional(),
  customs_flags: z
    .array(z.enum(goodsFlags, productWords.flags))
    .max(goodsFlags.length)
    .transform(flags => goodsFlags.filter(flag => flags.includes(flag)))
    .optional(),
}
type Priced = { cost_price?: number | null | undefined; cost_currency?: string | null | undefined }
const hasCurrency = ({ cost_price, cost_currency }: Priced): boolean => typeof cost_price !== 'number' || typeof cost_currency === 'string'
const costWords = { path: ['cost_currency'], message: productWords.cost }
type Weighed = { weight_g?: number | null | undefined; net_weight_g?: number | null | undefined }
const weighsLess = ({ weight_g, net_weight_g }: Weighed): boolean =>
  typeof weight_g !== 'number' || typeof net_weight_g !== 'number' || net_weight_g <= weight_g
const netWords = { path: ['net_weight_g'], message: productWords.net }

const ProductBarcode = z.strictObject({
  barcode: text(limits.barcode).min(1, productWords.barcode),
  /** Quantity that one scan counts. */
  quantity: whole(1, 100_000).default(1),
})

const ProductComponent = z.strictObject({
  /** Of a product of the same company that is no bundle. */
  sku: text(64).min(1, productWords.component),
  /** How many of it one bundle holds. */
  quantity: whole(1, mostOfComponent).default(1),
})
/** What the product consists of where it is a bundle. What is left out stays as it was. */
const components = z.array(ProductComponent).max(mostComponents).optional()

const EveryField = z.strictObject({
  name: text(300).min(1, productWords.name),
  variant: orNull(optionalText(200)),
  weight_g: orNull(whole(0, 10_000_000)),
  length_mm: orNull(whole(1, 100_000)),
  width_mm: orNull(whole(1, 100_000)),
  height_mm: orNull(whole(1, 100_000)),
  bin: orNull(optionalText(40)),
  hs_code: orNull(HsCode),
  origin: orNull(Origin),
  customs_text: orNull(optionalText(300)),
  ...CustomsFields,
  serial_required: z.boolean(),
  /** Has no barcode to scan: may be counted by hand without a permission. */
  no_barcode: z.boolean(),
  barcodes: z.array(ProductBarcode).max(50),
  components,
})
/** Every field that users may set. */
export const ProductFields = EveryField.refine(hasCurrency, costWords).refine(weighsLess, netWords)
export const NewProduct = EveryField.extend({ sku: text(64).min(1, productWords.sku) })
  .refine(hasCurrency, costWords)
  .refine(weighsLess, netWords)
export type ProductFields = z.output<typeof ProductFields>

const ProductPart = z.object({ product_id: z.number().int(), sku: z.string(), name: z.string(), quantity: z.number().int() })

export const Product = z.object({
  product_id: z.number().int(),
  company_id: z.number().int(),
  sku: z.string(),
  name: z.string(),
  variant: z.string().nullable(),
  weight_g: z.number().int().nullable(),
  length_mm: z.number().int().nullable(),
  width_mm: z.number().int().nullable(),
  height_mm: z.number().int().nullable(),
  bin: z.string().nullable(),
  hs_code: z.string().nullable(),
  origin: z.string().nullable(),
  customs_text: z.string().nullable(),
  cost_price: z.number().int().nullable(),
  cost_currency: z.string().nullable(),
  net_weight_g: z.number().int().nullable(),
  manufacturer_no: z.string().nullable(),
  customs_flags: z.array(z.string()),
  serial_required: z.boolean(),
  no_barcode: z.boolean(),
  image_url: z.string().nullable(),
  has_image: z.boolean(),
  barcodes: z.array(z.object({ barcode: z.string(), quantity: z.number().int() })),
  /** What it consists of; empty where it is no bundle. */
  components: z.array(ProductPart),
  /** The first bundles that it is a part of. */
  bundles: z.array(ProductPart),
  tags: z.array(z.string()),
  version: z.number().int(),
  updated_at: z.string(),
})
export type Product = z.infer<typeof Product>

/** One product as a shop's program sends it: a missing field stays as it was, `null` clears it. */
export const WrittenProduct = z
  .strictObject({
    sku: text(64).min(1, productWords.sku),
    name: text(300).min(1, productWords.name).optional(),
    variant: text(200).nullable().optional(),
    barcodes: z
      .array(
        z.union([
          text(limits.barcode)
            .min(1, productWords.barcode)
            .transform(barcode => ({ barcode, quantity: 1 })),
          ProductBarcode,
        ]),
      )
      .max(50)
      .optional(),
    weight_g: whole(0, 10_000_000).nullable().optional(),
    length_mm: whole(1, 100_000).nullable().optional(),
    width_mm: whole(1, 100_000).nullable().optional(),
    height_mm: whole(1, 100_000).nullable().optional(),
    bin: text(40).nullable().optional(),
    image_url: z
      .string()
      .max(2_000)
      .regex(/^https?:\/\/[^\s]+$/i, productWords.image_url)
      .nullable()
      .optional(),
    hs_code: HsCode.nullable().optional(),
    origin: Origin.nullable().optional(),
    customs_text: text(300).nullable().optional(),
    ...CustomsFields,
    serial_required: z.boolean().optional(),
    no_barcode: z.boolean().optional(),
    components,
  })
  .refine(hasCurrency, costWords)
  .refine(weighsLess, netWords)
export type WrittenProduct = z.output<typeof WrittenProduct>

export const largestProductImport = 500
export const ProductImport = z.union(
  [z.array(z.unknown()), z.record(z.string(), z.unknown())],
  'Send one product, a list of products, or {"products": [...]} as JSON',
)
export const productsIn = (body: z.infer<typeof ProductImport>): unknown[] => {
  if (Array.isArray(body)) return body
  const { products, ...rest } = body
  return Array.isArray(products) && Object.keys(rest).length === 0 ? products : [body]
}

const RowFinding = ImportProblem.extend({ row: z.number().int() })

export const ProductCsvResult = z.object({
  created: z.number().int(),
  updated: z.number().int(),
  unchanged: z.number().int(),
  refused: z.number().int(),
  /** The first hundred refused rows. */
  problems: z.array(RowFinding),
  /** The first hundred accepted rows with a remark. */
  noted: z.array(RowFinding).default([]),
})
export type ProductCsvResult = z.output<typeof ProductCsvResult>

const Question = z.object({
  query: z.string().trim().max(200).default(''),
  /** Only products without HS code, origin or weight. */
  customs: z.enum(['missing']).optional(),
  tag: text(longestTag).optional(),
})

export const productsSchemas = {
  components: { ProductBarcode, ProductComponent, ProductFields, Product, WrittenProduct, ProductCsvResult },
  calls: {
    search: {
      query: pageQuery.extend(Question.shape),
      reply: page(Product),
      summary: 'Searches products by SKU, name, barcode or tag, page by page.',
    },
    export: {
      query: Question,
      summary: 'The products of a search as CSV, at most 20,000 rows, with the columns that the import reads.',
    },
    get: {
      reply: Product,
      summary: 'One product.',
    },
    picture: {
      summary: 'The picture of a product.',
    },
    create: {
      body: NewProduct,
      reply: Product,
      summary: 'Makes a product.',
    },
    update: {
      body: EveryField.extend({ version: z.number().int() }).refine(hasCurrency, costWords).refine(weighsLess, netWords),
      reply: Product,
      summary: 'Changes a product; 409 with the current state when the version is old.',
    },
    setPicture: {
      reply: Product,
      summary: 'A JPEG, PNG, WebP, AVIF or GIF; it is drawn anew at most 800 pixels wide, without what cameras hide in it.',
    },
    removePicture: {
      reply: Product,
      summary: 'Removes the picture of a product.',
    },
    importCsv: {
      reply: z.object({ job_id: z.number().int() }),
      summary:
        'A CSV file with the columns sku, name, barcode, outer_barcode, outer_qty, barcodes (`5701234567899; 12 x 5701234567905`), weight_g, length_mm, width_mm, height_mm, bin, hs_code, origin, customs_text, net_weight_g, cost_price, cost_currency, manufacturer_no, customs_flags, image_url, serial_required, components (`2 x SKU; OTHER`, or `-` for none).',
    },
  },
} satisfies ContractSchemas
