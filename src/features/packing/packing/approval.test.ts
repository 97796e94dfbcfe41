/** Consent of a lead at the station: with a PIN or a badge, for one act on one order, and no longer than two minutes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { packingPin } from '#features/company/packing-pin/packing-pin.contract.ts'
import { credentials } from '#features/company/users/credentials.contract.ts'
import { placeOrder } from '#test/orders.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { packing } from './packing.contract.ts'

let testApp: TestApp
let operator: TestOperator
let kim: TestUser
let lis: TestUser
let jonas: TestUser
let admin: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ settings: { bypass_needs_pin: true } })
  kim = await operator.hire(['scan'], operator.main, 'Kim')
  lis = await operator.hire(['scan'], operator.main, 'Lis')
  jonas = await operator.hire(['scan_admin'], operator.main, 'Jonas')
  admin = await operator.hire(['admin'], operator.main, 'Astrid')
  await admin.send(credentials.setPin, { id: jonas.user_id, body: { pin: '4711' } })
})
afterAll(() => testApp.close())

const place = async () => (await placeOrder(testApp.services.database, scopeOfCompany(operator), {})).id
const take = (user: TestUser, id: number, approval?: string) =>
  user.send(packing.start, { id, body: { station: user === kim ? 'Bench 1' : 'Bench 2', take_over: true, ...(approval && { approval }) } })

describe('a lead', () => {
  it('approves with the PIN that a packer takes this order over, and no other order or act', async () => {
    const [id, other] = [await place(), await place()]
    await kim.send(packing.start, { id, body: { station: 'Bench 1' } })
    await kim.send(packing.start, { id: other, body: { station: 'Bench 1' } })
    await expect(take(lis, id)).rejects.toMatchObject({ status: 403 })
    expect(await lis.send(packing.approvers, {})).toEqual([{ id: jonas.user_id, name: 'Jonas' }])
    const { approval, approver } = await lis.send(packing.approve, { id, body: { act: 'take_over', user_id: jonas.user_id, pin: '4711' } })
    expect(approver).toBe('Jonas')
    await expect(take(lis, other, approval)).rejects.toMatchObject({ status: 403 })
    const bypass = await lis.send(packing.approve, { id, body: { act: 'bypass', user_id: jonas.user_id, pin: '4711' } })
    await expect(take(lis, id, bypass.approval)).rejects.toMatchObject({ status: 403 })
    expect((await take(lis, id, approval)).session).toMatchObject({ user_name: 'Lis', station: 'Bench 2' })
    const events = await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db
        .selectFrom('events')
        .select(['kind', 'data'])
        .where('order_id', '=', id)
        .where('kind', '=', 'packing.approved')
        .orderBy('id')
        .execute(),
    )
    expect(events[0]?.data).toMatchObject({ act: 'take_over', approver: 'Jonas', approver_id: jonas.user_id })
  })

  it('approves with a badge, until it is revoked', async () => {
    const id = await place()
    await admin.send(packingPin.setPin, { body: { pin: '9999' } })
    const { code } = await admin.send(credentials.makeBadge, { id: jonas.user_id })
    expect(code).toMatch(new RegExp(`^U${jonas.user_id}-[\\w-]{22}$`))
    await kim.send(packing.start, { id, body: { station: 'Bench 1' } })
    await expect(kim.send(packing.bypass, { id, body: { reason: 'No barcodes' } })).rejects.toMatchObject({ status: 403 })
    const { approval } = await kim.send(packing.approve, { id, body: { act: 'bypass', badge: code } })
    const { packed, to_pack } = await kim.send(packing.bypass, { id, body: { reason: 'No barcodes', approval } })
    expect(packed).toBe(to_pack)
    await admin.send(credentials.revokeBadge, { id: jonas.user_id })
    await expect(kim.send(packing.approve, { id, body: { act: 'bypass', badge: code } })).rejects.toMatchObject({ status: 403 })
    await admin.send(packingPin.removePin, {})
  })

  it('approves nothing with the PIN of a packer', async () => {
    await admin.send(credentials.setPin, { id: lis.user_id, body: { pin: '1234' } })
    const id = await place()
    await expect(kim.send(packing.approve, { id, body: { act: 'take_over', user_id: lis.user_id, pin: '1234' } })).rejects.toMatchObject({
      status: 403,
    })
  })

  it('approves that the rest is cancelled', async () => {
    const { id } = await placeOrder(testApp.services.database, scopeOfCompany(operator), {
      lines: [{ sku: 'CUP', name: 'Cup', qty: 2, weight_g: 200, unit_price_excl_vat: '80.00', vat_percent: '25' }],
    })
    const { lines } = await kim.send(packing.start, { id, body: { station: 'Bench 1' } })
    const order_line_id = lines[0]?.order_line_id ?? 0
    await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db.updateTable('order_lines').set({ packed_qty: 1 }).where('id', '=', order_line_id).execute(),
    )
    await expect(kim.send(packing.close, { id, body: { rest: 'cancel' } })).rejects.toMatchObject({ status: 403 })
    const { approval } = await kim.send(packing.approve, { id, body: { act: 'cancel_rest', user_id: jonas.user_id, pin: '4711' } })
    await kim.send(packing.close, { id, body: { rest: 'cancel', approval } })
    expect((await kim.send(packing.get, { id })).to_pack).toBe(1)
  })
})

it('makes a PIN wait after five wrong tries, and forgets them with the right one', async () => {
  const id = await place()
  const attempt = (pin: string) => kim.send(packing.approve, { id, body: { act: 'take_over', user_id: jonas.user_id, pin } })
  for (let nth = 0; nth < 4; nth++) await expect(attempt('0000')).rejects.toMatchObject({ status: 403 })
  await attempt('4711')
  for (let nth = 0; nth < 5; nth++) await expect(attempt('0000')).rejects.toMatchObject({ status: 403 })
  await expect(attempt('4711')).rejects.toMatchObject({ status: 429 })
})

it('refuses to change the PIN of a person who has more permissions, and stores a hash only', async () => {
  const clerk = await operator.hire(['users_admin'], operator.main, 'Ida')
  await expect(clerk.send(credentials.setPin, { id: jonas.user_id, body: { pin: '1111' } })).rejects.toMatchObject({ status: 403 })
  await expect(kim.send(credentials.get, { id: jonas.user_id })).rejects.toMatchObject({ status: 403 })
  const stored = await testApp.services.database.transaction(scopeOfCompany(operator), db =>
    db.selectFrom('user_pins').select('pin_hash').where('user_id', '=', jonas.user_id).executeTakeFirstOrThrow(),
  )
  expect(stored.pin_hash).toMatch(/^\$argon2id\$/)
})
