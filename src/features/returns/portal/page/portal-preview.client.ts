/** A made-up order and its return, for the preview that the settings open. */
import type { PortalOrder, PortalReturn, PortalShop } from '../portal.schemas.ts'
import { locale, t } from './portal-page.labels.ts'
import { lineOf, type State } from './portal-state.client.ts'

const day = 86_400_000

export function madeUpOrder(): PortalOrder {
  const on = (days: number) => new Date(Date.now() + days * day).toISOString()
  return {
    order_no: '1001',
    ordered_at: on(-6),
    currency: 'EUR',
    country: 'DE',
    last_day: on(20).slice(0, 10),
    is_over: false,
    withdrawal_until: on(10).slice(0, 10),
    lines: [
      { line_id: 1, name: 'Wool socks', shipped: 2, left: 2, amounts: [1_490, 1_490], has_picture: false },
      { line_id: 2, name: 'Water bottle', shipped: 1, left: 1, amounts: [2_495], has_picture: false },
      { line_id: 3, name: 'Headlamp', shipped: 1, left: 0, amounts: [], has_picture: false },
    ],
  }
}

export const madeUpShops = (): PortalShop[] =>
  [300, 1_200, 2_500].map((distance_m, n) => ({
    ...{ id: String(n), name: `${t('Parcel shop')} ${n + 1}`, address1: `A ${n + 1}`, city: 'Flensburg', opening_hours: [] },
    ...{ postcode: '24937', distance_m },
  }))

const dropOff = (order: PortalOrder | null, shop: PortalShop | undefined): PortalReturn['drop_off'] =>
  shop && order ? { name: shop.name, address1: shop.address1, postcode: shop.postcode, city: shop.city, country: order.country } : null

export const madeUpReturn = ({ order, entries, method, page, shops, shop_id }: State): PortalReturn => ({
  rma_no: 'R0000001',
  order_no: order?.order_no ?? null,
  locale: locale(),
  status: 'approved',
  step: 'requested',
  method,
  withdrawal: false,
  requested_at: new Date().toISOString(),
  expires_at: new Date(Date.now() + 28 * day).toISOString(),
  refund_due_at: null,
  reject_reason: null,
  can_cancel: false,
  currency: order?.currency ?? 'EUR',
  return_address: page?.texts.return_address ?? '',
  drop_off: dropOff(
    order,
    shops?.rows.find(({ id }) => id === shop_id),
  ),
  items: entries.map(({ line_id, qty, outcome }) => ({
    ...{ qty, outcome, is_missing: false, is_kept: false },
    name: (order && lineOf(order, line_id)?.name) ?? '',
  })),
  refunds: [],
  label: { state: 'none', tracking_no: null, qr_link: null, can_renew: false },
  is_mailed: false,
})
