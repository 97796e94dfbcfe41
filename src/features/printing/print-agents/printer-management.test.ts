/** The printers of a Raspberry Pi are managed from the settings: by its print agent, once for each command, and only what CUPS takes. */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { AgentSettings, runPrintAgent } from '#app/print-agent.ts'
import { cmsKeys } from '#features/company/api-keys/cms-keys.contract.ts'
import { type FakeCups, fakeCups } from '#integrations/printers/cups.fake.ts'
import { callApi } from '#test/api-client.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { printAgentCalls } from './print-agents.contract.ts'
import { printerManagement } from './printer-management.contract.ts'
import type { DeviceCommand } from './printer-management.schemas.ts'

let testApp: TestApp
let operator: TestOperator
let admin: TestUser
let key: string
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

const zebra = {
  name: 'Zebra',
  address: 'socket://10.0.0.5',
  state: 'idle',
  accepts: true,
  is_default: false,
  jobs: 0,
  message: '',
}
const raspberry = { kind: 'raspberry', model: 'Raspberry Pi 4 Model B Rev 1.4' }
async function poll(more: object = {}) {
  const body = { name: 'Bench Pi', printers: [], wait_seconds: 0, device: raspberry, queues: [zebra], ...more }
  const answer = await callApi(testApp.app, printAgentCalls.poll, { company: operator.main.code, token: key, body })
  expect(answer.statusCode).toBe(200)
  return answer.json() as { agent_id: number; commands: { id: number; command: object }[] }
}
const report = async (id: number, body: object, token = key) =>
  (await callApi(testApp.app, printAgentCalls.reportCommand, { company: operator.main.code, token, params: { id }, body })).statusCode
const devices = () => admin.send(printerManagement.list, {})
const ask = (agent_id: number, command: DeviceCommand['command'], client_id: string = randomUUID()) =>
  admin.send(printerManagement.command, { agent_id, body: { client_id, command } })
const inMinutes = (minutes: number) => testApp.setNow(new Date(Date.now() + minutes * 60_000))

describe('a device', () => {
  it('is shown with its model and its printers, while a computer that keeps its printers to itself is not', async () => {
    await poll()
    await poll({ name: 'Office PC', device: { kind: 'computer', model: '' }, queues: null })
    expect(await devices()).toMatchObject([
      { name: 'Bench Pi', model: raspberry.model, state: 'connected', queues: [{ name: 'Zebra', papers: [] }], commands: [] },
    ])
  })

  it('gets a command once, and what it says of it is shown', async () => {
    const { agent_id } = await poll()
    const asked = await ask(agent_id, { action: 'disable', name: 'Zebra' })
    expect(asked).toMatchObject({ state: 'waiting', command: { action: 'disable', name: 'Zebra' } })
    expect((await poll()).commands).toEqual([{ id: asked.id, command: { action: 'disable', name: 'Zebra' } }])
    expect((await poll()).commands).toEqual([])
    expect(await report(asked.id, { message: 'CUPS refuses: Forbidden' })).toBe(204)
    expect(await report(asked.id, {})).toBe(204)
    expect((await devices())[0]!.commands).toMatchObject([{ state: 'failed', message: 'CUPS refuses: Forbidden' }])
  })

  it('gets the same command of a screen that asks twice once', async () => {
    const { agent_id } = await poll()
    const id = randomUUID()
    const [one, other] = await Promise.all([1, 2].map(() => ask(agent_id, { action: 'discover' }, id)))
    expect(other!.id).toBe(one!.id)
    expect((await poll()).commands).toHaveLength(1)
  })

  it('that does not fetch a command in five minutes never gets it', async () => {
    const { agent_id } = await poll()
    await ask(agent_id, { action: 'remove', name: 'Zebra' })
    inMinutes(6)
    expect((await devices())[0]!.commands).toMatchObject([{ state: 'lost' }])
    expect((await poll()).commands).toEqual([])
  })

  it('that dies with a command leaves it without an answer', async () => {
    const { agent_id } = await poll()
    await ask(agent_id, { action: 'discover' })
    await poll()
    expect((await devices())[0]!.commands).toMatchObject([{ state: 'taken' }])
    inMinutes(4)
    expect((await devices())[0]!.commands).toMatchObject([{ state: 'lost' }])
  })

  it('is asked for nothing that it cannot do', async () => {
    const { agent_id } = await poll()
    const add = (name: string, address: string) => ask(agent_id, { action: 'add', name, address, driver: 'raw' })
    await expect(add('Zebra', 'socket://10.0.0.6')).rejects.toMatchObject({ code: 'printer_name_taken' })
    await expect(add('a;b', 'socket://10.0.0.6')).rejects.toMatchObject({ status: 400 })
    await expect(add('-o', 'socket://10.0.0.6')).rejects.toMatchObject({ status: 400 })
    await expect(add('File', 'file:///etc/passwd')).rejects.toMatchObject({ status: 400 })
    await expect(add('Elsewhere', 'socket://203.0.113.9')).rejects.toMatchObject({ status: 400 })
    await expect(ask(agent_id, { action: 'enable', name: 'Nothing' })).rejects.toMatchObject({ code: 'printer_not_found' })
    for (let n = 0; n < 20; n++) await ask(agent_id, { action: 'discover' })
    await expect(ask(agent_id, { action: 'discover' })).rejects.toMatchObject({ code: 'device_busy' })
    inMinutes(2)
    await expect(ask(agent_id, { action: 'discover' })).rejects.toMatchObject({ code: 'device_silent' })
  })

  it('is managed by its own company only, and answered by its own key only', async () => {
    const { agent_id } = await poll()
    const stranger = await operator.hire(['admin'], operator.shops[0])
    const discover = { client_id: randomUUID(), command: { action: 'discover' } } as const
    expect((await stranger.ask(printerManagement.command, { agent_id, body: discover })).statusCode).toBe(404)
    expect(await stranger.send(printerManagement.list, {})).toEqual([])
    const packer = await operator.hire(['scan'])
    expect((await packer.ask(printerManagement.command, { agent_id, body: discover })).statusCode).toBe(403)
  })
})

