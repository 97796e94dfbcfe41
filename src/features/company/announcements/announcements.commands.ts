/** Writes announcements, their versions, and who agreed. Changes of one announcement wait for each other. */
import { createHash } from 'node:crypto'
import { isAllowed } from '#contract/access.ts'
import { conflict, notFound, orNotFound, unprocessable } from '#contract/errors.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { hasMailAccount } from '#features/company/users/password-links.queries.ts'
import { inLine } from '#features/company/users/users.queries.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { announcementWords, reminderPause } from './announcements.codes.ts'
import { announcements } from './announcements.contract.ts'
import { type Asker, announcementById, listReaders, versionFor } from './announcements.queries.ts'
import { type AnnouncementTexts, textsOf } from './announcements.rules.ts'
import type { Agreement, Announcement, AnnouncementFields } from './announcements.schemas.ts'

export const askerOf = ({ principal }: Pick<Context, 'principal'>): Asker => ({
  user_id: principal.id,
  company_id: principal.company.id,
  manages: isAllowed(principal.permissions, announcements.create.access),
})

const hashOf = (texts: AnnouncementTexts): string => createHash('sha256').update(JSON.stringify(texts)).digest('hex')

/** What the fields say, as the table holds it: the text in the company's language is there, and groups and people are of the company. */
async function checked({ db, principal }: Context, fields: AnnouncementFields) {
  const { locale } = await companySettings(db, principal.company.id)
  const texts = textsOf(fields.texts)
  const text = texts[locale]
  if (!text) {
    const wrong = (part: 'title' | 'body') => (fields.texts[locale]?.[part] ? {} : { [`texts.${locale}.${part}`]: announcementWords[part] })
    throw unprocessable(
      'announcement_language',
      'Write title and text in the language of the company.',
      {},
      { fields: { ...wrong('title'), ...wrong('body') } },
    )
  }
  const group_ids = fields.everyone ? [] : [...new Set(fields.group_ids)]
  const user_ids = fields.everyone ? [] : [...new Set(fields.user_ids)]
  if (group_ids.length > 0) {
    const known = await db
      .selectFrom('user_groups')
      .select('id')
      .where('company_id', '=', principal.company.id)
      .where('id', 'in', group_ids)
      .execute()
    if (known.length < group_ids.length)
      throw unprocessable('group_not_found', 'There is no such group.', {}, { fields: { group_ids: 'There is no such group.' } })
  }
  if (user_ids.length > 0) {
    const known = await db
      .selectFrom('users')
      .select('id')
      .where('company_id', '=', principal.company.id)
      .where('id', 'in', user_ids)
      .execute()
    if (known.length < user_ids.length)
      throw unprocessable('user_not_found', 'User not found', {}, { fields: { user_ids: 'User not found' } })
  }
  return {
    texts,
    values: {
      title: text.title,
      texts: JSON.stringify(texts),
      mode: fields.mode,
      everyone: fields.everyone,
      group_ids,
      user_ids,
      from_at: fields.from_at,
      to_at: fields.to_at,
    },
  }
}

async function changed(context: Context, id: number): Promise<Announcement> {
  context.notify('announcement', id)
  return announcementById(context.db, askerOf(context), id, context.now())
}

/** Makes what is written now the version that people read. */
async function publish(context: Context, id: number, no: number, texts: AnnouncementTexts): Promise<void> {
  const { db, principal, recordEvent, now } = context
  await db
    .insertInto('announcement_versions')
    .values({
      announcement_id: id,
      no,
      texts: JSON.stringify(texts),
      sha256: hashOf(texts),
      published_at: now().toISOString(),
      published_by: principal.name,
    })
    .execute()
  await db.updateTable('announcements').set({ state: 'published', version_no: no }).where('id', '=', id).execute()
  await recordEvent({ kind: 'announcement.published', subject: 'announcement', subject_id: id, data: { version_no: no } })
}

