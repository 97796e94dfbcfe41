/** Claim kits: handlers. */
import { noteView } from '#features/packing/packing-video/packing-video.commands.ts'
import { clipsWithin } from '#features/packing/packing-video/packing-video.queries.ts'
import { storedFiles, zipStream } from '#platform/files/zip-stream.ts'
import { csv } from '#platform/http/csv.ts'
import { implement } from '#platform/http/feature-module.ts'
import { claimDocument } from './claim-document.server.ts'
import { claimKits } from './claim-kits.contract.ts'
import { claimCase } from './claim-kits.queries.ts'
import { claimKitsSchemas } from './claim-kits.schemas.ts'

export const claimKitsServer = implement(claimKits, claimKitsSchemas, {
  async evidence({ id }, { db }) {
    const { weighing, events, files, photos, clips } = await claimCase(db, id)
    return {
      label: files.some(file => file.name === 'label.pdf'),
      papers: files.filter(file => file.name !== 'label.pdf').length,
      measured_g: weighing?.weight_g ?? null,
      photos: photos.length,
      clips: clips.length,
      events: events.length,
    }
  },

  async download({ id }, { transaction, services, scope, now }) {
    const found = await transaction(async context => {
      const known = await claimCase(context.db, id)
      const clips = clipsWithin(known.clips)
      // Who takes a clip away has seen it.
      for (const { video_id, company_id, order_id } of clips) await noteView(context, { id: video_id, company_id, order_id }, null)
      return { ...known, clips }
    })
    const document = await claimDocument(found, now())
    const timeline = csv(
      ['at', 'state', 'text', 'place', 'source'],
      found.events.map(({ at, state, text, place, source }) => [at, state, text, place, source]),
    )
    return {
      bytes: zipStream(
        storedFiles([
          { name: 'claim.pdf', open: async () => document },
          { name: 'timeline.csv', open: async () => timeline },
          ...[...found.files, ...found.photos, ...found.clips].map(({ name, content }) => ({
            name,
            open: () => services.files.open(scope.operator_id, content),
          })),
        ]),
      ),
      media_type: 'application/zip',
      name: `claim-${found.claim.tracking_no ?? id}.zip`,
    }
  },
})
