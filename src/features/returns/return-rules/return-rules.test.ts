/** Rules of returns over HTTP: tried before they are switched on, and what they change in the portal and at the desk. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { elementAt } from '#domain/objects.ts'
import { jobs } from '#features/company/jobs/jobs.contract.ts'
import { portal } from '#features/returns/portal/portal.contract.ts'
import { eraseReturns } from '#features/returns/returns/erase-returns.commands.ts'
import type { ReturnRule } from '#features/returns/returns/return-policy.schemas.ts'
import { returns } from '#features/returns/returns/returns.contract.ts'
import { rmaLanguages } from '#features/returns/rma-languages/rma-languages.contract.ts'
import { type OrderPlan, placeOrder } from '#test/orders.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { returnRules } from './return-rules.contract.ts'

let testApp: TestApp
let operator: TestOperator
let clerk: TestUser
let visitor: TestUser
let address = 1
const noon = new Date('2026-11-17T11:00:00Z')

beforeAll(async () => {
  testApp = await openTestApp({ TRUSTED_PROXIES: '127.0.0.1' })
  operator = await testApp.operator({ shops: 1 })
  clerk = await operator.hire(['rma_admin'])
  await testApp.startWorkers()
  visitor = testApp.visitor(operator.main)
  const texts = { greeting: '', return_address: 'Returvej 1', confirmation: 'Tak', legal: '', support: '' }
  await clerk.send(rmaLanguages.setTexts, { language: 'da_DK', body: { texts, version: 0 } })
  await clerk.send(rmaLanguages.enable, { language: 'da_DK' })
  await clerk.send(portal.setOffer, { body: { outcomes: ['refund', 'exchange'], methods: ['own_label', 'bring'], version: 0 } })
  const settings = await clerk.send(returns.settings, {})
  await clerk.send(returns.setSettings, { body: { ...settings, fee: 2_000 } })
})
afterAll(() => testApp.close())
beforeEach(() => testApp.setNow(noon))

const daysAgo = (days: number) => new Date(noon.getTime() - days * 86_400_000).toISOString()
const from = (link = '') => ({ headers: { 'x-forwarded-for': `198.51.100.${address++}`, 'x-return-link': link } })

/** Two T-shirts of 100.00 and a cap of 125.00, delivered some days ago. */
async function deliver(days: number, plan: OrderPlan = {}) {
  const scope = scopeOfCompany(operator, operator.main)
  const { id, order_no, lines } = await placeOrder(testApp.services.database, scope, { work_state: 'handed_over', ...plan })
  await testApp.services.database.transaction(scope, async db => {
    await db
      .updateTable('order_lines')
      .set(eb => ({ packed_qty: eb.ref('qty'), shipped_qty: eb.ref('qty') }))
      .where('order_id', '=', id)
      .execute()
    await db
      .insertInto('shipments')
      .values({
        ...{ order_id: id, agent_code: 'own', shipping_method: 'van', state: 'delivered', idempotency_key: `k${id}`, reference: `r${id}` },
        ...{ request: '{}', booked_at: daysAgo(days), handed_over_at: daysAgo(days), delivered_at: daysAgo(days) },
      })
      .execute()
  })
  return { id, order_no, shirts: elementAt(lines, 0), cap: elementAt(lines, 1) }
}

const rule = (name: string, conditions: object[], effects: Partial<ReturnRule['effects']>): ReturnRule => ({
  ...{ id: randomUUID(), name, active: true },
  conditions: { v: 1, all: conditions },
  effects: {
    ...{
      window_days: null,
      refuse: null,
      review: null,
      fee: null,
      outcomes: null,
      methods: null,
      photo: false,
      keep: false,
      destination: null,
      question: null,
    },
    ...effects,
  },
})
const cap = { lines: 'some', match: { field: 'line.sku', op: 'eq', value: 'CAP-01' } }
const because = (value: string) => ({ field: 'return.reason', op: 'eq', value })

