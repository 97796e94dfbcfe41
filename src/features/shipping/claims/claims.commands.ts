/** Writing claims: opened, changed, sent, won and lost. */
import { conflict, orNotFound, unprocessable } from '#contract/errors.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import type { Context } from '#platform/http/feature-module.ts'
import type { ClaimKind, ClaimState } from './claims.codes.ts'
import { claimById } from './claims.queries.ts'
import { claimDeadline, statesAfter } from './claims.rules.ts'
import type { Claim, ClaimFields } from './claims.schemas.ts'

/** The last day by the courier's rule, on the company's clock. */
async function deadlineOf({ db }: Context, shipment_id: number, kind: ClaimKind): Promise<string | null> {
  const shipment = await db
    .selectFrom('shipments')
    .select(['company_id', 'agent_code', 'delivered_at', 'booked_at'])
    .where('id', '=', shipment_id)
    .executeTakeFirstOrThrow()
  const { time_zone } = await companySettings(db, shipment.company_id)
  const dayOf = (at: string | null) =>
    at === null ? null : Temporal.Instant.from(new Date(at).toISOString()).toZonedDateTimeISO(time_zone).toPlainDate().toString()
  return claimDeadline(shipment.agent_code, kind, { delivered_on: dayOf(shipment.delivered_at), booked_on: dayOf(shipment.booked_at) })
}

export async function createClaim(
  context: Context,
  { shipment_id, kind, client_id, ...fields }: ClaimFields & { shipment_id: number; kind: ClaimKind; client_id?: string | undefined },
): Promise<Claim> {
  const { db, principal, recordEvent, notify } = context
  // Two of the same shipment come one after the other.
  const shipment = orNotFound(
    await db
      .selectFrom('shipments')
      .select(['id', 'company_id', 'order_id'])
      .where('id', '=', shipment_id)
      .forNoKeyUpdate()
      .executeTakeFirst(),
    'shipment_not_found',
    'Shipment not found',
  )
  const known = await db
    .selectFrom('claims')
    .select(['id', 'client_id'])
    .where('shipment_id', '=', shipment_id)
    .where('kind', '=', kind)
    .executeTakeFirst()
  if (known) {
    const current = await claimById(db, known.id)
    if (client_id && known.client_id === client_id) return current
    throw conflict('claim_open', 'There is a claim of this kind for the shipment already.', {}, { current })
  }
  const { id } = await db
    .insertInto('claims')
    .values({
      ...fields,
      deadline_on: fields.deadline_on ?? (await deadlineOf(context, shipment_id, kind)),
      shipment_id,
      kind,
      client_id: client_id ?? null,
      company_id: shipment.company_id,
      order_id: shipment.order_id,
      created_by: principal.name,
      created_at: context.now().toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const claim = await claimById(db, id)
  await recordEvent({ kind: 'claim.opened', ...subjectOf(claim), data: { claim: kind } })
  notify('claim', id, claim.company_id)
  return claim
}

export async function changeClaim(context: Context, id: number, { version, ...fields }: ClaimFields & { version: number }): Promise<Claim> {
  const { db, recordEvent, notify } = context
  const claim = await lockedClaim(context, id, version)
  if (claim.state === 'won') throw conflict('claim_settled', 'The claim is settled.', {}, { current: claim })
  await db
    .updateTable('claims')
    .set({ ...fields, deadline_on: fields.deadline_on ?? (await deadlineOf(context, claim.shipment_id, claim.kind)), version: version + 1 })
    .where('id', '=', id)
    .execute()
  await recordEvent({ kind: 'claim.changed', ...subjectOf(claim), data: { claim: claim.kind } })
  notify('claim', id, claim.company_id)
  return claimById(db, id)
}

export async function setClaimState(
  context: Context,
  id: number,
  state: ClaimState,
  { version, granted }: { version: number; granted: number | null },
): Promise<Claim> {
  const { db, now, recordEvent, notify } = context
  const claim = await lockedClaim(context, id, version)
  if (!statesAfter(claim.state).includes(state))
    throw conflict('claim_state', 'The claim cannot change to this status.', {}, { current: claim })
  if (state === 'won' && granted === null)
    throw unprocessable('claim_granted', 'Enter the granted amount.', {}, { fields: { granted: 'Enter the granted amount.' } })
  const at = now().toISOString()
  await db
    .updateTable('claims')
    .set({
      state,
      granted: state === 'won' ? granted : null,
      settled_at: state === 'sent' ? null : at,
      ...(state === 'sent' && { sent_at: at }),
      version: version + 1,
    })
    .where('id', '=', id)
    .execute()
  await recordEvent({ kind: 'claim.state_set', ...subjectOf(claim), data: { claim: claim.kind, state } })
  notify('claim', id, claim.company_id)
  return claimById(db, id)
}

const subjectOf = ({ id, order_id, company_id }: Claim) => ({ order_id, company_id, subject: 'claim', subject_id: id })

/** @throws {AppError} 409 where someone else has changed it since `version` */
async function lockedClaim({ db }: Context, id: number, version: number): Promise<Claim> {
  await db.selectFrom('claims').select('id').where('id', '=', id).forUpdate().execute()
  const claim = await claimById(db, id)
  if (claim.version !== version)
    throw conflict('settings_changed', 'Someone else changed this. Check the saved version.', {}, { current: claim })
  return claim
}
