/** What holds of every adapter of a shop system, against a fake of that system which keeps its own books. */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import type { CourierFault } from '../couriers/courier-server.fake.ts'
import { openFakeMagento } from './magento/magento.fake.ts'
import { openFakeMedusa } from './medusa/medusa.fake.ts'
import { openFakePrestashop } from './prestashop/prestashop.fake.ts'
import type {
  CancellationFact,
  FulfilmentFact,
  NoteFact,
  PulledRow,
  PullRequest,
  PushedParcel,
  PushFact,
  PushOutcome,
  ShopAccess,
  ShopRef,
  StatusHistoryFact,
} from './shop-connector.ts'
import { ShopError } from './shop-connector.ts'
import { accessTo, type FakeShop } from './shop-server.fake.ts'
import { openFakeShopware } from './shopware/shopware.fake.ts'
import { openFakeVendure } from './vendure/vendure.fake.ts'

const shops: { name: string; open: () => Promise<FakeShop>; goodsPerParcel: boolean }[] = [
  { name: 'Magento', open: openFakeMagento, goodsPerParcel: true },
  { name: 'PrestaShop', open: openFakePrestashop, goodsPerParcel: false },
  { name: 'Shopware', open: openFakeShopware, goodsPerParcel: false },
  { name: 'Vendure', open: openFakeVendure, goodsPerParcel: true },
  { name: 'Medusa', open: openFakeMedusa, goodsPerParcel: true },
]

const start = '2026-11-10T00:00:00.000Z'

/** All pages from an instant on, as the connections read them; a page that comes twice would never end. */
async function pullAll(shop: FakeShop, access: ShopAccess, over: Partial<PullRequest> = {}): Promise<PulledRow[]> {
  const rows: PulledRow[] = []
  let page: string | null = null
  for (let pages = 0; pages < 50; pages++) {
    const answer = await shop.connector.pull(access, { by: 'changed', from: start, to: null, ...over, page })
    rows.push(...answer.rows)
    page = answer.next
    if (page === null) return rows
  }
  throw new Error('The pages do not end')
}

const head = (id: string) => ({ key: `fact-${id}`, external_id: id, order_no: id, refs: [] as ShopRef[] })

function fulfilment(id: string, parcels: PushedParcel[], over: Partial<FulfilmentFact> = {}): FulfilmentFact {
  const parcel = parcels.at(-1)!
  return {
    ...head(id),
    key: `fact-${parcel.tracking_no}`,
    kind: 'fulfilment',
    parcel,
    parcels,
    is_last: true,
    notify_customer: true,
    ...over,
  }
}

const parcel = (tracking_no: string, ...lines: [id: string, qty: number][]): PushedParcel => ({
  tracking_no,
  tracking_url: `https://track.example/${tracking_no}`,
  courier_code: 'gls',
  courier_name: 'GLS Denmark',
  lines: lines.map(([external_id, qty]) => ({ external_id, sku: null, qty })),
})

/** Pushes as the connections do: after an attempt whose outcome is unknown the shop is asked first. */
async function pushUntilDone(shop: FakeShop, access: ShopAccess, fact: PushFact): Promise<PushOutcome> {
  for (let attempt = 0; ; attempt++) {
    const done = attempt > 0 ? await shop.connector.findDone(access, fact) : null
    if (done) return done
    try {
      return await shop.connector.push(access, fact)
    } catch (error) {
      if (!(error instanceof ShopError) || attempt > 3) throw error
    }
  }
}

const failure = async (asked: Promise<unknown>): Promise<Pick<ShopError, 'failure' | 'message' | 'retry_after_s'>> => {
  const error = await asked.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ShopError)) throw new Error(`No ShopError but ${String(error)}`)
  return error
}

