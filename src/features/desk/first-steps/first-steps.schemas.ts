/** Schemas of the calls in first-steps.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'

/** Each is true once it is done, and read from what there is: no one ticks anything. */
export const FirstSteps = z.object({
  /** The sender has an address. */
  sender: z.boolean(),
  /** Who asks does so from where may be packed. */
  network: z.boolean(),
  /** At least one is active. */
  shipping_method: z.boolean(),
  /** There is somebody besides the first. */
  people: z.boolean(),
  /** At least one has a barcode. */
  products: z.boolean(),
  orders: z.boolean(),
  /** A parcel has its label. */
  packed: z.boolean(),
})
export type FirstSteps = z.infer<typeof FirstSteps>

export const firstStepsSchemas = {
  components: { FirstSteps },
  calls: {
    get: {
      reply: FirstSteps,
      summary: 'What a new company has done on the way to its first parcel.',
    },
  },
} satisfies ContractSchemas
