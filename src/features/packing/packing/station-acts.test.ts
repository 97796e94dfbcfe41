/** What a group allows at packing stations: each act alone, at the stations named, and no longer than the group has it. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { permissionId } from '#contract/access.ts'
import { session } from '#contract/session.ts'
import { type StationAct, stationActs } from '#contract/station-acts.ts'
import { groups } from '#features/company/groups/groups.contract.ts'
import { packingPin } from '#features/company/packing-pin/packing-pin.contract.ts'
import { credentials } from '#features/company/users/credentials.contract.ts'
import { users } from '#features/company/users/users.contract.ts'
import { approvalRules, approvals } from '#features/packing/approval/approval.contract.ts'
import { printers } from '#features/printing/printers/printers.contract.ts'
import { labels } from '#features/shipping/labels/labels.contract.ts'
import { placeOrder } from '#test/orders.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { leadQuestions } from './lead-questions.contract.ts'
import { packing } from './packing.contract.ts'

let testApp: TestApp
let operator: TestOperator
let admin: TestUser
let kim: TestUser
let label_printer_id: number
beforeAll(async () => {
  testApp = await openTestApp()
  await testApp.startWorkers()
  operator = await testApp.operator({ settings: { sender, bypass_needs_pin: true, weigh_parcels: 'scale', packaging_weight_g: 200 } })
  admin = await operator.hire(['admin'], operator.main, 'Astrid')
  kim = await operator.hire(['scan'], operator.main, 'Kim')
  await admin.send(packingPin.setPin, { body: { pin: '9999' } })
  label_printer_id = (await admin.send(printers.list, {})).printers.find(one => one.paper === 'label')?.id ?? 0
})
afterAll(() => testApp.close())

let count = 100
/** A group with these acts at these stations, and a packer in it. */
async function memberOf(acts: readonly StationAct[], stations: readonly string[] | null, codes: ('scan' | 'pick')[] = ['scan']) {
  const name = `Packer ${++count}`
  const member = await operator.hire(codes, operator.main, name)
  const { group_id } = await admin.send(groups.create, { name: `Acts ${count}` })
  const set = async (next: readonly StationAct[], at = stations) => {
    const { version } = await admin.send(groups.get, { id: group_id })
    await admin.send(groups.setPermission, {
      id: group_id,
      body: { version, permission: [], acts: [...next], stations: at && [...at] },
    })
  }
  await set(acts)
  await admin.send(groups.addUser, { id: group_id, user_id: member.user_id })
  return { member, name, group_id, set }
}

const mug = { sku: 'MUG', barcode: 'MUG', name: 'Mug', qty: 2, weight_g: 300, unit_price_excl_vat: '80.00', vat_percent: '25' }
async function opened(who: TestUser, station: string, packed = 0, agent = true) {
  const { id } = await placeOrder(testApp.services.database, scopeOfCompany(operator), {
    ...(agent && { agent_code: 'own', shipping_method: 'van' }),
    lines: [mug],
  })
  await who.send(packing.start, { id, body: { station } })
  for (let nth = 0; nth < packed; nth++) await who.send(packing.scan, { id, body: { scan_id: randomUUID(), code: 'MUG' } })
  return id
}

