/** A campaign beside a made-up order: opened from the settings, by a token in the fragment, which no server logs. */

import type { Locale } from '#contract/limits.ts'
import { isKeyOf } from '#domain/objects.ts'
import type { TrackingStage } from '#domain/tracking-stages.ts'
import type { CampaignSlot } from '#features/shipping/campaigns/campaigns.schemas.ts'
import type { ShopFace, TrackedParcel, Tracking } from '../tracking.schemas.ts'

export interface Preview {
  tracking: Tracking
  slot: CampaignSlot | null
}

/** `#campaign=12&token=…&stage=packed&variant=b` */
export async function readPreview(
  fragment: URLSearchParams,
  locale: Locale,
  shop: ShopFace,
  ask: <T>(path: string, body?: object, headers?: Record<string, string>) => Promise<T>,
): Promise<Preview> {
  const variant = fragment.get('variant') === 'b' ? 'b' : 'a'
  const slot = await ask<CampaignSlot>(
    `campaign_on_tracking/frontend/${encodeURIComponent(fragment.get('campaign') ?? '')}?locale=${locale}&variant=${variant}`,
    undefined,
    { 'x-preview-token': fragment.get('token') ?? '' },
  )
  return { tracking: madeUp(fragment.get('stage') ?? '', locale, shop), slot }
}

const looks = {
  ordered: ['ordered', null, null, 'The shop is preparing your order'],
  packed: ['packed', null, 'packed', 'Your parcel is packed'],
  on_its_way: ['on_its_way', null, 'on_its_way', 'Your parcel is on its way'],
  out_for_delivery: ['on_its_way', null, 'out_for_delivery', 'Your parcel comes today'],
  ready_for_pickup: ['on_its_way', null, 'ready_for_pickup', 'Your parcel is ready to be collected'],
  delivered: ['delivered', null, 'delivered', 'Your parcel was delivered'],
  problem: ['on_its_way', 'delayed', 'delayed', 'Your parcel is delayed'],
} as const satisfies Record<TrackingStage, unknown>

function madeUp(asked: string, locale: Locale, company: ShopFace): Tracking {
  const [stage, trouble, state, text] = looks[isKeyOf(looks, asked) ? asked : 'on_its_way']
  const at = new Date(Date.now() - 20 * 3_600_000).toISOString()
  const parcel: TrackedParcel[] = state
    ? [{ parcel_no: 1, state, courier: company.name, tracking_no: '00370000000000000017', collect_by: null, events: [], items: [] }]
    : []
  return {
    ...{
      company,
      locale,
      time_zone: 'UTC',
      order_no: '1001',
      ordered_at: at,
      stage,
      trouble,
      headline: { text, values: {} },
      advice: null,
    },
    ...{
      promised_day: null,
      city: null,
      country: 'DK',
      parcel_shop: null,
      parcels: parcel,
      waiting: [],
      expected_on: null,
      together: [],
      not_coming: [],
    },
    ...{ campaign: null, ticket: null },
  }
}