async function save(rules: ReturnRule[], by = clerk) {
  const { version } = await by.send(returnRules.get, {})
  return by.send(returnRules.save, { body: { rules, version } })
}
async function dryRun(version: number) {
  const { job_id } = await clerk.send(returnRules.dryRun, { body: { version } })
  await expect.poll(async () => (await clerk.send(jobs.get, { id: job_id })).state, { timeout: 20_000 }).toBe('done')
  const { dry_run } = await clerk.send(returnRules.get, {})
  return dry_run
}
async function switchOn(...rules: ReturnRule[]) {
  const { version } = await save(rules)
  await dryRun(version)
  return clerk.send(returnRules.enable, { body: { version } })
}
const find = async (order_no: string) => (await visitor.send(portal.find, { body: { order_no, key: '5000' } }, from())).link
const item = (line_id: number, more: object = {}) => ({
  ...{ line_id, qty: 1, reason: 'changed_mind', outcome: 'refund' as const, note: '', photo_ids: [], answer: '' },
  ...more,
})
const quote = (link: string, ...items: ReturnType<typeof item>[]) =>
  visitor.send(portal.quote, { body: { items, method: 'own_label', lang: 'da_DK' } }, from(link))
const submit = (link: string, fee_seen: number, ...items: ReturnType<typeof item>[]) =>
  visitor.send(portal.submit, { body: { items, method: 'own_label', client_id: randomUUID(), fee_seen, lang: 'da_DK' } }, from(link))

