/** Claims: opened once, sent in time, won and lost, and their kit as a ZIP file. */
import { randomUUID } from 'node:crypto'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { claimRules, claims } from '#features/shipping/claims/claims.contract.ts'
import type { ClaimFields } from '#features/shipping/claims/claims.schemas.ts'
import { labels } from '#features/shipping/labels/labels.contract.ts'
import { sender } from '#test/sender.ts'
import { placeShipment } from '#test/shipments.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { claimKits } from './claim-kits.contract.ts'

let testApp: TestApp
let operator: TestOperator
let kim: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
})
afterAll(() => testApp.close())
beforeEach(async () => {
  testApp.setNow(new Date('2026-11-15T10:00:00Z'))
  operator = await testApp.operator({ shops: 1, settings: { sender } })
  kim = await operator.hire(['parcels', 'scan'], operator.main, 'Kim')
})

async function ship(agent_code = 'gls', delivered_at: string | null = '2026-11-13T12:00:00Z') {
  const scope = scopeOfCompany(operator)
  const shipment = await placeShipment(testApp.services.database, scope, { agent_code, state: delivered_at ? 'delivered' : 'in_transit' })
  await testApp.services.database.transaction(scope, db =>
    db.updateTable('shipments').set({ delivered_at }).where('id', '=', shipment.id).execute(),
  )
  return shipment
}
const create = (shipment_id: number, more: Partial<ClaimFields> & { client_id?: string; kind?: 'damage' | 'loss' } = {}) =>
  kim.send(claims.create, {
    body: { shipment_id, kind: 'damage', amount: 49_900, currency: 'DKK', noticed_on: '2026-11-14', ...more },
  })

