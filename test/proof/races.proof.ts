/** Racing operations: sixteen at once at the same order, wagon, serial number or tote. Exactly one wins, and the tables say so afterwards. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { packing } from '#features/packing/packing/packing.contract.ts'
import { paperless } from '#features/warehouse/paperless/paperless.contract.ts'
import { pickLists } from '#features/warehouse/pick-lists/pick-lists.contract.ts'
import { picking } from '#features/warehouse/picking/picking.contract.ts'
import { type Chance, newChance } from '#optimization/random/seeded-random.ts'
import { placeOrder } from '../orders.ts'
import { buildPickList } from '../pick-list.ts'
import { openTestApp, Refused, type TestUser } from '../test-app.ts'

const width = 16

/** Rows that must not be there. */
const doubles = {
  'orders open at two stations': `select order_id from packing_sessions where ended_at is null group by 1 having count(*) > 1`,
  'orders on two open lists': `select order_id from pick_slots where live group by 1 having count(*) > 1`,
  'serial numbers on two pieces': `select serial_key from order_serials where removed_at is null group by serial_key, company_id, sku_key having count(*) > 1`,
  'orders in a tote that carries another': `select digits from paperless_codes where order_id is not null group by 1 having count(distinct order_id) > 1`,
  'wagons with two pickers who did not join': `select pick_list_id, wagon_no from pick_wagon_people where left_at is null group by 1, 2 having count(*) > 1`,
  'pieces picked that are not the scans': `select l.id from pick_lines l where l.picked > l.asked or l.picked <> coalesce((select sum(x.quantity) from pick_scans x
    where x.pick_line_id = l.id and x.kind in ('pick', 'undo') and (x.answer->>'ok')::boolean), 0)`,
  'pieces packed that are not the scans': `select l.id from order_lines l where l.packed_qty > l.qty or l.packed_qty <> coalesce((select sum(s.quantity) from packing_scans s where s.order_line_id = l.id), 0)`,
}

