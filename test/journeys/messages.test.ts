/** Journey: messages – a template is made, an order is written to, the recipient answers, and a clerk answers back. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { messages } from '#features/messages/messages/messages.contract.ts'
import { templates } from '#features/messages/templates/templates.contract.ts'
import { scopeOfCompany } from '../../src/app/demo/builders.ts'
import { placeOrder } from '../orders.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'

let services: JourneyApp
let operator: TestOperator
let boss: TestUser
beforeAll(async () => {
  services = await openJourneyApp()
  operator = await services.operator()
  boss = await operator.hire(['admin'], operator.main, 'Astrid Holm')
})
afterAll(() => services?.close())

const place = (order_no: string) =>
  placeOrder(services.services.database, scopeOfCompany(operator), { order_no, ship_to: { phone: '+4520123456' } })

it('makes a template with what it becomes beside it, and says at the field what is wrong', async () => {
  await place('24100')
  const page = await services.open(boss, '/settings/email?tab=templates')
  await page.getByText('No templates yet').waitFor()
  await page.getByRole('button', { name: 'Add template' }).first().click()
  const drawer = page.getByRole('dialog', { name: 'New template' })
  await drawer.getByRole('textbox', { name: 'Name', exact: true }).fill('Delay')
  await drawer.getByRole('textbox', { name: 'Text', exact: true }).fill('Hi {{ first_name }}, order {{ nothing }} is late')
  await drawer.getByRole('button', { name: 'Add template' }).click()
  await drawer.getByText('Unknown word nothing.').first().waitFor()
  await drawer.getByRole('textbox', { name: 'Text', exact: true }).fill('Hi {{ first_name }}, order {{ order_no }} is late')
  await drawer.getByText('Hi Lene, order 24127 is late').waitFor()
  await drawer.getByRole('button', { name: 'Add template' }).click()
  await page.getByRole('dialog', { name: 'Template', exact: true }).waitFor()
  expect((await boss.send(templates.list, {})).rows).toMatchObject([{ name: 'Delay', trigger: 'manual', channel: 'sms' }])
})

it('writes to an order from its page and shows it there and in the list of messages', async () => {
  const order = await place('24127')
  const page = await services.open(boss, `/parcels/orders?id=${order.id}`)
  await page.getByText('No messages to this recipient yet.').waitFor()
  await page.getByRole('button', { name: 'Write message' }).click()
  const drawer = page.getByRole('dialog', { name: 'Write message' })
  await drawer.getByRole('textbox', { name: 'Text', exact: true }).fill('Hi {{ first_name }}, can order {{ order_no }} wait?')
  await drawer.getByText('Hi Lene, can order 24127 wait?').waitFor()
  await drawer.getByText(/1 message · 1 part/).waitFor()
  await drawer.getByRole('button', { name: 'Send 1 message', exact: true }).click()
  await drawer.waitFor({ state: 'hidden' })
  await page.getByText('Hi Lene, can order 24127 wait?').waitFor()
  await expect
    .poll(async () => (await boss.send(messages.thread, { id: order.id })).rows[0]?.state, { timeout: 20_000 })
    .toMatch(/queued|delivered/)
  await page.goto(`${services.origin(operator.main.code)}/parcels/messages`)
  await page.getByRole('row').filter({ hasText: '24127' }).first().waitFor()
  await page.getByRole('row').filter({ hasText: '24127' }).first().click()
  await page.getByRole('dialog', { name: '24127' }).getByText('Hi Lene, can order 24127 wait?').waitFor()
})

it('keeps quiet hours and opt-outs', async () => {
  const page = await services.open(boss, '/settings/email?tab=rules')
  await page.getByRole('textbox', { name: 'Number or address' }).fill('20 99 99 99')
  await page.getByRole('button', { name: 'Add opt-out' }).click()
  await page.getByRole('cell', { name: '+4520999999' }).waitFor()
  await page.getByRole('radiogroup', { name: 'Section' }).getByText('Text messages').click()
  await page.getByRole('combobox', { name: 'Gateway' }).selectOption('twilio')
  await page.getByRole('textbox', { name: 'Account SID' }).waitFor()
})

it('shows an e-mail as its recipient will see it, in its form and on the page of its link', async () => {
  const mail = await boss.send(templates.create, {
    body: {
      channel: 'email',
      locale: 'en_GB',
      trigger: 'handed_over',
      name: 'On its way',
      subject: 'Order {{ order_no }} is on its way',
      blocks: [{ kind: 'heading', text: 'Hi {{ first_name }}' }, { kind: 'items' }, { kind: 'button', text: 'Follow', target: 'tracking' }],
    },
  })
  const page = await services.open(boss, `/settings/email?tab=templates&id=${mail.id}`)
  const drawer = page.getByRole('dialog', { name: 'Template', exact: true })
  const shown = '[title="Preview of the e-mail"]'
  await drawer.frameLocator(shown).getByText('Hi Lene').first().waitFor()
  await drawer.getByRole('button', { name: 'Open preview' }).waitFor()
  const { path } = await boss.send(templates.link, { id: mail.id })
  const visitor = await services.open({ company: operator.main }, path)
  await visitor.getByRole('heading', { name: 'On its way' }).waitFor()
  await visitor.frameLocator(shown).getByText('Hi Lene').first().waitFor()
  await visitor.getByText('Text', { exact: true }).click()
  await visitor.frameLocator(shown).getByText('Hi Lene').first().waitFor({ state: 'detached' })
  await visitor.getByText('Hi Lene').waitFor()
})
