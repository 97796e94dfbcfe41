/** Schemas of quiet hours and of keeping texts, which a form validates with too. */
import * as z from 'zod'

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter the time as 16:00')
export const MessageSettings = z.strictObject({
  quiet_from: clock,
  quiet_to: clock,
  keep_days: z.number().int().min(7, 'At least 7 days').max(730, 'At most 730 days'),
  version: z.number().int().min(0),
})
export type MessageSettings = z.infer<typeof MessageSettings>
