/** The objects that outgoing webhooks send: read when they are sent, so that what was erased meanwhile is in no body. */
import { sql } from 'kysely'
import * as z from 'zod'
import { orderForWebhook, shipmentForWebhook } from '#features/deliveries/shop-api/shop-api.queries.ts'
import { exampleShipment, exampleShopOrder, ShopOrder, ShopShipment } from '#features/deliveries/shop-api/shop-api.schemas.ts'
import { trackingUrl } from '#features/shipping/tracking/tracking-link.server.ts'
import type { Db } from '#platform/database/database.ts'
import type { Services } from '#platform/http/feature-module.ts'

export interface ReadObject {
  /** The order that it is about. */
  order_id: number | null
  /** The customer whose data it holds, so that an erasure finds what was sent. */
  customer_id?: number | null
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

export const whole = z.number().int()
export const instant = z.string()

/** An object that is read by its id and belongs to no order, or to the one that its row names. */
export function objectOf<S extends z.ZodObject>(
  name: string,
  schema: S,
  example: z.output<S>,
  read: (db: Db, id: number) => Promise<(z.output<S> & { about_order?: number | null }) | undefined>,
): WebhookObject {
  return {
    name,
    schema,
    example: { id: whole.parse(Object.values(example)[0]), data: example },
    async read(db, _services, _company, id) {
      const row = await read(db, id)
      if (!row) return undefined
      const { about_order, ...data } = row
      return { order_id: about_order ?? null, erased: false, data }
    },
  }
}

export const first = async <R>(rows: Promise<{ rows: R[] }>): Promise<R | undefined> => (await rows).rows[0]
/** Rows of the company that the webhook belongs to. */
export const ours = (alias: string) =>
  sql.raw(`${alias}.operator_id = current_operator_id() and ${alias}.company_id = any (current_company_ids())`)
