/** The parcel shops near an order's own, of which one may take its place. */
import { parcelShops } from '#features/shipping/parcel-shops/parcel-shops.contract.ts'
import { shopReplacement } from '#features/shipping/shop-replacement/shop-replacement.contract.ts'
import { useCall } from '#ui/query/calls.ts'

export function useOtherShops(order_id: number) {
  const known = useCall(shopReplacement.state, { order_id })
  const { agent_code = null, shipping_method = null, near, shop } = known.data ?? {}
  const found = useCall(
    parcelShops.find,
    {
      agent_code: agent_code ?? '',
      country: (near?.country ?? '').toLowerCase(),
      postcode: near?.postcode ?? '',
      ...(near?.address1 && { address: near.address1.slice(0, 120) }),
      ...(agent_code === 'shipmondo' && shipping_method !== null && { method: shipping_method }),
    },
    { enabled: agent_code !== null && Boolean(near?.country && near.postcode) },
  )
  const others = found.data?.filter(one => one.id !== shop?.id).slice(0, 9) ?? []
  return { found, others, hasNone: known.isError || found.isError || (found.data !== undefined && others.length === 0) }
}
