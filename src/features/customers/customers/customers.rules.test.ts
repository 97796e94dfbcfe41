/** By what a customer is recognized. */
import { describe, expect, it } from 'vitest'
import {
  type Contact,
  emailKey,
  isOwnLookup,
  type KnownLookup,
  type Lookup,
  lookupKey,
  lookupsOf,
  namePostcodeKey,
  phoneKey,
  planCustomers,
  shopCustomerKey,
} from './customers.rules.ts'

describe('an e-mail address', () => {
  it.each([
    [' Lene@Example.TEST ', 'lene@example.test'],
    ['a+b@x.test', 'a+b@x.test'],
    ['l.e@gmail.test', 'l.e@gmail.test'],
    ['ÅSE@exámple.test', 'åse@exámple.test'],
    ['"odd@local"@x.test', '"odd@local"@x.test'],
  ])('%j is recognized as %j', (written, key) => expect(emailKey(written)).toBe(key))

  it.each([
    ['nothing', null],
    ['an empty text', ''],
    ['text without an @', 'lene.example.test'],
    ['text without a name', '@example.test'],
    ['a domain without a dot', 'lene@localhost'],
    ['a domain with an empty part', 'lene@example..test'],
    ['text with a space', 'lene holm@example.test'],
    ['more than 254 characters', `${'x'.repeat(250)}@example.test`],
    ['an automatic sender', 'NoReply@shop.test'],
    ['a marketplace that forwards mail', 'x8k2@marketplace.amazon.de'],
  ])('identifies no customer when it is %s', (_what, written) => expect(emailKey(written)).toBeNull())
})

describe('a phone number', () => {
  it.each([
    ['20 12 34 56', 'DK', '+4520123456'],
    ['004520123456', 'DK', '+4520123456'],
    ['+45 20123456', 'DK', '+4520123456'],
    ['+45 20123456', 'SE', '+4520123456'],
    ['0701234567', 'SE', '+46701234567'],
    ['(070) 123 45-67', 'SE', '+46701234567'],
  ])('%j in %s is recognized as %s', (written, country, key) => expect(phoneKey(written, country)).toBe(key))

  it.each([
    [null, 'DK'],
    ['12345', 'DK'],
    ['see note', 'DK'],
    ['00000000', 'DK'],
    ['+45 11111111', 'DK'],
    ['20123456', 'XX'],
  ])('%j in %s identifies no customer', (written, country) => expect(phoneKey(written, country)).toBeNull())
})

describe('a customer number of a shop', () => {
  it('counts within its company and shop', () => expect(shopCustomerKey(7, 'main', ' 4711 ')).toBe('7:main:4711'))
  it.each([null, '', '0', '000'])('%j is a guest', id => expect(shopCustomerKey(7, 'main', id)).toBeNull())
  it('longer than a lookup identifies no customer', () => expect(shopCustomerKey(7, 'main', '9'.repeat(260))).toBeNull())
})

describe('a name at a postcode', () => {
  it('is equal for two spellings', () => {
    expect(namePostcodeKey('Åse  Østergård', '5000', 'DK')).toBe(namePostcodeKey('åse ØSTERGÅRD', ' 5000', 'DK'))
    expect(namePostcodeKey("Seán O'Neill", 'SW1A 1AA', 'GB')).toBe('GB sw1a1aa sean o neill')
  })
  it('needs both', () => {
    expect(namePostcodeKey('', '5000', 'DK')).toBeNull()
    expect(namePostcodeKey('Lene', '', 'DK')).toBeNull()
  })
})

const contact = (plan: Partial<Contact> & { recipient?: Partial<Contact['recipient']> } = {}): Contact => ({
  shop: 'main',
  customer_external_id: null,
  customer_name: 'Lene Holm',
  customer_email: 'lene@example.test',
  customer_phone: '+4520123456',
  ...plan,
  recipient: { name: 'Lene Holm', postcode: '5000', country: 'DK', phone: '+4520123456', ...plan.recipient },
})