describe('a group allows its members', () => {
  it('to take over an order at the stations named, whatever their letters’ case, until it loses the act', async () => {
    const { member, name, set } = await memberOf(['take_over'], ['Bench 1'])
    const take = (id: number, station: string) => member.send(packing.start, { id, body: { station, take_over: true } })
    const id = await opened(kim, 'Bench 9')
    await expect(take(id, 'Bench 2')).rejects.toMatchObject({ code: 'take_over_forbidden' })
    expect((await take(id, 'bench 1')).session?.user_name).toBe(name)
    await set([])
    await expect(take(await opened(kim, 'Bench 9'), 'Bench 1')).rejects.toMatchObject({ code: 'take_over_forbidden' })
  })

  it('to cancel what is missing', async () => {
    const { member, set } = await memberOf(['cancel_rest'], ['Bench 1'])
    const close = async (station: string) => {
      const id = await opened(member, station, 1)
      return member.send(packing.close, { id, body: { rest: 'cancel' } })
    }
    await expect(close('Bench 2')).rejects.toMatchObject({ code: 'cancel_lines_forbidden' })
    expect((await close('Bench 1')).outcome).toBe('labelled')
    await set([])
    await expect(close('Bench 1')).rejects.toMatchObject({ code: 'cancel_lines_forbidden' })
  })

  it('to take a weight that differs', async () => {
    const { member, set } = await memberOf(['weight'], ['Bench 1'])
    const weigh = async (station: string) => {
      const id = await opened(member, station, 2)
      return member.send(packing.weigh, { id, body: { scan_id: randomUUID(), weight_g: 1_100, confirmed: true } })
    }
    await expect(weigh('Bench 2')).rejects.toMatchObject({ code: 'weight_forbidden' })
    expect(await weigh('Bench 1')).toMatchObject({ result: 'weight_set' })
    await set([])
    await expect(weigh('Bench 1')).rejects.toMatchObject({ code: 'weight_forbidden' })
  })

  it('to approve with their PIN that an order is packed without scanning', async () => {
    const { member, set } = await memberOf(['bypass'], ['Bench 1'])
    await admin.send(credentials.setPin, { id: member.user_id, body: { pin: '4711' } })
    const bypass = async (station: string) => {
      const id = await opened(kim, station)
      const proof = { act: 'bypass' as const, user_id: member.user_id, pin: '4711' }
      const { approval } = await kim.send(packing.approve, { id, body: proof }, { station })
      return kim.send(packing.bypass, { id, body: { reason: 'No barcodes', approval } }, { station })
    }
    const listed = async (station: string) =>
      (await kim.send(packing.approvers, { act: 'bypass' }, { station })).some(one => one.id === member.user_id)
    expect([await listed('Bench 1'), await listed('Bench 2')]).toEqual([true, false])
    await expect(bypass('Bench 2')).rejects.toMatchObject({ code: 'approval_not_allowed' })
    const { packed, to_pack } = await bypass('Bench 1')
    expect(packed).toBe(to_pack)
    await set([])
    await expect(bypass('Bench 1')).rejects.toMatchObject({ code: 'approval_not_allowed' })
  })

  it('to answer what a rule asks of leads of packing, at the station and elsewhere', async () => {
    const { member, name, set } = await memberOf(['approve'], ['Bench 1'])
    await admin.send(credentials.setPin, { id: member.user_id, body: { pin: '4711' } })
    const rule = await admin.send(approvalRules.set, {
      body: {
        ...{ name: 'Mugs', subject: 'line', methods: ['pin', 'remote'], approver_codes: ['scan_admin'] },
        conditions: { v: 1, all: [{ lines: 'some', match: { field: 'line.sku', op: 'eq', value: 'MUG' } }] },
      },
    })
    const ask = async (station: string, method: 'pin' | 'remote') => {
      const id = await opened(kim, station)
      const [line] = (await kim.send(packing.get, { id })).lines
      const body = { order_id: id, rule_id: rule.id, line_id: line?.order_line_id ?? 0, method }
      return kim.send(packing.ask, { body: { ...body, ...(method === 'pin' && { user_id: member.user_id, pin: '4711' }) } })
    }
    await expect(ask('Bench 2', 'pin')).rejects.toMatchObject({ code: 'approval_not_allowed' })
    expect(await ask('Bench 1', 'pin')).toMatchObject({ state: 'approved', approver: name })
    const [there, here] = [await ask('Bench 2', 'remote'), await ask('Bench 1', 'remote')]
    expect((await member.send(approvals.open, {})).rows.map(row => row.id)).toEqual([here.id])
    const answer = (id: number) => member.send(approvals.answer, { id, body: { approve: true } })
    await expect(answer(there.id)).rejects.toMatchObject({ code: 'approval_not_allowed' })
    expect(await answer(here.id)).toMatchObject({ state: 'approved' })
    await set([])
    await expect(ask('Bench 1', 'pin')).rejects.toMatchObject({ code: 'approval_not_allowed' })
    expect((await member.send(approvals.open, {})).rows).toEqual([])
    await admin.send(approvalRules.remove, { id: rule.id })
  })

  it('to answer elsewhere what a packer at their station asks of a lead, which counts while the group has the act', async () => {
    const { member, set } = await memberOf(['take_over'], ['Bench 1'])
    const lis = await operator.hire(['scan'], operator.main, 'Lis')
    const id = await opened(kim, 'Bench 9')
    const { request_id } = await lis.send(leadQuestions.ask, { id, body: { act: 'take_over' } }, { station: 'Bench 1' })
    expect((await member.send(approvals.open, {})).rows.map(row => row.id)).toContain(request_id)
    await member.send(approvals.answer, { id: request_id, body: { approve: true } })
    const given = await lis.send(packing.approve, { id, body: { act: 'take_over', request_id } }, { station: 'Bench 1' })
    await set([])
    const take = { station: 'Bench 1', take_over: true, approval: given.approval }
    await expect(lis.send(packing.start, { id, body: take })).rejects.toMatchObject({ code: 'take_over_forbidden' })
    await set(['take_over'])
    expect((await lis.send(packing.start, { id, body: take })).session?.user_name).toBe('Lis')
  })

  it('to print a label again, and to make no new one', async () => {
    const { member, set } = await memberOf(['reprint'], ['Bench 1'], ['pick'])
    const id = await opened(kim, 'Bench 9', 2)
    await kim.send(packing.close, { id, body: { label_printer_id } })
    const print = (station: string, more: object = {}) =>
      member.send(labels.print, { order_id: id, printer_id: label_printer_id, packing_station: station, ...more }, { station })
    await expect(print('Bench 2')).rejects.toMatchObject({ code: 'reprint_forbidden' })
    expect((await print('Bench 1')).print_jobs).toHaveLength(1)
    await expect(print('Bench 1', { disable_cache: '1' })).rejects.toMatchObject({ code: 'reprint_forbidden' })
    await set([])
    await expect(print('Bench 1')).rejects.toMatchObject({ code: 'reprint_forbidden' })
  })

  it('to unpack a parcel', async () => {
    const { member, set } = await memberOf(['unpack'], ['Bench 1'])
    const packed = async () => {
      const id = await opened(kim, 'Bench 9', 2)
      const { parcels } = await kim.send(packing.close, { id, body: { label_printer_id: null } })
      return { id, body: { shipment_id: parcels[0]?.shipment_id ?? 0 } }
    }
    const one = await packed()
    await expect(member.send(packing.unpack, one, { station: 'Bench 2' })).rejects.toMatchObject({ code: 'unpack_forbidden' })
    await member.send(packing.unpack, one, { station: 'Bench 1' })
    expect((await kim.send(packing.get, { id: one.id })).packed).toBe(0)
    await set([])
    await expect(member.send(packing.unpack, await packed(), { station: 'Bench 1' })).rejects.toMatchObject({ code: 'unpack_forbidden' })
  })

  it('what any of their groups allows, and shows them where from', async () => {
    const { member, group_id } = await memberOf(['weight'], ['Bench 1'])
    const other = await memberOf(['weight', 'unpack'], null)
    await admin.send(groups.addUser, { id: other.group_id, user_id: member.user_id })
    const id = await opened(member, 'Bench 7', 2)
    const weigh = { id, body: { scan_id: randomUUID(), weight_g: 1_100, confirmed: true } }
    expect(await member.send(packing.weigh, weigh)).toMatchObject({ result: 'weight_set' })
    const names = [group_id, other.group_id].map(async one => (await admin.send(groups.get, { id: one })).group_name)
    const [first, second] = await Promise.all(names)
    expect(await admin.send(users.actsOf, { id: member.user_id })).toEqual([
      {
        act: 'weight',
        groups: [
          { group_name: first, stations: ['Bench 1'] },
          { group_name: second, stations: null },
        ],
      },
      { act: 'unpack', groups: [{ group_name: second, stations: null }] },
    ])
    const { acts } = (await member.send(session.current, {})).user
    expect(acts).toContainEqual({ act: 'weight', stations: ['bench 1'] })
    await admin.send(groups.remove, { id: other.group_id })
    expect((await member.send(session.current, {})).user.acts).toEqual([{ act: 'weight', stations: ['bench 1'] }])
  })
})

