/** Schemas of the calls in printer-alerts.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { Instant } from '#contract/fields.schemas.ts'

export const PrinterAlertFields = z.strictObject({
  enabled: z.boolean(),
  recipients: z
    .array(z.string().max(254))
    .max(10, 'At most 10 recipients')
    .refine(all => all.every(one => z.email().safeParse(one).success), 'An e-mail address looks like name@example.com')
    .refine(all => new Set(all.map(one => one.toLowerCase())).size === all.length, 'An address is entered twice'),
  /** Minutes for which a printer must be offline. */
  after_minutes: z.number().int().min(1).max(240),
})

export const PrinterAlerts = z.object({
  ...PrinterAlertFields.shape,
  version: z.number().int(),
  /** The company has an account that sends mails. */
  can_mail: z.boolean(),
  /** Printers that are offline now, the longest first. */
  outages: z.array(z.object({ printer: z.string(), computer: z.string(), began_at: Instant, mailed_at: Instant.nullable() })),
})
export type PrinterAlerts = z.infer<typeof PrinterAlerts>

export const printerAlertsSchemas = {
  components: { PrinterAlerts },
  calls: {
    get: { reply: PrinterAlerts, summary: 'Who gets an e-mail when a printer is offline, and which printers are.' },
    set: {
      body: z.strictObject({ ...PrinterAlertFields.shape, version: z.number().int() }),
      reply: PrinterAlerts,
      example: { body: { enabled: true, recipients: ['lead@example.com'], after_minutes: 5, version: 1 } },
      summary: 'Sets who gets an e-mail when a printer is offline.',
    },
    test: { summary: 'Sends a test mail to each recipient.' },
  },
} satisfies ContractSchemas