export async function createAnnouncement(
  context: Context,
  { client_id, id: own, ...fields }: AnnouncementFields & { client_id?: string | undefined; id?: number },
): Promise<Announcement> {
  const { db, principal, recordEvent, now } = context
  await inLine(db, principal.company.id)
  if (client_id !== undefined) {
    const known = await db
      .selectFrom('announcements')
      .select('id')
      .where('company_id', '=', principal.company.id)
      .where('client_id', '=', client_id)
      .executeTakeFirst()
    if (known) return announcementById(db, askerOf(context), known.id, now())
  }
  const { texts, values } = await checked(context, fields)
  const at = now().toISOString()
  const { id } = await db
    .insertInto('announcements')
    .values({
      ...values,
      ...(own !== undefined && { id: own }),
      client_id: client_id ?? null,
      created_by: principal.name,
      created_at: at,
      changed_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (fields.publish) await publish(context, id, 1, texts)
  else await recordEvent({ kind: 'announcement.saved', subject: 'announcement', subject_id: id, data: {} })
  return changed(context, id)
}

export async function updateAnnouncement(
  context: Context,
  id: number,
  { version, ...fields }: AnnouncementFields & { version: number },
): Promise<Announcement> {
  const { db, principal, recordEvent, now } = context
  await inLine(db, principal.company.id)
  const current = await announcementById(db, askerOf(context), id, now())
  if (current.version !== version)
    throw conflict('settings_changed', 'Someone else changed this. Check the saved version.', {}, { current })
  if (current.phase === 'withdrawn') throw conflict('announcement_withdrawn', 'This announcement was withdrawn. Write a new one.')
  const { texts, values } = await checked(context, fields)
  await db
    .updateTable('announcements')
    .set(eb => ({ ...values, changed_at: now().toISOString(), version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
  const isDraft = current.phase === 'draft'
  const newText = hashOf(texts) !== hashOf(textsOf(current.texts))
  if (isDraft ? fields.publish : newText) await publish(context, id, current.version_no + 1, texts)
  else await recordEvent({ kind: 'announcement.saved', subject: 'announcement', subject_id: id, data: {} })
  return changed(context, id)
}

/** Removes a draft; what people have read is withdrawn and stays with who agreed. */
export async function removeAnnouncement(context: Context, id: number): Promise<void> {
  const { db, principal, recordEvent, notify, now } = context
  await inLine(db, principal.company.id)
  const row = await db
    .selectFrom('announcements')
    .select('state')
    .where('company_id', '=', principal.company.id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row || row.state === 'withdrawn') return
  if (row.state === 'draft') {
    await db.deleteFrom('announcements').where('id', '=', id).execute()
    await recordEvent({ kind: 'announcement.removed', subject: 'announcement', subject_id: id, data: {} })
  } else {
    await db
      .updateTable('announcements')
      .set(eb => ({ state: 'withdrawn', changed_at: now().toISOString(), version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .execute()
    await recordEvent({ kind: 'announcement.withdrawn', subject: 'announcement', subject_id: id, data: {} })
  }
  notify('announcement', id)
}

/** Records that the person has read or agreed with the version; a second time changes nothing. */
export async function agreeWith(
  context: Context,
  id: number,
  agreement: Agreement,
  { user_id, name }: { user_id: number; name: string },
): Promise<void> {
  const { db, principal, recordEvent, notify, now } = context
  const shown = orNotFound(
    await versionFor(db, { user_id, company_id: principal.company.id }, id, now()),
    'announcement_not_found',
    'There is no such announcement.',
  )
  const { version_no, sha256, locale } = agreement
  if (shown.version_no !== version_no || shown.sha256 !== sha256)
    throw conflict('announcement_version_old', 'There is a newer text. Read it first.')
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('announcement_agreements')
    .values({ announcement_id: id, version_no, sha256, user_id, at: now().toISOString(), locale })
    .onConflict(row => row.doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 0n) return
  await recordEvent({
    kind: 'announcement.agreed',
    subject: 'announcement',
    subject_id: id,
    data: { version_no, user_id, user_name: name },
  })
  notify('announcement', id)
}

/** Mails everyone who still owes an answer. */
export async function remindOf(context: Context, id: number): Promise<{ reminded: number; without_email: number }> {
  const { db, principal, recordEvents, notify, now } = context
  await inLine(db, principal.company.id)
  const current = await announcementById(db, askerOf(context), id, now())
  if (current.phase !== 'shown') throw conflict('announcement_not_shown', 'People are reminded of what is shown now only.')
  if (!(await hasMailAccount(db, principal.company.id))) throw notFound('no_mail_account', 'No e-mail account yet.')
  if (current.reminded_at !== null && now().getTime() - Date.parse(current.reminded_at) < reminderPause * 60_000)
    throw conflict('announcement_reminded', 'People were reminded less than an hour ago.')
  const { rows } = await listReaders(db, id, { query: '', state: 'waiting', page: 1, limit: 10_000 })
  const reached = rows.filter(row => row.has_email)
  if (reached.length > 0) {
    await recordEvents(
      reached.map(({ user_id }) => ({
        kind: 'announcement.reminded',
        subject: 'user',
        subject_id: user_id,
        data: { announcement_id: id },
      })),
    )
    await db.updateTable('announcements').set({ reminded_at: now().toISOString() }).where('id', '=', id).execute()
    notify('announcement', id)
  }
  return { reminded: reached.length, without_email: rows.length - reached.length }
}
