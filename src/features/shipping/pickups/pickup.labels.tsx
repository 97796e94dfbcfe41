/** How pickups are spoken of. */
import { StateBadge, type Tone } from '#ui/kit/StateBadge.tsx'
import { t, useT } from '#ui/kit/translate.ts'
import type { PickupState } from './pickups.codes.ts'

const tones: Readonly<Record<PickupState, Tone>> = {
  ordering: 'busy',
  ordered: 'done',
  unknown: 'soon',
  refused: 'stop',
  cancelled: 'plain',
}

const pickupStateWord = (state: PickupState): string =>
  ({ ordering: t('Being asked'), ordered: t('Ordered'), unknown: t('Not confirmed'), refused: t('Refused'), cancelled: t('Cancelled') })[
    state
  ]

export function PickupBadge({ state }: { state: PickupState }) {
  useT()
  return <StateBadge tone={tones[state]}>{pickupStateWord(state)}</StateBadge>
}
