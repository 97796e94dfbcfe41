/** Kinds and limits of the address book. */

export const addressKinds = ['sender', 'recipient'] as const
export type AddressKind = (typeof addressKinds)[number]

export const mostAddresses = 2_000

const sortable = ['title', 'name', 'city', 'country', 'updated_at'] as const
export const addressSorts = [...sortable, ...sortable.map(field => `-${field}` as const)] as const
