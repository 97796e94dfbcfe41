/** Each gateway against a fake of it: what is sent, what an answer means for the message, and which calls of the gateway are believed. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { SmsProvider } from '#domain/sms-codes.ts'
import { gateways } from './gateways.ts'
import type { OutgoingSms, SmsCredentials } from './sms-gateway.ts'
import { classicCallback, messagingCallback, startSmsGateways, twilioCallback } from './sms-gateways.fake.ts'

let fake: Awaited<ReturnType<typeof startSmsGateways>>
beforeEach(async () => {
  fake = await startSmsGateways()
  return () => fake.close()
})

type Account = [name: string, provider: SmsProvider, api: SmsCredentials['api']]
const accounts: readonly Account[] = [
  ['GatewayAPI classic', 'gatewayapi', 'classic'],
  ['GatewayAPI Messaging', 'gatewayapi', 'messaging'],
  ['Twilio', 'twilio', 'classic'],
  ['inMobile', 'inmobile', 'classic'],
]
const callback_secret = 'the secret of the callbacks'
const credentials = (api: SmsCredentials['api'], more: Partial<SmsCredentials> = {}): SmsCredentials => ({
  api,
  region: 'com',
  user_name: fake.account_sid,
  secret: fake.token,
  callback_secret,
  ...more,
})
const tools = () => ({ fetch: globalThis.fetch, base_url: fake.url, signal: AbortSignal.timeout(20_000) })
const sms = (more: Partial<OutgoingSms> = {}): OutgoingSms => ({
  id: 7,
  to: '+4520123456',
  text: 'Your parcel is packed',
  encoding: 'GSM-7',
  sender: 'Pakhus',
  callback_url: 'https://demo.example/api/demo/message_callbacks/1/key',
  ...more,
})

describe.each(accounts)('%s', (_name, provider, api) => {
  const gateway = gateways[provider]
  const send = (batch: OutgoingSms[], more: Partial<SmsCredentials> = {}) => gateway.send(batch, credentials(api, more), tools())

  it('sends each text to its number and answers an id for each, in their order', async () => {
    const outcomes = await send([sms(), sms({ id: 8, to: '+46701234567', text: 'Paketet är på väg' })])
    expect(outcomes.map(one => one.outcome)).toEqual(['sent', 'sent'])
    const ids = outcomes.map(one => (one.outcome === 'sent' ? one.provider_id : ''))
    expect(fake.sent.map(({ provider_id, to, text, sender }) => [provider_id, to, text, sender])).toEqual([
      [ids[0], '+4520123456', 'Your parcel is packed', 'Pakhus'],
      [ids[1], '+46701234567', 'Paketet är på väg', 'Pakhus'],
    ])
  })

  it('keeps characters outside of the GSM alphabet', async () => {
    await send([sms({ text: 'Привет', encoding: 'UCS-2' })])
    expect(fake.sent.map(one => one.text)).toEqual(['Привет'])
  })

  it('says that the credentials are wrong, and sends the message again later', async () => {
    expect(await send([sms()], { secret: 'another' })).toMatchObject([{ outcome: 'later', problem: 'credentials' }])
    expect(fake.sent).toEqual([])
  })

  it('does not know what became of a message when the answer is lost', async () => {
    fake.behave({ lostAnswer: true })
    expect(await send([sms()])).toMatchObject([{ outcome: 'unknown', problem: 'no_answer' }])
    expect(fake.sent).toHaveLength(1)
  })

  it('sends again what was refused because of too many requests, not what a gateway error leaves open', async () => {
    fake.behave({ status: 429 }, { status: 502 })
    expect(await send([sms()])).toMatchObject([{ outcome: 'later', problem: 'busy' }])
    expect(await send([sms()])).toMatchObject([{ outcome: 'unknown' }])
  })

  it('sends nothing where no connection can be made', async () => {
    await fake.close()
    expect(await send([sms()])).toMatchObject([{ outcome: 'later', problem: 'unreachable' }])
  })
})

describe('the balance', () => {
  it.each([
    ['gatewayapi', 'classic', { balance_micro: 812_500_000, currency: 'DKK' }],
    ['gatewayapi', 'messaging', null],
    ['twilio', 'classic', { balance_micro: 812_500_000, currency: 'USD' }],
    ['inmobile', 'classic', null],
    ['log', 'classic', null],
  ] as const)('of %s (%s) is what it says', async (provider, api, expected) =>
    expect(await gateways[provider].balance(credentials(api), tools())).toEqual(expected),
  )

  it('that is refused names the reason', async () => {
    await expect(gateways.twilio.balance(credentials('classic', { secret: 'another' }), tools())).rejects.toMatchObject({
      problem: 'credentials',
    })
  })
})

describe('GatewayAPI', () => {
  it('gets the encoding, and the price that it names is kept', async () => {
    const [outcome] = await gateways.gatewayapi.send([sms({ encoding: 'UCS-2', text: 'Привет' })], credentials('classic'), tools())
    expect(outcome).toMatchObject({ outcome: 'sent', price_micro: 307_000, currency: 'DKK' })
    expect(fake.sent[0]).toMatchObject({ encoding: 'UCS2', reference: '7', callback_url: sms().callback_url })
  })

  it('without credit keeps messages for later', async () => {
    fake.setBalance(0)
    expect(await gateways.gatewayapi.send([sms()], credentials('classic'), tools())).toMatchObject([
      { outcome: 'later', problem: 'no_credit' },
    ])
  })

  it.each([
    ['DELIVERED', 'delivered', null],
    ['ENROUTE', 'sent', null],
    ['EXPIRED', 'expired', 'expired'],
    ['UNDELIVERABLE', 'failed', 'undeliverable'],
  ])('reports %s as %s', (status, state, problem) => {
    const body = { id: 421_332_671, msisdn: 4_520_123_456, time: 1_790_000_000, status, userref: '7' }
    const report = { provider_id: '421332671', state, problem }
    for (const [api, call] of [
      ['classic', classicCallback(body, callback_secret)],
      ['messaging', messagingCallback(body, callback_secret)],
    ] as const)
      expect(gateways.gatewayapi.readCallback({ ...call, url: '' }, credentials(api))).toMatchObject({ reports: [report], incoming: [] })
  })

  it('delivers answers of recipients', () => {
    const body = { id: 1, msisdn: 4_520_123_456, receiver: 451_204, message: 'STOP', senttime: 1_790_000_000, webhook_label: 'pakhus' }
    expect(gateways.gatewayapi.readCallback({ ...classicCallback(body, callback_secret), url: '' }, credentials('classic'))).toMatchObject({
      incoming: [{ from: '+4520123456', to: '451204', text: 'STOP' }],
    })
  })

  it('is not believed without its signature', () => {
    const body = { id: 1, status: 'DELIVERED' }
    const read = (call: { raw: Uint8Array; headers: Record<string, string> }, more: Partial<SmsCredentials> = {}) =>
      gateways.gatewayapi.readCallback({ ...call, url: '' }, credentials('classic', more))
    expect(read(classicCallback(body, 'another secret'))).toBeNull()
    expect(read({ raw: Buffer.from(JSON.stringify(body)), headers: {} })).toBeNull()
    expect(read(classicCallback(body, ''), { callback_secret: '' })).toBeNull()
    const none = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url')
    expect(
      read({ raw: Buffer.from('{}'), headers: { 'x-gwapi-signature': `${none}.${Buffer.from('{}').toString('base64url')}.` } }),
    ).toBeNull()
  })
})

describe('Twilio', () => {
  const url = 'https://demo.example/api/demo/message_callbacks/1/key'
  const read = (fields: Record<string, string>, secret = fake.token, at = url) =>
    gateways.twilio.readCallback({ ...twilioCallback(fields, secret, url), url: at }, credentials('classic'))

  it('refuses numbers, senders and recipients who have opted out for good', async () => {
    fake.optedOut.add('+4520123457')
    const batch = [sms({ to: '+45' }), sms({ sender: 'A sender too long' }), sms({ to: '+4520123457' })]
    expect(await gateways.twilio.send(batch, credentials('classic'), tools())).toMatchObject([
      { outcome: 'failed', problem: 'bad_number' },
      { outcome: 'failed', problem: 'sender_refused' },
      { outcome: 'failed', problem: 'opted_out' },
    ])
  })

  it('keeps telephone numbers out of what it is quoted with', async () => {
    const [outcome] = await gateways.twilio.send([sms({ to: '+45201234567890123' })], credentials('classic'), tools())
    expect(outcome).toMatchObject({ answer: expect.not.stringContaining('20123456') })
  })

  it('reports states under the signature of the exact address', () => {
    const fields = { MessageSid: 'SM1', MessageStatus: 'undelivered', To: '+4520123456', From: 'Pakhus', ErrorCode: '30003' }
    expect(read(fields)).toMatchObject({ reports: [{ provider_id: 'SM1', state: 'failed', problem: 'undeliverable' }] })
    expect(read(fields, 'another')).toBeNull()
    expect(read(fields, fake.token, `${url}?x=1`)).toBeNull()
  })

  it('delivers answers of recipients', () =>
    expect(read({ MessageSid: 'SM2', From: '+4520123456', To: '+4512040000', Body: 'wait' })).toMatchObject({
      reports: [],
      incoming: [{ provider_id: 'SM2', from: '+4520123456', text: 'wait' }],
    }))
})

describe('inMobile', () => {
  it('answers 200 for an invalid number, which has failed', async () => {
    const outcomes = await gateways.inmobile.send([sms({ to: '+45' }), sms()], credentials('classic'), tools())
    expect(outcomes).toMatchObject([
      { outcome: 'failed', problem: 'bad_number' },
      { outcome: 'sent', parts: 1 },
    ])
  })

  it('never gets a sender that it would cut', async () => {
    const outcomes = await gateways.inmobile.send([sms({ sender: 'A sender too long' }), sms()], credentials('classic'), tools())
    expect(outcomes.map(one => one.outcome)).toEqual(['failed', 'sent'])
    expect(fake.sent.map(one => one.sender)).toEqual(['Pakhus'])
  })

  it('gives each report and each answer once', async () => {
    const [outcome] = await gateways.inmobile.send([sms()], credentials('classic'), tools())
    const messageId = outcome?.outcome === 'sent' ? outcome.provider_id : ''
    fake.reports.push({ messageId, deliveryInfo: { stateDescription: 'Delivered' }, chargeInfo: { smsCount: 2, isCharged: true } })
    fake.incoming.push({ from: { msisdn: '4520123456' }, to: { msisdn: '451204' }, text: 'wait', messageId: 'x1' })
    expect(await gateways.inmobile.poll?.(credentials('classic'), tools())).toMatchObject({
      reports: [{ provider_id: messageId, state: 'delivered', parts: 2 }],
      incoming: [{ from: '+4520123456', text: 'wait' }],
    })
    expect(await gateways.inmobile.poll?.(credentials('classic'), tools())).toEqual({ reports: [], incoming: [] })
  })
})
