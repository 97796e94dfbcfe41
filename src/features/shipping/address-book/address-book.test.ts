/** The address book: what it takes, how it is found, and whose it is. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { elementAt } from '#domain/objects.ts'
import type { Db } from '#platform/database/database.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { mostAddresses } from './address-book.codes.ts'
import { addressBook } from './address-book.contract.ts'
import { eraseAddresses } from './erase-addresses.commands.ts'

const repair = {
  kind: 'recipient',
  ...{ title: 'Repair centre', name: 'Repair centre Sydhavn', company: 'Fix A/S', address1: 'Sydhavnsgade 16' },
  ...{ postcode: '2450', city: 'København SV', country: 'DK', phone: '+45 20 11 22 33', email: 'in@fix.example' },
} as const
const depot = {
  kind: 'sender',
  ...{ title: 'Depot Aarhus', name: 'Pakhus Aarhus', address1: 'Havnegade 1', postcode: '8000', city: 'Aarhus C' },
  country: 'DK',
} as const

let testApp: TestApp
let operator: TestOperator
let clerk: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ shops: 2 })
  clerk = await operator.hire(['parcels'])
})
afterAll(() => testApp.close())

const inDatabase = <T>(work: (db: Db) => Promise<T>, company = operator.main) =>
  testApp.services.database.transaction({ operator_id: operator.operator_id, company_id: company.id, companies: [company.id] }, work)

describe('an address', () => {
  it('is added, read, changed and removed', async () => {
    const made = await clerk.send(addressBook.create, { body: repair })
    expect(made).toMatchObject({ ...repair, attention: null, instruction: null, is_default: false, version: 1 })
    expect(await clerk.send(addressBook.get, { id: made.id })).toEqual(made)
    const moved = await clerk.send(addressBook.update, {
      id: made.id,
      body: { ...repair, address1: 'Sluseholmen 2', company: '  ', phone: '', email: null, version: 1 },
    })
    expect(moved).toMatchObject({ id: made.id, address1: 'Sluseholmen 2', company: null, phone: null, email: null, version: 2 })
    for (const _ of ['once', 'again']) expect((await clerk.ask(addressBook.remove, { id: made.id })).statusCode).toBe(204)
    await expect(clerk.send(addressBook.get, { id: made.id })).rejects.toMatchObject({ code: 'predefined_address_not_found' })
  })

  it('is made once for the same client_id', async () => {
    const body = { ...repair, client_id: randomUUID() }
    const [one, other] = await Promise.all([clerk.send(addressBook.create, { body }), clerk.send(addressBook.create, { body })])
    expect(other).toEqual(one)
    await clerk.send(addressBook.remove, { id: one.id })
  })

  it('with an old version is refused with the current state', async () => {
    const made = await clerk.send(addressBook.create, { body: depot })
    const body = { ...depot, title: 'Depot', version: made.version }
    const saved = await clerk.send(addressBook.update, { id: made.id, body })
    await expect(clerk.send(addressBook.update, { id: made.id, body })).rejects.toMatchObject({
      status: 409,
      code: 'settings_changed',
      current: saved,
    })
    await clerk.send(addressBook.remove, { id: made.id })
  })

  it('says in place what is missing or wrong', async () => {
    const refused = async (change: object) => {
      const { statusCode, json } = await clerk.ask(addressBook.create, { body: { ...repair, ...change } })
      return { statusCode, fields: json().fields }
    }
    expect(await refused({ title: ' ' })).toMatchObject({ statusCode: 400, fields: { title: 'Enter a title' } })
    expect(await refused({ name: '', address1: '', postcode: '', city: '' })).toMatchObject({
      fields: {
        name: 'Enter the name',
        address1: 'Enter the street and number',
        postcode: 'Enter the postcode',
        city: 'Enter the city',
      },
    })
    expect(await refused({ country: 'XX' })).toMatchObject({ fields: { country: 'Select a country' } })
    expect(await refused({ email: 'not one' })).toMatchObject({ fields: { email: 'This is not an e-mail address' } })
    expect((await refused({ door_code: '12' })).statusCode).toBe(400)
  })

  it('that new shipments start with takes the place of another of its kind', async () => {
    const first = await clerk.send(addressBook.create, { body: { ...depot, is_default: true } })
    const recipient = await clerk.send(addressBook.create, { body: { ...repair, is_default: true } })
    const second = await clerk.send(addressBook.create, { body: { ...depot, title: 'Second', is_default: true } })
    expect(await clerk.send(addressBook.get, { id: first.id })).toMatchObject({ is_default: false, version: 2 })
    expect(await clerk.send(addressBook.get, { id: recipient.id })).toMatchObject({ is_default: true })
    const again = await clerk.send(addressBook.update, { id: second.id, body: { ...depot, is_default: true, version: second.version } })
    expect(again.is_default).toBe(true)
    for (const { id } of [first, second, recipient]) await clerk.send(addressBook.remove, { id })
  })
})

describe('the list', () => {
  it('is searched by every word, filtered, sorted and read page by page', async () => {
    const rows = [repair, depot, { ...repair, title: 'annex', name: 'Annex 100%', city: 'Odense', is_default: true }]
    for (const body of rows) await clerk.send(addressBook.create, { body })
    const titles = async (query: object) => (await clerk.send(addressBook.list, query)).rows.map(row => row.title)
    expect(await titles({})).toEqual(['annex', 'Depot Aarhus', 'Repair centre'])
    expect(await titles({ sort: '-title' })).toEqual(['Repair centre', 'Depot Aarhus', 'annex'])
    expect(await titles({ sort: 'city' })).toEqual(['Depot Aarhus', 'Repair centre', 'annex'])
    expect(await titles({ kind: 'sender' })).toEqual(['Depot Aarhus'])
    expect(await titles({ query: 'fix sydhavn' })).toEqual(['annex', 'Repair centre'])
    expect(await titles({ query: '100%' })).toEqual(['annex'])
    expect(await titles({ query: 'aarhus 2450' })).toEqual([])
    expect(await clerk.send(addressBook.list, { page: 2, limit: 2 })).toMatchObject({
      rows: [{ title: 'Repair centre' }],
      ...{ total: 3, total_is_more: false, offset: 2, limit: 2 },
    })
    expect((await clerk.ask(addressBook.list, { sort: 'phone' } as never)).statusCode).toBe(400)
  })

  it('is saved as CSV, with the same filter', async () => {
    const { headers, body } = await clerk.ask(addressBook.export, { kind: 'sender' })
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(body.split('\r\n')).toEqual([
      '\ufeffkind,title,name,company,attention,address1,address2,postcode,city,country,phone,email,instruction',
      'sender,Depot Aarhus,Pakhus Aarhus,,,Havnegade 1,,8000,Aarhus C,DK,,,',
      '',
    ])
  })

  it(`holds ${mostAddresses} addresses`, async () => {
    const shop = elementAt(operator.shops, 1)
    const of = await operator.hire(['settings_admin'], shop)
    await inDatabase(
      db =>
        db
          .insertInto('predefined_addresses')
          .values(Array.from({ length: mostAddresses }, (_, nth) => ({ ...repair, title: `Branch ${nth}` })))
          .execute(),
      shop,
    )
    await expect(of.send(addressBook.create, { body: repair })).rejects.toMatchObject({ status: 409, code: 'address_book_full' })
  })
})

it('is each company’s own, for the office and the settings', async () => {
  const { id } = elementAt((await clerk.send(addressBook.list, {})).rows, 0)
  const shop = await operator.hire(['settings_admin'], operator.shops[0])
  expect((await shop.send(addressBook.list, {})).rows).toEqual([])
  expect((await shop.ask(addressBook.get, { id })).statusCode).toBe(404)
  expect((await shop.ask(addressBook.update, { id, body: { ...repair, version: 1 } })).statusCode).toBe(404)
  await shop.send(addressBook.remove, { id })
  expect((await clerk.ask(addressBook.get, { id })).statusCode).toBe(200)
  const packer = await operator.hire(['scan'])
  for (const call of [addressBook.list, addressBook.export]) expect((await packer.ask(call, {})).statusCode).toBe(403)
})

it('forgets the addresses that name an erased person, and keeps those of colleagues', async () => {
  const colleague = await clerk.send(addressBook.create, { body: { ...repair, title: 'Colleague', name: 'Bo Lund', phone: '', email: '' } })
  for (const change of [
    { name: 'Mrs Jane Dahlgren' },
    { attention: 'jane dahlgren' },
    { phone: '+45 33 44 55 66' },
    { email: 'Jane@Fix.example' },
  ])
    await clerk.send(addressBook.create, { body: { ...repair, title: 'Person', phone: '', email: '', ...change } })
  const subjects = { order_ids: [], customer_ids: [], words: ['jane dahlgren', '+4533445566', 'jane@fix.example', 'fix a/s'] }
  const read = await inDatabase(db => eraseAddresses.read(db, subjects))
  expect(read.predefined_addresses).toHaveLength(4)
  const erased = () => inDatabase(db => eraseAddresses.erase(db, subjects, new Date()))
  // Their history goes with them.
  expect(await erased()).toEqual({ predefined_addresses: 4, setting_changes: 4 })
  expect(await erased()).toEqual({ predefined_addresses: 0, setting_changes: 0 })
  expect((await clerk.send(addressBook.list, { query: 'Fix A/S' })).rows.map(row => row.id)).toContain(colleague.id)
})
