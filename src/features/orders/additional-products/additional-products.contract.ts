/** Additional products: written by the main company, read by every company that they are offered to. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import { limits } from '#contract/limits.ts'
import type { additionalProductsSchemas } from './additional-products.schemas.ts'

const writing = { access: access.settings, company: 'main' } as const

export const additionalProducts = contract<typeof additionalProductsSchemas>({
  name: 'additionalProducts',
  area: 'orders',
  access: access.crates,
  tenantScope: 'operator',
}).calls({
  list: call('GET order_product_additional/list/'),
  get: call('GET order_product_additional/get/{id}'),
  picture: call('GET order_product_additional/img/{id}', { media: 'image/*' }),
  create: call('POST order_product_additional/create', writing),
  update: call('POST order_product_additional/update/{id}', writing),
  remove: call('DELETE order_product_additional/delete/{id}', writing),
  setPicture: call('POST order_product_additional/img/{id}', { ...writing, upload: limits.picture, external: true, internal: true }),
  removePicture: call('DELETE order_product_additional/img/{id}', { ...writing, internal: true }),
  export: call('GET order_product_additional/export', { media: 'text/csv', internal: true }),
  ofOrder: call('GET order_product_additional/order/{id}', { access: [...access.crates, 'parcels_admin', 'parcels'], internal: true }),
})
