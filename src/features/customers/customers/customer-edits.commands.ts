/** What people do with customers: create, change, note, and merge with undo. */
import { sql } from 'kysely'
import { conflict, notFound, orNotFound, unprocessable } from '#contract/errors.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { forgetJoined, refreshCustomers, refreshTotals } from './customer-changes.commands.ts'
import { type CheckType, mostLookups, mostNotes } from './customers.codes.ts'
import { customerById, membersOf, ownerOfLookup, rootOf } from './customers.queries.ts'
import { emailKey, folded, type Lookup, phoneKey, shopCustomerKey } from './customers.rules.ts'
import type { Customer, CustomerChange, CustomerNote, NewCustomerBody, NoteBody } from './customers.schemas.ts'

const unknown = () => notFound('customer_not_found', 'Customer not found')

export async function customerOr404({ db }: Pick<Context, 'db'>, id: number): Promise<Customer> {
  return orNotFound(await customerById(db, id), 'customer_not_found', 'Customer not found')
}

async function rootOr404({ db }: Context, id: number): Promise<number> {
  const root = await rootOf(db, id)
  if (root === undefined) throw unknown()
  return root
}

/** As orders are compared: `main:4711` or `4711` is a customer number of a shop of the caller's company. */
export async function readLookup(
  { db, principal }: Context,
  written: { check_type: CheckType; check_value: string },
): Promise<Lookup | null> {
  const { check_type: type, check_value } = written
  const text = check_value.trim()
  if (type === 'email') return asLookup(type, emailKey(text))
  if (type === 'phone') {
    const { home_country, sender } = await companySettings(db, principal.company.id)
    return asLookup(type, phoneKey(text, home_country ?? sender.country))
  }
  const [first = '', second, ...rest] = text.split(':')
  const whole = /^\d+$/.test(first) && second !== undefined && rest.length > 0
  if (whole) return asLookup(type, shopCustomerKey(Number(first), second, rest.join(':')))
  return asLookup(
    type,
    second === undefined
      ? shopCustomerKey(principal.company.id, 'main', first)
      : shopCustomerKey(principal.company.id, first, [second, ...rest].join(':')),
  )
}

const asLookup = (type: CheckType, value: string | null): Lookup | null => (value === null ? null : { type, value })

const wrong = {
  email: 'Enter an e-mail address that only this customer has',
  phone: 'Enter a phone number with its country code',
  shop_customer: 'Enter the number as the shop has it',
} as const

async function readOrRefuse(context: Context, written: { check_type: CheckType; check_value: string }, field: string): Promise<Lookup> {
  const lookup = await readLookup(context, written)
  if (lookup === null)
    throw unprocessable(
      'lookup_invalid',
      '{{value}} identifies no customer',
      { value: written.check_value },
      { fields: { [field]: wrong[written.check_type] } },
    )
  return lookup
}

/** Taken by a customer whom the caller sees; undefined where the value is free, or known to other companies only. */
async function ownerOrRefuse(context: Context, lookup: Lookup, field: string, allowed?: number) {
  const owner = await ownerOfLookup(context.db, lookup)
  if (!owner || owner.root_id === allowed) return owner
  if (!owner.seen) return owner
  const current = await customerById(context.db, owner.root_id)
  throw conflict(
    'lookup_taken',
    '{{value}} belongs to {{name}}',
    { value: lookup.value, name: current?.name ?? '' },
    { fields: { [field]: 'Another customer has this' }, current },
  )
}

async function changed(
  context: Context,
  kind: 'customer.created' | 'customer.changed',
  root_id: number,
  fields: readonly string[],
): Promise<Customer> {
  await refreshCustomers(context.db, [{ operator_id: context.scope.operator_id, root_id }])
  await context.recordEvent({ kind, subject: 'customer', subject_id: root_id, data: { fields } })
  context.notify('customer', root_id)
  return customerOr404(context, root_id)
}

/** The company's own row of the customer: it exists wherever the company knows the customer. */
async function introduce({ db, principal }: Context, customer_id: number, name: string): Promise<void> {
  await db
    .insertInto('customer_companies')
    .values({ company_id: principal.company.id, customer_id, name, name_key: folded(name).slice(0, 300) })
    .onConflict(on => on.columns(['operator_id', 'customer_id', 'company_id']).doUpdateSet({ joined: false }))
    .execute()
}

