/** The matrix: every mounted call × every permission × every caller without access. The access check decides, and no handler runs. */
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { features } from '#app/features.ts'
import { type KeyPurpose, needsKey, permissions } from '#contract/access.ts'
import type { Call } from '#contract/endpoint.ts'
import { AppError } from '#contract/errors.ts'
import { insertRecorderKey } from '#platform/auth/recorder-key-store.ts'
import { hashToken, newToken } from '#platform/crypto/vault.ts'
import { createHttpServer } from '#platform/http/http-server.ts'
import { scopeOfCompany } from '../src/app/demo/builders.ts'
import { allCalls, type CallRequest, callApi, each } from './api-client.ts'
import { openTestApp, type TestApp, type TestOperator } from './test-app.ts'

/** The answer of the stand-in for every handler. An input that does not parse has passed the access check too. */
const passed = new Set([418, 400, 415, 413, 422])

let testApp: TestApp
let app: FastifyInstance
let home: TestOperator
let stranger: TestOperator
const holders = new Map<string, string>()
/** The same permissions at the main company. */
const mainHolders = new Map<string, string>()
const tokens = {
  ended: '',
  expired: '',
  idle: '',
  removed: '',
  main: '',
  sister: '',
  stranger: '',
  key: '',
  sisterKey: '',
  endedKey: '',
  agentKey: '',
  recorderKey: '',
}

beforeAll(async () => {
  testApp = await openTestApp()
  // The same calls without their handlers.
  app = createHttpServer(
    testApp.services,
    testApp.identities,
    features.map(({ calls }) => ({
      calls,
      handlers: Object.fromEntries(
        Object.keys(calls).map(name => [
          name,
          async () => {
            throw new AppError(418, 'busy', 'Passed the access check')
          },
        ]),
      ),
    })),
  )
  await app.ready()
  home = await testApp.operator({ shops: 2 })
  stranger = await testApp.operator({ shops: 1 })
  const shop = home.shops[0]!
  for (const code of permissions) {
    holders.set(code, (await home.hire([code], shop)).token)
    mainHolders.set(code, (await home.hire([code])).token)
  }
  holders.set('nothing', (await home.hire([], shop, 'No permissions')).token)
  mainHolders.set('nothing', (await home.hire([], home.main, 'No permissions')).token)
  const all = async (operator: TestOperator, company = operator.main) => (await operator.hire(permissions, company)).token
  tokens.main = await all(home)
  tokens.sister = await all(home, home.shops[1])
  tokens.stranger = await all(stranger)
  for (const state of ['ended', 'expired', 'idle', 'removed'] as const) {
    const { token, user_id } = await home.hire(permissions, shop, state)
    tokens[state] = token
    const longAgo = new Date(Date.now() - 40 * 86_400_000).toISOString()
    await testApp.services.database.transaction(scopeOfCompany(home, shop), async db => {
      if (state === 'removed') await db.updateTable('users').set({ removed_at: longAgo }).where('id', '=', user_id).execute()
      else
        await db
          .updateTable('sessions')
          .set(state === 'ended' ? { ended_at: longAgo } : state === 'idle' ? { last_used_at: longAgo } : { expires_at: longAgo })
          .where('user_id', '=', user_id)
          .execute()
    })
  }
  const key = async (company: typeof shop, removed_at: string | null = null, purpose: KeyPurpose = 'shop') => {
    const token = newToken()
    await testApp.services.database.transaction({ ...scopeOfCompany(home, company), companies: [company.id] }, db =>
      db
        .insertInto('cms_keys')
        .values({ name: 'Shop', purpose, prefix: token.slice(0, 6), key_hash: hashToken(token), removed_at })
        .execute(),
    )
    return token
  }
  tokens.key = await key(shop)
  tokens.agentKey = await key(shop, null, 'print_agent')
  tokens.sisterKey = await key(home.shops[1]!)
  tokens.endedKey = await key(shop, new Date().toISOString())
  const scope = { ...scopeOfCompany(home, shop), companies: [shop.id] }
  const recorder = { name: 'Recorder', channels: [], created_by_name: 'Kim', at: new Date() }
  tokens.recorderKey = (await testApp.services.database.transaction(scope, db => insertRecorderKey(db, recorder))).key
})
afterAll(async () => {
  await app.close()
  await testApp.close()
})

/** What the declared access says, computed independently of the product. */
function expected(call: Call, held: readonly string[] | 'anonymous' | 'key' | 'agent key' | 'recorder key'): 'in' | 401 | 403 {
  if (call.access === 'anyone') return 'in'
  if (call.access === 'shop') return held === 'key' ? 'in' : 401
  if (call.access === 'print_agent') return held === 'agent key' ? 'in' : 401
  if (call.access === 'recorder') return held === 'recorder key' ? 'in' : 401
  if (held === 'recorder key' && call.orKey === 'recorder') return 'in'
  if (held === 'anonymous' || held === 'key' || held === 'agent key' || held === 'recorder key') return 401
  if (call.access === 'user' || call.access === 'person') return 'in'
  // Decision 58: reading personal numbers is given to each person alone.
  const forAdmins = call.access.some(code => code !== 'personal_admin')
  return (held.includes('admin') && forAdmins) || call.access.some(code => held.includes(code)) ? 'in' : 403
}

interface Case {
  who: string
  call: Call
  how: CallRequest
  is: 'in' | number
}
async function judge(cases: readonly Case[]): Promise<void> {
  const wrong: string[] = []
  await each(cases, async ({ who, call, how, is }) => {
    const { statusCode, body } = await callApi(app, call, how)
    // The rate limit counts per address, after the access check.
    const through = passed.has(statusCode) || (statusCode === 429 && call.rateLimit !== undefined)
    if (is === 'in' ? !through : statusCode !== is)
      wrong.push(`${call.line} as ${who}: ${statusCode} instead of ${is} – ${body.slice(0, 120)}`)
  })
  expect(wrong).toEqual([])
}

