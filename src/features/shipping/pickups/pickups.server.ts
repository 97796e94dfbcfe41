/** Pickups: ordered once, listed, and cancelled where the courier can. The courier is asked outside any transaction. */
import { conflict, notFound, unprocessable } from '#contract/errors.ts'
import { pageOffset } from '#contract/page.ts'
import { errorOf } from '#domain/thrown.ts'
import { companyById } from '#features/company/companies/companies.queries.ts'
import { localDay } from '#features/company/companies/local-day.server.ts'
import { senderOfCompany } from '#features/shipping/labels/booking.commands.ts'
import { courierSettings, offeredCouriers } from '#features/shipping/parcel-shops/courier-settings.queries.ts'
import { CourierRefused, CourierUnavailable, type OrderedPickup, type PickupRequest } from '#integrations/couriers/courier.ts'
import { courier } from '#integrations/couriers/couriers.ts'
import { csv } from '#platform/http/csv.ts'
import { type Context, type ExternalContext, implement } from '#platform/http/feature-module.ts'
import { beginPickup, type PickupOutcome, reserveCancellation, storePickup } from './pickups.commands.ts'
import { pickups } from './pickups.contract.ts'
import { pickupById, pickupCouriers, pickupOfClient, pickupsPage, waitingNumbers } from './pickups.queries.ts'
import { type NewPickup, type Pickup, pickupsSchemas } from './pickups.schemas.ts'

/** Milliseconds; the courier's answer is not waited for any longer. */
const patience = 30_000
/** Milliseconds for which one request alone may cancel: longer than it waits for the courier. */
const reserved = patience + 10_000
const mostExported = 10_000

export const pickupsServer = implement(pickups, pickupsSchemas, {
  async list({ page, limit, ...question }, { db, now }) {
    const offset = pageOffset({ page, limit })
    return { ...(await pickupsPage(db, question, now(), { offset, limit })), offset, limit }
  },
  couriers: ({ company_id }, { db, principal }) => pickupCouriers(db, company_id ?? principal.company.id),
  order: ({ body }, outside) => orderPickup(outside, body),
  cancel: ({ id }, outside) => cancelPickup(outside, id),

  async settle({ id, body }, context) {
    await lockPickup(context, id)
    const { state } = await pickupById(context.db, id, context.now())
    if (state !== 'unknown') throw conflict('pickup_settled', 'The outcome of this pickup is known')
    await storePickup(context, id, body.ordered ? { state: 'ordered' } : { state: 'refused', words: null })
    return pickupById(context.db, id, context.now())
  },

  async exportAll(question, { db, now }) {
    const { rows } = await pickupsPage(db, question, now(), { offset: 0, limit: mostExported })
    const columns = [
      ...(['company', 'agent_code', 'day', 'from_time', 'to_time', 'parcels', 'weight_g', 'state', 'courier_no', 'comes_on'] as const),
      ...(['note', 'created_by', 'created_at', 'cancelled_at'] as const),
    ]
    return {
      bytes: csv(
        columns,
        rows.map(row => columns.map(column => row[column])),
      ),
      media_type: 'text/csv; charset=utf-8',
      name: `pickups-${now().toISOString().slice(0, 10)}.csv`,
    }
  },
})

/** The intent is committed before the courier is asked: who asks again with the same id gets its outcome. */
async function orderPickup(outside: ExternalContext, body: NewPickup): Promise<Pickup> {
  const begun = await outside.transaction(context => begin(context, body))
  if (begun.request) {
    const { id, request, order } = begun
    const outcome = await askCourier(outside, signal => order(request, signal))
    await outside.transaction(context => storePickup(context, id, outcome))
    if (outcome.state === 'refused') throw unprocessable('pickup_refused', '{{words}}', { words: outcome.words ?? '' })
  }
  return outside.transaction(({ db, now }) => pickupById(db, begun.id, now()))
}