async function storeLookup({ db, principal }: Context, customer_id: number, { type, value }: Lookup): Promise<void> {
  const own = principal.company.id
  await sql`insert into customer_lookups as l (customer_id, seen_by, check_type, check_value) values (${customer_id}, array[${own}::bigint], ${type}, ${value})
    on conflict (operator_id, check_type, check_value) where removed_at is null and not ignored
    do update set seen_by = case when ${own}::bigint = any (l.seen_by) then l.seen_by else l.seen_by || ${own}::bigint end`.execute(db)
}

/**
 * A lookup of a customer whom only other companies know joins that customer, and says nothing about it: the answer holds what the caller
 * has entered, so that no one finds out whom another shop knows.
 */
export async function createCustomer(context: Context, { name, locale, lookups, note }: NewCustomerBody): Promise<Customer> {
  const { db, principal } = context
  const own: Lookup[] = []
  for (const [at, written] of lookups.entries()) own.push(await readOrRefuse(context, written, `lookups.${at}.check_value`))
  let customer_id: number | undefined
  for (const [at, lookup] of own.entries()) customer_id ??= (await ownerOrRefuse(context, lookup, `lookups.${at}.check_value`))?.customer_id
  if (customer_id === undefined) {
    const { rows } = await sql<{ id: number }>`with drawn as (select nextval('customers_id_seq') as id)
      insert into customers (id, root_id, locale) select id, id, ${locale} from drawn returning id`.execute(db)
    customer_id = rows[0]?.id
  }
  if (customer_id === undefined) throw unknown()
  await introduce(context, customer_id, name)
  for (const lookup of own) await storeLookup(context, customer_id, lookup)
  if (note !== '')
    await db
      .insertInto('customer_notes')
      .values({ company_id: principal.company.id, customer_id, type: 'info', note, user_id: principal.id || null, actor: principal.name })
      .execute()
  return changed(context, 'customer.created', await rootOr404(context, customer_id), ['name', 'lookups'])
}

export async function updateCustomer(context: Context, id: number, { version, name, locale, flags }: CustomerChange): Promise<Customer> {
  const { db, principal } = context
  const root_id = await rootOr404(context, id)
  const row = await db.selectFrom('customers').select(['version']).where('id', '=', root_id).forUpdate().executeTakeFirstOrThrow()
  if (row.version !== version)
    throw conflict(
      'customer_changed',
      'Someone else has changed this customer. Compare before you save.',
      {},
      { current: await customerById(db, root_id) },
    )
  await db
    .updateTable('customers')
    .set({ version: version + 1, ...(locale === undefined ? {} : { locale }) })
    .where('id', '=', root_id)
    .execute()
  if (name !== undefined)
    await db
      .updateTable('customer_companies')
      .set({ name, name_key: folded(name).slice(0, 300) })
      .where('customer_id', '=', root_id)
      .execute()
  if (flags !== undefined) {
    const members = await membersOf(db, root_id)
    const company_id = principal.company.id
    const before = await db
      .selectFrom('customer_flags')
      .select('flag')
      .where('company_id', '=', company_id)
      .where('customer_id', '=', sql<number>`any(${members})`)
      .execute()
    const had = new Set(before.map(one => one.flag))
    const gone = [...had].filter(flag => !flags.includes(flag))
    if (gone.length > 0)
      await db
        .deleteFrom('customer_flags')
        .where('company_id', '=', company_id)
        .where('customer_id', '=', sql<number>`any(${members})`)
        .where('flag', 'in', gone)
        .execute()
    const added = [...new Set(flags)].filter(flag => !had.has(flag))
    if (added.length > 0)
      await db
        .insertInto('customer_flags')
        .values(added.map(flag => ({ company_id, customer_id: root_id, flag, actor: principal.name })))
        .execute()
  }
  const fields = [name === undefined ? [] : 'name', locale === undefined ? [] : 'locale', flags === undefined ? [] : 'flags'].flat()
  return changed(context, 'customer.changed', root_id, fields)
}

export async function addLookup(context: Context, id: number, written: { check_type: CheckType; check_value: string }): Promise<Customer> {
  const { db } = context
  const root_id = await rootOr404(context, id)
  const lookup = await readOrRefuse(context, written, 'check_value')
  const owner = await ownerOrRefuse(context, lookup, 'check_value', root_id)
  const members = await membersOf(db, root_id)
  const { count } = await db
    .selectFrom('customer_lookups')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('customer_id', '=', sql<number>`any(${members})`)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (count >= mostLookups) throw conflict('too_many_lookups', 'A customer has at most {{count}} lookups', { count: mostLookups })
  const customer = await customerOr404(context, root_id)
  await introduce(context, owner?.customer_id ?? root_id, customer.name)
  await storeLookup(context, owner?.customer_id ?? root_id, lookup)
  await bumpVersion(context, root_id)
  return changed(context, 'customer.changed', root_id, ['lookups'])
}