describe('the access check of every call', () => {
  it('opens for each single right exactly as declared', async () => {
    const cases = allCalls.flatMap(call => {
      const [company, byCode] = call.company === 'main' ? [home.main.code, mainHolders] : [home.shops[0]!.code, holders]
      return [...byCode].map(([code, token]) => ({ who: code, call, how: { company, token }, is: expected(call, [code]) }))
    })
    expect(cases.length).toBe(allCalls.length * (permissions.length + 1))
    await judge(cases)
  })

  it('rejects the admin of a shop where a call is declared for the main company alone', async () => {
    const calls = allCalls.filter(call => call.company === 'main')
    expect(calls.length).toBeGreaterThan(50)
    const how = { company: home.shops[0]!.code, token: holders.get('admin') }
    await judge(calls.map(call => ({ who: 'shop admin', call, how, is: 403 })))
  })

  it('stays shut without a login, and after its end, its expiry, long idleness and the person’s removal', async () => {
    const company = home.shops[0]!.code
    await judge(
      allCalls.flatMap(call =>
        [
          undefined,
          tokens.ended,
          tokens.expired,
          tokens.idle,
          tokens.removed,
          tokens.endedKey,
          'x',
          `${tokens.main}x`,
          'x'.repeat(5_000),
        ].map(token => ({ who: `bad token ${token?.slice(0, 5)}`, call, how: { company, token }, is: expected(call, 'anonymous') })),
      ),
    )
  })

  it('takes a key for the calls of its purpose alone, and at its own company alone', async () => {
    const [shop, sister] = home.shops.map(one => one.code) as [string, string]
    await judge(
      allCalls.flatMap(call => [
        { who: 'own key', call, how: { company: shop, token: tokens.key }, is: expected(call, 'key') },
        { who: 'own agent’s key', call, how: { company: shop, token: tokens.agentKey }, is: expected(call, 'agent key') },
        {
          who: 'own recorder’s key',
          call,
          how: { company: shop, token: tokens.recorderKey },
          is: call.company === 'main' && expected(call, 'recorder key') === 'in' ? 403 : expected(call, 'recorder key'),
        },
        {
          who: 'own recorder’s key at sister',
          call,
          how: { company: sister, token: tokens.recorderKey },
          is: call.access === 'recorder' || call.orKey ? 404 : expected(call, 'recorder key'),
        },
        {
          who: 'sister’s key',
          call,
          how: { company: shop, token: tokens.sisterKey },
          is: call.access === 'shop' ? 404 : expected(call, 'key'),
        },
        {
          who: 'own key at sister',
          call,
          how: { company: sister, token: tokens.key },
          is: call.access === 'shop' ? 404 : expected(call, 'key'),
        },
      ]),
    )
  })

  it('does not exist for the admin of another company, of the main company or of another operator, on whatever host and path', async () => {
    const shop = home.shops[0]!.code
    const needsLogin = (call: Call) => (call.access === 'anyone' ? 'in' : needsKey(call.access) ? 401 : 404)
    const places: { who: string; how: CallRequest; is: (call: Call) => 'in' | number }[] = [
      { who: 'sister', how: { company: shop, token: tokens.sister }, is: needsLogin },
      { who: 'main', how: { company: shop, token: tokens.main }, is: needsLogin },
      { who: 'stranger', how: { company: shop, token: tokens.stranger }, is: needsLogin },
      { who: 'shop admin at main', how: { company: home.main.code, token: holders.get('admin') }, is: needsLogin },
      { who: 'shop admin at stranger', how: { company: stranger.main.code, token: holders.get('admin') }, is: needsLogin },
      // Host and path disagree: nothing is there for anybody.
      {
        who: 'own host, main path',
        how: { company: home.main.code, host: `${shop}.localhost`, token: holders.get('admin') },
        is: () => 404,
      },
      {
        who: 'main host, own path',
        how: { company: shop, host: `${home.main.code}.localhost`, token: holders.get('admin') },
        is: () => 404,
      },
      {
        who: 'own host, stranger’s path',
        how: { company: stranger.main.code, host: `${shop}.localhost`, token: holders.get('admin') },
        is: () => 404,
      },
      {
        who: 'stranger’s host, own path',
        how: { company: shop, host: `${stranger.main.code}.localhost`, token: holders.get('admin') },
        is: () => 404,
      },
      { who: 'bare host', how: { company: shop, host: 'localhost', token: holders.get('admin') }, is: () => 404 },
      {
        who: 'unknown company',
        how: { company: 'no-such-company', token: holders.get('admin') },
        is: call => (needsKey(call.access) ? 401 : 404),
      },
    ]
    await judge(allCalls.flatMap(call => places.map(({ who, how, is }) => ({ who, call, how, is: is(call) }))))
  })

  it('asks for the warehouse’s network where it is declared, of every address outside of it', async () => {
    const locked = allCalls.filter(call => call.ipLock)
    expect(locked.length).toBeGreaterThan(10)
    const outside = await testApp.operator({ settings: { packing_ip_pattern: '10\\.0\\.0\\.1' } })
    const open = await testApp.operator({ settings: { packing_ip_pattern: '' } })
    for (const operator of [outside, open]) {
      const { token } = await operator.hire(['admin'])
      await judge(locked.map(call => ({ who: 'outside', call, how: { company: operator.main.code, token }, is: 403 })))
    }
  })
})
