/** The objects that outgoing webhooks send, and the catalogue of their events. */
import { publicTypes } from '#features/deliveries/outbox/public-events.rules.ts'
import { officeObjects } from '#features/deliveries/webhooks/office-objects.server.ts'
import { warehouseObjects } from '#features/deliveries/webhooks/warehouse-objects.server.ts'
import { eventMeanings, exampleBody, WebhookBody } from '#features/deliveries/webhooks/webhook-body.rules.ts'
import { examplesOf, orderObject, shipmentObject, type WebhookObjects } from '#features/deliveries/webhooks/webhook-objects.server.ts'
import { invoiceObject } from '#features/invoicing/invoices/invoice-webhook.server.ts'
import { messageObject } from '#features/messages/messages/message-webhook.server.ts'
import { returnObject } from '#features/returns/returns/return-webhook.server.ts'
import type { PublishedEvent } from '#platform/http/openapi.ts'

/** By their types: each area answers its own. */
export const webhookObjects: WebhookObjects = {
  order: orderObject,
  shipment: shipmentObject,
  return: returnObject,
  ...warehouseObjects,
  ...officeObjects,
  invoice: invoiceObject,
  message: messageObject,
}

const schemas = new Map(
  Object.entries(webhookObjects).map(([type, { name, schema }]) => [
    type,
    { name: `${name}Event`, schema: WebhookBody.extend({ data: schema.nullable() }) },
  ]),
)

/** What `/docs` and `/openapi.json` say of webhooks: made from the kinds of events. */
export const publishedEvents: readonly PublishedEvent[] = publicTypes.map(type => ({
  type,
  summary: eventMeanings[type].summary,
  ...(schemas.get(type.split('.')[0] ?? '') ?? { name: 'WebhookBody', schema: WebhookBody }),
  example: exampleBody(type, 'demo', examplesOf(webhookObjects)),
}))
