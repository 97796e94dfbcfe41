/** A trade invoice as outgoing webhooks send it: its sums and lines; addresses stay out. */
import { sql } from 'kysely'
import * as z from 'zod'
import { first, instant, objectOf, ours, whole } from '#features/deliveries/webhooks/webhook-objects.server.ts'

/** Lines that one body holds. */
const mostLines = 1_000

const Line = z.object({
  hs_code: z.string(),
  origin: z.string(),
  sku: z.string().nullable(),
  description: z.string(),
  quantity: whole,
  value: whole,
  net_g: whole,
  gross_g: whole,
})

const Invoice = z.object({
  invoice_id: whole,
  invoice_no: z.string().nullable(),
  kind: z.string(),
  state: z.string(),
  agent_code: z.string(),
  country: z.string(),
  issued_on: z.string(),
  currency: z.string(),
  /** Minor units. */
  total: whole,
  net_g: whole,
  gross_g: whole,
  terms: z.string(),
  parcels: whole,
  /** Of a credit: the invoice that it credits. */
  credits_id: whole.nullable(),
  /** The first thousand. */
  lines: z.array(Line),
  frozen_at: instant.nullable(),
  sent_at: instant.nullable(),
  handed_over_at: instant.nullable(),
})

export const invoiceObject = objectOf(
  'WebhookInvoice',
  Invoice,
  {
    invoice_id: 210,
    invoice_no: 'NO-2026-0042',
    kind: 'invoice',
    state: 'frozen',
    agent_code: 'bring',
    country: 'NO',
    issued_on: '2026-11-20',
    currency: 'NOK',
    total: 1_250_000,
    net_g: 84_000,
    gross_g: 91_500,
    terms: 'DDP',
    parcels: 61,
    credits_id: null,
    lines: [
      {
        hs_code: '7323940000',
        origin: 'PL',
        sku: 'MUG-BLUE',
        description: 'Enamel mug, blue',
        quantity: 120,
        value: 1_250_000,
        net_g: 84_000,
        gross_g: 91_500,
      },
    ],
    frozen_at: '2026-11-20T14:00:00.000Z',
    sent_at: null,
    handed_over_at: null,
  },
  (db, id) =>
    first(
      sql<z.output<typeof Invoice>>`
        select i.id as invoice_id, i.invoice_no, i.kind, i.state, i.agent_code, i.country, i.issued_on, i.currency, i.total, i.net_g, i.gross_g, i.terms,
          i.parcel_count as parcels, i.credits_id, i.frozen_at, i.sent_at, i.handed_over_at,
          (select coalesce(jsonb_agg(to_jsonb(l) order by l.position) , '[]') from (
            select position, hs_code, origin, sku, description, quantity, value, net_g, gross_g from trade_invoice_lines t
            where t.operator_id = i.operator_id and t.invoice_id = i.id order by position limit ${mostLines}) l) as lines
        from trade_invoices i where ${ours('i')} and i.id = ${id}`.execute(db),
    ),
)
