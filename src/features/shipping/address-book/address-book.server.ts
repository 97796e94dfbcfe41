/** The address book: handlers. */

import { orNotFound } from '#contract/errors.ts'
import { addEntry, changeEntry } from '#features/company/companies/setting-lists.server.ts'
import { csv } from '#platform/http/csv.ts'
import { implement } from '#platform/http/feature-module.ts'
import { mostAddresses } from './address-book.codes.ts'
import { addressMissing, createAddress, removeAddress, updateAddress } from './address-book.commands.ts'
import { addressBook } from './address-book.contract.ts'
import { addressById, listAddresses } from './address-book.queries.ts'
import { addressBookSchemas } from './address-book.schemas.ts'
import { addressList } from './address-book-history.server.ts'

const exported = [
  ...(['kind', 'title', 'name', 'company', 'attention', 'address1', 'address2', 'postcode', 'city', 'country'] as const),
  ...(['phone', 'email', 'instruction'] as const),
]

export const addressBookServer = implement(addressBook, addressBookSchemas, {
  list: (query, { db }) => listAddresses(db, query),
  create: ({ body }, context) =>
    addEntry(
      addressList,
      context,
      () => createAddress(context, body),
      address => address.id,
    ),
  get: async ({ id }, { db }) => orNotFound(await addressById(db, id), 'predefined_address_not_found', addressMissing),
  update: ({ id, body }, context) => changeEntry(addressList, context, id, () => updateAddress(context, id, body)),
  remove: ({ id }, context) => changeEntry(addressList, context, id, () => removeAddress(context, id)),

  async export(query, { db, principal }) {
    const { rows } = await listAddresses(db, { ...query, page: 1, limit: mostAddresses })
    return {
      bytes: csv(
        exported,
        rows.map(row => exported.map(column => row[column])),
      ),
      media_type: 'text/csv; charset=utf-8',
      name: `addresses-${principal.company.code}.csv`,
    }
  },
})
