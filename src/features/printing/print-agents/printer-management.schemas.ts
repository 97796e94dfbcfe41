/** Schemas of the calls in printer-management.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { Instant, text } from '#contract/fields.schemas.ts'
import { CupsCommand, CupsQueue, FoundPrinter } from './print-agents.schemas.ts'
import { commandStates } from './printer-management.codes.ts'

const id = z.number().int()

const DeviceCommand = z.object({
  id,
  command: CupsCommand,
  /** `lost`: the device did not fetch it in time, or never said what became of it. */
  state: z.enum(commandStates),
  /** Why it failed, in the words of CUPS. */
  message: z.string().nullable(),
  /** Printers that `discover` found. */
  found: z.array(FoundPrinter).nullable(),
  created_at: Instant,
})
export type DeviceCommand = z.infer<typeof DeviceCommand>

const PrinterDevice = z.object({
  agent_id: id,
  name: z.string(),
  model: z.string(),
  state: z.enum(['connected', 'silent']),
  last_seen_at: Instant,
  queues: z.array(CupsQueue.extend({ papers: z.array(text(100)) })),
  /** The newest ten. */
  commands: z.array(DeviceCommand),
})
export type PrinterDevice = z.infer<typeof PrinterDevice>

export const printerManagementSchemas = {
  components: { PrinterDevice, DeviceCommand },
  calls: {
    list: {
      reply: z.array(PrinterDevice),
      summary: 'Each Raspberry Pi of the company with the printers of its CUPS and the newest commands to it.',
    },
    command: {
      body: z.strictObject({
        /** The same id again is the same command. */
        client_id: z.uuid(),
        command: CupsCommand,
      }),
      reply: DeviceCommand,
      summary: 'Asks the CUPS of a device for a change. The device fetches it at once and says what became of it.',
    },
  },
} satisfies ContractSchemas