describe('rules', () => {
  it('decide nothing until they were tried on the last 90 days and switched on', async () => {
    const { order_no, cap: line } = await deliver(3)
    const link = await find(order_no)
    const free = rule('Caps are free', [cap], { fee: { amount: 0 } })
    const { version, in_force } = await save([free])
    expect(in_force).toBe(false)
    expect((await quote(link, item(line))).fee).toBe(2_000)
    await expect(clerk.send(returnRules.enable, { body: { version } })).rejects.toMatchObject({ status: 409, code: 'rules_not_tried' })
    await dryRun(version)
    testApp.setNow(new Date(noon.getTime() + 25 * 3_600_000))
    await expect(clerk.send(returnRules.enable, { body: { version } })).rejects.toMatchObject({ code: 'rules_not_tried' })
    testApp.setNow(noon)
    expect(await clerk.send(returnRules.enable, { body: { version } })).toMatchObject({ in_force: true, active: { count: 1 } })
    expect((await quote(link, item(line))).fee).toBe(0)
    const changed = await save([{ ...free, effects: { ...free.effects, fee: { amount: 5_000 } } }])
    expect(changed).toMatchObject({ in_force: false, dry_run: null })
    expect((await quote(link, item(line))).fee).toBe(0)
    const back = await clerk.send(returnRules.reset, { body: { version: changed.version } })
    expect(back).toMatchObject({ in_force: true, rules: [{ effects: { fee: { amount: 0 } } }] })
  })

  it('show before what they would have done to past returns, one by one', async () => {
    await switchOn()
    const one = await deliver(3)
    const link = await find(one.order_no)
    const made = await submit(link, 2_000, item(one.cap), item(one.shirts))
    const other = await deliver(3)
    await submit(await find(other.order_no), 2_000, item(other.shirts))
    await visitor.send(
      portal.withdraw,
      { body: { name: 'Lene', order_no: other.order_no, email: 'lene@example.test', lines: [], confirm: true, client_id: randomUUID() } },
      from(),
    )
    const free = rule('Caps cost more', [cap], { fee: { amount: 9_900 }, review: 'always' })
    const { version } = await save([free, rule('Never', [because('late')], { photo: true })])
    const found = await dryRun(version)
    expect(found).toMatchObject({ days: 90, refused: 0 })
    const [caps, never] = found?.rules ?? []
    expect(never).toMatchObject({ met: 0, sample: [] })
    expect(caps?.sample[0]).toMatchObject({ rma_no: made.rma_no, fee: 9_900, fee_before: 2_000, review: true, refused: false })
    expect([found?.met, (found?.checked ?? 0) >= 2]).toEqual([caps?.met, true])
  })

  it('show what they would change if every customer changed their mind, with amounts', async () => {
    await switchOn()
    const young = await deliver(3)
    const [late, old] = [await deliver(20), await deliver(60)]
    const none = (await dryRun((await clerk.send(returnRules.get, {})).version))?.changed_mind
    expect(none).toMatchObject({ differ: 0, refused: 0, taken: 0, review: 0, sample: [] })
    expect(none?.amounts[0]).toMatchObject({ currency: 'DKK', fee: none?.amounts[0]?.fee_before, back: none?.amounts[0]?.back_before })
    const { version } = await save([
      rule('No caps', [cap], { refuse: { words: { en_GB: 'No caps.' }, exemption: null } }),
      rule('Shirts have long', [{ lines: 'some', match: { field: 'line.sku', op: 'eq', value: 'TS001-WH' } }], { window_days: 90 }),
      rule('Free for a changed mind', [because('changed_mind')], { fee: { amount: 0 } }),
    ])
    const found = (await dryRun(version))?.changed_mind
    const of = ({ id }: { id: number }) => found?.sample.find(one => one.order_id === id)
    // The right of withdrawal stands above a refusal in its period.
    expect(of(young)).toMatchObject({ refused: false, taken: false, fee_before: 2_000, fee: 0 })
    expect(of(late)).toMatchObject({ refused: true, taken: false, fee: 0 })
    expect(of(old)).toMatchObject({ refused: false, taken: true, fee: 0 })
    expect(of(old)?.rules.toSorted()).toEqual(['Free for a changed mind', 'No caps', 'Shirts have long'])
    expect(found).toMatchObject({ orders: none?.orders, amounts: [{ fee: 0, fee_before: none?.amounts[0]?.fee_before }] })
    expect(found?.refused).toBeGreaterThan(0)
  })

  it('belong to one company, are changed by its managers, and not over another’s change', async () => {
    const { version } = await save([])
    const sister = await operator.hire(['rma_admin'], operator.shops[0])
    expect(await sister.send(returnRules.get, {})).toMatchObject({ version: 0, rules: [], active: null })
    await expect(save([], await operator.hire(['pick']))).rejects.toMatchObject({ status: 403 })
    await save([rule('Mine', [], { photo: true })])
    await expect(clerk.send(returnRules.save, { body: { rules: [], version } })).rejects.toMatchObject({ code: 'settings_changed' })
  })

  it('with mistakes are refused with their path', async () => {
    await expect(save([rule('Wrong', [{ field: 'return.reason', op: 'contains', value: 'x' }], { photo: true })])).rejects.toMatchObject({
      status: 422,
      fields: { 'rules.0.conditions.all[0].op': '{{field}} cannot be compared this way' },
    })
    await expect(save([rule('Nothing', [], {})])).rejects.toMatchObject({ status: 400 })
    await expect(save([rule('No words', [], { refuse: { words: { da_DK: '' }, exemption: null } })])).rejects.toMatchObject({ status: 400 })
  })
})

