/** Schemas of the calls in printers.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { Instant, text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { printerKinds } from './printers.codes.ts'

export const Printer = z.object({
  id: z.number().int(),
  kind: z.enum(printerKinds),
  /** The provider's own id. */
  remote_id: z.string(),
  name: z.string(),
  description: z.string(),
  /** The computer of PrintNode's client, the print agent, or the address in the network; empty for printers of the server. */
  computer: z.string(),
  /** `gone`: the provider no longer lists it. */
  state: z.enum(['online', 'offline', 'gone']),
  /** Name of the paper → width and height in millimetres. */
  papers: z.record(z.string(), z.tuple([z.number(), z.number()])),
  /** What it is good for, judged by its papers and its driver's name. */
  paper: z.enum(['a4', 'label']),
  agent_id: z.number().int().nullable(),
  /** True when raw ZPL is sent to it: what a person said, else what the driver's name lets guess. */
  raw: z.boolean(),
  raw_override: z.boolean().nullable(),
  /** Takes the work of this printer while it is off line. */
  fallback_printer_id: z.number().int().nullable(),
  seen_at: Instant,
  last_print_at: Instant.nullable(),
  /** When a test code that it printed was last scanned back. */
  proved_at: Instant.nullable(),
})
export type Printer = z.infer<typeof Printer>

export const PrinterList = z.object({
  printers: z.array(Printer),
  printnode: z.enum(['connected', 'no_key', 'refused', 'unreachable']),
  /** Whether this server has CUPS; only the main company prints with it, and only where the deployment has one operator. */
  cups: z.enum(['connected', 'absent', 'unreachable']),
  /** Why the list may be old, as a sentence. */
  note: z.string().nullable(),
  asked_at: Instant,
})
export type PrinterList = z.infer<typeof PrinterList>

const flag = z
  .string()
  .optional()
  .transform(text => text !== undefined && text !== '0' && text !== 'false')

export const printersSchemas = {
  components: { Printer, PrinterList },
  calls: {
    list: {
      query: z.object({ refresh: flag }),
      reply: PrinterList,
      summary: 'The printers of this company. Asked of PrintNode at most every 30 seconds unless `refresh` is set.',
    },
    add: {
      body: z.strictObject({
        name: text(limits.name).min(1, 'Give the printer a name'),
        host: text(253).min(1, 'Enter the address of the printer'),
        port: z
          .number()
          .int()
          .default(9100)
          .refine(port => limits.printerPorts.includes(port), 'A label printer listens on port 6101 or 9100 to 9109'),
      }),
      reply: Printer,
      example: { body: { name: 'Zebra 1', host: 'zebra.example.com', port: 9100 } },
      summary: 'Adds a label printer of the network, which takes ZPL on a TCP port.',
    },
    remove: {
      summary: 'Removes a label printer of the network. Its print jobs stay in the list.',
    },
    change: {
      body: z.object({ fallback_printer_id: z.number().int().positive().nullish(), raw_override: z.boolean().nullish() }),
      reply: Printer,
      summary: 'Changes what a printer is used for.',
    },
  },
} satisfies ContractSchemas