it('have exactly one winner', async () => {
  const amount = Number(process.env.PROOF_AMOUNT ?? 100_000)
  const until = performance.now() + Number(process.env.PROOF_MINUTES ?? 60) * 60_000
  const chance: Chance = newChance(Number(process.env.PROOF_SEED ?? 1))
  const testApp = await openTestApp()
  const root = new pg.Client({ connectionString: testApp.url })
  await root.connect()
  try {
    const operator = await testApp.operator()
    const { database } = testApp.services
    const scope = scopeOfCompany(operator)
    const crew = await Promise.all(
      Array.from({ length: width }, (_, i) => operator.hire(['scan', 'pick', 'pick_admin'], operator.main, `Worker ${i}`)),
    )
    const counts: Record<string, number> = {}
    let operations = 0
    let wrong = 0
    /** All at once; how many were not refused. */
    async function race(kind: string, work: (who: TestUser, i: number) => Promise<boolean>): Promise<number> {
      const wins = await Promise.all(
        crew.map((who, i) =>
          work(who, i).catch((error: unknown) => {
            if (error instanceof Refused && error.status < 500) return false
            if (error instanceof Refused && error.status === 503) return false
            throw error
          }),
        ),
      )
      operations += width
      counts[kind] = (counts[kind] ?? 0) + width
      return wins.filter(Boolean).length
    }
    const line = (sku: string, qty: number) => ({
      sku,
      barcode: sku,
      name: sku,
      qty,
      weight_g: 200,
      unit_price_excl_vat: '80.00',
      vat_percent: '25',
    })

    const claims = async () => {
      const { id } = await placeOrder(database, scope, { lines: [line('TEE', 8)] })
      const started = await race(
        'orders opened',
        async (who, i) => (await who.send(packing.start, { id, body: { station: `S${i}` } } as never)) !== undefined,
      )
      if (started !== 1) wrong++
      // Eight pieces, and sixteen scans of the one who has it open: each scan is sent twice under its own id.
      const ids = Array.from({ length: width / 2 }, () => randomUUID())
      await race('pieces scanned', async (who, i) => {
        const body = { scan_id: ids[i % ids.length], code: 'TEE' }
        const { counted } = (await who.send(packing.scan, { id, body } as never)) as { counted: number }
        return counted > 0
      })
    }

    const picks = async () => {
      const list = await buildPickList(database, operator, [{ lines: [{ bin: 'A-1', qty: 5, barcode: `B${operations}` }] }])
      const at = { pick_list_id: list.id, wagon_no: 1 }
      if ((await race('wagons claimed', async who => (await who.send(picking.claim, { ...at, body: {} } as never)) !== undefined)) !== 1)
        wrong++
      const [owner] = (await root.query<{ user_id: number }>(`select user_id::int from pick_wagons where pick_list_id = $1`, [list.id]))
        .rows
      const picker = crew.find(who => who.user_id === owner?.user_id) ?? (crew[0] as TestUser)
      const picked = await race('pieces picked', async () => {
        const event = { id: randomUUID(), kind: 'pick', line: list.orders[0]?.lines[0]?.id, quantity: 1, at: new Date().toISOString() }
        const { answers } = (await picker.send(picking.send, { ...at, body: { events: [event] } } as never)) as {
          answers: { ok: boolean }[]
        }
        return answers[0]?.ok === true
      })
      if (picked > 5) wrong++
      await picker.send(picking.send, {
        ...at,
        body: { events: [{ id: randomUUID(), kind: 'hand_over', at: new Date().toISOString() }] },
      } as never)
    }

    let serials = 0
    const serial = async () => {
      const code = `SN-${++serials}`
      const orders = await Promise.all(
        crew.map(async who => {
          const order = await placeOrder(database, scope, { lines: [line('CAMERA', 1)] })
          await database.transaction(scope, async db => {
            const { id } = await db
              .insertInto('products')
              .values({ sku: 'CAMERA', name: 'CAMERA', serial_required: true })
              .onConflict(c => c.columns(['operator_id', 'company_id', 'sku_key']).doUpdateSet({ name: 'CAMERA' }))
              .returning('id')
              .executeTakeFirstOrThrow()
            await db
              .updateTable('order_lines')
              .set({ product_id: id })
              .where('id', '=', order.lines[0] ?? 0)
              .execute()
          })
          await who.send(packing.start, { id: order.id, body: { station: `S${order.id}` } } as never)
          return order
        }),
      )
      const taken = await race('serial numbers', async (who, i) => {
        const order = orders[i]
        const body = { scan_id: randomUUID(), code, serial_for: order?.lines[0] }
        const { result } = (await who.send(packing.scan, { id: order?.id ?? 0, body } as never)) as { result: string }
        return result === 'order_done'
      })
      if (taken !== 1) wrong++
    }

    let totes = 1_000
    const tote = async () => {
      const first = ++totes
      await crew[0]?.send(paperless.download, { body: { count: 1, first, size: 'sheet' } })
      const orders = await Promise.all(crew.map(() => placeOrder(database, scope)))
      const bound = await race(
        'totes bound',
        async (who, i) => (await who.send(paperless.bind, { id: `${first}`, body: { order: orders[i]?.order_no } } as never)) !== undefined,
      )
      if (bound !== 1) wrong++
    }

    const lists = async () => {
      const placed = await Promise.all(
        Array.from({ length: 4 }, () => placeOrder(database, scope, { lines: [{ ...line('TEE', 1), bin: 'A-01-1' }] })),
      )
      const made = await race('lists made', async who => {
        const body = { order_ids: placed.map(order => order.id), without_place: 'last', seed: 1 }
        return (await who.send(pickLists.create, { body } as never)) !== undefined
      })
      if (made > placed.length) wrong++
    }

    const kinds = [claims, claims, picks, picks, serial, tote, lists]
    while (operations < amount && performance.now() < until) await kinds[chance.below(kinds.length)]?.()
    const found: Record<string, number> = {}
    for (const [what, text] of Object.entries(doubles)) {
      const { rowCount } = await root.query(text)
      if (rowCount) found[what] = rowCount
    }
    const parts = Object.entries(counts).map(([kind, n]) => `${kind} ${n}`)
    console.info(
      `races: ${operations} operations, ${width} at once (${parts.join(', ')}): ${wrong} races without exactly one winner, doubled ${JSON.stringify(found)}`,
    )
    expect({ wrong, found }).toEqual({ wrong: 0, found: {} })
  } finally {
    await root.end()
    await testApp.close()
  }
})
