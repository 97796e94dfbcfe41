/** The crates that an order goes into, suggested from the sizes of its products and the rules of its company. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { crateChoiceSchemas } from './crate-choice.schemas.ts'

export const crateChoice = contract<typeof crateChoiceSchemas>({
  name: 'crateChoice',
  area: 'shipping',
  access: [...access.bench, 'settings_admin'],
  tenantScope: 'operator',
  internal: true,
}).calls({
  // It reads, although it has a body; it computes for 50 ms at most.
  preview: call('POST crate_suggestions/preview', { workClass: 'read' }),
  report: call('GET crate_suggestions/report', { access: [...access.settingsRead, 'scan_admin', 'parcels_admin'], workClass: 'search' }),
  baskets: call('GET crate_suggestions/baskets', {
    access: [...access.settingsRead, 'scan_admin', 'parcels_admin'],
    workClass: 'search',
  }),
  decideBasket: call('POST crate_suggestions/baskets', { access: access.crateRules }),
  export: call('GET crate_suggestions/export', {
    access: [...access.settingsRead, 'scan_admin', 'parcels_admin'],
    media: 'text/csv',
    timeout: 'long',
  }),
})
