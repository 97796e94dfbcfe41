/** The order of the settings: eight groups, of which each person sees the pages that are open to them. Loaded with their list. */
import type { RailGroup } from './rail.ts'

export const settingsGroups: readonly RailGroup[] = [
  { caption: 'You', pages: [{ path: '/settings/me' }] },
  { caption: 'This device', pages: [{ path: '/settings/printer' }] },
  {
    caption: 'Company',
    pages: [
      { path: '/settings/company-config' },
      { path: '/settings/first-steps' },
      { path: '/settings/country' },
      { path: '/settings/announcement-config' },
      { path: '/settings/product-links' },
      { path: '/settings/tags' },
      { path: '/settings/tag-rules' },
      { path: '/settings/sign-in' },
      { path: '/settings/personal-data' },
    ],
  },
  {
    caption: 'Shipping',
    pages: [
      { path: '/settings/shipping-config' },
      { path: '/settings/address-book' },
      { path: '/settings/bulk-invoicing-config' },
      { path: '/settings/customs-config' },
      { path: '/settings/rma-config' },
      { path: '/settings/campaign-config' },
    ],
  },
  {
    caption: 'Warehouse',
    pages: [
      { path: '/settings/packing-config' },
      { path: '/settings/approval' },
      { path: '/settings/additional-products' },
      { path: '/settings/crates' },
      { path: '/settings/serial-number-config' },
      { path: '/settings/warehouse-map' },
      { path: '/settings/qrcode' },
      { path: '/settings/dvr-config' },
    ],
  },
  {
    caption: 'Messages and boards',
    pages: [{ path: '/settings/email' }, { path: '/settings/order-alerts' }, { path: '/settings/dashboard' }],
  },
  {
    caption: 'Connections',
    pages: [{ path: '/settings/api-config' }, { path: '/settings/webhooks' }, { path: '/settings/shop-connections' }],
  },
  {
    caption: 'System',
    pages: [
      { path: '/settings/global-config' },
      { path: '/settings/changes' },
      { path: '/settings/cache' },
      { path: '/settings/printer-management' },
      { path: '/settings/email-alert' },
      { path: '/settings/about' },
    ],
  },
]
