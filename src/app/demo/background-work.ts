/** Background work of the demo: a finished export, an imported file with two refused rows, a bulk change with refusals, and a stopped one. */
import * as z from 'zod'
import { elementAt } from '#domain/objects.ts'
import { cancelJob } from '#features/company/jobs/jobs.queries.ts'
import { applyTags } from '#features/company/tags/tags.commands.ts'
import { previewBulk, startBulk } from '#features/orders/bulk-jobs/bulk-jobs.commands.ts'
import { runBulk } from '#features/orders/bulk-jobs/bulk-jobs.task.ts'
import { startExport } from '#features/orders/order-exports/order-exports.commands.ts'
import { OrderExport } from '#features/orders/order-exports/order-exports.schemas.ts'
import { exportOrders } from '#features/orders/order-exports/order-exports.task.ts'
import { importOrders } from '#features/orders/order-imports/import-orders.task.ts'
import { Mapping } from '#features/orders/order-imports/mapping.rules.ts'
import { orderImportsServer } from '#features/orders/order-imports/order-imports.server.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import { recordFile } from '#platform/files/file-store.ts'
import type { Services } from '#platform/http/feature-module.ts'
import { actAs, answerOf } from './builders.ts'
import { catalogue, demoBarcode } from './catalogue.ts'

const Started = z.object({ id: z.number(), job_id: z.number() })
const shop = 'fair'
const fairTag = 'Trade fair'

interface Person {
  id: number
  name: string
}

const columns = {
  Ordrenr: 'order_no',
  Dato: 'ordered_at',
  Navn: 'ship_name',
  Adresse: 'ship_address1',
  Postnr: 'ship_postcode',
  By: 'ship_city',
  Land: 'ship_country',
  'E-mail': 'ship_email',
  Varenr: 'sku',
  Stregkode: 'barcode',
  Vare: 'name',
  Hylde: 'bin',
  Antal: 'qty',
  'Pris uden moms': 'unit_price_excl_vat',
} as const

/** Orders of a trade fair. The quantity of one is a word, and one has no order number. */
function fair(at: string): string {
  const product = (place: number) => {
    const { sku, name, bin } = elementAt(catalogue.demo, place)
    return [sku, demoBarcode('demo', place), name, bin]
  }
  const row = (no: string, recipient: string, place: number, qty: string, price: string) =>
    [no, at, ...recipient.split(';'), ...product(place), qty, price].join(';')
  const lene = 'Lene Bjerre;Havnevej 14;8000;Aarhus C;DK;lene.bjerre@example.test'
  return [
    Object.keys(columns).join(';'),
    row('M-501', lene, 0, '12', '18,50'),
    row('M-501', lene, 1, '4', '64,00'),
    row('M-502', 'Jeppe Grøn;Nygade 3;5000;Odense C;DK;jeppe.groen@example.test', 0, 'mange', '18,50'),
    row('M-503', 'Signe Kjær;Kirkestien 27;4000;Roskilde;DK;signe.kjaer@example.test', 1, '2', '64,00'),
    row('', 'Torben Fjord;Strandparken 8;6700;Esbjerg;DK;torben.fjord@example.test', 0, '6', '18,50'),
    row('M-505', 'Maja Overgaard;Birkelunden 51;9000;Aalborg;DK;maja.overgaard@example.test', 1, '1', '64,00'),
    '',
  ].join('\r\n')
}

export async function buildBackgroundWork(services: Services, scope: TenantScope, { office }: { office: Person }): Promise<void> {
  const context = actAs(services, scope, office)
  const exported = await context.transaction(inside =>
    startExport(inside, OrderExport.parse({ format: 'csv', filters: { phase: ['ready'] }, locale: 'da_DK' })),
  )
  await exportOrders(exported, context)
  await buildImport(services, scope, office)

  const { fair, others } = await context.transaction(async ({ db }) => {
    const orders = db.selectFrom('orders').select('id').where('company_id', '=', scope.company_id).where('phase', '=', 'ready')
    return {
      fair: await orders.where('shop', '=', shop).orderBy('id').execute(),
      others: await orders.where('shop', '<>', shop).orderBy('id', 'desc').limit(4).execute(),
    }
  })
  // Those of the file have the tag already: the bulk change refuses them.
  await context.transaction(inside => applyTags(inside, { object: 'order', ids: fair.map(({ id }) => id), add: [fairTag], remove: [] }))
  const tag = async (orders: readonly { id: number }[], names: { add: string[]; remove: string[] }) =>
    context.transaction(async inside => {
      const { bulk_id } = await previewBulk(inside, 'tag', { args: { note: '', ...names }, ids: orders.map(({ id }) => id), except: [] })
      return { bulk_id, ...(await startBulk(inside, bulk_id)) }
    })
  await runBulk(await tag([...others, ...fair], { add: [fairTag], remove: [] }), context)
  const stopped = await tag(fair, { add: [], remove: [fairTag] })
  await context.transaction(({ db, now }) => cancelJob(db, stopped.job_id, now()))
}

/** A file that the office imported, with the meaning of its columns kept for the next one. */
async function buildImport(services: Services, scope: TenantScope, office: Person): Promise<void> {
  const context = actAs(services, scope, office)
  const at = services.now().toISOString()
  const stored = await services.files.put(scope.operator_id, Buffer.from(fair(at)))
  const file_id = await context.transaction(({ db }) =>
    recordFile(db, stored, { media_type: 'text/csv', name: `messe-${at.slice(0, 10)}.csv` }),
  )
  const mapping = Mapping.parse({
    columns,
    decimals: ',',
    time_zone: 'Europe/Copenhagen',
    constants: { currency: 'DKK', vat_percent: '25' },
  })
  const body = { file_id, shop, form: { encoding: 'utf-8', separator: ';', header_row: 1 }, mapping, keep: true, locale: 'da_DK' }
  const { id, job_id } = await answerOf(orderImportsServer, 'start', Started, { body }, context)
  await importOrders({ import_id: id, job_id }, context)
}