describe('in the portal', () => {
  it('a refused item says why, in the words of the shop, once the right of withdrawal has passed', async () => {
    await switchOn(rule('No caps', [cap], { refuse: { words: { da_DK: 'Kasketter tages ikke retur.' }, exemption: null } }))
    const late = await deliver(20)
    const link = await find(late.order_no)
    expect((await quote(link, item(late.cap))).items).toMatchObject([{ refused: { values: { reason: 'Kasketter tages ikke retur.' } } }])
    await expect(submit(link, 2_000, item(late.cap))).rejects.toMatchObject({
      status: 409,
      code: 'return_refused',
      key: 'This return cannot be accepted: {{reason}}',
    })
    const early = await deliver(3)
    expect(await submit(await find(early.order_no), 2_000, item(early.cap))).toMatchObject({ status: 'approved' })
  })

  it('goods that the law excludes are refused, and their withdrawal is taken for a person to answer', async () => {
    await switchOn(rule('Opened caps', [cap], { refuse: { words: { da_DK: 'Brudt forsegling.' }, exemption: 'hygiene' } }))
    const order = await deliver(3)
    const link = await find(order.order_no)
    await expect(submit(link, 2_000, item(order.cap))).rejects.toMatchObject({ code: 'return_refused' })
    const withdraw = (lines: { line_id: number; qty: number }[]) =>
      visitor.send(
        portal.withdraw,
        { body: { name: 'Lene', order_no: order.order_no, email: 'lene@example.test', lines, confirm: true, client_id: randomUUID() } },
        from(link),
      )
    await withdraw([{ line_id: order.cap, qty: 1 }])
    await withdraw([{ line_id: order.shirts, qty: 1 }])
    const { returns: made } = await clerk.send(returns.ofOrder, { order_id: order.id })
    expect(made.map(({ status, withdrawal }) => [status, withdrawal]).toSorted()).toEqual([
      ['approved', true],
      ['requested', true],
    ])
    const waiting = made.find(({ status }) => status === 'requested')
    const full = await clerk.send(returns.get, { id: waiting?.id ?? 0 })
    expect(full).toMatchObject({ exempt: true, fee: 0, applied_rules: ['Opened caps'] })
    expect(full.supported_actions).toEqual(expect.arrayContaining(['approve', 'reject']))
    expect(await clerk.send(returns.reject, { id: full.id, body: { reason: 'The seal was broken', version: full.version } })).toMatchObject(
      {
        status: 'rejected',
      },
    )
  })

  it('a longer window counts by its reason, a shorter one never below the right of withdrawal', async () => {
    await switchOn(rule('Defects for two years', [because('defective')], { window_days: 730 }), rule('One week', [cap], { window_days: 7 }))
    const old = await deliver(300)
    const link = await find(old.order_no)
    expect((await quote(link, item(old.cap))).items[0]?.refused).toMatchObject({ text: 'The time to return this item ended on {{day}}.' })
    await expect(submit(link, 2_000, item(old.cap))).rejects.toMatchObject({ code: 'return_item_over' })
    expect(await submit(link, 0, item(old.cap, { reason: 'defective', note: 'Torn' }))).toMatchObject({ status: 'approved' })
    const week = await deliver(10)
    expect((await quote(await find(week.order_no), item(week.cap))).items[0]?.refused).toBeNull()
  })

  it('outcomes, ways to send, the photo and the look of a person follow the rules', async () => {
    await switchOn(rule('Caps', [cap], { outcomes: ['exchange'], methods: ['bring'], photo: true, review: 'always' }))
    const { order_no, cap: line, shirts } = await deliver(3)
    const link = await find(order_no)
    expect(await quote(link, item(shirts), item(line))).toMatchObject({
      items: [{ outcomes: ['refund', 'exchange'] }, { outcomes: ['exchange'] }],
      methods: ['bring'],
      needs: [{ line_id: line, what: 'photo' }],
      review: true,
    })
    await expect(submit(link, 2_000, item(line))).rejects.toMatchObject({ code: 'return_portal_closed' })
  })
})

