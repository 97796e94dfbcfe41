/** A print agent in the warehouse gets each job once, and what it does not report is never printed again by itself. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { AgentRefused, AgentSettings, runPrintAgent } from '#app/print-agent.ts'
import type { Call } from '#contract/endpoint.ts'
import { cmsKeys } from '#features/company/api-keys/cms-keys.contract.ts'
import { shopApi } from '#features/deliveries/shop-api/shop-api.contract.ts'
import { queuePrint } from '#features/printing/print-jobs/print-jobs.commands.ts'
import { printJobs } from '#features/printing/print-jobs/print-jobs.contract.ts'
import { sendPrint, watchPrints } from '#features/printing/print-jobs/send-prints.task.ts'
import { printerChecks } from '#features/printing/printer-checks/printer-checks.contract.ts'
import { printers } from '#features/printing/printers/printers.contract.ts'
import { type FakeCups, fakeCups } from '#integrations/printers/cups.fake.ts'
import { fakeRawPrinter } from '#integrations/printers/raw9100.fake.ts'
import { testPrintZpl } from '#integrations/printers/test-print.ts'
import { recordFile } from '#platform/files/file-store.ts'
import { createSystemContext } from '#platform/http/context.ts'
import { callApi } from '#test/api-client.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { takeLostAgentsOffline } from './lost-agents.task.ts'
import { printAgentCalls, printAgents } from './print-agents.contract.ts'
import type { AgentJob } from './print-agents.schemas.ts'

let testApp: TestApp
let operator: TestOperator
let admin: TestUser
let key: string
let n = 0

beforeAll(async () => {
  testApp = await openTestApp()
})
afterAll(() => testApp.close())
beforeEach(async () => {
  operator = await testApp.operator({ shops: 1 })
  admin = await operator.hire(['admin'])
  ;({ key } = await admin.send(cmsKeys.create, { body: { name: 'Agent', purpose: 'print_agent' } }))
})
afterEach(() => testApp.setNow(undefined))

const zebra = { remote_id: 'raw9100:10.0.0.5:9100', name: 'Zebra', description: 'ZPL', state: 'online', papers: {}, raw: true }
const laser = { remote_id: 'cups:Laser', name: 'Laser', description: '', state: 'online', papers: { A4: [210, 297] }, raw: false }

/** As the agent with this key. */
async function ask(call: Call, how: { id?: number; attempt?: number; body?: object; token?: string; company?: string } = {}) {
  const { id, attempt, body, token = key, company = operator.main.code } = how
  const answer = await callApi(testApp.app, call, { company, token, params: { id }, query: attempt ? { attempt } : {}, body })
  return { status: answer.statusCode, bytes: answer.rawPayload, json: () => answer.json() }
}
async function poll(more: object = {}): Promise<AgentJob[]> {
  const answer = await ask(printAgentCalls.poll, { body: { name: 'Hall', printers: [zebra, laser], wait_seconds: 0, ...more } })
  expect(answer.status).toBe(200)
  return answer.json().jobs
}
const begin = async ({ id, attempt }: AgentJob) => (await ask(printAgentCalls.begin, { id, body: { attempt } })).status
const report = async ({ id, attempt }: AgentJob, outcome: string, message: string | null = null) =>
  (await ask(printAgentCalls.report, { id, body: { attempt, outcome, message } })).status

const idOf = async (name: string) => (await admin.send(printers.list, {})).printers.find(one => one.name === name)!.id
const jobOf = (id: number) => admin.send(printJobs.get, { id })
const system = () => createSystemContext(testApp.services, scopeOfCompany(operator))
const label = testPrintZpl({ number: 7, printer: 'Zebra', time: '', at: new Date() })