describe('the lookups of an order', () => {
  it('stand strongest first', () =>
    expect(lookupsOf(contact({ customer_external_id: '9' }), 3)).toEqual([
      { type: 'shop_customer', value: '3:main:9' },
      { type: 'email', value: 'lene@example.test' },
      { type: 'phone', value: '+4520123456' },
    ]))

  it("leave out the phone number of a present's recipient", () => {
    expect(lookupsOf(contact({ recipient: { ...contact().recipient, name: 'Mor' } }), 3)).toEqual([
      { type: 'email', value: 'lene@example.test' },
    ])
    const own = contact({ customer_phone: '+4529999998', recipient: { ...contact().recipient, name: 'Mor' } })
    expect(lookupsOf(own, 3)).toContainEqual({ type: 'phone', value: '+4529999998' })
  })

  it('leave out what the company itself is reached by', () => {
    const sender = { email: 'Shop@Example.test', phone: '33 33 44 44', country: 'DK' }
    expect(isOwnLookup({ type: 'email', value: 'shop@example.test' }, sender)).toBe(true)
    expect(isOwnLookup({ type: 'phone', value: '+4533334444' }, sender)).toBe(true)
    expect(isOwnLookup({ type: 'email', value: 'lene@example.test' }, sender)).toBe(false)
    expect(isOwnLookup({ type: 'email', value: 'lene@example.test' }, { email: '', phone: '', country: 'DK' })).toBe(false)
  })
})

describe('a plan', () => {
  const email = (value: string): Lookup => ({ type: 'email', value })
  const phone = (value: string): Lookup => ({ type: 'phone', value })
  const knows = (...some: [Lookup, Partial<KnownLookup> & { customer_id: number }][]) =>
    new Map(some.map(([lookup, owner]) => [lookupKey(lookup), { seen: true, here: true, ...owner }]))
  const plan = (lookups: Lookup[][], known = knows(), owners?: (number | null)[]) =>
    planCustomers(
      lookups.map(() => contact()),
      lookups,
      known,
      owners,
    )

  it('makes one customer of two orders that share an e-mail address', () => {
    const { customers, lookups, attachments } = plan([[email('a')], [email('a'), phone('1')]])
    expect(customers).toHaveLength(1)
    expect(lookups.map(({ value, customer }) => [value, customer])).toEqual([
      ['a', 0],
      ['1', 0],
    ])
    expect(attachments.map(one => one.by?.value)).toEqual(['a', 'a'])
  })

  it('makes one customer of three orders in a chain of lookups', () => {
    const { customers, attachments } = plan([[email('a'), phone('1')], [email('b'), phone('1')], [email('b')]])
    expect(customers).toHaveLength(1)
    expect(attachments.map(one => one.by?.value)).toEqual(['a', 'b', 'b'])
  })

  it('attaches to the customer of the strongest lookup, and merges none', () => {
    const { customers, lookups, attachments } = plan(
      [[email('a'), phone('1')]],
      knows([email('a'), { customer_id: 5 }], [phone('1'), { customer_id: 6 }]),
    )
    expect({ customers, lookups, attachments }).toEqual({ customers: [], lookups: [], attachments: [{ customer_id: 5, by: null }] })
  })

  it('gives a known customer the lookups that are new', () =>
    expect(plan([[email('a'), phone('1')]], knows([email('a'), { customer_id: 5 }])).lookups).toEqual([
      { ...phone('1'), customer_id: 5, customer: null },
    ]))

  it('introduces a customer of another company once, with the value that the company now knows', () => {
    const { customers, lookups } = plan([[email('a')], [email('a')]], knows([email('a'), { customer_id: 5, seen: false, here: false }]))
    expect(customers.map(one => one.customer_id)).toEqual([5])
    expect(lookups).toEqual([{ ...email('a'), customer_id: 5, customer: null }])
  })

  it('leaves an order with its customer when its contact changes', () =>
    expect(plan([[email('new')]], knows(), [5])).toMatchObject({
      lookups: [{ value: 'new', customer_id: 5 }],
      attachments: [{ customer_id: 5 }],
    }))

  it('has nothing for an order without lookups', () =>
    expect(plan([[]])).toEqual({ customers: [], lookups: [], attachments: [{ customer_id: null, by: null }] }))
})
