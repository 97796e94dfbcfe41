/** Schemas of the calls in serial-units.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { page, pageQuery } from '#contract/page.ts'
import { ImportProblem } from '#domain/order/canonical-order.ts'
import { markedStates, mostUnits, unitStates } from './serial-units.codes.ts'

/** An imported serial number, with the order that it went out with last. */
export const SerialUnit = z.object({
  id: z.number().int(),
  serial: z.string(),
  /** In capital letters. */
  sku: z.string(),
  /** Null where no product has this SKU. */
  product: z.string().nullable(),
  state: z.enum(unitStates),
  /** Sent, but its order is not packed to the end yet. */
  in_packing: z.boolean(),
  pack_code: z.string().nullable(),
  lot: z.string().nullable(),
  expiry: z.string().nullable(),
  company_id: z.number().int(),
  company: z.string(),
  imported_at: z.string(),
  order_id: z.number().int().nullable(),
  order_no: z.string().nullable(),
})
export type SerialUnit = z.infer<typeof SerialUnit>

/** One unit as files and programs write it. */
export const WrittenUnit = z.strictObject({
  sku: z.string().trim().min(1, 'The SKU is missing').max(limits.code),
  serial: z.string().trim().min(1, 'The serial number is missing').max(limits.barcode),
  /** On the outer pack; null or empty: none. */
  pack_code: z.string().trim().max(limits.barcode).nullish(),
  lot: z.string().trim().max(64).nullish(),
  expiry: z.iso.date('Enter the day as 2026-11-21').nullish(),
})
export type WrittenUnit = z.infer<typeof WrittenUnit>

const RowFinding = ImportProblem.extend({ row: z.number().int() })

/** What became of the rows. */
export const UnitImport = z.object({
  added: z.number().int(),
  changed: z.number().int(),
  unchanged: z.number().int(),
  refused: z.number().int(),
  /** The first hundred refused rows. */
  problems: z.array(RowFinding),
})
export type UnitImport = z.infer<typeof UnitImport>

const UnitQuestion = z.object({
  query: text(limits.barcode).optional(),
  state: z.enum(unitStates).optional(),
  sku: text(limits.code).optional(),
  company_id: z.coerce.number<unknown>().int().positive().optional(),
})
export type UnitQuestion = z.infer<typeof UnitQuestion>

/** Code of the company, where main-company staff work for another one. */
const Company = z.string().max(31)

export const serialUnitsSchemas = {
  components: { SerialUnit, UnitImport },
  calls: {
    list: {
      query: pageQuery.extend(UnitQuestion.shape),
      reply: page(SerialUnit),
      summary:
        'Imported serial numbers with their state, the newest first. `query` is the beginning of a serial number, or a whole pack code.',
    },
    write: {
      body: z.strictObject({ units: z.array(z.unknown()).min(1).max(mostUnits), company: Company.optional() }),
      reply: UnitImport,
      summary:
        'Adds serial numbers to those that a company has, or changes their pack code, lot and expiry: `{ sku, serial, pack_code?, lot?, expiry? }`, up to 500 at once. Each is judged alone; `row` of a problem is its place, from 1.',
      example: { body: { units: [{ sku: 'LAMP-1', serial: 'SN100', pack_code: 'BOX-7', lot: 'L4', expiry: '2027-01-31' }] } },
    },
    import: {
      query: z.object({ company: Company.optional() }),
      reply: z.object({ job_id: z.number().int() }),
      summary:
        'A CSV file or workbook with the columns sku, serial, pack_code, lot and expiry, as a job of at most 50,000 rows. Rows are judged as those of `POST serials/units`.',
    },
    export: { query: UnitQuestion, summary: 'The same list as CSV, with the columns that the import reads. At most 20,000 rows.' },
    mark: {
      body: z.strictObject({ ids: z.array(z.number().int().positive()).min(1).max(mostUnits), as: z.enum(markedStates) }),
      reply: z.object({ changed: z.number().int(), ids: z.array(z.number().int()) }),
      summary: 'Marks imported serial numbers as recalled or removed, so that no station takes them; `in_stock` takes that back.',
    },
    recall: {
      params: { sku: text(limits.code).min(1) },
      body: z.strictObject({
        first: text(limits.barcode).optional(),
        last: text(limits.barcode).optional(),
        company_id: z.number().int().positive().optional(),
      }),
      reply: z.object({ recalled: z.number().int() }),
      summary:
        'Marks all serial numbers of a product, or a range of them, as recalled: those in stock, and those that went out, so that none goes out again.',
    },
  },
} satisfies ContractSchemas
