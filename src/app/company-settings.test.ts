/** Every setting of a company that can be saved has a reader: code that does something else for another value. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { CompanySettings } from '#features/company/companies/companies.schemas.ts'

/** Read by programs of the company. */
const waiting = new Set(['vat_no'])

/** The code that reads each setting. */
const readers: Record<string, string> = {
  locale: 'features/printing/printer-checks/printer-checks.server.ts',
  currency: 'features/company/session/session.server.ts',
  time_zone: 'features/orders/orders/upsert/ship-by.server.ts',
  color: 'features/shipping/tracking/tracking.queries.ts',
  logo_file_id: 'features/packing/packing/close-order.server.ts',
  handling_image_file_id: 'features/shipping/shipping-methods/shipping-methods.queries.ts',
  homepage: 'features/company/companies/companies.rules.ts',
  homepages: 'features/company/companies/companies.rules.ts',
  support_email: 'features/shipping/tracking/tracking.queries.ts',
  support_phone: 'features/shipping/tracking/tracking.queries.ts',
  invoice_footers: 'features/invoicing/invoices/invoices.queries.ts',
  languages: 'features/company/companies/companies.rules.ts',
  phone_countries: 'features/company/session/session.server.ts',
  cms_link: 'features/company/companies/companies.rules.ts',
  home_country: 'features/company/companies/companies.rules.ts',
  sender: 'features/shipping/labels/booking.commands.ts',
  packing_ip_pattern: 'platform/http/authenticate.ts',
  gs1_prefix: 'features/shipping/labels/booking.commands.ts',
  cut_off: 'features/orders/orders/upsert/ship-by.server.ts',
  partial_notice: 'features/packing/packing/packing.queries.ts',
  parcel_photos: 'features/packing/packing-photos/packing-photos.commands.ts',
  weigh_parcels: 'features/packing/packing/parcel-weight.server.ts',
  weight_tolerance_g: 'features/packing/weighings/weight.rules.ts',
  weight_tolerance_percent: 'features/packing/weighings/weight.rules.ts',
  typed_weight: 'features/packing/packing/weigh-parcel.server.ts',
  working_days: 'features/orders/orders/upsert/ship-by.server.ts',
  release_delay_s: 'features/orders/orders/upsert/prepare-orders.server.ts',
  close_after_days: 'features/orders/orders/close-final-orders.task.ts',
  second_factor: 'features/company/users/second-factors.queries.ts',
  second_factor_days: 'features/company/users/second-factors.queries.ts',
  second_factor_since: 'features/company/users/second-factors.queries.ts',
  first_names_for_shops: 'features/orders/orders/staff-names.server.ts',
  pack_without_pick_list: 'features/packing/packing/open-order.server.ts',
  on_short: 'features/warehouse/pick-tasks/shorts.commands.ts',
  packaging_weight_g: 'features/shipping/labels/booking.commands.ts',
  default_weight_g: 'features/shipping/labels/booking.commands.ts',
  open_by_product: 'features/packing/packing/open-order.queries.ts',
  bypass_needs_pin: 'features/packing/packing/bypass.server.ts',
  approve_inside_only: 'features/packing/approval/approval.server.ts',
  print_slip: 'features/packing/packing/close-order.server.ts',
  label_when: 'features/packing/packing/next-parcel.server.ts',
  serials: 'features/packing/serial-numbers/serial-numbers.queries.ts',
  exceptions: 'features/packing/exceptions/exceptions.commands.ts',
  schedule: 'features/people/schedule/schedule.server.ts',
  video: 'features/packing/packing-video/packing-video.commands.ts',
  hours: 'features/people/timesheet/timesheet.queries.ts',
  returns: 'features/returns/returns/returns.commands.ts',
  ship_countries: 'features/orders/orders/upsert/prepare-orders.server.ts',
  postcode_check: 'features/orders/orders/upsert/prepare-orders.server.ts',
}

/** What is called by the code that must use it. */
const rules = [
  ['homepageFor', 'features/shipping/tracking/tracking.queries.ts'],
  ['homepageFor', 'features/packing/packing/close-order.server.ts'],
  ['shopLink', 'features/orders/orders/orders.queries.ts'],
  ['homeCountry', 'features/orders/shop-webhooks/shop-webhooks.server.ts'],
  ['home_country', 'features/orders/orders/orders.queries.ts'],
] as const

const source = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

it('names the reader of every setting', () => {
  expect(Object.keys(readers).toSorted()).toEqual(
    Object.keys(CompanySettings.shape)
      .filter(name => !waiting.has(name))
      .toSorted(),
  )
})

it.each(Object.entries(readers))('%s is read by %s', (name, path) => {
  expect(source(path)).toMatch(new RegExp(`\\b${name}\\b`))
})

it.each(rules)('%s is used by %s', (name, path) => {
  expect(source(path)).toContain(name)
})