describe('the print agent on a Raspberry Pi', () => {
  let own: TestApp
  let server: string
  let cups: FakeCups
  beforeAll(async () => {
    // One operator: then the server answers for its address without a name.
    own = await openTestApp()
    server = await own.app.listen({ port: 0, host: '127.0.0.1' })
    cups = await fakeCups(['Zebra_ZD420'])
  })
  afterAll(async () => {
    await own.close()
    await cups.remove()
  })

  it('does what people ask of its CUPS, and says what CUPS says', async () => {
    const home = await own.operator()
    admin = await home.hire(['admin'])
    ;({ key } = await admin.send(cmsKeys.create, { body: { name: 'Agent', purpose: 'print_agent' } }))
    const ending = new AbortController()
    const settings = AgentSettings.parse({ server, company: home.main.code, name: 'Bench Pi' })
    const tools = { signal: ending.signal, log: () => undefined, path: cups.path, model: `${raspberry.model}\0` }
    const running = runPrintAgent(settings, key, { ...tools, waitSeconds: 1 })
    try {
      const queues = async () => (await devices())[0]?.queues.map(({ name, state, is_default }) => [name, state, is_default])
      await expect.poll(queues, { timeout: 20_000 }).toEqual([['Zebra_ZD420', 'idle', false]])
      const { agent_id, model } = (await devices())[0]!
      expect(model).toBe(raspberry.model)
      const done = async (command: DeviceCommand['command']) => {
        const { id } = await ask(agent_id, command)
        const find = async () => (await devices())[0]!.commands.find(one => one.id === id)
        await expect.poll(async () => (await find())!.state, { timeout: 20_000 }).not.toMatch(/waiting|taken/)
        return (await find())!
      }
      const { found } = await done({ action: 'discover' })
      expect(found).toEqual([{ address: 'usb://Zebra%20Technologies/ZTC%20ZD420?serial=D2J1', name: 'Zebra ZTC ZD420' }])
      expect(await done({ action: 'add', name: 'Bench_2', address: found![0]!.address, driver: 'raw' })).toMatchObject({ state: 'done' })
      await expect.poll(queues, { timeout: 20_000 }).toContainEqual(['Bench_2', 'idle', false])
      await done({ action: 'set_default', name: 'Bench_2' })
      await done({ action: 'disable', name: 'Bench_2' })
      await expect.poll(queues, { timeout: 20_000 }).toContainEqual(['Bench_2', 'stopped', true])
      await done({ action: 'enable', name: 'Bench_2' })
      expect(await done({ action: 'remove', name: 'Zebra_ZD420' })).toMatchObject({ state: 'done' })
      await expect.poll(queues, { timeout: 20_000 }).toEqual([['Bench_2', 'idle', true]])
    } finally {
      ending.abort()
      await running
    }
  })
})
