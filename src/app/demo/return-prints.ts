/** Labels that the returns desk of the demo has printed: where the pieces go that were put back. */
import { randomUUID } from 'node:crypto'
import { printPutBack } from '#features/desk/return-page/return-page.server.ts'
import { printersOf } from '#features/printing/printers/printers.queries.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import { createSystemContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'

const most = 4

export async function buildReturnPrints(services: Services, scope: TenantScope): Promise<void> {
  const outside = createSystemContext(services, scope)
  const { printer, items } = await outside.transaction(async ({ db }) => ({
    printer: (await printersOf(db, scope.company_id)).find(({ kind, paper }) => kind === 'file' && paper === 'label'),
    items: await db
      .selectFrom('return_items')
      .select(['id', 'return_id'])
      .where('put_back_id', 'is not', null)
      .orderBy('id', 'desc')
      .limit(most)
      .execute(),
  }))
  if (!printer) return
  for (const { id, return_id } of items)
    await printPutBack(outside, { id: return_id, item_id: id, printer_id: printer.id, client_id: randomUUID() })
}