async function queued(printer_id: number): Promise<number> {
  const stored = await testApp.services.files.put(operator.operator_id, label)
  return system().transaction(async context => {
    const file_id = await recordFile(context.db, stored, { media_type: 'text/plain', name: 'label.zpl', company_id: operator.main.id })
    return queuePrint(context, {
      printer_id,
      document: 'label',
      title: `Label ${++n}`,
      file_id,
      format: 'zpl',
      paper: 'label',
      company_id: operator.main.id,
      idempotency_key: `agent:${operator.operator_id}:${n}`,
    })
  })
}
const inSeconds = (seconds: number) => testApp.setNow(new Date(Date.now() + seconds * 1_000))

describe('a print agent', () => {
  it('registers its printers, and is shown with them and its last contact', async () => {
    await poll({ version: '1.0' })
    expect(await admin.send(printAgents.list, {})).toMatchObject([
      { name: 'Hall', version: '1.0', state: 'connected', printers: [{ name: 'Laser' }, { name: 'Zebra' }] },
    ])
    const { printers: known } = await admin.send(printers.list, {})
    expect(known.find(one => one.name === 'Zebra')).toMatchObject({
      kind: 'agent',
      computer: 'Hall',
      state: 'online',
      raw: true,
      paper: 'label',
    })
    await poll({ printers: [laser] })
    expect((await admin.send(printers.list, {})).printers.some(one => one.name === 'Zebra')).toBe(false)
  })

  it('is silent after a minute: its printers are off line until it polls again', async () => {
    await poll()
    inSeconds(61)
    await takeLostAgentsOffline(testApp.services)
    expect(await admin.send(printAgents.list, {})).toMatchObject([
      { state: 'silent', printers: [{ state: 'offline' }, { state: 'offline' }] },
    ])
    await poll()
    expect(await admin.send(printAgents.list, {})).toMatchObject([
      { state: 'connected', printers: [{ state: 'online' }, { state: 'online' }] },
    ])
  })

  it('is removed with its printers', async () => {
    await poll()
    const [agent] = await admin.send(printAgents.list, {})
    await admin.send(printAgents.remove, { id: agent!.id })
    expect(await admin.send(printAgents.list, {})).toEqual([])
    expect((await admin.send(printers.list, {})).printers.some(one => one.kind === 'agent')).toBe(false)
  })

  it('needs a key for print agents, which opens nothing else', async () => {
    const body = { name: 'Hall', printers: [], wait_seconds: 0 }
    const shopKey = (await admin.send(cmsKeys.create, { body: { name: 'Shop' } })).key
    const stranger = await testApp.operator()
    expect((await ask(printAgentCalls.poll, { body, token: shopKey })).status).toBe(401)
    expect((await ask(printAgentCalls.poll, { body, token: admin.token })).status).toBe(401)
    expect((await ask(printAgentCalls.poll, { body, company: stranger.main.code })).status).toBe(404)
    expect((await ask(shopApi.sendOrders, { body: { orders: [] } })).status).toBe(401)
    expect((await ask(printJobs.list)).status).toBe(401)
  })
})