const bumpVersion = ({ db }: Context, root_id: number) =>
  db
    .updateTable('customers')
    .set(eb => ({ version: eb('version', '+', 1) }))
    .where('id', '=', root_id)
    .execute()

/** A lookup ends for the companies in scope; it is removed when no company knows it any more. */
export async function removeLookup(context: Context, lookup_id: number): Promise<void> {
  const { db, scope } = context
  const row = await db
    .selectFrom('customer_lookups')
    .select(['customer_id', 'seen_by'])
    .where('id', '=', lookup_id)
    .where('removed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  const root_id = row && (await rootOf(db, row.customer_id))
  if (!row || root_id === undefined || !row.seen_by.some(company => scope.companies.includes(company)))
    throw notFound('lookup_not_found', 'This e-mail address, phone or shop number is no longer there')
  const { lookups } = await customerOr404(context, root_id)
  if (lookups.length < 2) throw conflict('last_lookup', 'A customer needs at least one e-mail address, phone or shop number')
  const seen_by = row.seen_by.filter(company => !scope.companies.includes(company))
  await (seen_by.length === 0
    ? db.deleteFrom('customer_lookups').where('id', '=', lookup_id).execute()
    : db.updateTable('customer_lookups').set({ seen_by }).where('id', '=', lookup_id).execute())
  await bumpVersion(context, root_id)
  await changed(context, 'customer.changed', root_id, ['lookups'])
}

const noteColumns = ['id', 'company_id', 'type', 'note', 'at_station', 'until', 'actor', 'created_at'] as const

export async function addNote(context: Context, id: number, { client_id, ...note }: NoteBody): Promise<CustomerNote> {
  const { db, principal, recordEvent, notify } = context
  const root_id = await rootOr404(context, id)
  if (client_id) {
    const before = await db.selectFrom('customer_notes').select(noteColumns).where('client_id', '=', client_id).executeTakeFirst()
    if (before) return before
  }
  // Locked, so that two notes at once do not both become the last that fits.
  await db.selectFrom('customers').select('id').where('id', '=', root_id).forNoKeyUpdate().execute()
  const members = await membersOf(db, root_id)
  const { count } = await db
    .selectFrom('customer_notes')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('customer_id', '=', sql<number>`any(${members})`)
    .executeTakeFirstOrThrow()
  if (count >= mostNotes) throw conflict('too_many_notes', 'This customer has {{count}} notes already', { count })
  const made = await db
    .insertInto('customer_notes')
    .values({
      ...note,
      client_id: client_id ?? null,
      company_id: principal.company.id,
      customer_id: root_id,
      user_id: principal.id || null,
      actor: principal.name,
    })
    .returning(noteColumns)
    .executeTakeFirstOrThrow()
  await recordEvent({ kind: 'customer.noted', subject: 'customer', subject_id: root_id, data: { type: note.type } })
  notify('customer', root_id)
  return made
}

export async function removeNote(context: Context, note_id: number): Promise<void> {
  const { db, recordEvent, notify } = context
  const note = await db.deleteFrom('customer_notes').where('id', '=', note_id).returning(['customer_id', 'type']).executeTakeFirst()
  if (!note) throw notFound('note_not_found', 'This note is no longer there')
  const root_id = (await rootOf(db, note.customer_id)) ?? note.customer_id
  await recordEvent({ kind: 'customer.note_removed', subject: 'customer', subject_id: root_id, data: { type: note.type } })
  notify('customer', root_id)
}

/** Two roots, locked in the order of their ids. */
async function twoRoots(context: Context, ids: { root_id: number; member_id: number }): Promise<{ root_id: number; member_id: number }> {
  const root_id = await rootOr404(context, ids.root_id)
  const member_id = await rootOr404(context, ids.member_id)
  if (root_id === member_id) throw conflict('merged_already', 'These two are one customer already')
  const rows = await context.db
    .selectFrom('customers')
    .select(['id', 'root_id', 'erased_at'])
    .where('id', 'in', [root_id, member_id])
    .orderBy('id')
    .forUpdate()
    .execute()
  if (rows.some(row => row.erased_at !== null)) throw unknown()
  if (rows.some(row => row.root_id !== row.id)) throw conflict('merged_already', 'These two are one customer already')
  return { root_id, member_id }
}

/** Settles the suggestions between what two customers are made of. */
async function settlePairs(
  { db }: Context,
  some: readonly number[],
  others: readonly number[],
  state: 'merged' | 'dismissed' | 'open',
): Promise<void> {
  const [one, other] = [sql<number>`any(${[...some]})`, sql<number>`any(${[...others]})`]
  await db
    .updateTable('customer_suggestions')
    .set({ state })
    .where(eb => eb.or([eb.and([eb('a_id', '=', one), eb('b_id', '=', other)]), eb.and([eb('a_id', '=', other), eb('b_id', '=', one)])]))
    .execute()
}

export async function mergeCustomers(context: Context, ids: { root_id: number; member_id: number }): Promise<Customer> {
  const { db, principal, scope, recordEvent, notify } = context
  const { root_id, member_id } = await twoRoots(context, ids)
  const member_ids = await membersOf(db, member_id)
  await settlePairs(context, await membersOf(db, root_id), member_ids, 'merged')
  await db
    .updateTable('customers')
    .set(eb => ({ root_id, version: eb('version', '+', 1) }))
    .where('id', '=', sql<number>`any(${member_ids})`)
    .execute()
  const { id } = await db
    .insertInto('customer_merges')
    .values({ root_id, former_root_id: member_id, member_ids, actor: principal.name })
    .returning('id')
    .executeTakeFirstOrThrow()
  await forgetJoined(db, [member_id])
  await bumpVersion(context, root_id)
  const roots = [{ operator_id: scope.operator_id, root_id }]
  await refreshCustomers(db, roots)
  await refreshTotals(db, roots)
  await recordEvent({ kind: 'customer.merged', subject: 'customer', subject_id: root_id, data: { merge_id: id, member_id } })
  notify('customer', root_id)
  notify('customer', member_id)
  return customerOr404(context, root_id)
}

/** Those members that still belong to the root go back to where they came from; what was merged later stays. */
export async function undoMerge(context: Context, merge_id: number): Promise<Customer> {
  const { db, principal, scope, recordEvent, notify, now } = context
  const merge = await db
    .selectFrom('customer_merges')
    .select(['root_id', 'former_root_id', 'member_ids', 'undone_at'])
    .where('id', '=', merge_id)
    .forUpdate()
    .executeTakeFirst()
  if (!merge || merge.undone_at !== null) throw notFound('merge_not_found', 'This merge was undone already')
  const rows = await db
    .selectFrom('customers')
    .select(['id', 'root_id', 'erased_at'])
    .where('id', 'in', [merge.root_id, ...merge.member_ids])
    .orderBy('id')
    .forUpdate()
    .execute()
  if (rows.some(row => row.erased_at !== null))
    throw conflict('merge_erased', 'The data of this customer is erased. The merge cannot be undone.')
  // The root may have been merged into another one since.
  const root_id = rows.find(row => row.id === merge.root_id)?.root_id ?? merge.root_id
  const back = rows.filter(row => merge.member_ids.includes(row.id) && row.root_id === root_id).map(row => row.id)
  await db
    .updateTable('customers')
    .set(eb => ({ root_id: merge.former_root_id, version: eb('version', '+', 1) }))
    .where('id', '=', sql<number>`any(${back})`)
    .execute()
  await db
    .updateTable('customer_merges')
    .set({ undone_at: now().toISOString(), undone_by: principal.name })
    .where('id', '=', merge_id)
    .execute()
  await settlePairs(context, await membersOf(db, root_id), back, 'open')
  await forgetJoined(db, [root_id])
  await bumpVersion(context, root_id)
  const roots = [root_id, merge.former_root_id].map(id => ({ operator_id: scope.operator_id, root_id: id }))
  await refreshCustomers(db, roots)
  await refreshTotals(db, roots)
  await recordEvent({
    kind: 'customer.merge_undone',
    subject: 'customer',
    subject_id: root_id,
    data: { merge_id, member_id: merge.former_root_id },
  })
  notify('customer', root_id)
  notify('customer', merge.former_root_id)
  return customerOr404(context, root_id)
}

/** They are not one person: the pair is kept as dismissed, so that no order suggests it again. */
export async function dismissPair(context: Context, ids: { root_id: number; member_id: number }): Promise<void> {
  const one = await rootOr404(context, ids.root_id)
  const other = await rootOr404(context, ids.member_id)
  if (one === other) throw conflict('merged_already', 'These two are one customer already')
  await settlePairs(context, await membersOf(context.db, one), await membersOf(context.db, other), 'dismissed')
  context.notify('customer', one)
  context.notify('customer', other)
}
