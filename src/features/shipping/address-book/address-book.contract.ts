/** The address book: senders and recipients that labels and orders by hand are made from again and again. */
import { call, contract } from '#contract/endpoint.ts'
import { settingsPages } from '#contract/settings-access.ts'
import type { addressBookSchemas } from './address-book.schemas.ts'

export const addressBook = contract<typeof addressBookSchemas>({
  name: 'addressBook',
  area: 'shipping',
  access: settingsPages['address-book'],
}).calls({
  list: call('GET label_generator/predefined_address', { workClass: 'search' }),
  create: call('POST label_generator/predefined_address'),
  get: call('GET label_generator/predefined_address/{id}'),
  update: call('POST label_generator/predefined_address/{id}'),
  remove: call('DELETE label_generator/predefined_address/{id}'),
  export: call('GET label_generator/predefined_address/export', { media: 'text/csv', internal: true }),
})