describe('a job for a printer of an agent', () => {
  it('is leased, fetched, printed and reported', async () => {
    await poll()
    const id = await queued(await idOf('Zebra'))
    expect(await sendPrint(system(), id)).toMatchObject({ state: 'queued' })
    const [job] = await poll()
    expect(job).toMatchObject({ id, attempt: 1, remote_id: zebra.remote_id, format: 'zpl' })
    const { bytes } = await ask(printAgentCalls.document, { id, attempt: 1 })
    expect(bytes.equals(Buffer.from(label))).toBe(true)
    expect(await begin(job!)).toBe(204)
    expect(await report(job!, 'accepted')).toBe(204)
    expect(await jobOf(id)).toMatchObject({ state: 'accepted', in_doubt: false })
    expect(await report(job!, 'done')).toBe(204)
    expect(await report(job!, 'done')).toBe(204)
    expect(await jobOf(id)).toMatchObject({ state: 'done', attempts: 1 })
  })

  it('goes to one of eight agents that poll in the same moment', async () => {
    await poll()
    await queued(await idOf('Zebra'))
    const answers = await Promise.all(Array.from({ length: 8 }, () => poll()))
    expect(answers.flat()).toHaveLength(1)
  })

  it('wakes a waiting poll at once', async () => {
    await poll()
    const printer_id = await idOf('Zebra')
    const began = performance.now()
    const waiting = poll({ wait_seconds: 40 })
    await queued(printer_id)
    expect(await waiting).toHaveLength(1)
    expect(performance.now() - began).toBeLessThan(30_000)
  })

  it('comes back when its agent died before it began, and what that one says later counts no more', async () => {
    await poll()
    const id = await queued(await idOf('Zebra'))
    const [first] = await poll()
    expect(await poll()).toEqual([])
    inSeconds(31)
    const [second] = await poll()
    expect(second).toMatchObject({ id, attempt: 2, key: first!.key })
    expect(await begin(first!)).toBe(409)
    expect(await report(first!, 'done')).toBe(409)
    expect(await begin(second!)).toBe(204)
    expect(await report(second!, 'done')).toBe(204)
  })

  it('is unknown when its agent died while it printed, until that agent says what came out', async () => {
    await poll()
    const id = await queued(await idOf('Zebra'))
    const [job] = await poll()
    await begin(job!)
    inSeconds(61)
    await watchPrints(testApp.services)
    expect(await poll()).toEqual([])
    expect(await jobOf(id)).toMatchObject({ state: 'unknown', in_doubt: true })
    expect(await report(job!, 'done')).toBe(204)
    expect(await jobOf(id)).toMatchObject({ state: 'done', in_doubt: false, error: null })
  })

  it('is unknown when its agent says so, and is not leased again', async () => {
    await poll()
    const id = await queued(await idOf('Zebra'))
    const [job] = await poll()
    await begin(job!)
    await report(job!, 'unknown', 'The printer broke off while it took the label; a part may have come out')
    inSeconds(120)
    expect(await poll()).toEqual([])
    expect(await jobOf(id)).toMatchObject({ state: 'unknown', error: expect.stringContaining('a part may have come out') })
  })

  it('is tried again when nothing was submitted, and fails when the printer refuses it', async () => {
    await poll()
    const id = await queued(await idOf('Zebra'))
    const [first] = await poll()
    await begin(first!)
    await report(first!, 'unavailable', 'The printer does not answer')
    expect(await jobOf(id)).toMatchObject({ state: 'queued', in_doubt: false, error: 'The printer does not answer' })
    inSeconds(10)
    const [second] = await poll()
    await begin(second!)
    await report(second!, 'failed', 'CUPS refuses: no')
    expect(await jobOf(id)).toMatchObject({ state: 'failed', error: 'CUPS refuses: no', in_doubt: false })
  })

  it('goes to the fallback printer when its agent is silent', async () => {
    await poll()
    const id = await idOf('Zebra')
    const { printers: known } = await admin.send(printers.list, {})
    const folder = known.find(one => one.kind === 'file' && one.paper === 'label')!
    await admin.send(printers.change, { id: folder.id, body: { raw_override: true } })
    await admin.send(printers.change, { id, body: { fallback_printer_id: folder.id } })
    inSeconds(61)
    await takeLostAgentsOffline(testApp.services)
    const job = await queued(id)
    expect(await sendPrint(system(), job)).toMatchObject({ state: 'done', printer_id: folder.id, moved_from_printer_id: id })
  })

  it('expires when no agent takes it, and does not delay jobs of other printers', async () => {
    await poll()
    const waits = await queued(await idOf('Zebra'))
    const folder = (await admin.send(printers.list, {})).printers.find(one => one.kind === 'file' && one.paper === 'label')!
    await admin.send(printers.change, { id: folder.id, body: { raw_override: true } })
    const other = await queued(folder.id)
    inSeconds(11)
    await watchPrints(testApp.services)
    expect(await jobOf(other)).toMatchObject({ state: 'done' })
    inSeconds(601)
    await watchPrints(testApp.services)
    expect(await jobOf(waits)).toMatchObject({ state: 'expired' })
  })

  it('is a matter of the agents of its printer’s company', async () => {
    await poll()
    const id = await queued(await idOf('Zebra'))
    const [job] = await poll()
    const shop = operator.shops[0]!
    const shopAdmin = await operator.hire(['admin'], shop)
    const shopAgent = (await shopAdmin.send(cmsKeys.create, { body: { name: 'Agent', purpose: 'print_agent' } })).key
    const asShop = { token: shopAgent, company: shop.code, id }
    expect((await ask(printAgentCalls.document, { ...asShop, attempt: 1 })).status).toBe(404)
    expect((await ask(printAgentCalls.begin, { ...asShop, body: { attempt: 1 } })).status).toBe(404)
    expect((await ask(printAgentCalls.document, { id, attempt: 2 })).status).toBe(409)
    expect(await begin(job!)).toBe(204)
  })
})

