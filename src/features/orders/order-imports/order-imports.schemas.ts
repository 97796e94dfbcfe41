/** Schemas of the calls in order-imports.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { Locale } from '#contract/fields.schemas.ts'
import { page, pageQuery } from '#contract/page.ts'
import { Encoding, Separator } from '#domain/csv-text.ts'
import { ImportProblem } from '#domain/order/canonical-order.ts'
import { ShopCode } from '#features/company/api-keys/cms-keys.schemas.ts'
import { JobRefusal } from '#features/company/jobs/jobs.schemas.ts'
import { Mapping } from './mapping.rules.ts'
import { columnContents } from './unused-columns.rules.ts'

export const FileForm = z.strictObject({
  encoding: Encoding,
  separator: Separator,
  /** The row with the names of the columns; what stands above it is left out. */
  header_row: z.int().min(1).max(1_000).default(1),
})
export type FileForm = z.infer<typeof FileForm>

const RowProblem = ImportProblem.extend({
  row: z.number().int(),
  code: z.string(),
  column: z.string(),
  severity: z.enum(['refused', 'left_out', 'noted', 'skipped']),
})

/** One reason with how often it was met. */
export const ImportReason = z.object({
  code: z.string(),
  severity: z.enum(['refused', 'left_out', 'noted', 'skipped']),
  count: z.number().int(),
  /** The first rows that it concerns. */
  rows: z.array(z.number().int()),
  text: z.string(),
  values: z.record(z.string(), z.union([z.string(), z.number()])),
  message: z.string(),
})
export type ImportReason = z.infer<typeof ImportReason>

export const ImportsQuery = pageQuery.extend({
  /** A part of the file's name. */
  query: z.string().trim().max(100).optional(),
  shop: ShopCode.optional(),
  /** Only those that failed or rejected rows: `recent` begun within seven days, `all` ever. */
  problems: z.enum(['all', 'recent']).optional(),
})
export type ImportsQuery = z.infer<typeof ImportsQuery>

export const ImportPreview = z.object({
  file_id: z.number().int(),
  file_name: z.string(),
  bytes: z.number().int(),
  form: FileForm,
  headers: z.array(z.string()),
  /** The first rows as they stand in the file. */
  cells: z.array(z.object({ row: z.number().int(), cells: z.array(z.string()) })),
  mapping: Mapping,
  /** The mapping is the one that was kept for this shop. */
  saved: z.boolean(),
  /** What somebody should look at: dates and numbers that can be read in two ways. */
  doubts: z.array(ImportProblem),
  /** Columns with values that are left out, and what they seem to hold. */
  unused: z.array(z.object({ column: z.string(), holds: z.enum(columnContents) })),
  /** What stops the import from being started. */
  missing: z.array(ImportProblem),
  /** The first rows as they will be read. */
  lines: z.array(
    z.object({
      row: z.number().int(),
      order_no: z.string(),
      ordered_at: z.string().nullable(),
      recipient: z.string(),
      place: z.string(),
      country: z.string(),
      type: z.string(),
      sku: z.string().nullable(),
      name: z.string(),
      qty: z.number().int(),
      /** As the file means it, with its currency. */
      price: z.string().nullable(),
      currency: z.string(),
    }),
  ),
  /** The first problems, of the part of the file that was looked at. */
  problems: z.array(RowProblem),
  /** All reasons of that part, each with its count. */
  reasons: z.array(ImportReason),
  /** Orders of that part that can be read. */
  orders_read: z.number().int(),
  /** Rows of that part that are refused. */
  rows_refused: z.number().int(),
  /** Rows of that part. */
  looked_at: z.number().int(),
})
export type ImportPreview = z.infer<typeof ImportPreview>

export const OrderImport = z.object({
  id: z.number().int(),
  shop: z.string(),
  file_name: z.string(),
  job_id: z.number().int().nullable(),
  state: z.enum(['queued', 'running', 'done', 'failed', 'cancelled']),
  /** Rows, of how many. */
  done: z.number().int(),
  total: z.number().int().nullable(),
  message: z.string().nullable(),
  /** The message with its places, for translation. */
  refusal: JobRefusal.nullable(),
  rows_read: z.number().int(),
  rows_refused: z.number().int(),
  created: z.number().int(),
  updated: z.number().int(),
  unchanged: z.number().int(),
  refused: z.number().int(),
  problems: z.array(ImportReason),
  has_errors: z.boolean(),
  created_by: z.string().nullable(),
  created_at: z.string(),
  undone_at: z.string().nullable(),
})
export type OrderImport = z.infer<typeof OrderImport>

export const orderImportsSchemas = {
  components: { FileForm, ImportPreview, ImportReason, OrderImport },
  calls: {
    uploadFile: {
      reply: z.object({ file_id: z.number().int(), name: z.string(), bytes: z.number().int() }),
      summary: 'Takes a CSV file of up to 50 MB; nothing is imported yet.',
    },
    preview: {
      body: z.strictObject({
        file_id: z.number().int().positive(),
        shop: ShopCode.default('main'),
        form: FileForm.partial()
          .omit({ header_row: true })
          .extend({ header_row: z.int().min(1).max(1_000).optional() })
          .default({}),
        mapping: Mapping.nullable().default(null),
        /** Passes over the mapping that is kept for the shop: the columns are detected anew. */
        detect: z.boolean().default(false),
      }),
      reply: ImportPreview,
      summary: 'How the file is read: its encoding, separator and columns, the mapping that fits it, and the first rows.',
    },
    start: {
      body: z.strictObject({
        file_id: z.number().int().positive(),
        shop: ShopCode.default('main'),
        form: FileForm,
        mapping: Mapping,
        /** Keep the mapping for the next file of this shop. */
        keep: z.boolean().default(true),
        /** In which language the file of refused rows says why. */
        locale: Locale.default('en_GB'),
      }),
      reply: OrderImport,
      summary: 'Starts the import of an uploaded file with this mapping; answers the job to follow.',
    },
    list: {
      query: ImportsQuery,
      reply: page(OrderImport),
      summary: 'The imports so far, page by page.',
    },
    get: {
      reply: OrderImport,
      summary: 'How far an import is, and what it found.',
    },
    undo: {
      reply: z.object({ removed: z.number().int() }),
      summary: 'Takes back every order that the import created, as long as no one has begun to pick or pack one of them.',
    },
    errors: {
      summary: 'The refused rows as they came, with code, text and field of what was wrong.',
    },
    shops: {
      reply: z.object({ shops: z.array(z.string()) }),
      summary: 'The shops of this company that orders, keys or mappings name.',
    },
  },
} satisfies ContractSchemas

/** A mapping as it is kept. */
export const KeptMapping = z.object({ form: FileForm, mapping: Mapping })
export type KeptMapping = z.infer<typeof KeptMapping>
/** As it is kept with the import that it began. */
export const StartedMapping = KeptMapping.extend({ locale: Locale.default('en_GB') })
