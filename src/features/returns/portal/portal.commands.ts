/** Writes the return portal: links, photos until their return is sent, what a company offers, and which mail is due. */
import { conflict, unprocessable } from '#contract/errors.ts'
import { elementAt } from '#domain/objects.ts'
import { notValid, recordOwnedChanges, type SettingOwner } from '#features/company/companies/setting-owners.server.ts'
import { inLine } from '#features/company/users/users.queries.ts'
import { hashToken, newToken } from '#platform/crypto/vault.ts'
import type { Db } from '#platform/database/database.ts'
import { eraseFiles } from '#platform/files/erased-files.ts'
import type { Context, RecordedEvent } from '#platform/http/feature-module.ts'
import { labelMissing, mostPhotos, type PortalMail, progressDays, sessionMinutes } from './portal.codes.ts'
import { labelMethods, portalOffer, progressToken } from './portal.queries.ts'
import { portalRefusals } from './portal.rules.ts'
import { PortalOffer } from './portal.schemas.ts'

/** A link to an order that was found; only its hash is kept. */
export async function openSession({ db, now }: Pick<Context, 'db' | 'now'>, company_id: number, order_id: number): Promise<string> {
  const token = newToken()
  const expires_at = new Date(now().getTime() + sessionMinutes * 60_000).toISOString()
  await db
    .insertInto('portal_links')
    .values({ company_id, order_id, purpose: 'session', token_hash: hashToken(token), created_at: now().toISOString(), expires_at })
    .execute()
  return token
}

/** The links to the pages of returns: the same each time. */
export async function openProgress(
  { db, now, services }: Pick<Context, 'db' | 'now' | 'services'>,
  returns: readonly { id: number; company_id: number }[],
): Promise<string[]> {
  const tokens = returns.map(({ id, company_id }) => progressToken(services.vault, company_id, id))
  const expires_at = new Date(now().getTime() + progressDays * 86_400_000).toISOString()
  const created_at = now().toISOString()
  await db
    .insertInto('portal_links')
    .values(
      returns.map(({ id: return_id, company_id }, place) => ({
        ...{ company_id, return_id, created_at, expires_at },
        purpose: 'progress' as const,
        token_hash: hashToken(elementAt(tokens, place)),
      })),
    )
    .onConflict(row => row.columns(['operator_id', 'return_id']).where('return_id', 'is not', null).doNothing())
    .execute()
  return tokens
}

/** @throws {AppError} 409 photos_full */
export async function addPhoto(
  { db, now }: Pick<Context, 'db' | 'now'>,
  company_id: number,
  order_id: number,
  file_id: number,
): Promise<number> {
  const { count } = await db
    .selectFrom('portal_photos')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('order_id', '=', order_id)
    .executeTakeFirstOrThrow()
  if (Number(count) >= mostPhotos) throw conflict('photos_full', portalRefusals.photos)
  const { id } = await db
    .insertInto('portal_photos')
    .values({ company_id, order_id, file_id, created_at: now().toISOString() })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** They belong to a return now, and stay with it. */
export async function releasePhotos(db: Db, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom('portal_photos').where('id', 'in', ids).execute()
}

export const endLinks = (db: Db, now: Date) => db.deleteFrom('portal_links').where('expires_at', '<', now.toISOString()).execute()

/** Photos of a company that no return named within a day. */
export async function dropPhotos({ db, now }: Pick<Context, 'db' | 'now'>): Promise<void> {
  const yesterday = new Date(now().getTime() - 86_400_000).toISOString()
  const gone = await db.deleteFrom('portal_photos').where('created_at', '<', yesterday).returning('file_id').execute()
  if (gone.length > 0)
    await eraseFiles(
      db,
      gone.map(({ file_id }) => file_id),
      now(),
    )
}

export const offerOwner: SettingOwner = {
  name: 'return_offer',
  async read({ db, principal }) {
    await inLine(db, principal.company.id)
    return portalOffer(db, principal.company.id)
  },
  async save(context, _place, values) {
    const read = PortalOffer.safeParse(values)
    if (!read.success) throw notValid()
    return setOffer(context, read.data)
  },
}

export async function setOffer(context: Context, { version, outcomes, methods, label, qr }: PortalOffer): Promise<PortalOffer> {
  const { db, principal, now } = context
  await inLine(db, principal.company.id)
  const current = await portalOffer(db, principal.company.id)
  if (current.version !== version)
    throw conflict('settings_changed', 'Someone else changed this. Check the saved version.', {}, { current })
  for (const [name, way] of [
    ['label', label],
    ['qr', qr],
  ] as const) {
    if (!methods.includes(name)) continue
    const known = (await labelMethods(db, principal.company.id)).find(one => one.agent_code === way?.agent_code)
    if (!known?.methods.some(({ code }) => code === way?.shipping_method) || (name === 'qr' && !known.qr))
      throw unprocessable('return_label_method_needed', labelMissing, {}, { fields: { [name]: labelMissing } })
  }
  const values = {
    ...{ outcomes: [...new Set(outcomes)], methods: [...new Set(methods)], version: version + 1, changed_at: now().toISOString() },
    ...{ label_agent_code: label?.agent_code ?? null, label_method: label?.shipping_method ?? null, label_price: label?.price ?? 0 },
    ...{ qr_agent_code: qr?.agent_code ?? null, qr_method: qr?.shipping_method ?? null, qr_price: qr?.price ?? 0 },
    ...{ label_countries: JSON.stringify(label?.countries ?? []), qr_countries: JSON.stringify(qr?.countries ?? []) },
  }
  await db
    .insertInto('return_portal_offers')
    .values(values)
    .onConflict(row => row.columns(['operator_id', 'company_id']).doUpdateSet(values))
    .execute()
  const { version: _version, ...offer } = await portalOffer(db, principal.company.id)
  await recordOwnedChanges(context, 'return_offer', current, offer)
  await context.recordEvent({
    kind: 'return_portal.offer_set',
    subject: 'company',
    subject_id: principal.company.id,
    data: { outcomes: values.outcomes, methods: values.methods },
  })
  context.notify('return_portal')
  return portalOffer(db, principal.company.id)
}

interface Due {
  id: number
}

/** Each customer of these returns who has left an address is written to. */
export async function mailCustomers(context: Context, dues: readonly Due[], mail: PortalMail): Promise<void> {
  if (dues.length === 0) return
  const { db, recordEvents } = context
  const reached = await db
    .selectFrom('returns')
    .select(['id', 'company_id', 'order_id'])
    .where(
      'id',
      'in',
      dues.map(({ id }) => id),
    )
    .where('contact_email', 'is not', null)
    .execute()
  if (reached.length === 0) return
  await openProgress(context, reached)
  await recordEvents(
    reached.map(({ id, ...one }) => ({
      ...one,
      kind: 'return_portal.mail_due' as const,
      subject: 'return',
      subject_id: id,
      data: { mail },
    })),
  )
}

type ReturnEvent = RecordedEvent<
  | 'return.requested'
  | 'return.withdrawn'
  | 'return.approved'
  | 'return.rejected'
  | 'return.cancelled'
  | 'return.expired'
  | 'return.ends_soon'
  | 'return.item_missing'
  | 'return.refund_confirmed'
>

/** The returns of events, each once. */
export const returnsOf = (events: readonly ReturnEvent[]): Due[] => [
  ...new Map(events.flatMap(({ subject_id }) => (subject_id === null ? [] : [[subject_id, { id: subject_id }] as const]))).values(),
]