describe.each(shops)('$name', ({ open, goodsPerParcel }) => {
  let shop: FakeShop
  const opened = async () => {
    shop = await open()
    return { shop, access: accessTo(shop) }
  }
  afterEach(() => shop.close())

  it('answers a test of the connection with its own words', async () => {
    const { shop, access } = await opened()
    shop.place()
    const { words, warnings } = await shop.connector.test(access)
    expect(words).not.toBe('')
    expect(warnings).toEqual([])
  })

  it('names every field that a person fills in, each once and in every language', async () => {
    const { shop } = await opened()
    const fields = [...shop.connector.credentials, ...shop.connector.settings]
    expect(new Set(fields.map(field => field.name)).size).toBe(fields.length)
    const danish: Record<string, string> = JSON.parse(readFileSync('translations/da_DK.json', 'utf8'))
    const { cancel_warning, backfill_limit } = shop.connector.capabilities
    const sentences = fields.flatMap(({ label, hint, refusal, choices = [] }) => [
      label,
      hint,
      refusal,
      ...choices.map(choice => choice.name),
    ])
    for (const sentence of [...sentences, cancel_warning, backfill_limit])
      if (sentence !== undefined && !['kg', 'lb'].includes(sentence)) expect(danish[sentence], sentence).toBeDefined()
    for (const field of fields) if (field.pattern !== undefined) expect(field.refusal).toBeDefined()
    for (const [name, value] of Object.entries({ ...shop.credentials, ...shop.settings })) {
      const field = fields.find(one => one.name === name)
      expect(field, name).toBeDefined()
      if (field?.pattern !== undefined && value !== '') expect(value).toMatch(new RegExp(field.pattern))
    }
  })

  it('hands over a paid order that can be packed', async () => {
    const { shop, access } = await opened()
    const { id, lines } = shop.place()
    const [row] = await pullAll(shop, access)
    expect(row).toMatchObject({
      kind: 'order',
      external_id: id,
      order: {
        external_id: id,
        status: 'ready',
        currency: 'DKK',
        ship_to: {
          name: 'Lene Hansen',
          address1: 'Skibhusvej 52',
          address2: '2. tv',
          postcode: '5000',
          city: 'Odense C',
          country: 'DK',
          email: 'lene@example.test',
        },
        totals: { incl_vat: '139', vat: '27.8', excl_vat: '111.2' },
      },
    })
    if (row?.kind !== 'order') throw new Error('no order')
    const items = row.order.lines.filter(line => line.type === 'item')
    expect(items.map(line => [line.external_id, line.qty, line.vat_percent])).toEqual([
      [lines[0], '2', '25'],
      [lines[1], '1', '25'],
    ])
    expect(row.order.lines.find(line => line.type === 'shipping')).toMatchObject({ vat_percent: '25', requires_shipping: false })
    expect(row.order.shipping).toMatchObject({ price_incl_vat: '39' })
  })

  it('hands over a changed order again, with a later version', async () => {
    const { shop, access } = await opened()
    const { id } = shop.place()
    const [before] = await pullAll(shop, access)
    shop.place()
    shop.move(id, 'Vestergade 1')
    const rows = await pullAll(shop, access, { from: before!.changed_at })
    const after = rows.findLast(row => row.external_id === id)
    if (before?.kind !== 'order' || after?.kind !== 'order') throw new Error('no order')
    expect(after.order.ship_to.address1).toBe('Vestergade 1')
    expect(after.changed_at > before.changed_at).toBe(true)
    expect(after.order.version! > before.order.version!).toBe(true)
  })

  it('hands over a cancelled order with its goods', async () => {
    const { shop, access } = await opened()
    const { id } = shop.place()
    shop.cancel(id)
    const [row] = await pullAll(shop, access)
    expect(row).toMatchObject({ kind: 'order', order: { status: 'cancelled', lines: [{ qty: '2' }, { qty: '1' }, {}] } })
  })

  it('finds one order by its id and by its number, and none for another', async () => {
    const { shop, access } = await opened()
    shop.place()
    const { id } = shop.place()
    const direct = await shop.connector.get(access, id)
    if (direct?.kind !== 'order') throw new Error('no order')
    expect(direct.external_id).toBe(id)
    expect(await shop.connector.get(access, direct.order.order_no)).toMatchObject({ external_id: id })
    for (const other of ['999999', 'no such order', '']) expect(await shop.connector.get(access, other)).toBeNull()
  })

  it('leaves out nothing over many pages while orders change, and asks no more than the pages need', async () => {
    const { shop, access } = await opened()
    const ids = Array.from({ length: 230 }, () => shop.place().id)
    const seen = new Set<string>()
    let page: string | null = null
    let rows = 0
    let last = ''
    let pages = 0
    do {
      const answer = await shop.connector.pull(access, { by: 'changed', from: start, to: null, page })
      for (const row of answer.rows) {
        seen.add(row.external_id)
        expect(row.changed_at >= last).toBe(true)
        last = row.changed_at
      }
      rows += answer.rows.length
      page = answer.next
      // Orders of the first page move to the end: a list with numbered pages would now skip some.
      if (pages === 0) for (const id of ids.slice(0, 20)) shop.move(id, 'Vestergade 1')
      pages++
    } while (page !== null && pages < 20)
    expect(seen.size).toBe(230)
    expect(rows).toBeLessThan(230 + 20 + 10)
    expect(shop.server.requests.length).toBeLessThan(60)
  })

  it('passes many orders of one instant', async () => {
    const { shop, access } = await opened()
    const ids = Array.from({ length: 130 }, () => shop.place().id)
    const same = Reflect.get(shop, 'orders') ?? Reflect.get(Reflect.get(shop, 'resources') ?? {}, 'orders')
    for (const order of same as Record<string, unknown>[])
      for (const field of ['updated_at', 'date_upd', 'createdAt', 'updatedAt', 'orderPlacedAt'])
        if (order[field] !== undefined && order[field] !== null) order[field] = (same as Record<string, unknown>[])[0]![field]
    const rows = await pullAll(shop, access)
    expect(new Set(rows.map(row => row.external_id))).toEqual(new Set(ids))
  })

  it('answers a period of creation without what lies outside it', async () => {
    const { shop, access } = await opened()
    const ids = Array.from({ length: 5 }, () => shop.place().id)
    shop.move(ids[1]!, 'Vestergade 1')
    const all = await pullAll(shop, access, { by: 'created', to: '2026-11-11T00:00:00.000Z' })
    expect(all.map(row => row.external_id)).toEqual(ids)
    const third = all[2]
    if (third?.kind !== 'order' || third.order.ordered_at === null) throw new Error('no order')
    const until = await pullAll(shop, access, { by: 'created', to: third.order.ordered_at })
    expect(until.map(row => row.external_id)).toEqual(ids.slice(0, 2))
  })

  it('sends two parcels as two, and the order is sent with the last', async () => {
    const { shop, access } = await opened()
    const { id, lines } = shop.place()
    const first = parcel('TRACK0001', [lines[0], 1])
    const second = parcel('TRACK0002', [lines[0], 1], [lines[1], 1])
    expect(await shop.connector.push(access, fulfilment(id, [first], { is_last: false }))).toMatchObject({ kind: 'done' })
    expect(shop.isSent(id)).toBe(false)
    const partly = await shop.connector.get(access, id)
    expect(partly).toMatchObject({ kind: 'order', order: { status: 'ready' } })
    const outcome = await shop.connector.push(access, fulfilment(id, [first, second]))
    expect(shop.isSent(id)).toBe(true)
    expect(shop.parcels(id)).toEqual(
      goodsPerParcel ? [`TRACK0001 ${lines[0]}×1`, `TRACK0002 ${lines[0]}×1 ${lines[1]}×1`] : ['TRACK0001', 'TRACK0002'],
    )
    // What comes back is recognised: the status that the push announced.
    const back = await shop.connector.get(access, id)
    expect(outcome).toMatchObject({ kind: 'done', status: back?.status })
    expect(back).toMatchObject({ kind: 'order', order: { status: 'closed' } })
  })

  it.each<CourierFault>(['mute', 'lost', 'garbage', 'html_200', '500'])(
    'does not send a parcel twice after an outcome that is unknown (%s)',
    async fault => {
      const { shop, access } = await opened()
      const { id, lines } = shop.place()
      shop.faultsOf = 'writes'
      // Each step of the push loses its answer once.
      shop.server.faults.push(fault, fault)
      const fact = fulfilment(id, [parcel('TRACK0001', [lines[0], 2], [lines[1], 1])])
      expect(await pushUntilDone(shop, access, fact)).toMatchObject({ kind: 'done' })
      expect(await shop.connector.findDone(access, fact)).toMatchObject({ kind: 'done' })
      expect(shop.parcels(id)).toHaveLength(1)
      expect(shop.isSent(id)).toBe(true)
    },
  )

  it('says of a write without an answer that its outcome is unknown', async () => {
    const { shop, access } = await opened()
    const { id, lines } = shop.place()
    shop.faultsOf = 'writes'
    shop.server.faults.push('mute')
    const fact = fulfilment(id, [parcel('TRACK0001', [lines[0], 2], [lines[1], 1])])
    expect(await failure(shop.connector.push(access, fact))).toMatchObject({ failure: 'unknown' })
  })

  it('does not know of a parcel that was not sent', async () => {
    const { shop, access } = await opened()
    const { id, lines } = shop.place()
    expect(await shop.connector.findDone(access, fulfilment(id, [parcel('TRACK0009', [lines[0], 2])]))).toBeNull()
    expect(await shop.connector.findDone(access, { ...head(id), kind: 'cancellation' })).toBeNull()
  })

  it('cancels an order once, where it can', async () => {
    const { shop, access } = await opened()
    const { id } = shop.place()
    const fact: CancellationFact = { ...head(id), kind: 'cancellation' }
    if (!shop.connector.capabilities.facts.includes('cancellation')) return
    const outcome = await shop.connector.push(access, fact)
    const back = await shop.connector.get(access, id)
    expect(back).toMatchObject({ kind: 'order', order: { status: 'cancelled' } })
    expect(outcome).toMatchObject({ kind: 'done', status: back?.status })
    expect(await shop.connector.findDone(access, fact)).toMatchObject({ kind: 'done' })
  })

  it('writes a line of the history once, where it can', async () => {
    const { shop, access } = await opened()
    const { id } = shop.place()
    const history: StatusHistoryFact = {
      ...head(id),
      kind: 'status_history',
      status: 'delayed',
      text: 'Waits for the tea towels',
      visible_to_customer: true,
      notify_customer: false,
    }
    const note: NoteFact = { ...head(id), kind: 'note', text: 'The cancellation came too late' }
    expect(await shop.connector.push(access, history)).toMatchObject({ kind: 'done' })
    const takesNotes = shop.connector.capabilities.facts.includes('note')
    expect(await shop.connector.push(access, note)).toMatchObject({ kind: takesNotes ? 'done' : 'refused' })
    expect(shop.notes(id).toSorted()).toEqual(takesNotes ? ['The cancellation came too late', 'Waits for the tea towels'] : [])
    expect((await shop.connector.findDone(access, note)) !== null).toBe(takesNotes)
    expect((await shop.connector.findDone(access, history)) !== null).toBe(takesNotes)
  })

  it('changes the number of a parcel, where it can, and only that', async () => {
    const { shop, access } = await opened()
    const { id, lines } = shop.place()
    const first = parcel('TRACK0001', [lines[0], 2], [lines[1], 1])
    const sent = fulfilment(id, [first], { is_last: false })
    const outcome = await shop.connector.push(access, sent)
    const refs = outcome.kind === 'done' ? (outcome.refs ?? []).map(ref => ({ ...ref, key: sent.key })) : []
    const fact: PushFact = {
      ...head(id),
      kind: 'tracking',
      refs,
      fulfilment_key: sent.key,
      old_tracking_no: 'TRACK0001',
      parcel: { ...first, tracking_no: 'TRACK0002' },
      parcels: [],
      notify_customer: false,
    }
    const can = shop.connector.capabilities.facts.includes('tracking')
    expect(await shop.connector.push(access, fact)).toMatchObject({ kind: can ? 'done' : 'refused' })
    expect((await shop.connector.findDone(access, fact)) !== null).toBe(can)
    expect(shop.parcels(id).some(words => words.startsWith('TRACK0002'))).toBe(can)
  })

  it('refuses what is sent for an order that it does not know', async () => {
    const { shop, access } = await opened()
    const { id, lines } = shop.place()
    const other = `${id.slice(0, -1)}f`.replace(/^\d+f$/, '99')
    for (const fact of [fulfilment(other, [parcel('TRACK0001', [lines[0], 1])]), { ...head(other), kind: 'cancellation' as const }])
      expect(await shop.connector.push(access, fact)).toMatchObject({
        kind: 'refused',
        words: 'The shop does not know this order any more',
      })
  })

  it('says with the words of the shop that a key is wrong, and asks no second time', async () => {
    const { shop } = await opened()
    const secret = shop.connector.credentials.find(field => field.secret)!.name
    const access = accessTo(shop, { credentials: { ...shop.credentials, [secret]: `${shop.credentials[secret]}x` } })
    const error = await failure(shop.connector.test(access))
    expect(error.failure).toBe('denied')
    expect(error.message).toMatch(/invalid|authori[sz]ed|authentication|credentials/i)
    expect(error.message).not.toContain(shop.credentials[secret])
    expect(shop.server.requests.length).toBeLessThanOrEqual(2)
  })

  it('is asked again later when it takes no requests, and then answers', async () => {
    const { shop, access } = await opened()
    shop.place()
    shop.server.faults.push('429')
    expect(await failure(pullAll(shop, access))).toMatchObject({ failure: 'unavailable', retry_after_s: 60 })
    expect(await pullAll(shop, access)).toHaveLength(1)
  })

  it('is not understood while a page of HTML answers for it', async () => {
    const { shop, access } = await opened()
    shop.place()
    shop.server.faults.push('html_200')
    expect(await failure(pullAll(shop, access))).toMatchObject({ failure: 'unreadable' })
    shop.server.faults.push('html_503')
    expect(await failure(pullAll(shop, access))).toMatchObject({ failure: 'unavailable', message: expect.stringContaining('Maintenance') })
  })

  it('is asked a question again that got no answer', async () => {
    const { shop, access } = await opened()
    shop.place()
    shop.server.faults.push('lost')
    expect(await pullAll(shop, access)).toHaveLength(1)
  })

  it('hands over the others when one order cannot be understood', async () => {
    const { shop, access } = await opened()
    const [first, second, third] = [shop.place().id, shop.place().id, shop.place().id]
    shop.spoil(second)
    const rows = await pullAll(shop, access)
    expect(rows.map(row => [row.external_id, row.kind]).toSorted()).toEqual(
      [
        [first, 'order'],
        [third, 'order'],
        [second, 'refused'],
      ].toSorted(),
    )
    expect(rows.find(row => row.kind === 'refused')).toMatchObject({ problems: [{ field: 'currency' }] })
  })

  it('never throws for rows of any content', async () => {
    const { shop, access } = await opened()
    const { id } = shop.place()
    const row = await shop.connector.get(access, id)
    expect(row?.kind).toBe('order')
    const orders = (Reflect.get(shop, 'orders') ?? Reflect.get(Reflect.get(shop, 'resources'), 'orders')) as Record<string, unknown>[]
    const order = { ...orders[0]! }
    const fixed = new Set([
      'id',
      'entity_id',
      'updated_at',
      'updatedAt',
      'createdAt',
      'created_at',
      'date_upd',
      'date_add',
      'state',
      'orderPlacedAt',
    ])
    const fields = Object.keys(order).filter(name => !fixed.has(name))
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.constantFrom(...fields), fc.jsonValue()), async over => {
        orders[0] = { ...order, ...over }
        const rows = await pullAll(shop, access)
        expect(rows).toHaveLength(1)
        expect(['order', 'refused', 'ignored']).toContain(rows[0]!.kind)
      }),
      { numRuns: 40 },
    )
  })
})
