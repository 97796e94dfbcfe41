/** How exceptions are spoken of. */
import { IconAlertTriangle } from '@tabler/icons-react'
import { instantInFull, span, upcoming } from '#ui/kit/format.ts'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { t, useT } from '#ui/kit/translate.ts'
import type { DecidedResolution } from './exceptions.codes.ts'
import type { Exception } from './exceptions.schemas.ts'

export const kindWord = (kind: Exception['kind']): string =>
  ({
    label_error: t('Label error'),
    short: t('Item missing'),
    damaged: t('Item damaged'),
    wrong_item: t('Wrong item picked'),
    address: t('Address wrong'),
    customs: t('Customs data'),
    weight: t('Weight differs'),
    no_crate: t('No box fits'),
    other: t('Another reason'),
  })[kind]

export const resolutionWord = (resolution: NonNullable<Exception['resolution']>): string =>
  ({
    solved: t('Resolved'),
    back_to_queue: t('Back in the packing queue'),
    refill: t('Picked again'),
    ship_partial: t('Follows later'),
    cancel_lines: t('Items cancelled'),
    retry_label: t('Tried again'),
    corrected_and_retried: t('Corrected'),
    label_booked: t('Label booked'),
    packed: t('Packed'),
    order_cancelled: t('Order cancelled'),
  })[resolution]

/** What is decided, and what follows of it. */
export const decisionWords = (resolution: 'solved' | DecidedResolution): { title: string; effect: string } =>
  ({
    solved: { title: t('The problem is solved'), effect: t('The order goes back into the packing queue.') },
    retry_label: {
      title: t('Try the label again'),
      effect: t('The courier is asked once more. The label comes out where the parcel stands.'),
    },
    corrected_and_retried: {
      title: t('Correct and try again'),
      effect: t('What the courier refused is corrected here.'),
    },
    refill: { title: t('Pick the missing items again'), effect: t('A picker fetches them, and then the order is packed.') },
    ship_partial: {
      title: t('Send the rest without them'),
      effect: t('They follow in another parcel. The station shows it to the packer.'),
    },
    cancel_lines: { title: t('Cancel missing items'), effect: t('They are taken out of the order for good.') },
    order_cancelled: { title: t('Cancel order'), effect: t('What was picked goes back into its bins.') },
  })[resolution]

/** By when someone sees to it; for a resolved one nothing is due. */
export function Due({ of }: { of: Pick<Exception, 'due_at' | 'resolved_at'> }) {
  const say = useT()
  if (of.resolved_at !== null) return <span>–</span>
  const left = Date.parse(of.due_at) - Date.now()
  return (
    <span title={instantInFull(of.due_at)}>
      {left < 0 ? (
        <StateBadge tone="stop" icon={IconAlertTriangle}>
          {say('{{time}} late', { time: span(-left) })}
        </StateBadge>
      ) : (
        upcoming(of.due_at)
      )}
    </span>
  )
}

export function ExceptionBadge({ of }: { of: Pick<Exception, 'state' | 'resolution' | 'retry'> }) {
  const say = useT()
  if (of.retry !== null) return <StateBadge tone="busy">{say('Trying again')}</StateBadge>
  if (of.resolution !== null)
    return <StateBadge tone={of.state === 'cancelled' ? 'quiet' : 'done'}>{resolutionWord(of.resolution)}</StateBadge>
  return of.state === 'in_work' ? (
    <StateBadge tone="busy">{say('In progress')}</StateBadge>
  ) : (
    <StateBadge tone="soon">{say('Unresolved')}</StateBadge>
  )
}
