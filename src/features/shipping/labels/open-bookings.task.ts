/** The schedule that queues every open booking which no job of the queue would take up. */

import { anonymous } from '#platform/auth/identity.ts'
import { createContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { bookingsWithoutJob, queueBooking } from './booking.queries.ts'

/** A job is lost when its attempts are used up, or when the queue's rows were restored from an older copy than the shipments. */
export async function queueOpenBookings(services: Services): Promise<void> {
  const rows = await services.database.systemTransaction('the bookings of every operator are looked after', db =>
    bookingsWithoutJob(db, services.now()),
  )
  for (const { id, operator_id, company_id, companies } of rows) {
    const company = { operator_id, id: company_id, code: '', name: '', is_main: false, packing_ip_pattern: '' }
    const scope = { operator_id, company_id, companies }
    const outside = createContext(services, anonymous(company), scope, { ip: '', station: '', headers: {}, signal: services.closing })
    await outside.transaction(context => queueBooking(context, id))
    services.log.warn({ shipment: id }, 'an open booking had no job and is queued again')
  }
}

export const openBookings: ScheduledTask = { name: 'open bookings', seconds: 30, run: queueOpenBookings }