describe('an item that a rule leaves with its customer', () => {
  const keep = (...more: object[]) => rule('Caps stay', [cap, ...more], { keep: true })
  const full = async (order_id: number) => {
    const [row] = (await clerk.send(returns.ofOrder, { order_id })).returns
    return clerk.send(returns.get, { id: row?.id ?? 0 })
  }

  it('is paid back without a parcel, a label and a fee, and cannot be returned again', async () => {
    await switchOn(keep())
    const order = await deliver(3)
    const link = await find(order.order_no)
    expect(await quote(link, item(order.cap))).toMatchObject({ items: [{ keeps: true }], fee: 0, total: 12_500 })
    expect(await quote(link, item(order.cap, { outcome: 'exchange' }))).toMatchObject({ items: [{ keeps: false }], fee: 0, goods: 0 })
    const made = await submit(link, 0, item(order.cap))
    const shown = await visitor.send(portal.progress, {}, from(made.link))
    expect(shown).toMatchObject({ status: 'decided', method: 'none', expires_at: null, items: [{ is_kept: true }] })
    await expect(visitor.send(portal.label, { body: {} }, from(made.link))).rejects.toMatchObject({ code: 'return_label_not_offered' })
    await expect(visitor.send(portal.cancel, {}, from(made.link))).rejects.toMatchObject({ code: 'return_not_cancellable' })
    await expect(quote(link, item(order.cap))).rejects.toMatchObject({ code: 'not_returnable' })
    const one = await full(order.id)
    const [piece] = one.items
    expect(piece).toMatchObject({ custody: 'kept', money: 'pending' })
    await clerk.send(returns.propose, { id: one.id, body: { item_ids: [piece?.id ?? 0] } })
    await clerk.send(returns.confirm, { id: one.id, no: 1, body: { reference: 'PAY-1' } })
    expect(await full(order.id)).toMatchObject({ status: 'resolved', items: [{ custody: 'kept', money: 'confirmed' }] })
  })

  it('leaves the others of its return to be sent, with their fee', async () => {
    await switchOn(keep())
    const order = await deliver(3)
    const link = await find(order.order_no)
    expect(await quote(link, item(order.shirts), item(order.cap))).toMatchObject({ items: [{ keeps: false }, { keeps: true }], fee: 2_000 })
    const made = await submit(link, 2_000, item(order.shirts), item(order.cap))
    expect(made.status).toBe('approved')
    const one = await full(order.id)
    expect(one.method).toBe('own_label')
    expect(one.items.map(({ custody }) => custody).toSorted()).toEqual(['advised', 'kept'])
    // What is sent may still be cancelled; what was left stays owed.
    await visitor.send(portal.cancel, {}, from(made.link))
    expect((await full(order.id)).items.map(({ custody, money }) => `${custody} ${money}`).toSorted()).toEqual([
      'cancelled none',
      'kept pending',
    ])
  })

  it('stays only once a person has approved, where the rules ask for that, and never in a withdrawal', async () => {
    await switchOn(keep(), rule('Look first', [], { review: 'always' }))
    const order = await deliver(3)
    expect((await submit(await find(order.order_no), 0, item(order.cap))).status).toBe('requested')
    const one = await full(order.id)
    expect(one.items).toMatchObject([{ custody: 'advised', money: 'none' }])
    await clerk.send(returns.approve, { id: one.id, body: {} })
    expect((await full(order.id)).items).toMatchObject([{ custody: 'kept', money: 'pending' }])
    const other = await deliver(3)
    const body = {
      ...{ client_id: randomUUID(), order_id: other.id, method: 'own_label' as const, withdrawal: true },
      items: [{ order_line_id: other.cap, qty: 1, reason: 'withdrawal' }],
    }
    expect(await clerk.send(returns.create, { body })).toMatchObject({ status: 'approved', items: [{ custody: 'advised' }] })
  })

  it('is counted before the rule is switched on', async () => {
    const { version } = await save([keep()])
    const found = await dryRun(version)
    expect(found?.rules[0]?.sample.some(one => one.keep)).toBe(true)
  })
})

describe('at the desk', () => {
  it('a refused return is taken only despite the rules, and says which rules decided its fee', async () => {
    await switchOn(
      rule('No caps', [cap], { refuse: { words: { en_GB: 'No caps.' }, exemption: null } }),
      rule('Five per cent', [], { fee: { percent: 5 } }),
    )
    const order = await deliver(20)
    const body = {
      ...{ client_id: randomUUID(), order_id: order.id, method: 'none' as const },
      items: [{ order_line_id: order.cap, qty: 1, reason: 'changed_mind' }],
    }
    expect(await clerk.send(returns.terms, { order_id: order.id, body: { items: body.items } })).toMatchObject({
      items: [{ refused: 'No caps.' }],
      fee: 625,
      applied: ['No caps', 'Five per cent'],
    })
    await expect(clerk.send(returns.create, { body })).rejects.toMatchObject({ code: 'return_refused' })
    expect(await clerk.send(returns.create, { body: { ...body, despite_rules: true } })).toMatchObject({
      fee: 625,
      applied_rules: ['No caps', 'Five per cent'],
    })
  })
})

