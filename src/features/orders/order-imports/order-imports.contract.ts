/** Order imports: files that people bring, looked at, mapped, imported as a job, and taken back where nothing of them was touched. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import { limits } from '#contract/limits.ts'
import type { OrderImport, orderImportsSchemas } from './order-imports.schemas.ts'

export const orderImports = contract<typeof orderImportsSchemas>({
  name: 'orderImports',
  area: 'orders',
  access: access.parcelsAdmin,
  internal: true,
}).calls({
  uploadFile: call('POST order_imports/file', { workClass: 'bulk', upload: limits.upload, external: true }),
  preview: call('POST order_imports/preview', { workClass: 'bulk', external: true }),
  start: call('POST order_imports', { workClass: 'bulk', external: true }),
  list: call('GET order_imports'),
  get: call('GET order_imports/{id}'),
  undo: call('POST order_imports/{id}/undo', { workClass: 'bulk', timeout: 'long' }),
  errors: call('GET order_imports/{id}/errors', { media: 'text/csv' }),
  shops: call('GET order_imports/shops'),
})

/** Every order of the file was here before. */
export const changedNothing = (one: Pick<OrderImport, 'created' | 'updated'>): boolean => one.created + one.updated === 0
