/** What there is to show how an order was packed. */
import type { StoredContent } from '#contract/endpoint.ts'
import { photoFilesOfParcel } from '#features/packing/packing-photos/packing-photos.queries.ts'
import { type ClipFile, clipFilesOfOrder, marksOf } from '#features/packing/packing-video/packing-video.queries.ts'
import type { Db } from '#platform/database/database.ts'

const mostParcels = 200
const mostSessions = 200
const mostWeights = 500
const mostEvents = 500

interface EvidenceFile {
  name: string
  content: StoredContent
}
interface EvidenceWeight {
  parcel_no: number
  weight_g: number
  expected_g: number
  tolerance_g: number
  source: string
  outcome: string
  station: string
  weighed_at: string
}
interface EvidenceMoment {
  at: string
  kind: string
  text: string
  sku: string | null
  source: 'packing' | 'courier'
}
export interface Evidence {
  labels: EvidenceFile[]
  photos: EvidenceFile[]
  clips: ClipFile[]
  /** Of each parcel, as they were taken. */
  weights: EvidenceWeight[]
  /** Scans, prints and what the courier said, oldest first. */
  timeline: EvidenceMoment[]
}

export async function evidenceOf(db: Db, order_id: number): Promise<Evidence> {
  const labels = await db
    .selectFrom('shipments as s')
    .innerJoin('files as f', j => j.on(eb => eb('f.id', '=', eb.fn.coalesce('s.label_pdf_file_id', 's.label_a4_file_id'))))
    .select(['s.parcel_no', 'f.sha256', 'f.bytes'])
    .where('s.order_id', '=', order_id)
    .where('s.operation_code', '=', 'outbound')
    .where('s.state', 'not in', ['draft', 'error', 'cancelled', 'blocked'])
    .where('f.erased_at', 'is', null)
    .orderBy('s.parcel_no')
    .orderBy('s.id')
    .limit(mostParcels)
    .execute()
  const weights = await db
    .selectFrom('parcel_weights')
    .select(['parcel_no', 'weight_g', 'expected_g', 'tolerance_g', 'source', 'outcome', 'station', 'weighed_at'])
    .where('order_id', '=', order_id)
    .orderBy('id')
    .limit(mostWeights)
    .execute()
  const photos = await photoFilesOfParcel(db, order_id)
  return {
    labels: labels.map(({ parcel_no, ...content }, place) => ({
      name: labels.length === 1 ? 'label.pdf' : `label-${place + 1}-parcel-${parcel_no}.pdf`,
      content,
    })),
    photos: photos.map((content, place) => ({ name: `photos/${String(place + 1).padStart(4, '0')}.jpg`, content })),
    clips: await clipFilesOfOrder(db, order_id),
    weights,
    timeline: await timelineOf(db, order_id),
  }
}

async function timelineOf(db: Db, order_id: number): Promise<EvidenceMoment[]> {
  const sessions = await db.selectFrom('packing_sessions').select('id').where('order_id', '=', order_id).limit(mostSessions).execute()
  const marks = await marksOf(
    db,
    order_id,
    sessions.map(session => session.id),
  )
  const events = await db
    .selectFrom('shipment_events as e')
    .innerJoin('shipments as s', 's.id', 'e.shipment_id')
    .select(['e.at', 'e.state', 'e.text'])
    .where('s.order_id', '=', order_id)
    .where('s.operation_code', '=', 'outbound')
    .orderBy('e.at')
    .orderBy('e.id')
    .limit(mostEvents)
    .execute()
  return [
    ...marks.map(({ at, kind, text, sku }) => ({ at, kind, text, sku, source: 'packing' as const })),
    ...events.map(({ at, state, text }) => ({ at, kind: state, text, sku: null, source: 'courier' as const })),
  ].toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
}
