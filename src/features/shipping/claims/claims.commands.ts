/** Writing claims: opened, changed, sent, won and lost. */
import { sql } from 'kysely'
import { conflict, orNotFound, unprocessable } from '#contract/errors.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import type { Context } from '#platform/http/feature-module.ts'
import type { ClaimKind, ClaimState } from './claims.codes.ts'
import { claimById, claimRulesOf } from './claims.queries.ts'
import { claimDeadline, publishedPeriod, statesAfter } from './claims.rules.ts'
import type { Claim, ClaimFields, ClaimRule, ClaimRules } from './claims.schemas.ts'

interface Due {
  shipment_id: number
  kind: ClaimKind
  noticed_on: string
}

/** The last day of each of these claims by the agreement, else by what the courier publishes, on the company's clock. */
async function deadlinesOf({ db }: Pick<Context, 'db'>, dues: readonly Due[]): Promise<(string | null)[]> {
  const shipments = await db
    .selectFrom('shipments')
    .select(['id', 'company_id', 'agent_code', 'delivered_at', 'booked_at'])
    .where('id', '=', sql<number>`any(${dues.map(due => due.shipment_id)}::bigint[])`)
    .execute()
  const shipmentOf = new Map(shipments.map(shipment => [shipment.id, shipment]))
  const rules = await db
    .selectFrom('claim_rules')
    .select(['company_id', 'agent_code', 'kind', 'count', 'unit', 'counts_from'])
    .where('company_id', '=', sql<number>`any(${[...new Set(shipments.map(one => one.company_id))]}::bigint[])`)
    .where('count', 'is not', null)
    .execute()
  const zoneOf = new Map<number, string>()
  for (const { company_id } of shipments)
    if (!zoneOf.has(company_id)) zoneOf.set(company_id, (await companySettings(db, company_id)).time_zone)
  return dues.map(({ shipment_id, kind, noticed_on }) => {
    const shipment = shipmentOf.get(shipment_id)
    if (!shipment) return null
    const { company_id, agent_code, delivered_at, booked_at } = shipment
    const own = rules.find(rule => rule.company_id === company_id && rule.agent_code === agent_code && rule.kind === kind)
    const dayOf = (at: string | null) =>
      at === null
        ? null
        : Temporal.Instant.from(new Date(at).toISOString())
            .toZonedDateTimeISO(zoneOf.get(company_id) ?? 'UTC')
            .toPlainDate()
            .toString()
    return claimDeadline(own?.count ? { ...own, count: own.count } : publishedPeriod(agent_code, kind), {
      delivered_on: dayOf(delivered_at),
      booked_on: dayOf(booked_at),
      noticed_on,
    })
  })
}

const deadlineOf = async (context: Context, due: Due): Promise<string | null> => (await deadlinesOf(context, [due]))[0] ?? null

/** Open claims of a courier that get their deadline when its rules become known. */
const mostDated = 2_000

export async function setClaimRules(
  context: Context,
  agent_code: string,
  { version, rules }: { version: number; rules: readonly ClaimRule[] },
): Promise<ClaimRules> {
  const { db, principal, recordEvent, notify } = context
  const company_id = principal.company.id
  // Two first changes have no row that one of them could wait for.
  await db.selectFrom('companies').select('id').where('id', '=', company_id).forUpdate().execute()
  const current = await claimRulesOf(db, company_id, agent_code)
  if (current.version !== version)
    throw conflict('settings_changed', 'Someone else changed this. Check the saved version.', {}, { current })
  await db
    .insertInto('claim_rules')
    .values(
      current.rules.map(({ published: _, ...kept }) => ({
        ...(rules.find(one => one.kind === kept.kind) ?? kept),
        company_id,
        agent_code,
        version: version + 1,
      })),
    )
    .onConflict(known =>
      known.columns(['operator_id', 'company_id', 'agent_code', 'kind']).doUpdateSet(eb => ({
        count: eb.ref('excluded.count'),
        unit: eb.ref('excluded.unit'),
        counts_from: eb.ref('excluded.counts_from'),
        version: eb.ref('excluded.version'),
      })),
    )
    .execute()
  await dateOpenClaims(context, agent_code)
  await recordEvent({ kind: 'claim_rules.set', subject: 'company', subject_id: company_id, data: { agent_code } })
  notify('claim')
  return claimRulesOf(db, company_id, agent_code)
}

/** What somebody wrote stays. */
async function dateOpenClaims(context: Context, agent_code: string): Promise<void> {
  const { db, principal } = context
  const open = await db
    .selectFrom('claims as x')
    .innerJoin('shipments as s', 's.id', 'x.shipment_id')
    .select(['x.id', 'x.shipment_id', 'x.kind', 'x.noticed_on'])
    .where('x.company_id', '=', principal.company.id)
    .where('s.agent_code', '=', agent_code)
    .where('x.state', '=', 'open')
    .where('x.deadline_on', 'is', null)
    .orderBy('x.id')
    .limit(mostDated)
    .execute()
  const days = await deadlinesOf(context, open)
  const dated = open.flatMap(({ id }, at) => {
    const day = days[at]
    return day ? [{ id, day }] : []
  })
  if (dated.length === 0) return
  await sql`update claims x set deadline_on = d.day, version = x.version + 1
    from unnest(${dated.map(one => one.id)}::bigint[], ${dated.map(one => one.day)}::date[]) as d(id, day)
    where x.operator_id = current_operator_id() and x.company_id = current_company_id() and x.id = d.id`.execute(db)
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
      deadline_on: fields.deadline_on ?? (await deadlineOf(context, { shipment_id, kind, noticed_on: fields.noticed_on })),
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
    .set({
      ...fields,
      deadline_on: fields.deadline_on ?? (await deadlineOf(context, { ...claim, noticed_on: fields.noticed_on })),
      version: version + 1,
    })
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