async function begin(context: Context, { company_id: named, ...fields }: NewPickup) {
  const { db, principal, services, now } = context
  const company_id = named ?? principal.company.id
  const { settings: company } = await companyById(db, company_id)
  const known = (await offeredCouriers(db, company_id)).find(one => one.capabilities.agent_code === fields.agent_code)
  const order = known?.pickup?.order
  if (!order)
    throw notFound('pickup_not_offered', 'A pickup cannot be ordered from {{courier}}', {
      courier: courier(fields.agent_code)?.capabilities.name ?? fields.agent_code,
    })
  const before = await pickupOfClient(db, company_id, fields.client_id)
  if (before) return { id: before.id, request: null }
  if (fields.day < localDay(now(), company.time_zone))
    throw unprocessable('pickup_day_past', 'The day has passed', {}, { fields: { day: 'The day has passed' } })
  const sender = await senderOfCompany(db, company_id)
  if (!sender.address1.trim() || !sender.phone?.trim())
    throw unprocessable('pickup_sender_incomplete', 'Enter the address and the phone number of the sender in the company’s settings first')
  const id = await beginPickup(context, { company_id, ...fields })
  if (id === null) {
    // Somebody else was first with the same id, or has ordered a pickup of this day.
    const same = await pickupOfClient(db, company_id, fields.client_id)
    if (same) return { id: same.id, request: null }
    throw conflict('pickup_ordered', 'A pickup by {{courier}} is ordered for this day already', {
      courier: courier(fields.agent_code)?.capabilities.name ?? fields.agent_code,
    })
  }
  const request: PickupRequest = {
    reference: `PKH-${company_id}-${id}`,
    date: fields.day,
    from: fields.from_time,
    to: fields.to_time,
    parcels: fields.parcels,
    weight_g: fields.weight_g,
    note: fields.note || null,
    sender,
    tracking_nos: await waitingNumbers(db, company_id, fields.agent_code),
    settings: await courierSettings(db, services.vault, company_id, fields.agent_code),
  }
  return { id, request, order }
}

/** Whether it comes, as far as its answer says. */
async function askCourier(outside: ExternalContext, ask: (signal: AbortSignal) => Promise<OrderedPickup>): Promise<PickupOutcome> {
  try {
    const { courier_no, comes_on, words } = await ask(AbortSignal.any([AbortSignal.timeout(patience), outside.services.closing]))
    return { state: 'ordered', courier_no, comes_on, ...(words !== undefined && { words: words.slice(0, 500) }) }
  } catch (error) {
    if (error instanceof CourierRefused || error instanceof CourierUnavailable)
      return { state: 'refused', words: errorOf(error).message.slice(0, 500) }
    return { state: 'unknown' }
  }
}

/** The cancellation is reserved and committed before the courier is asked: of two requests one asks. */
async function cancelPickup(outside: ExternalContext, id: number): Promise<Pickup> {
  const { pickup, ask } = await outside.transaction(context => beginCancellation(context, id))
  if (!ask) return pickup
  const signal = AbortSignal.any([AbortSignal.timeout(patience), outside.services.closing])
  const giveUp = () => outside.transaction(context => reserveCancellation(context, id, null))
  const done = await ask(signal).catch(async (error: unknown) => {
    await giveUp()
    throw unprocessable('pickup_refused', '{{words}}', { words: errorOf(error).message })
  })
  if (!done) {
    await giveUp()
    throw conflict('pickup_not_cancelled', 'The courier did not cancel the pickup. Call it.')
  }
  return outside.transaction(async context => {
    await lockPickup(context, id)
    // A request whose reservation ended may have stored it meanwhile.
    const { state } = await pickupById(context.db, id, context.now())
    if (state !== 'cancelled') await storePickup(context, id, { state: 'cancelled' })
    return pickupById(context.db, id, context.now())
  })
}

async function beginCancellation(context: Context, id: number) {
  const { db, now, services } = context
  const [locked] = await lockPickup(context, id)
  const pickup = await pickupById(db, id, now())
  if (pickup.state === 'cancelled') return { pickup, ask: null }
  const cancel = courier(pickup.agent_code)?.pickup?.cancel
  const { courier_no, day: date } = pickup
  if (!cancel || !pickup.can_cancel || courier_no === null)
    throw conflict('pickup_not_cancellable', 'This courier takes no cancellation here. Call it.')
  if (locked?.cancelling_until && Date.parse(locked.cancelling_until) > now().getTime())
    throw conflict('pickup_cancelling', 'The courier is being asked already. Wait a moment.')
  await reserveCancellation(context, id, new Date(now().getTime() + reserved))
  const settings = await courierSettings(db, services.vault, pickup.company_id, pickup.agent_code)
  return { pickup, ask: (signal: AbortSignal) => cancel({ courier_no, date, settings }, signal) }
}

const lockPickup = ({ db }: Context, id: number) =>
  db.selectFrom('pickups').select(['id', 'cancelling_until']).where('id', '=', id).forUpdate().execute()
