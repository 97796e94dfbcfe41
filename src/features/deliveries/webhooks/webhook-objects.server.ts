/** The objects that outgoing webhooks send: read when they are sent, so that what was erased meanwhile is in no body. */
import type * as z from 'zod'
import { orderForWebhook, shipmentForWebhook } from '#features/deliveries/shop-api/shop-api.queries.ts'
import { exampleShipment, exampleShopOrder, ShopOrder, ShopShipment } from '#features/deliveries/shop-api/shop-api.schemas.ts'
import { trackingUrl } from '#features/shipping/tracking/tracking-link.server.ts'
import type { Db } from '#platform/database/database.ts'
import type { Services } from '#platform/http/feature-module.ts'

export interface ReadObject {
  /** The order that it is about. */
  order_id: number | null
  erased: boolean
  data: object
}

export interface WebhookObject {
  /** Its name in the API documentation. */
  name: string
  schema: z.ZodType
  example: { id: number; data: object }
  read(db: Db, services: Services, company: { id: number; code: string }, id: number): Promise<ReadObject | undefined>
}

/** By the type of the object. Areas above this one add theirs in `app/features.ts`. */
export type WebhookObjects = Readonly<Record<string, WebhookObject>>

export const examplesOf = (objects: WebhookObjects): Record<string, WebhookObject['example']> =>
  Object.fromEntries(Object.entries(objects).map(([type, { example }]) => [type, example]))

export const orderObject: WebhookObject = {
  name: 'ShopOrder',
  schema: ShopOrder,
  example: { id: exampleShopOrder.order_id, data: exampleShopOrder },
  async read(db, services, company, id) {
    const row = await orderForWebhook(db, id)
    if (!row) return undefined
    const { erased, ...order } = row
    return { order_id: id, erased, data: { ...order, tracking_url: trackingUrl(services, company, { order_id: id }) } }
  },
}

export const shipmentObject: WebhookObject = {
  name: 'ShopShipment',
  schema: ShopShipment,
  example: { id: exampleShipment.shipment_id, data: exampleShipment },
  async read(db, services, company, id) {
    const row = await shipmentForWebhook(db, id)
    if (!row) return undefined
    const { order_id, shipment_id } = row
    return { order_id, erased: false, data: { ...row, tracking_url: trackingUrl(services, company, { order_id, shipment_id }) } }
  },
}
