/** Campaigns on the tracking page of the demo's company, one of them with two variants – all invented, drawn pictures included. */
import { randomBytes } from 'node:crypto'
import type { Locale } from '#contract/limits.ts'
import { elementAt, entriesOf } from '#domain/objects.ts'
import { mostPictureBytes, pictureSizes } from '#features/shipping/campaigns/campaigns.codes.ts'
import { putPicture } from '#features/shipping/campaigns/campaigns.commands.ts'
import { anonymous } from '#platform/auth/identity.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import { cropImage } from '#platform/files/images.ts'
import { createContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'

const day = 86_400_000
const beforeArrival = ['ordered', 'packed', 'on_its_way', 'out_for_delivery', 'ready_for_pickup']

type Words = Partial<Record<Locale, readonly [headline: string, text: string, button: string, alt: string]>>

interface Plan {
  title: string
  state: 'published' | 'draft'
  /** Days from now. */
  from: number
  to: number | null
  stages: readonly string[]
  priority: number
  link: string
  ab_share: number | null
  /** Of the sky and the tent, for each variant. */
  colours: readonly (readonly [sky: string, tent: string])[]
  words: readonly Words[]
  /** Days on which it was shown, and how often on each. */
  days: number
  shown: number
}

const winter = {
  da_DK: [
    'Vintertelte med 25 % rabat',
    'Klar til frost: alle firesæsonstelte, kun i november.',
    'Se teltene',
    'Et telt i sneen under stjerner',
  ],
  de_DE: [
    'Winterzelte: 25 % Rabatt',
    'Bereit für den Frost: alle Vier-Jahreszeiten-Zelte, nur im November.',
    'Zelte ansehen',
    'Ein Zelt im Schnee unter Sternen',
  ],
  sv_SE: [
    'Vintertält med 25 % rabatt',
    'Redo för frost: alla fyrsäsongstält, bara i november.',
    'Se tälten',
    'Ett tält i snön under stjärnor',
  ],
  en_GB: [
    'Winter tents, 25 % off',
    'Ready for frost: all four-season tents, in November only.',
    'See the tents',
    'A tent in the snow under stars',
  ],
} as const satisfies Words

const plans: readonly Plan[] = [
  {
    ...{ title: 'Winter tents', state: 'published', from: -21, to: 10, stages: beforeArrival, priority: 5, ab_share: 50 },
    link: 'https://shop.example/winter-tents?utm_source=tracking&utm_campaign=winter',
    colours: [
      ['#1f3b57', '#e0a526'],
      ['#3d2b56', '#d9603b'],
    ],
    words: [winter, { ...winter, en_GB: ['Sleep warm in the snow', winter.en_GB[1], winter.en_GB[2], winter.en_GB[3]] }],
    ...{ days: 20, shown: 210 },
  },
  {
    ...{ title: 'Care kit after delivery', state: 'published', from: -40, to: null, stages: ['delivered'], priority: 1, ab_share: null },
    link: 'https://shop.example/care?utm_source=tracking&utm_campaign=care',
    colours: [['#52705a', '#c9d6b8']],
    words: [
      {
        da_DK: [
          'Hold dit udstyr tæt',
          'Et sæt til imprægnering og reparation passer i enhver taske.',
          'Se plejesættet',
          'Et telt på en grøn eng',
        ],
        de_DE: [
          'So bleibt alles dicht',
          'Das Set zum Imprägnieren und Flicken passt in jede Tasche.',
          'Zum Pflegeset',
          'Ein Zelt auf einer grünen Wiese',
        ],
        en_GB: ['Keep it watertight', 'A kit for proofing and repair fits into every bag.', 'See the care kit', 'A tent on a green meadow'],
      },
    ],
    ...{ days: 35, shown: 44 },
  },
  {
    ...{ title: 'Spring collection', state: 'draft', from: 90, to: 130, stages: beforeArrival, priority: 3, ab_share: null },
    link: 'https://shop.example/spring?utm_source=tracking',
    colours: [['#7fb0c9', '#f2e3b3']],
    words: [
      { da_DK: ['Forårets nyheder', '', '', ''], en_GB: ['New for spring', 'Lighter packs for longer days.', 'Look', 'A tent by a lake'] },
    ],
    ...{ days: 0, shown: 0 },
  },
]

const drawn = (sky: string, tent: string): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1400 600" width="1400" height="600"><rect width="1400" height="600" fill="${sky}"/>
    <g fill="#fff" opacity="0.8"><circle cx="180" cy="110" r="4"/><circle cx="420" cy="70" r="3"/><circle cx="980" cy="120" r="4"/><circle cx="1210" cy="80" r="3"/><circle cx="690" cy="150" r="3"/></g>
    <path d="M0 380 260 190l190 150 240-200 300 230 200-140 210 170v220H0z" fill="#fff" opacity="0.25"/><path d="M0 460q350-90 700-30t700-20v190H0z" fill="#fff" opacity="0.85"/>
    <path d="M520 470 700 250l180 220z" fill="${tent}"/><path d="M650 470 700 330l50 140z" fill="${sky}"/></svg>`)

export async function buildCampaigns(services: Services, scope: TenantScope): Promise<void> {
  const company = { operator_id: scope.operator_id, id: scope.company_id, code: '', name: '', is_main: true, packing_ip_pattern: '' }
  const outside = createContext(services, anonymous(company), scope, { ip: '', station: '', headers: {}, signal: services.closing })
  const at = (days: number) => new Date(services.now().getTime() + days * day).toISOString()
  for (const { words, colours, days, shown, from, to, stages, ...plan } of plans) {
    const contents = words.flatMap((texts, place) => {
      const variant = place === 0 ? ('a' as const) : ('b' as const)
      return entriesOf(texts).map(([locale, [headline = '', text = '', button = '', alt = ''] = []]) => ({
        locale,
        variant,
        headline,
        text,
        button,
        alt,
      }))
    })
    const pictures = new Map<string, { as: 'webp' | 'jpeg'; width: number; content: { sha256: string; bytes: number } }[]>()
    for (const [place, [sky, tent]] of colours.entries()) {
      const images = await cropImage(drawn(sky, tent), { sizes: pictureSizes, mostBytes: mostPictureBytes })
      const stored = []
      for (const { bytes, ...image } of images) stored.push({ ...image, content: await services.files.put(scope.operator_id, bytes) })
      pictures.set(place === 0 ? 'a' : 'b', stored)
    }
    await outside.transaction(async context => {
      const { id } = await context.db
        .insertInto('campaigns')
        .values({
          ...{ ...plan, public_key: randomBytes(16).toString('base64url'), from_at: at(from), to_at: to === null ? null : at(to) },
          ...{
            stages: [...stages],
            locales: Object.keys(elementAt(words, 0)),
            created_at: at(Math.min(from, -1)),
            changed_at: at(Math.min(from, -1)),
          },
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await context.db
        .insertInto('campaign_images')
        .values(contents.map(content => ({ campaign_id: id, ...content })))
        .execute()
      for (const { locale, variant, alt } of contents)
        if (alt !== '') await putPicture(context, { id, locale, variant }, pictures.get(variant) ?? null)
      const counted = Array.from({ length: days }, (_, ago) => ago + 1).flatMap(ago =>
        words.map((_, place) => {
          const part = Math.round(shown / words.length + ((ago * 7) % 11) - 5)
          // Variant B is clicked more often: that is what the test is for.
          const clicked = Math.round(part * (place === 0 ? 0.05 : 0.07))
          return {
            campaign_id: id,
            variant: place === 0 ? ('a' as const) : ('b' as const),
            day: at(-ago).slice(0, 10),
            shown: part,
            clicked,
          }
        }),
      )
      if (counted.length > 0) await context.db.insertInto('campaign_days').values(counted).execute()
    })
  }
}