describe('acts are given', () => {
  it('by leads of packing and by those who have them at every station, and that is written down', async () => {
    const clerk = await operator.hire(['users_admin', 'scan'], operator.main, 'Ida')
    const { group_id } = await admin.send(groups.create, { name: 'Given acts' })
    const set = async (who: TestUser, acts: readonly StationAct[], stations: string[] | null) => {
      const { version, permission } = await admin.send(groups.get, { id: group_id })
      return who.send(groups.setPermission, { id: group_id, body: { version, permission, acts: [...acts], stations } })
    }
    const refused = { code: 'cannot_grant_permissions' }
    await expect(set(clerk, ['weight'], ['Bench 1'])).rejects.toMatchObject(refused)
    await set(admin, ['weight'], ['Bench 1'])
    // What is there may stay, and be taken; it is not given at more stations, nor to more people.
    await expect(set(clerk, ['weight'], null)).rejects.toMatchObject(refused)
    await expect(clerk.send(groups.addUser, { id: group_id, user_id: kim.user_id })).rejects.toMatchObject(refused)
    const everywhere = await admin.send(groups.create, { name: 'Acts everywhere' })
    await admin.send(groups.setPermission, {
      id: everywhere.group_id,
      body: { version: everywhere.version, permission: [], acts: ['weight'], stations: null },
    })
    await admin.send(groups.addUser, { id: everywhere.group_id, user_id: clerk.user_id })
    expect((await set(clerk, ['weight'], null)).acts).toEqual(['weight'])
    await expect(set(clerk, ['weight', 'unpack'], null)).rejects.toMatchObject(refused)
    const lead = await operator.hire(['users_admin', 'scan_admin'], operator.main, 'Jonas')
    expect((await set(lead, [...stationActs], ['Bench 1'])).acts).toEqual([...stationActs])
    const { rows } = await admin.send(groups.audit, { query: 'Given acts' })
    expect(rows.map(({ actor, given, taken }) => ({ actor, given, taken })).slice(0, 2)).toEqual([
      { actor: 'Jonas', given: stationActs.filter(act => act !== 'weight'), taken: ['weight'] },
      { actor: 'Ida', given: ['weight'], taken: [] },
    ])
  })

  it('and stay as they are where a change names permissions alone', async () => {
    const { group_id } = await memberOf(['unpack'], ['Bench 1'])
    const { version } = await admin.send(groups.get, { id: group_id })
    const body = { version, permission: [permissionId('pick')] }
    expect(await admin.send(groups.setPermission, { id: group_id, body })).toMatchObject({ acts: ['unpack'], stations: ['Bench 1'] })
  })
})
