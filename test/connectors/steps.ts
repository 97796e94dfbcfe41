/** What is tried with a real shop, one line for each step. */
import { deepEqual, equal, ok } from 'node:assert/strict'
import {
  type FulfilmentFact,
  type PulledRow,
  type PushedParcel,
  type PushFact,
  type ShopAccess,
  ShopError,
} from '#integrations/shops/shop-connector.ts'
import { openShopHttp } from '#integrations/shops/shop-http.ts'
import type { ScratchShop } from './scratch-shop.ts'

/** `patience`: milliseconds for one request. */
function accessTo(shop: ScratchShop, credentials = shop.credentials, patience = 20_000): ShopAccess {
  let token: string | undefined
  return {
    base_url: shop.url,
    credentials,
    settings: {},
    shop: 'main',
    country: 'DK',
    timeZone: 'Europe/Copenhagen',
    http: openShopHttp({
      base_url: shop.url,
      allowedNetworks: ['127.0.0.0/8'],
      signal: new AbortController().signal,
      secrets: Object.values(credentials),
      patience,
    }),
    session: {
      get: () => token,
      set: given => {
        token = given
      },
    },
  }
}

/** Tries every step; answers how many failed. */
export async function trySteps(shop: ScratchShop, say: (line: string) => void): Promise<number> {
  const { connector } = shop
  const access = accessTo(shop)
  const started = new Date(Date.now() - 3_600_000).toISOString()
  let failed = 0
  const step = async (name: string, work: () => Promise<void>) => {
    try {
      await work()
      say(`  ✓ ${name}`)
    } catch (error) {
      failed++
      say(`  ✗ ${name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  const pulled = async (over: { by?: 'changed' | 'created'; to?: string } = {}): Promise<PulledRow[]> => {
    const rows: PulledRow[] = []
    let page: string | null = null
    do {
      const answer = await connector.pull(access, { by: over.by ?? 'changed', from: started, to: over.to ?? null, page })
      rows.push(...answer.rows)
      page = answer.next
    } while (page !== null)
    return rows
  }
  const rowOf = async (id: string) => {
    const row = (await pulled()).findLast(one => one.external_id === id)
    if (row?.kind !== 'order') throw new Error(`order ${id} does not come in: ${JSON.stringify(row ?? null)}`)
    return row
  }
  const parcel = (tracking_no: string, ...lines: [string, number][]): PushedParcel => ({
    tracking_no,
    tracking_url: `https://track.example/${tracking_no}`,
    courier_code: 'gls',
    courier_name: 'GLS Denmark',
    lines: lines.map(([external_id, qty]) => ({ external_id, sku: null, qty })),
  })
  const fulfilment = (id: string, parcels: PushedParcel[], is_last: boolean): FulfilmentFact => ({
    kind: 'fulfilment',
    key: `parcel-${parcels.at(-1)!.tracking_no}`,
    external_id: id,
    order_no: id,
    refs: [],
    parcel: parcels.at(-1)!,
    parcels,
    is_last,
    notify_customer: false,
  })
  const pushed = async (fact: PushFact) => {
    const outcome = await connector.push(access, fact)
    if (outcome.kind !== 'done') throw new Error(`not taken: ${outcome.words}`)
    return outcome
  }

  await step('the connection answers', async () => ok((await connector.test(access)).words !== ''))
  await step('an order comes in with its address, goods and amounts', async () => {
    const { id, lines } = await shop.order()
    const { order } = await rowOf(id)
    equal(order.status, 'ready')
    equal(order.ship_to.address1, 'Skibhusvej 52')
    deepEqual(
      order.lines
        .filter(line => line.type === 'item')
        .map(line => [line.external_id, line.sku, line.qty])
        .toSorted(),
      [
        [lines[0], 'TOWEL-1', '2'],
        [lines[1], 'CUP-1', '1'],
      ].toSorted(),
    )
    equal(order.totals?.incl_vat, '289')
  })
  await step('a changed address comes in as a later version', async () => {
    const { id } = await shop.order()
    const before = await rowOf(id)
    // Some databases of shops keep whole seconds.
    await new Promise(resolve => setTimeout(resolve, 1_100))
    await shop.move(id, 'Vestergade 1')
    const after = await rowOf(id)
    equal(after.order.ship_to.address1, 'Vestergade 1')
    ok(after.changed_at > before.changed_at)
  })
  await step('two parcels are two fulfilments, and the order is partly and then wholly sent', async () => {
    const { id, lines } = await shop.order()
    const first = parcel('TRACK0001', [lines[0], 1])
    const second = parcel('TRACK0002', [lines[0], 1], [lines[1], 1])
    const partly = await pushed(fulfilment(id, [first], false))
    const between = await rowOf(id)
    equal(between.status, partly.status)
    equal(between.order.status, 'ready')
    const wholly = await pushed(fulfilment(id, [first, second], true))
    const after = await rowOf(id)
    equal(after.status, wholly.status)
    equal(after.order.status, 'closed')
    const expected = [`TRACK0001 ${lines[0]}×1`, `TRACK0002 ${lines[0]}×1 ${lines[1]}×1`]
    deepEqual(
      (await shop.parcels(id)).map(words => words.split(' ').toSorted()),
      expected.map(words => words.split(' ').toSorted()),
    )
  })
  await step('a parcel that was reported is found, and is not doubled by a second report', async () => {
    const { id, lines } = await shop.order()
    const fact = fulfilment(id, [parcel('TRACK0003', [lines[0], 2], [lines[1], 1])], true)
    equal(await connector.findDone(access, fact), null)
    await pushed(fact)
    ok(await connector.findDone(access, fact))
    await pushed(fact)
    equal((await shop.parcels(id)).length, 1)
  })
  await step('more than was ordered is refused in the words of the shop', async () => {
    const { id, lines } = await shop.order()
    const outcome = await connector.push(access, fulfilment(id, [parcel('TRACK0004', [lines[0], 9])], true))
    equal(outcome.kind, 'refused')
  })
  await step('a note and a line of the history are written and found', async () => {
    const { id } = await shop.order()
    const head = { key: 'history-1', external_id: id, order_no: id, refs: [] }
    const note = { ...head, kind: 'note', text: 'Came too late' } as const
    const history = {
      ...head,
      kind: 'status_history',
      status: 'delayed',
      text: 'Waits for towels',
      visible_to_customer: true,
      notify_customer: false,
    } as const
    for (const fact of [note, history]) {
      equal(await connector.findDone(access, fact), null)
      await pushed(fact)
      ok(await connector.findDone(access, fact))
    }
  })
  await step('an order that is cancelled in the shop comes in as cancelled', async () => {
    const { id } = await shop.order()
    await shop.cancel(id)
    const { order } = await rowOf(id)
    equal(order.status, 'cancelled')
    deepEqual(
      order.lines
        .filter(line => line.type === 'item')
        .map(line => line.qty)
        .toSorted(),
      ['1', '2'],
    )
  })
  await step('an order is cancelled in the shop, once', async () => {
    const { id } = await shop.order()
    const fact = { kind: 'cancellation', key: 'cancel-1', external_id: id, order_no: id, refs: [] } as const
    const { status } = await pushed(fact)
    equal((await rowOf(id)).status, status)
    ok(await connector.findDone(access, fact))
  })
  await step('an order is found by its id and by its number', async () => {
    const { id } = await shop.order()
    const { order } = await rowOf(id)
    equal((await connector.get(access, id))?.external_id, id)
    equal((await connector.get(access, order.order_no))?.external_id, id)
    equal(await connector.get(access, 'no-such-order'), null)
  })
  await step('a shop that does not answer loses nothing', async () => {
    const { id, lines } = await shop.order()
    const fact = fulfilment(id, [parcel('TRACK0005', [lines[0], 2], [lines[1], 1])], true)
    const hasty = accessTo(shop, shop.credentials, 1_000)
    await connector.test(hasty)
    shop.pause()
    const failure = await connector.push(hasty, fact).then(
      () => 'done',
      (error: unknown) => (error instanceof ShopError ? error.failure : String(error)),
    )
    shop.resume()
    ok(failure === 'unavailable' || failure === 'unknown', failure)
    if ((await connector.findDone(access, fact)) === null) await pushed(fact)
    equal((await shop.parcels(id)).length, 1)
  })
  await step('old orders are the same when they are fetched twice', async () => {
    const to = new Date(Date.now() + 60_000).toISOString()
    const [first, second] = [await pulled({ by: 'created', to }), await pulled({ by: 'created', to })]
    ok(first.length >= 10)
    deepEqual(second, first)
    deepEqual(new Set(first.map(row => row.external_id)), new Set((await pulled()).map(row => row.external_id)))
  })
  await step('a wrong key is refused, with a sentence and no second attempt', async () => {
    const error = await connector.test(accessTo(shop, shop.wrongCredentials)).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    ok(error instanceof ShopError)
    equal(error.failure, 'denied')
    ok(error.message.length > 5)
  })
  return failed
}
