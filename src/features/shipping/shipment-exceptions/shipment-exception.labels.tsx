/** How shipment exceptions are spoken of. */
import { IconAlertTriangle } from '@tabler/icons-react'
import { instantInFull, span, upcoming } from '#ui/kit/format.ts'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { t, useT } from '#ui/kit/translate.ts'
import type { personResolutions, ShipmentExceptionKind, ShipmentExceptionResolution } from './shipment-exceptions.codes.ts'
import type { ShipmentException } from './shipment-exceptions.schemas.ts'

export const shipmentExceptionWord = (kind: ShipmentExceptionKind): string =>
  ({
    no_scan: t('Not scanned'),
    no_movement: t('No movement'),
    customs: t('In customs'),
    address: t('Address problem'),
    delivery_failed: t('Not delivered'),
    delayed: t('Delayed'),
    problem: t('Problem reported'),
    waiting_in_shop: t('Not collected'),
    returned: t('Coming back'),
    lost: t('Possibly lost'),
  })[kind]

/** What the kind means, for those who see it the first time. */
export const shipmentExceptionHelp = (kind: ShipmentExceptionKind): string =>
  ({
    no_scan: t('The courier has not scanned the parcel since the hand-over.'),
    no_movement: t('The courier has reported nothing for 72 hours.'),
    customs: t('The parcel waits in customs.'),
    address: t('The courier cannot find the address.'),
    delivery_failed: t('The courier could not deliver the parcel.'),
    delayed: t('The courier reports a delay.'),
    problem: t('The courier reports something that has to be looked into.'),
    waiting_in_shop: t('The parcel has waited in the parcel shop for five days.'),
    returned: t('The parcel is on its way back or has come back.'),
    lost: t('The courier has reported nothing for 14 days. Ask the courier before you mark the parcel as lost.'),
  })[kind]

const resolutionWords = (): Record<ShipmentExceptionResolution, string> => ({
  solved: t('Resolved'),
  reshipped: t('Sent again'),
  returned: t('Came back'),
  lost: t('Lost'),
  no_action: t('Nothing to do'),
  delivered: t('Delivered'),
  moving: t('Moves again'),
  replaced: t('Replaced by another'),
  cancelled: t('Label cancelled'),
})
export const shipmentResolutionWord = (resolution: ShipmentExceptionResolution): string => resolutionWords()[resolution]

export const personResolutionWord = (resolution: (typeof personResolutions)[number]): string => resolutionWords()[resolution]

/** When the next step is due; for a resolved one nothing is. */
export function NextStepDue({ of }: { of: Pick<ShipmentException, 'next_at' | 'resolved_at'> }) {
  const say = useT()
  if (of.resolved_at !== null || of.next_at === null) return <span>–</span>
  const left = Date.parse(of.next_at) - Date.now()
  return (
    <span title={instantInFull(of.next_at)}>
      {left < 0 ? (
        <StateBadge tone="stop" icon={IconAlertTriangle}>
          {say('{{time}} late', { time: span(-left) })}
        </StateBadge>
      ) : (
        upcoming(of.next_at)
      )}
    </span>
  )
}

export function ShipmentExceptionBadge({ of }: { of: Pick<ShipmentException, 'resolution' | 'owner_name'> }) {
  const say = useT()
  if (of.resolution !== null) return <StateBadge tone="done">{shipmentResolutionWord(of.resolution)}</StateBadge>
  return of.owner_name ? (
    <StateBadge tone="busy">{say('In progress')}</StateBadge>
  ) : (
    <StateBadge tone="soon">{say('Unresolved')}</StateBadge>
  )
}