describe('the process `npm run print-agent`', () => {
  let own: TestApp
  let server: string
  let cups: FakeCups
  beforeAll(async () => {
    // One operator: then the server answers for its address without a name.
    own = await openTestApp()
    server = await own.app.listen({ port: 0, host: '127.0.0.1' })
    cups = await fakeCups()
  })
  afterAll(async () => {
    await own.close()
    await cups.remove()
  })

  it('prints on its CUPS and on label printers of its network, reports, ends in order, and ends for a wrong key', async () => {
    const device = await fakeRawPrinter(9107)
    const home = await own.operator()
    const manager = await home.hire(['admin'])
    const made = await manager.send(cmsKeys.create, { body: { name: 'Agent', purpose: 'print_agent' } })
    const raw = [{ name: 'Zebra', host: '127.0.0.1', port: 9107 }]
    const settings = AgentSettings.parse({ server, company: home.main.code, name: 'Hall', raw })
    const ending = new AbortController()
    const lines: string[] = []
    const tools = { signal: ending.signal, log: (text: string) => void lines.push(text), waitSeconds: 5, path: cups.path }
    const running = runPrintAgent(settings, made.key, tools)
    try {
      await expect.poll(async () => (await manager.send(printAgents.list, {}))[0]?.printers.length).toBe(3)
      const { printers: known } = await manager.send(printers.list, {})
      const stateOf = async (id: number) => (await manager.send(printJobs.get, { id })).state
      const onZebra = await manager.send(printerChecks.testPrint, { printer_id: known.find(one => one.name === 'Zebra')!.id })
      await expect.poll(() => stateOf(onZebra.job.id)).toBe('done')
      expect(device.printed().at(-1)).toContain(onZebra.code)
      const onCups = await manager.send(printerChecks.testPrint, { printer_id: known.find(one => one.name === 'Office')!.id })
      await expect.poll(() => stateOf(onCups.job.id)).toBe('accepted')
      expect((await cups.jobs()).at(-1)).toMatchObject({ id: expect.stringMatching(/^Office-/) })
      await cups.printAll()
      await expect.poll(() => stateOf(onCups.job.id)).toBe('done')
    } finally {
      ending.abort()
      await running
      await device.stop()
    }
    expect(lines.at(-1)).toBe('The print agent has ended')
    await expect(runPrintAgent(settings, 'pk_wrong', { ...tools, signal: new AbortController().signal })).rejects.toThrow(AgentRefused)
  })

  it('waits for a server that cannot be reached', async () => {
    const ending = new AbortController()
    const lines: string[] = []
    const settings = AgentSettings.parse({ server: 'http://127.0.0.1:9', company: 'demo', cups: false })
    const running = runPrintAgent(settings, 'pk_x', { signal: ending.signal, log: text => void lines.push(text) })
    await expect.poll(() => lines.filter(line => line.includes('next try')).length).toBeGreaterThan(1)
    expect(lines).toContain('The server cannot be reached; next try in 1 s')
    expect(lines).toContain('The server cannot be reached; next try in 2 s')
    ending.abort()
    await running
  })
})
