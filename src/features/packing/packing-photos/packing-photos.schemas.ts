/** Schemas of the calls in packing-photos.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { photoKinds } from './packing-photos.codes.ts'

const id = z.number().int()

export const PackingPhoto = z.object({
  id,
  kind: z.enum(photoKinds),
  parcel_no: id,
  station: z.string(),
  taken_by: z.string(),
  taken_at: z.string(),
  /** A claim about its parcel is open: it is kept until that is decided. */
  held: z.boolean(),
  /** Its day, unless a claim is open for the parcel. */
  delete_after: z.string(),
})
export type PackingPhoto = z.infer<typeof PackingPhoto>

export const TakenPhoto = z.object({
  photo_id: id,
  parcel_no: id,
  kind: z.enum(photoKinds),
  /** Photos of the open box of this parcel. */
  taken: id,
})
export type TakenPhoto = z.infer<typeof TakenPhoto>

export const PhotoRemoval = z.strictObject({ reason: text(limits.note).min(1, 'Say why the photo is deleted') })

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
        /** What it shows; a photo for an approval is named by `packing/approval` as the answer. */
        kind: z.enum(photoKinds).optional(),
      }),
      reply: TakenPhoto,
      summary: 'A photo of the open box of a parcel, or for an approval; sent again under the same id it is stored once.',
    },
    list: {
      reply: z.object({ rows: z.array(PackingPhoto) }),
      summary: 'The photos of an order’s open boxes and approvals, the oldest first.',
    },
    remove: {
      body: PhotoRemoval,
      summary: 'Deletes a photo before its time, with the reason; refused while a claim about its parcel is open.',
    },
    picture: { summary: 'A photo.' },
  },
} satisfies ContractSchemas
