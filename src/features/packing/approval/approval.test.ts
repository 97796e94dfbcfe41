/** Approval rules: what they ask at the station, how leads answer, and what the log says. */
import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { credentials } from '#features/company/users/credentials.contract.ts'
import { orderAlerts } from '#features/orders/order-alerts/order-alerts.contract.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { leadQuestions } from '#features/packing/packing/lead-questions.contract.ts'
import { packing } from '#features/packing/packing/packing.contract.ts'
import { packingPhotos } from '#features/packing/packing-photos/packing-photos.contract.ts'
import { placeOrder } from '#test/orders.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { approvalRules, approvals } from './approval.contract.ts'
import type { ApprovalRuleFields } from './approval.schemas.ts'

let testApp: TestApp
let operator: TestOperator
let kim: TestUser
let jonas: TestUser
let boss: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
})
afterAll(() => testApp.close())
beforeEach(async () => {
  operator = await testApp.operator({ shops: 1, settings: { sender } })
  kim = await operator.hire(['scan'], operator.main, 'Kim')
  jonas = await operator.hire(['scan_admin'], operator.main, 'Jonas')
  boss = await operator.hire(['admin'], operator.main, 'Astrid')
  await boss.send(credentials.setPin, { id: jonas.user_id, body: { pin: '4711' } })
})

const cup = { sku: 'CUP', barcode: '2000000000015', name: 'Cup', qty: 2, weight_g: 200, unit_price_excl_vat: '80.00', vat_percent: '25' }
const lamp = { sku: 'LAMP', barcode: '2000000000022', name: 'Lamp', qty: 1, weight_g: 200, unit_price_excl_vat: '80.00', vat_percent: '25' }
const isLamp = { lines: 'some', match: { field: 'line.sku', op: 'eq', value: 'LAMP' } }

const setRule = (more: Partial<ApprovalRuleFields> = {}, ...all: object[]) =>
  boss.send(approvalRules.set, {
    body: {
      name: 'Lamps',
      conditions: { v: 1, all: all.length > 0 ? all : [isLamp] },
      subject: 'line',
      methods: ['pin', 'badge', 'remote'],
      approver_codes: ['scan_admin'],
      ...more,
    },
  })

async function open(packer = kim) {
  const { id, lines } = await placeOrder(testApp.services.database, scopeOfCompany(operator), {
    agent_code: 'own',
    shipping_method: 'van',
    lines: [cup, lamp],
  })
  const order = await packer.send(packing.start, { id, body: { station: `Bench ${id % 1000}` } })
  const [, lamp_line = 0] = lines
  return {
    id,
    lamp_line,
    order,
    scan: (code: string) => packer.send(packing.scan, { id, body: { scan_id: randomUUID(), code } }),
    ask: (rule_id: number, line_id: number | null, how: object) =>
      packer.send(packing.ask, { body: { order_id: id, rule_id, line_id, method: 'remote', ...how } as never }),
    state: async () => (await packer.send(packing.get, { id })).approvals.map(one => one.state),
  }
}
const byPin = () => ({ method: 'pin', user_id: jonas.user_id, pin: '4711' })

