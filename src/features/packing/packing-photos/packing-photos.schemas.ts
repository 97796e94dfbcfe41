/** Schemas of the calls in packing-photos.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'

const id = z.number().int()

export const PackingPhoto = z.object({
  id,
  parcel_no: id,
  station: z.string(),
  taken_by: z.string(),
  taken_at: z.string(),
  /** Its day, unless a claim is open for the parcel. */
  delete_after: z.string(),
})
export type PackingPhoto = z.infer<typeof PackingPhoto>

export const TakenPhoto = z.object({
  photo_id: id,
  parcel_no: id,
  /** Photos of this parcel. */
  taken: id,
})
export type TakenPhoto = z.infer<typeof TakenPhoto>

export const packingPhotosSchemas = {
  components: { PackingPhoto, TakenPhoto },
  calls: {
    take: {
      params: { photo: z.uuid() },
      query: z.object({
        /** Milliseconds since it was taken, where it waited for the connection. */
        age_ms: z.coerce
          .number<unknown>()
          .int()
          .min(0)
          .max(7 * 86_400_000)
          .optional(),
      }),
      reply: TakenPhoto,
      summary: 'A photo of the open box of a parcel; sent again under the same id it is stored once.',
    },
    list: {
      reply: z.object({ rows: z.array(PackingPhoto) }),
      summary: 'The photos of an order’s open boxes, the oldest first.',
    },
    picture: { summary: 'A photo.' },
  },
} satisfies ContractSchemas
