/** Packing evidence: a ZIP file that is made while it is sent. */
import { orNotFound } from '#contract/errors.ts'
import { clockAt, dayAt } from '#domain/local-time.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { noteView } from '#features/packing/packing-video/packing-video.commands.ts'
import { clipsWithin } from '#features/packing/packing-video/packing-video.queries.ts'
import { packingSlip } from '#features/printing/order-papers/order-papers.server.ts'
import { storedFiles, zipStream } from '#platform/files/zip-stream.ts'
import { csv } from '#platform/http/csv.ts'
import { implement } from '#platform/http/feature-module.ts'
import { packingEvidence } from './packing-evidence.contract.ts'
import { type Evidence, evidenceOf } from './packing-evidence.queries.ts'
import { packingEvidenceSchemas } from './packing-evidence.schemas.ts'

export const packingEvidenceServer = implement(packingEvidence, packingEvidenceSchemas, {
  async download({ id }, outside) {
    const { transaction, services, scope, now } = outside
    const { order_no, time_zone, ...known } = await transaction(async context => {
      const { db } = context
      const order = orNotFound(
        await db.selectFrom('orders').select(['order_no', 'company_id']).where('id', '=', id).executeTakeFirst(),
        'order_not_found',
        'Order not found',
      )
      const evidence = await evidenceOf(db, id)
      const clips = clipsWithin(evidence.clips)
      // Who takes a clip away has seen it.
      for (const { video_id, company_id, order_id } of clips) await noteView(context, { id: video_id, company_id, order_id }, null)
      return { ...evidence, clips, order_no: order.order_no, time_zone: (await companySettings(db, order.company_id)).time_zone }
    })
    const slip = await packingSlip(outside, id)
    const timeline = csv(
      ['utc', 'local', 'source', 'kind', 'sku', 'text'],
      known.timeline.map(({ at, source, kind, sku, text }) => [
        new Date(at).toISOString(),
        localTime(at, time_zone),
        source,
        kind,
        sku,
        text,
      ]),
    )
    const made = (name: string, content: Uint8Array) => ({ name, open: async () => content })
    return {
      bytes: zipStream(
        storedFiles([
          made('readme.txt', Buffer.from(readme(order_no, time_zone, known, now()))),
          made('slip.pdf', slip),
          made('weight.json', Buffer.from(`${JSON.stringify(known.weights, null, 2)}\n`)),
          made('timeline.csv', timeline),
          ...[...known.labels, ...known.photos, ...known.clips].map(({ name, content }) => ({
            name,
            open: () => services.files.open(scope.operator_id, content),
          })),
        ]),
      ),
      media_type: 'application/zip',
      name: `evidence-${order_no}.zip`,
    }
  },
})

const localTime = (at: string, zone: string): string => {
  const instant = Date.parse(at)
  return `${dayAt(instant, zone)} ${clockAt(instant, zone)}`
}

/** In English, as couriers of all countries read it. The hashes show that no file was changed afterwards. */
function readme(order_no: string, time_zone: string, { labels, photos, clips }: Evidence, at: Date): string {
  const lines = [
    `Packing of order ${order_no}`,
    `Saved ${at.toISOString()}`,
    '',
    'slip.pdf        what belongs into the order',
    'weight.json     each weighing in grams: measured, expected, tolerance',
    `timeline.csv    scans, prints and courier events, in UTC and in the time of ${time_zone}`,
    ...(labels.length > 0 ? ['label*.pdf      the labels of the parcels'] : []),
    ...(photos.length > 0 ? ['photos/         the open boxes, in the order in which they were taken'] : []),
    ...(clips.length > 0 ? ['clip-*          the packing, picture only'] : []),
    '',
    'sha256 of each stored file:',
    ...[...labels, ...photos, ...clips].map(({ name, content }) => `${content.sha256}  ${name}`),
    '',
  ]
  return lines.join('\r\n')
}
