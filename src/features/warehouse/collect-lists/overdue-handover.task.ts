/** The watch after the hand-over: what no courier has seen within a working day needs somebody who asks. */
import { CompanySettings } from '#features/company/companies/companies.schemas.ts'
import { takeOrder } from '#features/orders/orders/order-facts.queries.ts'
import { flagUnscanned } from '#features/shipping/labels/shipment-steps.commands.ts'
import { createSystemContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { scanWithinHours, unseenSentence } from './collect-lists.rules.ts'
import { workingHoursBefore } from './cutoffs.server.ts'
import { operatorsWaiting, unseenShipments } from './overdue-handover.queries.ts'

export const watchHandedOver: ScheduledTask = {
  name: 'watch parcels that couriers took',
  seconds: 60,
  run: services => watchCouriers(services),
}

export async function watchCouriers(services: Services): Promise<void> {
  const now = services.now()
  const unseen = await services.database.systemTransaction('the clock knows no tenant', async db => {
    const waiting = await operatorsWaiting(db, new Date(now.getTime() - scanWithinHours * 3_600_000))
    return unseenShipments(
      db,
      waiting.map(({ operator_id, settings }) => ({
        operator_id,
        before: workingHoursBefore(now, scanWithinHours, CompanySettings.parse(settings)),
      })),
    )
  })
  for (const { operator_id, company_id, order_id, id, before } of unseen) {
    const system = createSystemContext(services, { operator_id, company_id, companies: [company_id] })
    await system.transaction(async ({ db, recordEvent, notify }) => {
      if (order_id !== null) await takeOrder(db, order_id)
      const parcel = await flagUnscanned(db, id, { before, now, text: unseenSentence })
      if (!parcel) return
      await recordEvent({
        kind: 'shipment.needs_attention',
        order_id,
        company_id,
        subject: 'shipment',
        subject_id: id,
        data: { reason: 'no_scan', tracking_no: parcel.tracking_no, parcel_no: parcel.parcel_no },
      })
      notify('shipment', id)
      if (order_id !== null) notify('order', order_id)
    })
  }
}
