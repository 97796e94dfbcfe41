/** What Burd answers. Source: its modules for Magento and WooCommerce. */
import * as z from 'zod'

export const PostcodeReply = z.looseObject({
  area: z
    .union([z.string(), z.number()])
    .transform(value => String(value).trim())
    .nullish(),
})

/** ISO dates; the time of day has no meaning. */
export const DatesReply = z.array(
  z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}/)
    .transform(date => date.slice(0, 10)),
)