describe('a rule', () => {
  it('is added, changed by its version, listed in its place and removed', async () => {
    const rule = await setRule()
    expect(rule).toMatchObject({ name: 'Lamps', position: 1, version: 1, broken: false, last_30_days: 0 })
    const { id, name: _, version, broken: _broken, last_30_days: _count, ...fields } = rule
    expect(await boss.send(approvalRules.set, { body: { ...fields, id, version, name: 'All lamps' } })).toMatchObject({ version: 2 })
    await expect(boss.send(approvalRules.set, { body: { ...fields, id, version, name: 'Old' } })).rejects.toMatchObject({ status: 409 })
    expect(await setRule()).toMatchObject({ position: 2 })
    expect((await kim.send(approvalRules.list, {})).rows.map(one => one.name)).toEqual(['All lamps', 'Lamps'])
    await boss.send(approvalRules.remove, { id })
    await expect(boss.send(approvalRules.remove, { id })).rejects.toMatchObject({ status: 404 })
    await expect(boss.send(approvalRules.get, { id })).rejects.toMatchObject({ status: 404 })
  })

  it('is refused with the path of each mistake, and without a method or an approver', async () => {
    await expect(setRule({}, { field: 'order.weight', op: 'contains', value: 1 })).rejects.toMatchObject({
      status: 422,
      code: 'rule_invalid',
    })
    await expect(setRule({ methods: [] })).rejects.toMatchObject({ status: 400 })
    await expect(setRule({ approver_codes: [] })).rejects.toMatchObject({ status: 400 })
  })

  it('is written by admins of settings, and belongs to its company', async () => {
    await setRule()
    for (const permission of ['scan_admin', 'parcels_admin', 'settings'] as const)
      expect((await (await operator.hire([permission])).ask(approvalRules.remove, { id: 1 })).statusCode).toBe(403)
    const shop = await operator.hire(['settings_admin'], operator.shops[0])
    expect((await shop.send(approvalRules.list, {})).rows).toEqual([])
  })

  it('asks before a piece of its line is counted, and for no other line', async () => {
    const rule = await setRule()
    const { scan, ask, lamp_line, state, order } = await open()
    expect(order.approvals).toMatchObject([{ rule_id: rule.id, line_id: lamp_line, state: 'needed' }])
    expect(await scan(cup.barcode)).toMatchObject({ result: 'ok', packed: 1 })
    expect(await scan(lamp.barcode)).toMatchObject({
      result: 'approval_needed',
      counted: 0,
      packed: 1,
      approval: { rule_id: rule.id, line_id: lamp_line },
    })
    expect(await state()).toEqual(['asked'])
    expect(await ask(rule.id, lamp_line, byPin())).toMatchObject({ state: 'approved', approver: 'Jonas' })
    expect(await scan(lamp.barcode)).toMatchObject({ result: 'line_done', counted: 1, packed: 2 })
    expect(await state()).toEqual(['approved'])
  })

  it('about the whole order asks before its first piece, once', async () => {
    const rule = await setRule({ subject: 'order' }, { field: 'order.item_count', op: 'gte', value: 2 })
    const { scan, ask } = await open()
    expect(await scan(cup.barcode)).toMatchObject({ result: 'approval_needed', approval: { line_id: null } })
    await ask(rule.id, null, byPin())
    for (const code of [cup.barcode, cup.barcode]) expect((await scan(code)).counted).toBe(1)
    expect((await scan(lamp.barcode)).result).toBe('order_done')
  })

  it('about the label asks when the parcel is closed', async () => {
    const rule = await setRule({ subject: 'label' }, { field: 'ship.country', op: 'eq', value: 'DK' })
    const { id, scan, ask } = await open()
    for (const code of [cup.barcode, cup.barcode, lamp.barcode]) expect((await scan(code)).counted).toBe(1)
    await expect(kim.send(packing.close, { id, body: {} })).rejects.toMatchObject({
      status: 409,
      code: 'approval_required',
      message: 'Approval needed: Lamps',
    })
    await ask(rule.id, null, byPin())
    expect(await kim.send(packing.close, { id, body: {} })).toMatchObject({ outcome: 'labelled' })
  })

  it('holds for packing without scanning as well', async () => {
    await setRule({ subject: 'order' })
    const { id } = await open(jonas)
    await expect(jonas.send(packing.bypass, { id, body: { reason: 'No barcodes' } })).rejects.toMatchObject({ code: 'approval_required' })
  })

  it('that is changed or removed alters no order that is open at a station', async () => {
    const rule = await setRule()
    const { scan } = await open()
    await boss.send(approvalRules.remove, { id: rule.id })
    expect((await scan(lamp.barcode)).result).toBe('approval_needed')
    expect((await (await open()).scan(lamp.barcode)).counted).toBe(1)
  })
})

