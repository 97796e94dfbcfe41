/** The address on a map: Google's own page in a frame after a click where the company has a key, else a link. No script of Google runs here. */
import { Anchor, Button } from '@mantine/core'
import { IconMapPin } from '@tabler/icons-react'
import { useState } from 'react'
import { orderMaps } from '#features/orders/orders/maps/order-maps.contract.ts'
import { mapPageUrl } from '#features/orders/orders/maps/order-maps.rules.ts'
import type { Order } from '#features/orders/orders/orders.schemas.ts'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall } from '#ui/query/calls.ts'

export function OrderMap({ order }: { order: Order }) {
  const t = useT()
  const [shown, setShown] = useState(false)
  const key = useCall(orderMaps.hasKey, {}, { fresh: 300_000 })
  const map = useCall(orderMaps.map, { id: order.id }, { enabled: shown, fresh: 300_000 })
  if (order.ship_to.address1 === '') return null
  if (!key.data?.has_google_maps_api_key)
    return (
      <Anchor href={mapPageUrl(order.ship_to)} target="_blank" rel="noopener noreferrer" size="sm">
        {t('Open map')}
      </Anchor>
    )
  if (!shown)
    return (
      <Button size="compact-sm" variant="default" leftSection={<IconMapPin size={16} />} onClick={() => setShown(true)}>
        {t('Show map')}
      </Button>
    )
  return (
    <QueryState of={map}>
      {({ mode, url }) =>
        mode === 'google' ? (
          <iframe
            src={url}
            title={t('Map of the shipping address')}
            width="100%"
            height="240"
            style={{ border: 0 }}
            loading="lazy"
            referrerPolicy="strict-origin-when-cross-origin"
          />
        ) : null
      }
    </QueryState>
  )
}
