/** What the command palette finds on the server: orders, products and shipments, each where the person may open its list. */
import { useMemo } from 'react'
import { searchedField, settingsSearch } from '#contract/settings-search.ts'
import { products } from '#features/catalog/products/products.contract.ts'
import { phaseWord } from '#features/orders/orders/order.labels.tsx'
import { orderViews } from '#features/orders/orders/order-views.client.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { labels } from '#features/shipping/labels/labels.contract.ts'
import { useT } from '#ui/kit/translate.ts'
import { useIsOffered, useOfferedScreens } from '#ui/navigation/menu.ts'
import { send } from '#ui/query/calls.ts'
import { type PaletteSource, usePaletteSource } from '#ui/shell/palette.ts'
import { settingDetail } from '#ui/shell/setting-detail.ts'

/** One letter finds nearly everything. */
const fewest = 2
const most = 6

export function PaletteSources(): null {
  const t = useT()
  const [seesOrders, seesProducts, seesShipments] = [
    useIsOffered('/parcels/orders'),
    useIsOffered('/parcels/products'),
    useIsOffered('/parcels/shipments'),
  ]
  usePaletteSource(
    useMemo<PaletteSource | null>(
      () =>
        seesOrders
          ? {
              title: t('Orders'),
              fewest,
              search: async (query, signal) =>
                (await send(orders.search, { query, limit: most }, { signal })).rows.map(row => ({
                  id: `order ${row.id}`,
                  title: row.order_no,
                  detail: [row.customer_name, phaseWord(row.phase)].filter(Boolean).join(', '),
                  to: `/parcels/orders?id=${row.id}`,
                })),
            }
          : null,
      [seesOrders, t],
    ),
  )
  usePaletteSource(
    useMemo<PaletteSource | null>(
      () =>
        seesProducts
          ? {
              title: t('Products'),
              fewest,
              search: async (query, signal) =>
                (await send(products.search, { query, limit: most }, { signal })).rows.map(row => ({
                  id: `product ${row.product_id}`,
                  title: [row.name, row.variant].filter(Boolean).join(', '),
                  detail: row.sku,
                  to: `/parcels/products?id=${row.product_id}`,
                })),
            }
          : null,
      [seesProducts, t],
    ),
  )
  usePaletteSource(
    useMemo<PaletteSource | null>(
      () =>
        seesShipments
          ? {
              title: t('Shipments'),
              fewest,
              search: async (query, signal) =>
                (await send(labels.search, { query, limit: most }, { signal })).rows.map(row => ({
                  id: `shipment ${row.shipment_id}`,
                  title: row.tracking_no ?? t('No number yet'),
                  detail: [row.order_no, row.receiver].filter(Boolean).join(', '),
                  to: `/parcels/shipments?id=${row.shipment_id}`,
                })),
            }
          : null,
      [seesShipments, t],
    ),
  )
  usePaletteSource(
    useMemo<PaletteSource | null>(
      () =>
        seesOrders
          ? {
              title: t('Views'),
              fewest,
              search: query =>
                orderViews(t)
                  .filter(({ key, title }) => key !== 'all' && title.toLocaleLowerCase().includes(query.toLocaleLowerCase()))
                  .map(({ key, title, search }) => ({
                    id: `view ${key}`,
                    title,
                    detail: t('Orders'),
                    to: `/parcels/orders?${new URLSearchParams(Object.entries(search).map(([name, value]) => [name, String(value)]))}`,
                  })),
            }
          : null,
      [seesOrders, t],
    ),
  )
  const open = useOfferedScreens()
  usePaletteSource(
    useMemo<PaletteSource | null>(
      () => ({
        title: t('Fields of settings'),
        fewest: 3,
        last: true,
        search: async (query, signal) =>
          (await send(settingsSearch.find, { query }, { signal }))
            .filter(found => !found.is_page && open.some(screen => screen.path === found.path))
            .slice(0, most)
            .map(found => ({
              id: `setting ${found.path} ${found.label}`,
              title: t(found.label),
              detail: settingDetail(t, open, found),
              to: `${found.path}?${new URLSearchParams({ [searchedField]: found.label })}`,
            })),
      }),
      [open, t],
    ),
  )
  return null
}