describe('an answer', () => {
  it('counts by badge, from another person with a permission that the rule names', async () => {
    const rule = await setRule()
    const { ask, lamp_line } = await open()
    const lis = await operator.hire(['scan'], operator.main, 'Lis')
    const badges = [
      await boss.send(credentials.makeBadge, { id: lis.user_id }),
      await boss.send(credentials.makeBadge, { id: jonas.user_id }),
    ]
    await expect(ask(rule.id, lamp_line, { method: 'badge', badge: badges[0]?.code })).rejects.toMatchObject({
      code: 'approval_not_allowed',
    })
    expect(await ask(rule.id, lamp_line, { method: 'badge', badge: badges[1]?.code })).toMatchObject({
      state: 'approved',
      approver: 'Jonas',
    })
  })

  it('is never given by the one who asks', async () => {
    const rule = await setRule()
    const { ask, lamp_line } = await open(jonas)
    await expect(ask(rule.id, lamp_line, byPin())).rejects.toMatchObject({ status: 403, code: 'approval_own' })
    const { id } = await ask(rule.id, lamp_line, {})
    expect((await jonas.send(approvals.open, {})).rows).toEqual([])
    await expect(jonas.send(approvals.answer, { id, body: { approve: true } })).rejects.toMatchObject({ code: 'approval_own' })
  })

  it('comes from a lead elsewhere, who sees what is asked and how long is left', async () => {
    const rule = await setRule()
    const { id, ask, lamp_line, scan, state, order } = await open()
    await scan(lamp.barcode)
    const asked = await ask(rule.id, lamp_line, {})
    expect(asked.state).toBe('asked')
    expect(asked.left_ms).toBeGreaterThan(50_000)
    const { rows } = await jonas.send(approvals.open, {})
    expect(rows).toMatchObject([{ id: asked.id, rule: 'Lamps', order_no: order.order_no, item: 'Lamp', asked_by: 'Kim' }])
    expect((await kim.send(approvals.open, {})).rows).toEqual([])
    expect((await (await operator.hire(['pick'])).ask(approvals.open, {})).statusCode).toBe(403)
    expect((await (await operator.hire(['list_admin'])).send(approvals.open, {})).rows).toEqual([])
    expect(await jonas.send(approvals.answer, { id: asked.id, body: { approve: true } })).toMatchObject({ state: 'approved' })
    expect(await state()).toEqual(['approved'])
    expect((await scan(lamp.barcode)).counted).toBe(1)
    const { rows: log } = await jonas.send(approvals.log, {})
    expect(log).toMatchObject([{ order_id: id, rule: 'Lamps', asked_by: 'Kim', answered_by: 'Jonas', method: 'remote', state: 'approved' }])
    expect(log[0]?.waited_ms).toBeGreaterThanOrEqual(0)
    expect((await jonas.send(approvals.export, {})).bytes.toString()).toContain('Kim,remote,approved,Jonas,')
  })

  it('counts once when two leads answer in the same moment; the other reads who was first', async () => {
    const rule = await setRule()
    const { ask, lamp_line } = await open()
    const { id } = await ask(rule.id, lamp_line, {})
    const both = await Promise.allSettled([jonas, boss].map(lead => lead.send(approvals.answer, { id, body: { approve: lead === jonas } })))
    expect(both.map(one => one.status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(both.find(one => one.status === 'rejected')).toMatchObject({ reason: { status: 409, code: 'approval_decided' } })
  })

  it('is too late after the minute, by the clock of the server; then the station asks again', async () => {
    const rule = await setRule()
    const { ask, lamp_line, state } = await open()
    const { id } = await ask(rule.id, lamp_line, {})
    await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db
        .updateTable('approval_requests')
        .set({ expires_at: new Date(Date.now() - 200).toISOString() })
        .where('id', '=', id)
        .execute(),
    )
    expect(await state()).toEqual(['expired'])
    await expect(jonas.send(approvals.answer, { id, body: { approve: true } })).rejects.toMatchObject({
      status: 409,
      code: 'approval_expired',
    })
    const again = await ask(rule.id, lamp_line, {})
    expect(again.id).not.toBe(id)
    expect(await jonas.send(approvals.answer, { id: again.id, body: { approve: false } })).toMatchObject({ state: 'refused' })
    expect(await state()).toEqual(['refused'])
    expect((await jonas.send(approvals.log, {})).rows.map(row => row.state)).toEqual(['refused', 'expired'])
    expect((await jonas.send(approvals.log, { state: 'refused', query: 'kim' })).rows).toHaveLength(1)
  })

  it('is asked of leads elsewhere three times at most; a lead at the station may still give it', async () => {
    const rule = await setRule()
    const { ask, lamp_line, state } = await open()
    for (let nth = 0; nth < 3; nth++) {
      const { id } = await ask(rule.id, lamp_line, {})
      await jonas.send(approvals.answer, { id, body: { approve: false } })
    }
    await expect(ask(rule.id, lamp_line, {})).rejects.toMatchObject({ status: 409, code: 'approval_asked_enough' })
    const { code: badge } = await boss.send(credentials.makeBadge, { id: jonas.user_id })
    await ask(rule.id, lamp_line, { method: 'badge', badge })
    expect(await state()).toEqual(['approved'])
  })

  it('of a lead who has lost the permission meanwhile is refused', async () => {
    const rule = await setRule()
    const { ask, lamp_line } = await open()
    const { id } = await ask(rule.id, lamp_line, {})
    const clerk = await operator.hire(['parcels_admin'])
    await expect(clerk.send(approvals.answer, { id, body: { approve: true } })).rejects.toMatchObject({ code: 'approval_not_allowed' })
  })

  it('is cancelled with the order that is set aside, and an approval that nothing has used', async () => {
    const rule = await setRule()
    const { id, ask, lamp_line, scan } = await open()
    const asked = await ask(rule.id, lamp_line, {})
    await kim.send(packing.park, { id, body: { reason: '' } })
    await expect(jonas.send(approvals.answer, { id: asked.id, body: { approve: true } })).rejects.toMatchObject({
      code: 'approval_cancelled',
    })
    await kim.send(packing.start, { id, body: { station: 'Bench 1' } })
    await ask(rule.id, lamp_line, byPin())
    await kim.send(packing.park, { id, body: { reason: '' } })
    await kim.send(packing.start, { id, body: { station: 'Bench 1' } })
    expect((await scan(lamp.barcode)).result).toBe('approval_needed')
  })

  it('is asked for only by the one who packs, for what a rule asks, and in a way that it takes', async () => {
    const rule = await setRule({ methods: ['badge'] })
    const { id, ask, lamp_line } = await open()
    await expect(ask(rule.id, lamp_line, byPin())).rejects.toMatchObject({ status: 422, code: 'approval_method' })
    await expect(ask(rule.id, null, { method: 'badge', badge: 'U1-x' })).rejects.toMatchObject({ code: 'approval_not_needed' })
    await expect(ask(rule.id, lamp_line, { method: 'badge' })).rejects.toMatchObject({ code: 'approval_missing' })
    const lis = await operator.hire(['scan'], operator.main, 'Lis')
    await expect(
      lis.send(packing.ask, { body: { order_id: id, rule_id: rule.id, line_id: lamp_line, method: 'remote' } }),
    ).rejects.toMatchObject({ code: 'order_busy' })
  })
})

describe('a rule that asks why', () => {
  it('is approved at the station and elsewhere with a reason only, which the log and its CSV show', async () => {
    const rule = await setRule({ reason_required: true })
    const { scan, ask, lamp_line, order } = await open()
    expect(order.approvals).toMatchObject([{ reason_required: true }])
    await scan(lamp.barcode)
    await expect(ask(rule.id, lamp_line, byPin())).rejects.toMatchObject({ status: 422, code: 'approval_reason_missing' })
    await ask(rule.id, lamp_line, { ...byPin(), reason: 'The items were checked' })
    expect((await scan(lamp.barcode)).counted).toBe(1)

    const other = await open()
    const { id } = await other.ask(rule.id, other.lamp_line, {})
    expect((await jonas.send(approvals.open, {})).rows).toMatchObject([{ id, reason_required: true }])
    await expect(jonas.send(approvals.answer, { id, body: { approve: true } })).rejects.toMatchObject({ code: 'approval_reason_missing' })
    await jonas.send(approvals.answer, { id, body: { approve: true, reason: 'Seen by phone' } })
    expect((await jonas.send(approvals.log, {})).rows.map(row => row.reason)).toEqual(['Seen by phone', 'The items were checked'])
    expect((await jonas.send(approvals.export, {})).bytes.toString()).toContain('Kim,remote,approved,Jonas,Seen by phone')
  })

  it('is refused without a reason as well', async () => {
    const rule = await setRule({ reason_required: true })
    const { ask, lamp_line } = await open()
    const { id } = await ask(rule.id, lamp_line, {})
    expect(await jonas.send(approvals.answer, { id, body: { approve: false } })).toMatchObject({ state: 'refused' })
  })
})

describe('another act that a lead approves', () => {
  const approveAs = (id: number, who = lis, pin = '4711') =>
    who.send(packing.approve, { id, body: { act: 'take_over', user_id: jonas.user_id, pin } })
  let lis: TestUser
  beforeEach(async () => {
    lis = await operator.hire(['scan'], operator.main, 'Lis')
  })
  const takeOver = (id: number, approval: string) =>
    lis.send(packing.start, { id, body: { station: 'Bench 9', take_over: true, approval } })

  it('stands in the log and its CSV, beside the questions of rules', async () => {
    const { id, order } = await open()
    const { approval } = await approveAs(id)
    await takeOver(id, approval)
    expect((await jonas.send(approvals.log, { act: 'take_over' })).rows).toMatchObject([
      { act: 'take_over', rule: '', order_no: order.order_no, asked_by: 'Lis', answered_by: 'Jonas', method: 'pin', state: 'approved' },
    ])
    expect((await jonas.send(approvals.log, { act: 'rule' })).rows).toEqual([])
    expect((await jonas.send(approvals.export, {})).bytes.toString()).toContain(',take_over,')
  })

  it('is approved by a lead elsewhere within a minute, for the packer who asked and one time', async () => {
    const { id, order } = await open()
    const { request_id, left_ms } = await lis.send(leadQuestions.ask, { id, body: { act: 'take_over' } })
    expect(left_ms).toBeGreaterThan(50_000)
    const proof = { act: 'take_over' as const, request_id }
    await expect(lis.send(packing.approve, { id, body: proof })).rejects.toMatchObject({ status: 403, code: 'approval_not_given' })
    expect((await jonas.send(approvals.open, {})).rows).toMatchObject([
      { id: request_id, act: 'take_over', rule: '', order_no: order.order_no, asked_by: 'Lis' },
    ])
    await expect(lis.send(approvals.answer, { id: request_id, body: { approve: true } })).rejects.toMatchObject({ status: 403 })
    await jonas.send(approvals.answer, { id: request_id, body: { approve: true } })
    expect(await lis.send(leadQuestions.answer, { id, request_id })).toMatchObject({ state: 'approved', by: 'Jonas' })
    await expect(kim.send(leadQuestions.answer, { id, request_id })).rejects.toMatchObject({ status: 404 })
    await expect(kim.send(packing.approve, { id, body: proof })).rejects.toMatchObject({ code: 'approval_not_given' })
    await expect(lis.send(packing.approve, { id, body: { act: 'bypass', request_id } })).rejects.toMatchObject({
      code: 'approval_not_given',
    })
    const { approval, approver } = await lis.send(packing.approve, { id, body: proof })
    expect(approver).toBe('Jonas')
    await takeOver(id, approval)
    await expect(lis.send(packing.approve, { id, body: proof })).rejects.toMatchObject({ code: 'approval_not_given' })
    expect((await jonas.send(approvals.log, {})).rows).toMatchObject([{ act: 'take_over', method: 'remote', state: 'approved' }])
  })

  it('that a lead elsewhere refuses stays refused, and may be asked again', async () => {
    const { id } = await open()
    const ask = () => lis.send(leadQuestions.ask, { id, body: { act: 'take_over' } })
    const { request_id } = await ask()
    await jonas.send(approvals.answer, { id: request_id, body: { approve: false } })
    await expect(lis.send(packing.approve, { id, body: { act: 'take_over', request_id } })).rejects.toMatchObject({ status: 403 })
    expect((await ask()).request_id).not.toBe(request_id)
  })

  it('counts in the totals of its packer, beside those of rules', async () => {
    const { id } = await open()
    await approveAs(id)
    const { request_id } = await kim.send(leadQuestions.ask, { id, body: { act: 'bypass' } })
    await jonas.send(approvals.answer, { id: request_id, body: { approve: false } })
    const { all, rows } = await jonas.send(approvals.totals, {})
    expect(all).toMatchObject({ asked: 2, approved: 1, refused: 1, expired: 0 })
    expect(all.median_ms).toBeGreaterThanOrEqual(0)
    expect(rows).toMatchObject([
      { asked_by: 'Kim', act: 'bypass', rule: '', asked: 1, refused: 1 },
      { asked_by: 'Lis', act: 'take_over', rule: '', asked: 1, approved: 1 },
    ])
    expect((await jonas.send(approvals.totals, { query: 'Lis' })).rows).toHaveLength(1)
    const text = (await jonas.send(approvals.exportTotals, {})).bytes.toString()
    expect(text).toContain('Kim,bypass,,1,0,1,0,')
  })

  it('is approved for one time', async () => {
    const { id } = await open()
    const { approval } = await approveAs(id)
    await takeOver(id, approval)
    const { approval: back } = await approveAs(id, kim)
    await kim.send(packing.start, { id, body: { station: 'Bench 1', take_over: true, approval: back } })
    await expect(takeOver(id, approval)).rejects.toMatchObject({ status: 403, code: 'take_over_forbidden' })
  })

  it('with a wrong PIN stays in the log without an answer', async () => {
    const { id } = await open()
    await expect(approveAs(id, lis, '0000')).rejects.toMatchObject({ code: 'pin_wrong' })
    expect((await jonas.send(approvals.log, {})).rows).toMatchObject([{ act: 'take_over', state: 'asked', answered_by: null }])
    await approveAs(id)
    expect((await jonas.send(approvals.log, {})).rows.map(row => row.state)).toEqual(['approved'])
  })
})

describe('an alert that asks for a PIN', () => {
  it('is a question about the whole order until a lead has checked it in the office', async () => {
    const shown = async (id: number) =>
      (await kim.send(packing.start, { id, body: { station: 'Bench 1' } })).approvals.map(one => [one.name, one.subject, one.methods])
    await boss.send(orderAlerts.update, {
      id: 0,
      body: { email: 'watch@example.test', currency: 'DKK', order_count_min: 1, mode: 'pin', note: 'Compare the address' },
    })
    const place = async () => {
      const plan = { agent_code: 'own', shipping_method: 'van', lines: [cup, lamp] }
      const { id } = await placeOrder(testApp.services.database, scopeOfCompany(operator), plan)
      // What makes the server look at the order anew.
      await boss.send(orders.setAddress, { order_id: id, body: { address1: 'Skibhusvej 53' } })
      return id
    }
    const id = await place()
    expect(await shown(id)).toEqual([['Compare the address', 'order', ['pin']]])
    const { rows } = await boss.send(orderAlerts.ofOrder, { id })
    const rule_id = -(rows[0]?.id ?? 0)
    expect((await kim.send(packing.approvers, { rule_id })).map(one => one.name)).toEqual(['Jonas'])
    expect(await kim.send(packing.scan, { id, body: { scan_id: randomUUID(), code: cup.barcode } })).toMatchObject({
      result: 'approval_needed',
      approval: { rule_id, line_id: null },
    })
    await kim.send(packing.ask, { body: { order_id: id, rule_id, line_id: null, method: 'pin', user_id: jonas.user_id, pin: '4711' } })
    expect(await kim.send(packing.scan, { id, body: { scan_id: randomUUID(), code: cup.barcode } })).toMatchObject({ result: 'ok' })
    const other = await place()
    const [hit] = (await boss.send(orderAlerts.ofOrder, { id: other })).rows
    await boss.send(orderAlerts.settle, { id: other, hit_id: hit?.id ?? 0 })
    expect(await shown(other)).toEqual([])
  })
})

describe('a rule that takes a photo as the answer', () => {
  const takePhoto = async (order: number, kind: 'box' | 'approval' = 'approval', who = kim) => {
    const upload = await sharp({ create: { width: 64, height: 36, channels: 3, background: '#06a' } })
      .jpeg()
      .toBuffer()
    return who.send(packingPhotos.take, { id: order, photo: randomUUID(), kind, upload: upload as never })
  }

  it('lets the packer go on with a photo of that piece, which the log and the order show', async () => {
    const rule = await setRule({ methods: ['photo'] })
    const { id, scan, ask, lamp_line } = await open()
    expect((await scan(lamp.barcode)).result).toBe('approval_needed')
    await expect(ask(rule.id, lamp_line, { method: 'photo' })).rejects.toMatchObject({ code: 'approval_photo_missing' })
    await expect(ask(rule.id, lamp_line, byPin())).rejects.toMatchObject({ code: 'approval_method' })
    const { photo_id, taken } = await takePhoto(id)
    expect(taken).toBe(0)
    expect(await ask(rule.id, lamp_line, { method: 'photo', photo_id })).toMatchObject({ state: 'approved', approver: 'Kim' })
    expect(await scan(lamp.barcode)).toMatchObject({ counted: 1 })
    const { rows } = await boss.send(approvals.log, {})
    expect(rows).toMatchObject([{ method: 'photo', state: 'approved', asked_by: 'Kim', answered_by: 'Kim', has_photo: true }])
    const picture = await boss.ask(approvals.photo, { id: rows[0]!.id })
    expect(picture.headers['content-type']).toBe('image/jpeg')
    expect(await boss.send(packingPhotos.list, { id })).toMatchObject({ rows: [{ id: photo_id, kind: 'approval', taken_by: 'Kim' }] })

    await boss.send(packingPhotos.remove, { id: photo_id, body: { reason: 'Shows a face' } })
    expect((await boss.send(approvals.log, {})).rows).toMatchObject([{ method: 'photo', has_photo: false }])
    expect((await boss.ask(approvals.photo, { id: rows[0]!.id })).statusCode).toBe(404)
  })

  it('takes no photo of the open box, none of another order, and each one once', async () => {
    const rule = await setRule({ subject: 'order', methods: ['photo', 'pin'] })
    const [first, second] = [await open(), await open()]
    const { photo_id } = await takePhoto(first.id)
    const box = await first.scan(cup.barcode).then(() => takePhoto(first.id, 'box'))
    for (const wrong of [box.photo_id, photo_id + 1_000])
      await expect(first.ask(rule.id, null, { method: 'photo', photo_id: wrong })).rejects.toMatchObject({ code: 'approval_photo_used' })
    await expect(second.ask(rule.id, null, { method: 'photo', photo_id })).rejects.toMatchObject({ code: 'approval_photo_used' })
    await first.ask(rule.id, null, { method: 'photo', photo_id })
    await expect(first.ask(rule.id, null, { method: 'photo', photo_id })).rejects.toMatchObject({ code: 'approval_photo_used' })
    expect((await boss.ask(approvals.photo, { id: 999_999 })).statusCode).toBe(404)
    const stranger = await (await testApp.operator()).hire(['admin'])
    const [{ id: asked = 0 } = {}] = (await boss.send(approvals.log, { state: 'approved' })).rows
    expect((await stranger.ask(approvals.photo, { id: asked })).statusCode).toBe(404)
  })
})
