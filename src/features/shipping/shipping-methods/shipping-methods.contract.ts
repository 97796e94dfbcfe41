/** Shipping methods: what a company does with each way of sending that its couriers offer. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import { limits } from '#contract/limits.ts'
import type { shippingMethodsSchemas } from './shipping-methods.schemas.ts'

const picture = { upload: limits.picture, external: true } as const

/** The station works by it, the settings show it. */
const readers = [...access.bench, 'settings_admin', 'settings'] as const

export const shippingMethods = contract<typeof shippingMethodsSchemas>({
  name: 'shippingMethods',
  area: 'shipping',
  access: access.settings,
}).calls({
  list: call('GET shipping_handling_information/list/', { access: readers }),
  get: call('GET shipping_handling_information/get/{agent_code}/{method}', { access: readers }),
  set: call('POST shipping_handling_information/set/{agent_code}/{type}/{method}'),
  setActive: call('POST shipping_handling_information/set_active/{active}/{agent_code}/{method}'),
  setLabelCheck: call('POST shipping_handling_information/set_check_tracking_and_trace/{toggle}/{courier}/{method}'),
  setDocument: call('POST shipping_handling_information/attribute/set_active/{active}/{agent_code}/{method}/{attribute}'),
  setText: call('POST shipping_handling_information/attribute/update/{agent_code}/{method}/{attribute}'),
  remove: call('DELETE shipping_handling_information/delete/{agent_code}/{method}'),

  image: call('GET shipping_handling_information/get_create_img/{agent_code}/{method}', {
    media: 'image/*',
    external: true,
    access: readers,
  }),
  setImage: call('POST shipping_handling_information/set_create_img/{agent_code}/{method}', { ...picture }),
  removeImage: call('DELETE shipping_handling_information/delete_create_img/{agent_code}/{method}'),
  defaultImage: call('GET shipping_handling_information/get_default_create_img', {
    media: 'image/*',
    external: true,
    access: readers,
    internal: true,
  }),
  setDefaultImage: call('POST shipping_handling_information/set_default_create_img', { ...picture }),
  removeDefaultImage: call('DELETE shipping_handling_information/delete_default_create_img'),
})
