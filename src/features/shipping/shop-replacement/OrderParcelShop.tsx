/** The parcel shop of an order: whether it is still open, and another in its place. */

import { Alert, Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { access } from '#contract/access.ts'
import { parcelShopLine } from '#domain/order/parcel-shop.ts'
import { ShopSearch } from '#features/shipping/parcel-shops/ParcelShopChoice.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { useT } from '#ui/kit/translate.ts'
import { send, useCall, useCommand } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import { shopReplacement } from './shop-replacement.contract.ts'

interface OrderParcelShopProps {
  order_id: number
  /** Null where the shipping method may be changed; else why not. */
  reason: string | null
}

export function OrderParcelShop({ order_id, reason }: OrderParcelShopProps) {
  const t = useT()
  const [opened, setOpened] = useState(false)
  const mayEdit = useIsAllowed(access.parcels)
  const { data } = useCall(shopReplacement.state, { order_id }, { live: [{ topic: 'order', id: order_id }] })
  const choose = useCommand(
    (shop: Parameters<typeof send<typeof shopReplacement.choose>>[1]['body']) => send(shopReplacement.choose, { order_id, body: shop }),
    {
      refreshes: [shopReplacement.state],
      said: () => t('Parcel shop changed'),
    },
  )
  if (!data?.shop) return null
  const { agent_code, shipping_method, shop, near, closed } = data
  const place = shop.name ? `${parcelShopLine(shop)}, ${shop.id}` : parcelShopLine(shop)
  const button =
    agent_code !== null && mayEdit ? (
      <Button size="compact-sm" variant="default" {...disabledBecause(reason)} onClick={() => setOpened(true)}>
        {t('Choose another')}
      </Button>
    ) : null
  return (
    <>
      {closed ? (
        <Alert color="amber" title={t('This parcel shop is closed or full')}>
          <Text size="sm" mb="xs">
            {place}
          </Text>
          {button}
        </Alert>
      ) : (
        <Group justify="space-between" gap="xs">
          <Text size="sm" style={{ flex: 1 }}>
            {t('Parcel shop')}: {place}
          </Text>
          {button}
        </Group>
      )}
      {opened && agent_code !== null ? (
        <ShopSearch
          agent_code={agent_code}
          method={agent_code === 'shipmondo' ? (shipping_method ?? undefined) : undefined}
          near={near}
          chosen={shop.id}
          close={() => setOpened(false)}
          choose={chosen => {
            setOpened(false)
            choose.mutate(chosen)
          }}
        />
      ) : null}
    </>
  )
}