describe('a claim', () => {
  it('is one for each shipment and kind, however often it is sent', async () => {
    const { id } = await ship()
    const client_id = randomUUID()
    const claim = await create(id, { client_id })
    expect(claim).toMatchObject({ state: 'open', amount: 49_900, created_by: 'Kim', version: 1 })
    expect((await create(id, { client_id })).id).toBe(claim.id)
    await expect(create(id)).rejects.toMatchObject({ status: 409, code: 'claim_open', current: expect.objectContaining({ id: claim.id }) })
    expect((await create(id, { kind: 'loss' })).id).not.toBe(claim.id)
  })

  it('has the deadline of the courier where it is known, else the one that a person enters', async () => {
    expect((await create((await ship()).id)).deadline_on).toBe('2026-11-20')
    expect((await create((await ship('bring')).id)).deadline_on).toBeNull()
    expect((await create((await ship('bring')).id, { deadline_on: '2027-01-10' })).deadline_on).toBe('2027-01-10')
  })

  it('has the deadline of the agreement that the company entered, also where it was open before', async () => {
    const boss = await operator.hire(['settings_admin'])
    const open = await create((await ship('bring')).id)
    const written = await create((await ship('bring')).id, { deadline_on: '2027-01-10' })
    const before = await boss.send(claimRules.get, { agent_code: 'bring' })
    expect(before).toMatchObject({ version: 0, rules: [{ kind: 'damage', count: null, published: null }, {}, {}] })
    const rule = { kind: 'damage', count: 7, unit: 'days', counts_from: 'delivered' } as const
    const set = (version: number, agent_code = 'bring') => boss.send(claimRules.set, { agent_code, body: { version, rules: [rule] } })
    expect(await set(0)).toMatchObject({ version: 1, rules: [{ count: 7 }, { count: null }, { count: null }] })
    await expect(set(0)).rejects.toMatchObject({ status: 409, code: 'settings_changed' })
    await expect(set(0, 'unknown')).rejects.toMatchObject({ status: 404, code: 'unknown_courier' })
    await expect(kim.send(claimRules.get, { agent_code: 'bring' })).rejects.toMatchObject({ status: 403 })
    const deadlineOf = async (id: number) => (await kim.send(claims.get, { id })).deadline_on
    expect([await deadlineOf(open.id), await deadlineOf(written.id)]).toEqual(['2026-11-20', '2027-01-10'])
    expect((await create((await ship('bring', '2026-11-10T12:00:00Z')).id)).deadline_on).toBe('2026-11-17')
    // The published period of GLS gives way to the agreement, and is back when that is removed.
    const gls = { ...rule, count: 2, unit: 'months', counts_from: 'noticed' } as const
    await boss.send(claimRules.set, { agent_code: 'gls', body: { version: 0, rules: [gls] } })
    expect((await create((await ship()).id)).deadline_on).toBe('2027-01-14')
    await boss.send(claimRules.set, { agent_code: 'gls', body: { version: 1, rules: [{ ...gls, count: null }] } })
    expect((await create((await ship()).id)).deadline_on).toBe('2026-11-20')
  })

  it('is sent, won with an amount, or lost and sent again; nothing else', async () => {
    const { id } = await create((await ship()).id)
    const to = (state: 'open' | 'sent' | 'won' | 'lost', version: number, granted: number | null = null) =>
      kim.send(claims.setState, { id, state, body: { version, granted } })
    await expect(to('won', 1, 100)).rejects.toMatchObject({ code: 'claim_state' })
    expect(await to('sent', 1)).toMatchObject({ state: 'sent', sent_at: '2026-11-15T10:00:00Z' })
    await expect(to('won', 1, 100)).rejects.toMatchObject({ status: 409, code: 'settings_changed' })
    await expect(to('won', 2)).rejects.toMatchObject({ code: 'claim_granted', fields: { granted: 'Enter the granted amount.' } })
    expect(await to('lost', 2)).toMatchObject({ state: 'lost', granted: null })
    expect(await to('sent', 3)).toMatchObject({ state: 'sent' })
    expect(await to('won', 4, 30_000)).toMatchObject({ state: 'won', granted: 30_000 })
    await expect(
      kim.send(claims.change, { id, body: { version: 5, amount: 1, currency: 'DKK', noticed_on: '2026-11-14' } }),
    ).rejects.toMatchObject({ code: 'claim_settled' })
  })

  it('is found by number, view and kind, sorted, counted and saved as CSV', async () => {
    const near = await ship()
    const one = await create(near.id)
    const other = await create((await ship('bring')).id, { amount: 100, reference: 'C-77' })
    const found = async (query: object) => (await kim.send(claims.list, query)).rows.map(row => row.id)
    expect(await found({})).toEqual([one.id, other.id])
    expect(await found({ sort: 'amount' })).toEqual([other.id, one.id])
    expect(await found({ query: near.tracking_no })).toEqual([one.id])
    expect(await found({ query: 'C-77' })).toEqual([other.id])
    expect(await found({ company: operator.main.id })).toEqual([one.id, other.id])
    expect(await found({ company: operator.shops[0]!.id })).toEqual([])
    expect(await found({ view: 'due' })).toEqual([])
    testApp.setNow(new Date('2026-11-18T10:00:00Z'))
    expect(await found({ view: 'due' })).toEqual([one.id])
    expect(await kim.send(claims.count, {})).toEqual({ open: 2, due: 1, sent: 0 })
    const { bytes } = await kim.send(claims.exportAll, { view: 'all' })
    expect(Buffer.from(bytes as Uint8Array).toString()).toContain('499.00')
  })

  it('is refused without an amount, and seen by its own company alone', async () => {
    const { id } = await ship()
    await expect(create(id, { amount: 0 })).rejects.toMatchObject({ status: 400, message: 'amount: Enter an amount' })
    const claim = await create(id)
    const shop = await operator.hire(['parcels'], operator.shops[0])
    await expect(shop.send(claims.get, { id: claim.id })).rejects.toMatchObject({ status: 404, code: 'claim_not_found' })
    await expect(shop.send(claimKits.evidence, { id: claim.id })).rejects.toMatchObject({ status: 404 })
    const packer = await operator.hire(['scan'])
    await expect(packer.send(claims.list, {})).rejects.toMatchObject({ status: 403 })
  })
})

describe('the kit of a claim', () => {
  it('holds the claim as PDF, the timeline and the label', async () => {
    const { shipments } = await kim.send(labels.create, {
      agent_code: 'own',
      shipping_method: 'van',
      operation_code: 'outbound',
      body: {
        recipient: { name: 'Mads Friis', address1: 'Torvet 2', postcode: '8000', city: 'Aarhus C', country: 'DK' },
        parcels: [{ weight_g: 900 }],
      },
    })
    const claim = await create(shipments[0]?.shipment_id ?? 0, { note: 'The box is crushed, and the glass inside is broken.' })
    expect(await kim.send(claimKits.evidence, { id: claim.id })).toMatchObject({ label: true, papers: 0, measured_g: null, clips: 0 })
    const { bytes, media_type } = await kim.send(claimKits.download, { id: claim.id })
    expect(media_type).toBe('application/zip')
    const files = unzipSync(new Uint8Array(bytes as Uint8Array))
    expect(Object.keys(files).toSorted()).toEqual(['claim.pdf', 'label.pdf', 'timeline.csv'])
    expect(
      Buffer.from(files['claim.pdf'] ?? [])
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-')
    expect(
      Buffer.from(files['label.pdf'] ?? [])
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-')
  })
})
