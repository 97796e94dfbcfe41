/** Writing the address book. */
import { sql } from 'kysely'
import { conflict, orNotFound } from '#contract/errors.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { mostAddresses } from './address-book.codes.ts'
import { addressById, addressOfClient } from './address-book.queries.ts'
import type { AddressFields, PredefinedAddress } from './address-book.schemas.ts'

export const addressMissing = 'There is no such address in the address book'

/** Two at once must not both become the first choice, nor go beyond the limit. */
const lockCompany = ({ db, principal }: Context) =>
  db.selectFrom('companies').select('id').where('id', '=', principal.company.id).forUpdate().execute()

/** One address of a kind is the first choice: a new one takes the place of another. */
async function makeRoomFor({ db }: Context, { kind, is_default }: AddressFields, id = 0): Promise<void> {
  if (!is_default) return
  await db
    .updateTable('predefined_addresses')
    .set(eb => ({ is_default: false, version: eb('version', '+', 1) }))
    .where('kind', '=', kind)
    .where('is_default', '=', true)
    .where('id', '<>', id)
    .execute()
}

async function changed(context: Context, id: number): Promise<PredefinedAddress> {
  const address = orNotFound(await addressById(context.db, id), 'predefined_address_not_found', addressMissing)
  await context.recordEvent({
    kind: 'predefined_address.set',
    subject: 'predefined_address',
    subject_id: id,
    data: { kind: address.kind },
  })
  context.notify('address_book')
  return address
}

/** `id` is that of an address that comes back. */
export async function createAddress(
  context: Context,
  { client_id, ...fields }: AddressFields & { client_id?: string | undefined; id?: number },
): Promise<PredefinedAddress> {
  const { db } = context
  await lockCompany(context)
  const before = client_id === undefined ? undefined : await addressOfClient(db, client_id)
  if (before) return before
  const { n } = await db
    .selectFrom('predefined_addresses')
    .select(eb => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  if (n >= mostAddresses)
    throw conflict('address_book_full', 'The address book holds {{count}} addresses. Remove one first.', { count: mostAddresses })
  await makeRoomFor(context, fields)
  const { id } = await db
    .insertInto('predefined_addresses')
    .values({ ...fields, client_id: client_id ?? null })
    .returning('id')
    .executeTakeFirstOrThrow()
  return changed(context, id)
}

export async function updateAddress(
  context: Context,
  id: number,
  { version, ...fields }: AddressFields & { version: number },
): Promise<PredefinedAddress> {
  const { db } = context
  await lockCompany(context)
  const current = orNotFound(await addressById(db, id), 'predefined_address_not_found', addressMissing)
  if (current.version !== version)
    throw conflict('settings_changed', 'Someone else changed this. Check the saved version.', {}, { current })
  await makeRoomFor(context, fields, id)
  await db
    .updateTable('predefined_addresses')
    .set(eb => ({ ...fields, version: eb('version', '+', 1), updated_at: sql<string>`now()` }))
    .where('id', '=', id)
    .execute()
  return changed(context, id)
}

/** What is gone already stays gone. */
export async function removeAddress({ db, recordEvent, notify }: Context, id: number): Promise<void> {
  const removed = await db.deleteFrom('predefined_addresses').where('id', '=', id).returning('kind').executeTakeFirst()
  if (!removed) return
  await recordEvent({ kind: 'predefined_address.removed', subject: 'predefined_address', subject_id: id, data: { kind: removed.kind } })
  notify('address_book')
}
