/** Announcements of the demo's company, with who has read them – all invented. */
import { createHash } from 'node:crypto'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import type { Services } from '#platform/http/feature-module.ts'

const day = 86_400_000

const forklift = {
  en_GB: {
    title: 'Forklift traffic in aisle 3',
    body: 'From Monday forklifts drive in aisle 3 between 6 and 10.\nWalk on the marked side only, and wear your vest.',
  },
  da_DK: {
    title: 'Gaffeltruck i gang 3',
    body: 'Fra mandag kører der gaffeltruck i gang 3 mellem kl. 6 og 10.\nGå kun i den afmærkede side, og bær din vest.',
  },
}
const hours = {
  en_GB: {
    title: 'Opening hours in December',
    body: 'We pack until 20:00 from 1 to 23 December. Ask your lead for shifts.',
  },
  da_DK: {
    title: 'Åbningstider i december',
    body: 'Vi pakker til kl. 20 fra 1. til 23. december. Spørg din leder om vagter.',
  },
}
const canteen = { en_GB: { title: 'New canteen', body: 'Draft: text follows.' } }

/** `readers` have read everything, so that their screens are not covered; of all others every third has not. */
export async function buildAnnouncements(
  { database, now }: Services,
  scope: TenantScope,
  { author, readers }: { author: string; readers: readonly number[] },
): Promise<void> {
  const at = (days: number) => new Date(now().getTime() - days * day).toISOString()
  const plan = [
    { texts: forklift, mode: 'must_agree', versions: 2, days: 20, state: 'published' },
    { texts: hours, mode: 'info', versions: 1, days: 6, state: 'published' },
    { texts: canteen, mode: 'info', versions: 0, days: 1, state: 'draft' },
  ] as const
  await database.transaction(scope, async db => {
    const people = await db.selectFrom('users').select('id').where('removed_at', 'is', null).orderBy('id').execute()
    const reads = people.filter(({ id }, place) => readers.includes(id) || place % 3 !== 0)
    for (const { texts, mode, versions, days, state } of plan) {
      const { id } = await db
        .insertInto('announcements')
        .values({
          ...{ title: texts.en_GB.title, texts: JSON.stringify(texts), mode, everyone: true, state, version_no: versions },
          ...{ from_at: at(days), created_by: author, created_at: at(days), changed_at: at(days - versions) },
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      if (versions === 0) continue
      const written = Array.from({ length: versions }, (_, place) => {
        const older = { ...texts, en_GB: { ...texts.en_GB, body: texts.en_GB.body.split('\n')[0] ?? '' } }
        const words = JSON.stringify(place + 1 === versions ? texts : older)
        const sha256 = createHash('sha256').update(words).digest('hex')
        return { no: place + 1, texts: words, sha256, published_at: at(days - 2 * place) }
      })
      await db
        .insertInto('announcement_versions')
        .values(written.map(version => ({ announcement_id: id, published_by: author, ...version })))
        .execute()
      await db
        .insertInto('announcement_agreements')
        .values(
          written.flatMap(({ no, sha256 }, place) =>
            reads.map(({ id: user_id }) => ({
              ...{ announcement_id: id, version_no: no, user_id, sha256, at: at(days - 2 * place - 1), locale: 'en_GB' },
            })),
          ),
        )
        .execute()
    }
  })
}
