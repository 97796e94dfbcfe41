/** Photos of the demo: open boxes that stations photographed in the last weeks, drawn, one of them held by hand. */
import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { elementAt } from '#domain/objects.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import { recordFiles } from '#platform/files/file-store.ts'
import type { Services } from '#platform/http/feature-module.ts'
import { insertAll } from './past.ts'

/** One parcel in so many is photographed. */
const every = 9
const day_ms = 86_400_000
/** What lies in the box, from above. */
const contents = ['#a4503c', '#a9c7d4', '#7d8f57', '#d9a441', '#5d6d8c', '#c9b8a0'] as const

function drawBox(place: number): Promise<Buffer> {
  const pieces = Array.from({ length: 2 + (place % 3) }, (_, i) => {
    const colour = elementAt(contents, (place + i) % contents.length)
    return `<rect x="${170 + i * 84}" y="${110 + ((place + i) % 3) * 14}" width="72" height="${120 - (i % 2) * 30}" rx="8" fill="${colour}" stroke="#23272b" stroke-width="3"/>`
  })
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="360"><rect width="640" height="360" fill="#8d939a"/><path fill="#b98a5a" stroke="#23272b" stroke-width="4" d="M140 70h360v220H140z"/><path fill="#d6ae7e" stroke="#23272b" stroke-width="4" d="M140 70 90 30h460l-50 40zM140 290l-50 40h460l-50-40z"/><path fill="#a3764a" d="M154 84h332v192H154z"/>${pieces.join('')}</svg>`
  return sharp(Buffer.from(svg)).jpeg({ quality: 72 }).toBuffer()
}

export async function buildPackingPhotos(services: Services, scope: TenantScope, { lead }: { lead: { name: string } }): Promise<void> {
  const now = services.now().getTime()
  const drawn = await Promise.all(contents.map(async (_, place) => services.files.put(scope.operator_id, await drawBox(place))))
  await services.database.transaction(scope, async db => {
    const sessions = await db
      .selectFrom('packing_sessions')
      .select(['id', 'company_id', 'order_id', 'station', 'user_name', 'ended_at'])
      .where('state', '=', 'done')
      .where('ended_at', '>', new Date(now - 25 * day_ms).toISOString())
      .orderBy('id')
      .execute()
    const photographed = sessions.filter((_, place) => place % every === 0)
    const files = await recordFiles(
      db,
      photographed.map(({ company_id, order_id }, place) => ({
        content: elementAt(drawn, place % drawn.length),
        about: { company_id, order_id, media_type: 'image/jpeg', name: `box-${order_id}-1-1.jpg` },
      })),
    )
    await insertAll(
      db,
      'packing_photos',
      photographed.map(({ id, company_id, order_id, station, user_name, ended_at }, place) => {
        const at = Date.parse(ended_at ?? '')
        const isHeld = place === photographed.length - 1
        return {
          ...{ company_id, client_id: randomUUID(), order_id, session_id: id, parcel_no: 1, station, file_id: elementAt(files, place) },
          ...{ taken_at: new Date(at - 20_000).toISOString(), taken_by: user_name },
          delete_after: new Date(at + 30 * day_ms).toISOString(),
          held_until: isHeld ? new Date(now + 60 * day_ms).toISOString().slice(0, 10) : null,
          held_by_name: isHeld ? lead.name : null,
          held_reason: isHeld ? 'The customer reports a missing piece' : null,
        }
      }),
    )
  })
}
