/** Schemas of the calls in station-printers.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { printerRoles } from '#domain/printer-choice.ts'

const role = z.enum(printerRoles)

const StationPrinter = z.object({
  role,
  printer_id: z.number().int(),
  printer: z.string(),
  /** Prints when the first is offline, has failed the document, or its computer is away. */
  fallback_printer_id: z.number().int().nullable(),
  fallback: z.string().nullable(),
  copies: z.number().int(),
})

const StationPrinters = z.object({ station_id: z.number().int(), station: z.string(), printers: z.array(StationPrinter) })
export type StationPrinters = z.infer<typeof StationPrinters>

export const RoleChange = z.strictObject({
  role,
  /** Null: the role has no printer of its own. */
  printer_id: z.number().int().positive().nullable(),
  fallback_printer_id: z.number().int().positive().nullable().default(null),
  copies: z
    .number()
    .int()
    .default(1)
    .refine(copies => copies >= 1 && copies <= 5, '1 to 5 copies'),
})

export type RoleChange = z.output<typeof RoleChange>

export const stationPrintersSchemas = {
  components: { StationPrinter, StationPrinters },
  calls: {
    list: {
      reply: z.array(StationPrinters),
      summary: 'All stations with their printers by kind of document.',
    },
    get: {
      reply: StationPrinters,
      summary: 'The printers of a station by kind of document.',
    },
    set: {
      body: z.strictObject({
        printers: z
          .array(RoleChange)
          .min(1)
          .max(printerRoles.length)
          .refine(rows => new Set(rows.map(row => row.role)).size === rows.length, 'Each kind of document can be named once'),
      }),
      reply: StationPrinters,
      example: { id: 1, body: { printers: [{ role: 'customs', printer_id: null }] } },
      summary: 'Sets the printers of the named kinds of documents; the others stay as they are.',
    },
  },
} satisfies ContractSchemas
