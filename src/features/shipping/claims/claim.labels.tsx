/** How claims are spoken of. */
import { IconAlertTriangle } from '@tabler/icons-react'
import { day } from '#ui/kit/format.ts'
import { StateBadge, type Tone } from '#ui/kit/StateBadge.tsx'
import { t, useT } from '#ui/kit/translate.ts'
import type { ClaimKind, ClaimState, claimStarts, claimUnits } from './claims.codes.ts'
import { dueDays } from './claims.codes.ts'
import type { ClaimPeriod } from './claims.rules.ts'
import type { Claim } from './claims.schemas.ts'

export const claimKindWord = (kind: ClaimKind): string => ({ damage: t('Damage'), loss: t('Loss'), missing_item: t('Item missing') })[kind]

export const claimStateWord = (state: ClaimState): string =>
  ({ open: t('Not sent'), sent: t('Sent'), won: t('Paid'), lost: t('Rejected') })[state]

const tones: Readonly<Record<ClaimState, Tone>> = { open: 'soon', sent: 'busy', won: 'done', lost: 'stop' }

export function ClaimBadge({ state }: { state: ClaimState }) {
  useT()
  return <StateBadge tone={tones[state]}>{claimStateWord(state)}</StateBadge>
}

/** Until when it has to be sent. */
export function ClaimDeadline({ of }: { of: Pick<Claim, 'state' | 'deadline_on'> }) {
  const say = useT()
  if (of.deadline_on === null) return <span>–</span>
  if (of.state !== 'open') return <span>{day(of.deadline_on)}</span>
  const left = Date.parse(of.deadline_on) - Date.now()
  if (left > dueDays * 86_400_000) return <span>{day(of.deadline_on)}</span>
  return (
    <StateBadge tone="stop" icon={IconAlertTriangle}>
      {say('Send by {{day}}', { day: day(of.deadline_on) })}
    </StateBadge>
  )
}

export const claimUnitWords: Readonly<Record<(typeof claimUnits)[number], string>> = {
  working_days: 'Working days',
  days: 'Days',
  months: 'Months',
}

export const claimStartWords: Readonly<Record<(typeof claimStarts)[number], string>> = {
  delivered: 'Delivery',
  booked: 'Label booked',
  noticed: 'Day noticed',
}

/** `5 working days · Delivery`. */
export const claimPeriodWords = ({ count, unit, counts_from }: ClaimPeriod): string =>
  [
    {
      working_days: () => t('{{count}} working days', { count }),
      days: () => t('{{count}} days', { count }),
      months: () => t('{{count}} months', { count }),
    }[unit](),
    t(claimStartWords[counts_from]),
  ].join(' · ')
