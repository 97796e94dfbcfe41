/** A pick list built straight in the tables: orders of any company on wagons, for tests of what comes after its creation. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '#platform/database/database.ts'
import { type BuiltCompany, type BuiltOperator, scopeOfCompany } from '../src/app/demo/builders.ts'

interface PlannedLine {
  bin: string
  qty: number
  barcode: string
  /** The same product elsewhere on the list; one of its own unless said. */
  sku?: string
  name?: string
  pack?: { barcode: string; quantity: number }
  cell?: number
}
export interface PlannedOrder {
  company?: BuiltCompany
  wagon_no?: number
  lines: PlannedLine[]
}
export interface BuiltList {
  id: number
  orders: {
    id: number
    order_no: string
    company_id: number
    wagon_no: number
    slot_no: number
    lines: { id: number; order_line_id: number }[]
  }[]
}

/** Orders in the order given, one slot each; the walk goes by bin. `codes` keeps PP codes with these digits for the slots in turn. */
export async function buildPickList(
  database: Database,
  operator: BuiltOperator,
  orders: readonly PlannedOrder[],
  { codes = [], map_result_id = null, wave = {} }: { codes?: readonly string[]; map_result_id?: number | null; wave?: object } = {},
): Promise<BuiltList> {
  const scope = scopeOfCompany(operator)
  return database.transaction(scope, async db => {
    const lines = orders.flatMap(order => order.lines)
    const wagons = [...new Set(orders.map(order => order.wagon_no ?? 1))]
    const { id } = await db
      .insertInto('pick_lists')
      .values({
        type: 'cluster',
        wave: JSON.stringify(wave),
        wagon_type: JSON.stringify({
          id: null,
          name: 'Twelve slots',
          rows: 3,
          columns: 4,
          slots: Array.from({ length: 12 }, (_, i) => ({
            colour: ['red', 'blue', 'green', 'yellow'][i % 4],
            max_weight_g: null,
            max_volume_ml: null,
          })),
          max_weight_g: null,
        }),
        map_result_id,
        order_count: orders.length,
        line_count: lines.length,
        piece_count: lines.reduce((sum, line) => sum + line.qty, 0),
        stop_count: new Set(lines.map(line => line.bin)).size,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const wagon_no of wagons) await db.insertInto('pick_wagons').values({ pick_list_id: id, wagon_no }).execute()
    const built: BuiltList['orders'] = []
    const taken = new Map<number, number>()
    const products = new Map<string, number>()
    for (const plan of orders) {
      const company_id = (plan.company ?? operator.main).id
      const wagon_no = plan.wagon_no ?? 1
      const slot_no = (taken.get(wagon_no) ?? 0) + 1
      taken.set(wagon_no, slot_no)
      const order_no = `P${randomUUID().slice(0, 8)}`
      const order = await db
        .insertInto('orders')
        .values({
          company_id,
          external_id: randomUUID(),
          order_no,
          work_state: 'in_pick',
          phase: 'in_pick',
          currency: 'DKK',
          ordered_at: new Date().toISOString(),
          customer_name: 'Lene Prøve',
          ship_country: 'DK',
          ship_to: JSON.stringify({ name: 'Lene Prøve', address1: 'Prøvevej 5', postcode: '5000', city: 'Odense C', country: 'DK' }),
          fingerprint: Buffer.from('x'),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await db.insertInto('pick_slots').values({ company_id, pick_list_id: id, wagon_no, slot_no, order_id: order.id }).execute()
      const its: BuiltList['orders'][number]['lines'] = []
      for (const [i, line] of plan.lines.entries()) {
        const sku = line.sku ?? `SKU-${randomUUID().slice(0, 8)}`
        const name = line.name ?? `Thing ${sku}`
        let product_id = products.get(`${company_id} ${sku}`)
        if (product_id === undefined) {
          ;({ id: product_id } = await db
            .insertInto('products')
            .values({ company_id, sku, name, bin: line.bin })
            .returning('id')
            .executeTakeFirstOrThrow())
          products.set(`${company_id} ${sku}`, product_id)
          for (const code of [{ barcode: line.barcode, quantity: 1 }, ...(line.pack ? [line.pack] : [])])
            await db
              .insertInto('product_barcodes')
              .values({ company_id, product_id, ...code })
              .execute()
        }
        const order_line = await db
          .insertInto('order_lines')
          .values({ company_id, order_id: order.id, line_no: i + 1, sku, product_id, name, qty: line.qty, bin: line.bin })
          .returning('id')
          .executeTakeFirstOrThrow()
        const pick_line = await db
          .insertInto('pick_lines')
          .values({
            company_id,
            pick_list_id: id,
            wagon_no,
            slot_no,
            order_id: order.id,
            order_line_id: order_line.id,
            product_id,
            sku,
            name,
            bin: line.bin,
            cell: line.cell ?? null,
            walk_no: 0,
            asked: line.qty,
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        its.push({ id: pick_line.id, order_line_id: order_line.id })
      }
      built.push({ id: order.id, order_no, company_id, wagon_no, slot_no, lines: its })
    }
    await sql`update pick_lines l set walk_no = n.walk_no
      from (select id, row_number() over (partition by wagon_no order by bin, id) walk_no from pick_lines where operator_id = current_operator_id() and pick_list_id = ${id}) n
      where l.operator_id = current_operator_id() and l.id = n.id`.execute(db)
    for (const [i, digits] of codes.entries()) {
      const order = built[i]
      await db
        .insertInto('paperless_codes')
        .values({
          digits,
          ...(order ? { pick_list_id: id, wagon_no: order.wagon_no, slot_no: order.slot_no, reserved_at: new Date().toISOString() } : {}),
        })
        .execute()
    }
    return { id, orders: built }
  })
}
