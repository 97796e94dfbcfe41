/** Words for states and stages of campaigns. */
import type { TrackingStage } from '#domain/tracking-stages.ts'
import { StateBadge, type Tone } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import type { CampaignState, CampaignVariant } from './campaigns.codes.ts'

export const stateLabels: Record<CampaignState, string> = {
  draft: 'Draft',
  scheduled: 'Scheduled',
  active: 'Active',
  paused: 'Paused',
  ended: 'Ended',
}
const tones: Record<CampaignState, Tone> = { draft: 'plain', scheduled: 'plain', active: 'done', paused: 'soon', ended: 'quiet' }

export function CampaignStateBadge({ state }: { state: CampaignState }) {
  const t = useT()
  return <StateBadge tone={tones[state]}>{t(stateLabels[state])}</StateBadge>
}

export const stageLabels: Record<TrackingStage, string> = {
  ordered: 'Ordered',
  packed: 'Packed',
  on_its_way: 'In transit',
  out_for_delivery: 'Out for delivery',
  ready_for_pickup: 'Ready for collection',
  delivered: 'Delivered',
  problem: 'Problem with the parcel',
}

/** What the tracking page says of a made-up order. */
export const stageHeadlines: Record<TrackingStage, string> = {
  ordered: 'The shop is preparing your order',
  packed: 'Your parcel is packed',
  on_its_way: 'Your parcel is on its way',
  out_for_delivery: 'Your parcel comes today',
  ready_for_pickup: 'Your parcel is ready to be collected',
  delivered: 'Your parcel was delivered',
  problem: 'Your parcel is delayed',
}

export const variantLabels: Record<CampaignVariant, string> = { a: 'Variant A', b: 'Variant B' }
