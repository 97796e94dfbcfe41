/** What a customer's page shows of other areas: orders, and what is asked for about the person. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { customerPageSchemas } from './customer-page.schemas.ts'

export const customerPage = contract<typeof customerPageSchemas>({
  name: 'customerPage',
  area: 'desk',
  access: access.customers,
  tenantScope: 'operator',
}).calls({
  orders: call('GET customer/orders/for/{id}'),
  erasePreview: call('GET customer/delete/{id}/preview', { access: access.customersAdmin, external: true, internal: true }),
  erase: call('DELETE customer/delete/{id}', { access: access.customersAdmin, external: true, status: 202 }),
  copy: call('POST customer/export/{id}', { access: access.customersAdmin, external: true, status: 202, internal: true }),
  requests: call('GET customer/requests/{id}', { access: access.customersAdmin, internal: true }),
  file: call('GET customer/requests/file/{id}', {
    access: access.customersAdmin,
    media: 'application/octet-stream',
    internal: true,
  }),
})
