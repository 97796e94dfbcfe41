/** Addresses of the address book in the history of settings, and setting them back. */
import type { SettingList } from '#features/company/companies/setting-lists.server.ts'
import { createAddress, removeAddress, updateAddress } from './address-book.commands.ts'
import { addressById } from './address-book.queries.ts'
import { AddressFields } from './address-book.schemas.ts'

export const addressList: SettingList<AddressFields> = {
  name: 'addresses',
  Fields: AddressFields,
  title: fields => fields.title,
  async find({ db }, place) {
    const address = await addressById(db, Number(place))
    if (!address) return undefined
    const { id: _id, version, updated_at: _at, ...fields } = address
    return { fields: AddressFields.parse(fields), version }
  },
  add: (context, place, fields) => createAddress(context, { ...fields, id: Number(place) }),
  change: (context, place, fields, version) => updateAddress(context, Number(place), { ...fields, version }),
  remove: (context, place) => removeAddress(context, Number(place)),
}
