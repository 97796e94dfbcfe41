/**
 * 50,000 hostile inputs, drawn anew for each course: what the contract's schemas refuse and what they take, at every call. None is answered with an
 * internal error, none takes a second again and again, and the memory of the program grows by 200 MB at most.
 */
import * as fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { packingVideo } from '#features/packing/packing-video/packing-video.contract.ts'
import type { ServedCall } from '#platform/http/served-calls.ts'
import { cmsKeys } from '../../src/features/company/api-keys/cms-keys.contract.ts'
import { allCalls, type CallRequest, callApi, each, namesIn, pathOf } from '../api-client.ts'
import { measureCpu } from '../cpu-cost.ts'
import { fillCompany } from '../fixtures.ts'
import { arbitraryOf, hostile, mutation, seedOf, valid } from '../hostile-inputs.ts'
import { watchMemory } from '../memory-use.ts'
import { sender } from '../sender.ts'
import { openTestApp, type TestApp } from '../test-app.ts'

const amount = Number(process.env.PROOF_AMOUNT ?? 50_000)
const seed = Number(process.env.PROOF_SEED ?? 1)
const until = performance.now() + Number(process.env.PROOF_MINUTES ?? 60) * 60_000
/** Milliseconds that no input may take. What takes longer is asked again alone, and then processor time counts: the machine has other work. */
const patience = 1_000
/** Inputs for each call with one company; then another one is filled, because the inputs change settings. */
const perCall = 12

let testApp: TestApp
let root: pg.Client
beforeAll(async () => {
  // No service answers there.
  testApp = await openTestApp({ PRINTNODE_URL: 'http://127.0.0.1:9', SMS_URL: 'http://127.0.0.1:9', API_KEY_CALLS_PER_MINUTE: '1000000' })
  root = new pg.Client({ connectionString: testApp.url })
  await root.connect()
})
afterAll(async () => {
  await root.end()
  await testApp.close()
})

/** Those would end the asker's session, never end, wait for work, or are rationed by the minute. */
const asked = allCalls
  .filter(
    call =>
      !call.rateLimit &&
      !['DELETE session', 'DELETE user/my_sessions', 'POST user/my_password', 'GET live', 'POST print_agent/poll'].includes(call.line),
  )
  .toSorted((a, b) => Number(a.path.startsWith('company/')) - Number(b.path.startsWith('company/')))

type Input = Pick<CallRequest, 'params' | 'query' | 'body'>

/** Half of them fit the schema and mean nothing, the others have one thing wrong. */
function inputsOf(call: ServedCall, draw: number): Input[] {
  const own = seedOf(call) + draw * 7_919
  const some = <T>(schema: ServedCall['body'], n: number) =>
    schema ? (fc.sample(arbitraryOf(schema), { numRuns: n, seed: own }) as T[]) : []
  const half = perCall / 2
  const params = some<Record<string, unknown>>(call.params, half)
  const query = some<Record<string, unknown>>(call.query, half)
  const bytes = call.upload ? fc.sample(fc.uint8Array({ maxLength: 2_000 }), { numRuns: perCall, seed: own }) : []
  const bodies = some<unknown>(call.upload ? undefined : call.body, half)
  const senseless = Array.from(
    { length: half },
    (_, i): Input => ({ params: params[i] ?? {}, query: query[i], body: bytes[i] ?? bodies[i] }),
  )
  const good: Input = {
    params: (valid(call.params, own, 1)[0] ?? {}) as Record<string, unknown>,
    query: call.query && (valid(call.query, own, 1)[0] as Record<string, unknown>),
    body: call.upload ? Buffer.from('x') : call.body && valid(call.body, own, 1)[0],
  }
  const pieces = fc.sample(fc.constantFrom(...hostile.filter(piece => typeof piece !== 'object' && piece !== '')), {
    numRuns: half,
    seed: own,
  })
  const mutated = call.body && !call.upload ? fc.sample(mutation(good.body), { numRuns: half, seed: own }) : []
  const malformed = Array.from({ length: half }, (_, i): Input => {
    const names = namesIn(call)
    const body = mutated[i]
    if (body !== undefined && typeof body === 'object' && body !== null && (i % 2 === 0 || names.length === 0)) return { ...good, body }
    const name = names[i % Math.max(1, names.length)]
    return name === undefined
      ? { ...good, query: { ...good.query, page: pieces[i], query: pieces[i] } }
      : { ...good, params: { ...good.params, [name]: pieces[i] } }
  })
  return [...senseless, ...malformed]
}

it('answers every hostile input with a refusal or as data, quickly and in bounded memory', async () => {
  const wrong: string[] = []
  let sent = 0
  let slowest = 0
  let memory: ReturnType<typeof watchMemory> | undefined
  for (let draw = seed; sent < amount && performance.now() < until; draw++) {
    const operator = await testApp.operator({ shops: 1, settings: { sender } })
    const { admin } = await fillCompany(testApp, operator, operator.main, `Filled${draw}`)
    const { key } = await admin.send(cmsKeys.create, { body: { name: 'Fuzz' } })
    const { key: agentKey } = await admin.send(cmsKeys.create, { body: { name: 'Agent', purpose: 'print_agent' } })
    const { key: recorderKey } = await admin.send(packingVideo.addRecorder, { body: { name: 'Recorder' } })
    const tokens: Partial<Record<string, string>> = { shop: key, print_agent: agentKey, recorder: recorderKey }
    const before = sent
    for (const call of asked) {
      const token = (typeof call.access === 'string' && tokens[call.access]) || admin.token
      const ask = (input: Input) =>
        callApi(testApp.app, call, { company: operator.main.code, token, ...input }).catch((error: Error) => ({
          // A stream that ends before its answer does.
          statusCode: 599,
          body: error.message,
        }))
      const slow: Input[] = []
      await each(
        inputsOf(call, draw).slice(0, amount - sent),
        async input => {
          sent++
          const began = performance.now()
          const { statusCode, body } = await ask(input)
          if (performance.now() - began > patience) slow.push(input)
          // 502 and 503 are what an outside service that does not answer makes of a good request.
          if (statusCode >= 500 && statusCode !== 502 && statusCode !== 503)
            wrong.push(
              `${pathOf(call, { company: 'x', ...input }).slice(0, 200)} ${JSON.stringify(input.body)?.slice(0, 200)}: ${statusCode} ${body.slice(0, 200)}`,
            )
        },
        4,
      )
      for (const input of slow) {
        const effort = measureCpu()
        await ask(input)
        const took = effort()
        slowest = Math.max(slowest, took)
        if (took > patience) wrong.push(`${call.line} takes ${Math.round(took)} ms: ${JSON.stringify(input).slice(0, 200)}`)
      }
    }
    // Programs load and caches fill in the first course.
    memory ??= watchMemory()
    expect(sent).toBeGreaterThan(before)
  }
  const highest = (memory?.peak() ?? 0) / 1e6
  console.info(
    `hostile: ${sent} inputs at ${asked.length} calls: ${wrong.length} wrong, the slowest ${Math.round(slowest)} ms of the processor, memory + ${Math.round(highest)} MB after the first course`,
  )
  expect(wrong.slice(0, 20)).toEqual([])
  expect(highest).toBeLessThan(200)
})
