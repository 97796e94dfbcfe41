/** Crate types: written by the main company, read by every company that they are offered to. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import { limits } from '#contract/limits.ts'
import type { crateTypesSchemas } from './crate-types.schemas.ts'

const writing = { access: access.settings, company: 'main' } as const

export const crateTypes = contract<typeof crateTypesSchemas>({
  name: 'crateTypes',
  area: 'catalog',
  access: access.crates,
  tenantScope: 'operator',
}).calls({
  list: call('GET shipping_crate/type/list/'),
  get: call('GET shipping_crate/type/get/{id}'),
  picture: call('GET shipping_crate/type/img/{id}', { media: 'image/*' }),
  create: call('POST shipping_crate/type/create', writing),
  update: call('POST shipping_crate/type/update/{id}', writing),
  remove: call('DELETE shipping_crate/type/delete/{id}', writing),
  setPicture: call('POST shipping_crate/type/img/{id}', { ...writing, upload: limits.picture, external: true, internal: true }),
  removePicture: call('DELETE shipping_crate/type/img/{id}', { ...writing, internal: true }),
  restore: call('POST shipping_crate/type/restore/{id}', { ...writing, internal: true }),
  export: call('GET shipping_crate/type/export', { media: 'text/csv', timeout: 'long', internal: true }),
})