describe('destinations and questions', () => {
  it('send an item to its bin and its customer to another address', async () => {
    await switchOn(rule('Caps to the outlet', [cap], { destination: { bin: 'OUTLET-1', address: 'Outletvej 7' } }))
    const { order_no, cap: line, shirts } = await deliver(3)
    const link = await find(order_no)
    // The others go to the company: they are sent apart.
    expect((await quote(link, item(line), item(shirts))).methods).toEqual([])
    const { fee } = await quote(link, item(line))
    const { link: page, rma_no } = await submit(link, fee, item(line))
    const [row] = (await clerk.send(returns.search, { query: rma_no, view: 'all' })).rows
    const { items } = await clerk.send(returns.get, { id: row?.id ?? 0 })
    const capItem = items.find(one => one.order_line_id === line)
    expect(items.map(one => one.destination)).toEqual(['OUTLET-1'])
    expect((await visitor.send(portal.progress, {}, { headers: { ...from().headers, 'x-return-link': page } })).return_address).toBe(
      'Outletvej 7',
    )
    await clerk.send(returns.inspect, { id: row?.id ?? 0, item_id: capItem?.id ?? 0, body: { condition: 'A' } })
    await clerk.send(returns.decide, { id: row?.id ?? 0, body: { items: [{ item_id: capItem?.id ?? 0, decision: 'restock' }] } })
    expect((await clerk.send(returns.get, { id: row?.id ?? 0 })).items.find(one => one.order_line_id === line)?.bin).toBe('OUTLET-1')
  })

  it('ask the customer, whose answer stands with the item until the person is erased', async () => {
    const words = { en_GB: 'Which size did you expect?', da_DK: 'Hvilken størrelse ventede du?' }
    const asks = rule('Ask for the size', [cap], { question: { words, required: true } })
    const { version } = await save([asks])
    expect(await dryRun(version)).toMatchObject({ met: expect.any(Number) })
    await clerk.send(returnRules.enable, { body: { version } })
    // A preview has no order of its own, so it shows the question of the first rule that asks one.
    expect((await visitor.send(portal.page, { preview: 'true', lang: 'da_DK' }, from())).question).toEqual({
      text: words.da_DK,
      required: true,
    })
    expect((await visitor.send(portal.page, { lang: 'da_DK' }, from())).question).toBeNull()
    const { id, order_no, cap: line, shirts } = await deliver(3)
    const link = await find(order_no)
    const quoted = await quote(link, item(line), item(shirts))
    expect(quoted.items.map(one => one.question)).toEqual([{ text: words.da_DK, required: true }, null])
    expect(quoted.needs).toEqual([{ line_id: line, what: 'answer' }])
    await expect(submit(link, quoted.fee, item(line))).rejects.toMatchObject({ status: 422, code: 'return_answer_needed' })
    await submit(link, quoted.fee, item(line, { answer: 'Medium' }), item(shirts, { answer: 'not asked' }))
    const [row] = (await clerk.send(returns.ofOrder, { order_id: id })).returns
    const answers = async () =>
      (await clerk.send(returns.get, { id: row?.id ?? 0 })).items.map(({ question, answer }): [string | null, string | null] => [
        question,
        answer,
      ])
    expect(new Map(await answers())).toEqual(
      new Map([
        [words.da_DK, 'Medium'],
        [null, null],
      ]),
    )
    const subjects = { order_ids: [id], customer_ids: [], words: [] }
    await testApp.services.database.transaction(scopeOfCompany(operator), db => eraseReturns.erase(db, subjects, noon))
    expect(new Map(await answers()).get(words.da_DK)).toBeNull()
    await expect(save([rule('Empty', [cap], { question: { words: {}, required: true } })])).rejects.toMatchObject({ status: 400 })
    await expect(save([rule('Empty', [cap], { destination: { bin: '', address: '' } })])).rejects.toMatchObject({ status: 400 })
  })
})
