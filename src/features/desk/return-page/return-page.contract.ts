/** What a return's page shows of other areas: its history, and the label that its customer got. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { returnPageSchemas } from './return-page.schemas.ts'

export const returnPage = contract<typeof returnPageSchemas>({
  name: 'returnPage',
  area: 'desk',
  access: access.returns,
  tenantScope: 'operator',
  internal: true,
}).calls({
  timeline: call('GET returns/{id}/timeline'),
  labelState: call('GET returns/{id}/label/state'),
  label: call('GET returns/{id}/label', { media: 'application/pdf', external: true }),
  printPutBack: call('POST returns/{id}/items/{item_id}/put_back_label/print/{printer_id}', {
    access: access.returnsDesk,
    external: true,
    timeout: 'long',
    ipLock: true,
  }),
  printLabel: call('POST returns/{id}/label/print/{printer_id}', {
    access: access.returnsDesk,
    external: true,
    timeout: 'long',
    ipLock: true,
  }),
})
