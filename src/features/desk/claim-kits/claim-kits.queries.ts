/** What there is to prove a claim. */
import { sql } from 'kysely'
import type { StoredContent } from '#contract/endpoint.ts'
import { photoFilesOfParcel } from '#features/packing/packing-photos/packing-photos.queries.ts'
import { type ClipFile, clipFilesOfOrder } from '#features/packing/packing-video/packing-video.queries.ts'
import { claimById } from '#features/shipping/claims/claims.queries.ts'
import type { Claim } from '#features/shipping/claims/claims.schemas.ts'
import type { Db } from '#platform/database/database.ts'

const mostEvents = 500
const mostLines = 500

interface KitFile {
  name: string
  content: StoredContent
}

export interface ClaimCase {
  claim: Claim
  shipment: {
    shipping_method: string
    parcel_no: number
    reference: string
    weight_g: number
    booked_at: string | null
    handed_over_at: string | null
    delivered_at: string | null
  }
  weighing: { weight_g: number; weighed_at: string; station: string } | null
  lines: { sku: string | null; description: string; quantity: number; value: number | null; currency: string | null }[]
  /** Oldest first. */
  events: { at: string; state: string; text: string; place: string | null; source: string }[]
  files: KitFile[]
  /** Of the open box. */
  photos: KitFile[]
  clips: ClipFile[]
}

export async function claimCase(db: Db, id: number): Promise<ClaimCase> {
  const claim = await claimById(db, id)
  const { shipment_id, order_id } = claim
  const { label_pdf_file_id, label_a4_file_id, ...shipment } = await db
    .selectFrom('shipments')
    .select(['shipping_method', 'parcel_no', 'reference', 'weight_g', 'booked_at', 'handed_over_at', 'delivered_at'])
    .select(['label_pdf_file_id', 'label_a4_file_id'])
    .where('id', '=', shipment_id)
    .executeTakeFirstOrThrow()
  const weighing =
    order_id === null
      ? undefined
      : await db
          .selectFrom('parcel_weights')
          .select(['weight_g', 'weighed_at', 'station'])
          .where('order_id', '=', order_id)
          .where('parcel_no', '=', shipment.parcel_no)
          .orderBy('id', 'desc')
          .limit(1)
          .executeTakeFirst()
  const lines = await db
    .selectFrom('shipment_lines')
    .select(['sku', 'description', 'quantity', 'value', 'currency'])
    .where('shipment_id', '=', shipment_id)
    .orderBy('line_no')
    .limit(mostLines)
    .execute()
  const events = await db
    .selectFrom('shipment_events')
    .select(['at', 'state', 'text', 'place', 'source'])
    .where('shipment_id', '=', shipment_id)
    .orderBy('at')
    .orderBy('id')
    .limit(mostEvents)
    .execute()
  const { rows: files } = await sql<{ name: string; sha256: string; bytes: number }>`
    select n.name, f.sha256, f.bytes from (
      select 0 as no, 'label.pdf' as name, coalesce(${label_pdf_file_id}::bigint, ${label_a4_file_id}::bigint) as file_id
      union all
      select d.document_no, 'papers/' || d.document_no || '-' || regexp_replace(d.kind, '[^a-z0-9_-]', '', 'g') || '.' || d.format, d.file_id
      from shipment_documents d where d.operator_id = current_operator_id() and d.shipment_id = ${shipment_id}) n
    join files f on f.operator_id = current_operator_id() and f.id = n.file_id and f.erased_at is null
    order by n.no`.execute(db)
  const photos = order_id === null ? [] : await photoFilesOfParcel(db, order_id, shipment.parcel_no)
  const clips = order_id === null ? [] : await clipFilesOfOrder(db, order_id)
  return {
    claim,
    shipment,
    weighing: weighing ?? null,
    lines,
    events,
    files: files.map(({ name, ...content }) => ({ name, content })),
    photos: photos.map((content, at) => ({ name: `photos/${at + 1}.jpg`, content })),
    clips,
  }
}
