/** Offers of shifts: staff ask for open ones, give their own away or swap; a lead decides, and both shifts change together. */
import { conflict, forbidden, orNotFound, unprocessable } from '#contract/errors.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { offerById } from './offers.queries.ts'
import { entryById, publishedShifts, type Rules, warningsOf } from './schedule.queries.ts'
import type { ScheduleEntry, ShiftOffer } from './schedule.schemas.ts'
import { nameOf, planInLine, showToStaff } from './shifts.commands.ts'

const gone = () => conflict('offer_gone', 'Someone else took this shift.')

/** The own published shift with this id. */
async function ownShift({ db, principal }: Context, rules: Rules, id: number): Promise<ScheduleEntry> {
  const entry = await entryById(db, id)
  const [shift] = (
    await publishedShifts(db, { from: entry.work_date, to: entry.work_date, user_id: principal.id }, rules.time_zone)
  ).filter(one => one.id === id)
  return orNotFound(shift, 'shift_not_found', 'This entry is not there any more.')
}

const mustBeAhead = ({ now }: Context, entry: ScheduleEntry) => {
  if (entry.start_at === null || Date.parse(entry.start_at) <= now().getTime()) throw conflict('shift_begun', 'This shift has begun.')
}

export async function makeOffer(
  context: Context,
  rules: Rules,
  {
    kind,
    entry_id,
    with_entry_id,
    reason,
  }: { kind: 'take' | 'give' | 'swap'; entry_id: number; with_entry_id?: number | undefined; reason: string },
): Promise<ShiftOffer> {
  const { db, principal, recordEvent, notify } = context
  await planInLine(context)
  const entry = kind === 'take' ? await entryById(db, entry_id) : await ownShift(context, rules, entry_id)
  mustBeAhead(context, entry)
  if (kind === 'take') {
    if (entry.user_id !== null || entry.state !== 'published') throw gone()
    const { skills } = await db.selectFrom('users').select('skills').where('id', '=', principal.id).executeTakeFirstOrThrow()
    if (entry.skill !== null && !skills.includes(entry.skill))
      throw conflict('skill_missing', 'This shift needs {{skill}}.', { skill: entry.skill })
  }
  let to_user_id: number | null = null
  if (kind === 'swap') {
    if (with_entry_id === undefined)
      throw unprocessable(
        'swap_shift_missing',
        'Choose the shift that you want for it',
        {},
        { fields: { with_entry_id: 'Choose a shift' } },
      )
    const other = await entryById(db, with_entry_id)
    mustBeAhead(context, other)
    if (other.user_id === null || other.user_id === principal.id || other.state !== 'published') throw gone()
    to_user_id = other.user_id
  }
  const known = await db
    .selectFrom('shift_offers')
    .select('id')
    .where('entry_id', '=', entry_id)
    .where('from_user_id', '=', principal.id)
    .where('state', 'in', ['open', 'requested'])
    .executeTakeFirst()
  if (known) return offerById(db, known.id)
  const { id } = await db
    .insertInto('shift_offers')
    .values({
      kind,
      entry_id,
      with_entry_id: with_entry_id ?? null,
      from_user_id: principal.id,
      to_user_id,
      state: kind === 'take' ? 'requested' : 'open',
      reason: reason || null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await recordEvent({ kind: 'shift_offer.made', subject: 'user', subject_id: principal.id, data: { offer_id: id, offer: kind } })
  notify('schedule')
  if (kind === 'take' && rules.settings.accept_takes && (await fits(context, rules, entry, principal.id))) await settleOffer(context, id)
  return offerById(db, id)
}

/** Whether the shift breaks no rule in the hands of this person. */
async function fits({ db }: Context, rules: Rules, entry: ScheduleEntry, user_id: number): Promise<boolean> {
  await db.updateTable('schedule_entries').set({ user_id }).where('id', '=', entry.id).execute()
  const warnings = await warningsOf(db, rules, [user_id], entry.work_date, entry.work_date)
  await db.updateTable('schedule_entries').set({ user_id: entry.user_id }).where('id', '=', entry.id).execute()
  return warnings.length === 0
}

const live = (offer: ShiftOffer) => {
  if (offer.state !== 'open' && offer.state !== 'requested') throw gone()
}

/** A colleague takes what is given, or agrees to a swap. */
export async function takeOffer(context: Context, id: number): Promise<ShiftOffer> {
  const { db, principal, notify } = context
  await planInLine(context)
  const offer = await offerById(db, id)
  if (offer.state !== 'open' || offer.kind === 'take') throw gone()
  if (offer.from_user_id === principal.id || (offer.kind === 'swap' && offer.to_user_id !== principal.id))
    throw forbidden('offer_not_yours', 'This offer is for somebody else.')
  await db.updateTable('shift_offers').set({ state: 'requested', to_user_id: principal.id }).where('id', '=', id).execute()
  notify('schedule')
  return offerById(db, id)
}

export async function withdrawOffer(context: Context, id: number): Promise<ShiftOffer> {
  const { db, principal, notify } = context
  await planInLine(context)
  const offer = await offerById(db, id)
  if (offer.from_user_id !== principal.id) throw forbidden('offer_not_yours', 'This offer is for somebody else.')
  live(offer)
  await db.updateTable('shift_offers').set({ state: 'withdrawn' }).where('id', '=', id).execute()
  notify('schedule')
  return offerById(db, id)
}

export async function acceptOffer(context: Context, id: number): Promise<ShiftOffer> {
  await planInLine(context)
  await settleOffer(context, id)
  return offerById(context.db, id)
}

async function settleOffer(context: Context, id: number): Promise<void> {
  const { db, principal, recordEvent, notify, now } = context
  const offer = await offerById(db, id)
  if (offer.state !== 'requested') throw gone()
  const taker = offer.kind === 'take' ? offer.from_user_id : offer.to_user_id
  if (taker === null) throw gone()
  await mayTake(context, offer, taker, offer.entry, offer.with_entry?.id ?? 0)
  const changed = { changed_by: principal.name, changed_at: now().toISOString() }
  const moved = [offer.entry.id]
  await db
    .updateTable('schedule_entries')
    .set({ user_id: taker, ...changed })
    .where('id', '=', offer.entry.id)
    .execute()
  if (offer.kind === 'swap' && offer.with_entry) {
    await mayTake(context, offer, offer.from_user_id, offer.with_entry, offer.entry.id)
    await db
      .updateTable('schedule_entries')
      .set({ user_id: offer.from_user_id, ...changed })
      .where('id', '=', offer.with_entry.id)
      .execute()
    moved.push(offer.with_entry.id)
  }
  await showToStaff(db, moved)
  const decided = { decided_by: principal.name, decided_at: now().toISOString() }
  await db
    .updateTable('shift_offers')
    .set({ state: 'accepted', ...decided })
    .where('id', '=', id)
    .execute()
  await db
    .updateTable('shift_offers')
    .set({ state: 'gone', ...decided })
    .where('entry_id', 'in', moved)
    .where('state', 'in', ['open', 'requested'])
    .execute()
  await recordEvent({
    kind: 'shift_offer.accepted',
    subject: 'user',
    subject_id: offer.from_user_id,
    data: { offer_id: id, offer: offer.kind },
  })
  notify('schedule')
}

/** The shifts are still whose they were, and the taker is free then. */
async function mayTake({ db }: Context, offer: ShiftOffer, taker: number, entry: ScheduleEntry, except: number): Promise<void> {
  const owner = offer.kind === 'take' ? null : entry.id === offer.entry.id ? offer.from_user_id : offer.to_user_id
  if (entry.state !== 'published' || entry.user_id !== owner || entry.start_at === null || entry.end_at === null) throw gone()
  const other = await db
    .selectFrom('schedule_entries')
    .select(['start_local', 'end_local'])
    .where('kind', '=', 'shift')
    .where('state', '<>', 'removed')
    .where('user_id', '=', taker)
    .where('id', 'not in', [entry.id, except])
    .where('start_at', '<', entry.end_at)
    .where('end_at', '>', entry.start_at)
    .limit(1)
    .executeTakeFirst()
  if (other)
    throw conflict('entry_overlap', '{{name}} already works {{from}}–{{to}}.', {
      name: await nameOf(db, taker),
      from: other.start_local,
      to: other.end_local,
    })
}

export async function refuseOffer(context: Context, id: number, reason: string): Promise<ShiftOffer> {
  const { db, principal, recordEvent, notify, now } = context
  await planInLine(context)
  const offer = await offerById(db, id)
  live(offer)
  await db
    .updateTable('shift_offers')
    .set({ state: 'refused', reason, decided_by: principal.name, decided_at: now().toISOString() })
    .where('id', '=', id)
    .execute()
  await recordEvent({
    kind: 'shift_offer.refused',
    subject: 'user',
    subject_id: offer.from_user_id,
    data: { offer_id: id, offer: offer.kind },
  })
  notify('schedule')
  return offerById(db, id)
}
