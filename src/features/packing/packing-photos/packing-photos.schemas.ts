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
  /** The last day on which a person keeps it beyond its days, and who and why. */
  held_until: z.string().nullable(),
  held_by_name: z.string().nullable(),
  held_reason: z.string().nullable(),
  /** Its day, unless it is held or a claim is open for the parcel. */
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

/** Of a photo or a packing video. */
export const Hold = z.strictObject({
  until: z.iso.date('Choose the last day'),
  reason: text(500).min(3, 'Say why it is kept'),
})
export type Hold = z.infer<typeof Hold>

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
      summary: 'Deletes a photo before its time, with the reason; refused while it is held or a claim about its parcel is open.',
    },
    hold: {
      body: Hold,
      summary: 'Keeps a photo beyond its time, until a day at most a year away, and says why.',
    },
    release: { summary: 'Ends the hold of a photo.' },
    picture: { summary: 'A photo.' },
  },
} satisfies ContractSchemas
