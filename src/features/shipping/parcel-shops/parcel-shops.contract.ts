/** Parcel shops: a courier's settings of the company, and the shops it hands parcels out at. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { parcelShopsSchemas } from './parcel-shops.schemas.ts'

/** The station works by it, the settings show it. */
const readers = [...access.bench, 'settings_admin', 'settings'] as const

export const parcelShops = contract<typeof parcelShopsSchemas>({ name: 'parcelShops', area: 'shipping', access: access.settings }).calls({
  config: call('GET res/parcel_shop/{agent_code}'),
  setConfig: call('POST res/parcel_shop/{agent_code}'),
  configured: call('GET label_generator/has_res_parcel_conf', { access: readers }),
  test: call('POST res/parcel_shop/{agent_code}/test', { external: true, internal: true }),
  readMethods: call('POST res/parcel_shop/{agent_code}/methods', { external: true, internal: true }),
  shopLists: call('GET res/parcel_shop/{agent_code}/shops', { internal: true }),
  readShops: call('POST res/parcel_shop/{agent_code}/shops', { internal: true }),
  replacement: call('GET parcel_shops/replacement', { internal: true }),
  saveReplacement: call('POST parcel_shops/replacement', { internal: true }),
  bringCustomers: call('GET label_generator/support/bring/customer_numbers', { access: readers, external: true }),
  burdPostcodes: call('GET label_generator/support/burd/zipcodes_availability', { access: readers, external: true }),
  instaboxAvailability: call('POST label_generator/support/instabox/availability', { access: access.bench, external: true }),
  zipcodes: call('GET parcel_shops/zipcodes/{country}', { access: readers }),
  find: call('GET parcel_shops/find/{agent_code}/from/{country}', { access: readers, external: true }),
})
