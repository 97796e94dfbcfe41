/** Handlers of invoices. */
import { fromMinor } from '#domain/money.ts'
import { mustBeCourier } from '#integrations/couriers/couriers.ts'
import { csv } from '#platform/http/csv.ts'
import { implement } from '#platform/http/feature-module.ts'
import { downloadInvoice, printInvoice } from './invoice-documents.server.ts'
import { sendInvoice } from './invoice-mails.commands.ts'
import { createInvoice, creditInvoice, freezeDraft, invoiceInFull, invoiceToSend, removeDraft } from './invoices.commands.ts'
import { bulkInvoiceOrders, invoices } from './invoices.contract.ts'
import { allInvoices, findInvoices } from './invoices.queries.ts'
import { bulkInvoiceOrdersSchemas, invoicesSchemas } from './invoices.schemas.ts'
import { parcelSubscriptions } from './parcel-subscriptions.server.ts'
import { enqueueOrder, setSkip } from './queue.commands.ts'
import { waitingCounts, waitingOrders } from './waiting-orders.queries.ts'

export const invoicesServer = implement(
  invoices,
  invoicesSchemas,
  {
    list: (asked, { db }) => findInvoices(db, asked),
    orders({ courier, ...asked }, { db }) {
      mustBeCourier(courier)
      return waitingOrders(db, { ...asked, agent_code: courier })
    },
    counts: async ({ country, company_id }, { db }) => (await waitingCounts(db, company_id)).filter(one => one.country === country),
    async count({ courier, country, company_id }, { db, setHeader }) {
      const { capabilities } = mustBeCourier(courier)
      setHeader('deprecation', 'true')
      const none = { agent_code: courier, agent: capabilities.name, country, ready: 0, incomplete: 0, drafts: 0 }
      return (await waitingCounts(db, company_id)).find(one => one.country === country && one.agent_code === courier) ?? none
    },
    get: ({ id, parcels_page }, context) => invoiceInFull(context, id, parcels_page),
    create: (asked, context) => createInvoice(context, asked),
    print: (asked, outside) => printInvoice(outside, asked),
    download: (asked, outside) => downloadInvoice(outside, asked),
    tabs: ({ company_id }, { db }) => waitingCounts(db, company_id),
    async export(asked, { db, now }) {
      const rows = await allInvoices(db, asked)
      return {
        bytes: csv(
          ['invoice_no', 'kind', 'state', 'company', 'courier', 'country', 'issued_on', 'parcels', 'lines', 'total', 'currency', 'sent_at'],
          rows.map(row => [
            ...[row.invoice_no, row.kind, row.state, row.company, row.agent_code, row.country, row.issued_on, row.parcels, row.lines],
            ...[fromMinor(row.total, row.currency), row.currency, row.sent_at],
          ]),
        ),
        media_type: 'text/csv; charset=utf-8',
        name: `invoices-${now().toISOString().slice(0, 10)}.csv`,
      }
    },
    freeze: ({ id, body }, context) => freezeDraft(context, id, body),
    async send({ id, body }, context) {
      const invoice = await invoiceToSend(context.db, id)
      const config =
        invoice.config_id === null
          ? undefined
          : await context.db
              .selectFrom('bulk_invoice_configs')
              .select(['emails', 'formats', 'subject'])
              .where('id', '=', invoice.config_id)
              .executeTakeFirst()
      await sendInvoice(context, invoice, {
        emails: body.emails ?? config?.emails ?? [],
        formats: body.formats ?? config?.formats ?? ['pdf'],
        subject: config?.subject ?? '',
        by: context.principal.name,
        client_id: body.client_id,
      })
      return invoiceInFull(context, id)
    },
    credit: ({ id, body }, context) => creditInvoice(context, id, body),
    removeDraft: ({ id }, context) => removeDraft(context, id),
  },
  parcelSubscriptions,
)

export const bulkInvoiceOrdersServer = implement(bulkInvoiceOrders, bulkInvoiceOrdersSchemas, {
  enqueue: ({ id, body }, context) => enqueueOrder(context, id, body?.shipment_ids),
  setSkip: ({ id, skip, body }, context) => setSkip(context, id, skip, body?.order_item_ids),
})
