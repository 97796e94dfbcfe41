/** The schedule that queues every open booking which no job of the queue would take up. */
import { aroundOf } from '#platform/http/http-server.ts'
import { nobody } from '#platform/auth/identity.ts'
import type { Round } from '#platform/jobs/scheduler.ts'
import type { House } from '#platform/http/feature-module.ts'
import { bookingsWithoutJob, queueBooking } from './booking.queries.ts'

/** A job is lost when its attempts are used up, or when the queue's rows were restored from an older copy than the shipments. */
export async function queueOpenBookings(house: House): Promise<void> {
  const rows = await house.database.asSystem('the bookings of every operator are looked after', db => bookingsWithoutJob(db, house.now()))
  for (const { id, operator_id, company_id, companies } of rows) {
    const company = { operator_id, id: company_id, code: '', name: '', is_main: false, packing_ip_pattern: '' }
    const scope = { operator_id, company_id, companies }
    const outside = aroundOf(house, nobody(company), scope, { ip: '', station: '', headers: {}, signal: house.closing })
    await outside.work(context => queueBooking(context, id))
    house.log.warn({ shipment: id }, 'an open booking had no job and is queued again')
  }
}

export const openBookings: Round = { name: 'open bookings', seconds: 30, run: queueOpenBookings }
