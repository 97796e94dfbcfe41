/** Schemas of the calls in stations.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { Instant, Station } from '#contract/fields.schemas.ts'
import { printerRoles } from '#domain/printer-choice.ts'
import { PrintJob } from '#features/printing/print-jobs/print-jobs.schemas.ts'
import { Printer, PrinterList } from '#features/printing/printers/printers.schemas.ts'

/** What the browser's scanner module keeps; the server only carries it from device to device. */
const ScannerProfile = z
  .record(z.string().max(60), z.unknown())
  .refine(profile => JSON.stringify(profile).length <= 8_000, 'The scanner profile is too large')

export const KnownStation = z.object({
  id: z.number().int(),
  name: z.string(),
  first_used_at: Instant,
  last_used_at: Instant,
  scanner: z.record(z.string(), z.unknown()).nullable(),
})
export type KnownStation = z.infer<typeof KnownStation>

export const StationHealth = z.object({
  /**
   * `ready`: every printer is on line. `fallback`: what prints for one that is not, is. `trouble`: a printer cannot print and nothing prints
   * for it. `none`: there is no printer.
   */
  state: z.enum(['ready', 'fallback', 'trouble', 'none']),
  printers: z.array(Printer),
  /** The printer of each kind of document that has one: the station's, else the device's own by paper. */
  roles: z.partialRecord(z.enum(printerRoles), z.number().int()),
  last_print_at: Instant.nullable(),
  /** Jobs of these printers that have not come out yet. */
  waiting: z.number().int(),
  /** Jobs of the last day that did not come out and were not printed again. */
  failed: z.number().int(),
  jobs: z.array(PrintJob),
  printnode: PrinterList.shape.printnode,
  note: z.string().nullable(),
})
export type StationHealth = z.infer<typeof StationHealth>

const printer_id = z.coerce.number<unknown>().int().positive().optional()

export const stationsSchemas = {
  components: { KnownStation, StationHealth },
  calls: {
    list: {
      reply: z.array(KnownStation),
      summary: 'The stations of the warehouse.',
    },
    use: {
      params: { name: Station },
      reply: KnownStation,
      summary: 'Registers the station at its first use; afterwards notes that it is in use.',
    },
    saveScanner: {
      params: { name: Station },
      body: z.object({ scanner: ScannerProfile.nullable() }),
      reply: KnownStation,
      summary: 'Keeps how the scanner of a station is set.',
    },
    health: {
      query: z.object({ station: Station.optional(), label_printer_id: printer_id, a4_printer_id: printer_id }),
      reply: StationHealth,
      summary: 'How the printers of a station are, and its last print jobs.',
    },
  },
} satisfies ContractSchemas
