/** Leads elsewhere: whether one has a screen open, and from where they may answer. */
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { company } from '#features/company/companies/companies.contract.ts'
import { approvalRules, approvals } from '#features/packing/approval/approval.contract.ts'
import { placeOrder } from '#test/orders.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { leadQuestions } from './lead-questions.contract.ts'
import { packing } from './packing.contract.ts'

let testApp: TestApp
let operator: TestOperator
let kim: TestUser
let jonas: TestUser
let boss: TestUser
let port: number
beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ shops: 1 })
  kim = await operator.hire(['scan'], operator.main, 'Kim')
  jonas = await operator.hire(['scan_admin'], operator.main, 'Jonas')
  boss = await operator.hire(['admin'], operator.main, 'Astrid')
  await testApp.app.listen({ port: 0, host: '127.0.0.1' })
  port = (testApp.app.server.address() as AddressInfo).port
})
afterAll(() => testApp.close())

/** The change stream of a screen; answers how it is closed. */
const screenOf = (user: TestUser) =>
  new Promise<() => void>((resolve, reject) => {
    const request = http.get(
      {
        ...{ host: '127.0.0.1', port, path: `/api/${user.company.code}/live?missed=0` },
        headers: { host: `${user.company.code}.localhost`, authorization: user.token },
      },
      answer => answer.once('data', () => resolve(() => request.destroy())).on('error', () => undefined),
    )
    request.on('error', reject)
  })

async function opened(): Promise<number> {
  const { id } = await placeOrder(testApp.services.database, scopeOfCompany(operator), {})
  await kim.send(packing.start, { id, body: { station: `Packing ${id}` } })
  return id
}

it('are known to be at a screen while one who may approve has it open, other than the packer', async () => {
  const id = await opened()
  const atScreen = async (who = kim, act: 'bypass' | 'cancel_rest' = 'bypass') =>
    (await who.send(leadQuestions.leads, { id, act })).at_screen
  expect(await atScreen()).toBe(false)
  const closePacker = await screenOf(kim)
  expect(await atScreen()).toBe(false)

  const closeLead = await screenOf(jonas)
  expect(await atScreen()).toBe(true)
  expect(await atScreen(jonas)).toBe(false)
  closeLead()
  await expect.poll(() => atScreen()).toBe(false)

  const office = await operator.hire(['parcels_admin'], operator.main, 'Mia')
  const closeOffice = await screenOf(office)
  expect([await atScreen(), await atScreen(kim, 'cancel_rest')]).toEqual([false, true])
  for (const close of [closePacker, closeOffice]) close()
})

it('are those of a rule where a rule asks; asking stays possible without one', async () => {
  const rule = await boss.send(approvalRules.set, {
    body: {
      name: 'Lists',
      conditions: { v: 1, all: [] },
      subject: 'order',
      methods: ['pin', 'remote'],
      approver_codes: ['list_admin'],
    },
  })
  const id = await opened()
  const atScreen = async () => (await kim.send(leadQuestions.leads, { id, rule_id: rule.id })).at_screen
  const closeLead = await screenOf(jonas)
  expect(await atScreen()).toBe(false)
  expect(await kim.send(packing.ask, { body: { order_id: id, rule_id: rule.id, line_id: null, method: 'remote' } })).toMatchObject({
    state: 'asked',
  })
  const closeBoss = await screenOf(boss)
  expect(await atScreen()).toBe(true)
  for (const close of [closeLead, closeBoss]) close()
})

it('answer from the warehouse network alone where the company wants it', async () => {
  const { version } = await boss.send(company.config, {})
  const set = await boss.send(company.setConfig, {
    body: { version, approve_inside_only: true, packing_ip_pattern: '10\\.0\\.0\\.1', packing_ip_confirmed: true },
  })
  const { id } = await placeOrder(testApp.services.database, scopeOfCompany(operator), {})
  const row = await testApp.services.database.transaction(scopeOfCompany(operator), db =>
    db
      .insertInto('approval_requests')
      .values({
        ...{ company_id: operator.main.id, act: 'bypass', rule_name: '', method: 'remote', approver_codes: ['scan_admin'], order_id: id },
        ...{
          asked_by_id: kim.user_id,
          asked_by_name: 'Kim',
          station: 'Packing 1',
          expires_at: new Date(Date.now() + 60_000).toISOString(),
        },
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  const answer = () => jonas.send(approvals.answer, { id: row.id, body: { approve: true } })
  await expect(answer()).rejects.toMatchObject({ status: 403, code: 'outside_warehouse_network' })
  await boss.send(company.setConfig, { body: { version: set.version, packing_ip_pattern: '127\\.0\\.0\\.1' } })
  expect(await answer()).toMatchObject({ state: 'approved' })
})
