/** Journey: an invited user chooses a password, forgets it, and sets a new one by a mail of a real SMTP server. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { permissionId } from '#contract/access.ts'
import { users } from '#features/company/users/users.contract.ts'
import { startMailServer } from '#features/deliveries/mail/mail-server.fake.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'

let services: JourneyApp
let operator: TestOperator
let admin: TestUser
let server: Awaited<ReturnType<typeof startMailServer>>
beforeAll(async () => {
  server = await startMailServer()
  services = await openJourneyApp({ ALLOWED_NETWORKS: '127.0.0.0/8' })
  operator = await services.operator()
  admin = await operator.hire(['admin'], operator.main, 'Astrid Holm')
})
afterAll(async () => {
  await services?.close()
  await server?.close()
})

const password = 'six herons over a harbour'
/** The link of the latest mail to this address, at the port of the test. */
const linkOf = async (address: string, earlier: number): Promise<string> => {
  await expect.poll(() => server.received.length, { timeout: 15_000 }).toBeGreaterThan(earlier)
  const mail = server.received.at(-1)
  expect(mail?.to).toEqual([address])
  const token = /\/login\/password#([\w-]{22})/.exec((mail?.source ?? '').replace(/=\r?\n/g, ''))?.[1]
  return `${services.origin(operator.main.code)}/login/password#${token}`
}
const choose = async (page: Page, chosen: string) => {
  await page.getByRole('heading', { name: 'Choose a password' }).waitFor()
  await page.getByLabel('New password', { exact: true }).fill(chosen)
  await page.getByLabel('New password once more').fill(chosen)
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByText('Your password is set').waitFor()
  await page.getByRole('link', { name: 'Sign in' }).click()
}
const signIn = async (page: Page, chosen: string) => {
  await page.getByLabel('E-mail, user name or number').fill('bo')
  await page.getByLabel('Password', { exact: true }).fill(chosen)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page
    .getByRole('button', { name: /Bo Lind/ })
    .first()
    .waitFor()
}

it('sets up the mail account, invites a user, and lets the user in again who forgot the password', async () => {
  const office = await services.open(admin, '/settings/email')
  await office.getByLabel('Server').fill('127.0.0.1')
  await office.getByLabel('Port').fill(String(server.port))
  await office.getByRole('combobox', { name: 'Encryption' }).click()
  await office.getByRole('option', { name: 'None: only in your own network' }).click()
  await office.getByLabel('User name').fill(server.signIn.user)
  await office.getByLabel('Password', { exact: true }).fill(server.signIn.password)
  await office.getByRole('textbox', { name: 'E-mail', exact: true }).fill('warehouse@example.com')
  await office.getByRole('button', { name: 'Save' }).click()
  await office.getByText('No mail has been sent yet').waitFor()

  await office.goto(`${services.origin(operator.main.code)}/users?id=new`)
  const form = office.getByRole('dialog')
  await form.getByLabel('Name', { exact: true }).fill('Bo Lind')
  await form.getByLabel('User name').fill('bo')
  await form.getByLabel('E-mail').fill('bo@example.com')
  await form.getByLabel('Send a link by which they choose one').check()
  await form.getByRole('button', { name: 'Create user' }).click()
  await office.getByText('The link is sent to bo@example.com').waitFor()

  const page = await services.open({ company: operator.main }, '/login')
  const invitation = await linkOf('bo@example.com', 0)
  await page.goto(invitation)
  await choose(page, password)
  await signIn(page, password)

  const later = await services.open({ company: operator.main }, '/login')
  await later.getByRole('link', { name: 'Forgotten your password?' }).click()
  // The sign-in has a field of the same name.
  await later.getByRole('heading', { name: 'Forgotten password' }).waitFor()
  await later.getByLabel('E-mail, user name or number').fill('bo@example.com')
  await later.getByRole('button', { name: 'Send link' }).click()
  await later.getByText('Look into your mailbox').waitFor()
  await later.goto(await linkOf('bo@example.com', 1))
  await choose(later, 'nine lamps behind a curtain')
  await signIn(later, 'nine lamps behind a curtain')
})

it('leads a user whose password an administrator gave to an own one, before anything else opens', async () => {
  const { user, password: given } = await admin.send(users.create, { body: { name: 'Eva Holm', user_name: 'eva' } })
  const page = await services.open({ company: operator.main }, '/login')
  const type = async (typed: string) => {
    await page.getByLabel('E-mail, user name or number').fill('eva')
    await page.getByLabel('Password', { exact: true }).fill(typed)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }
  await type(given ?? '')
  await page.getByText('Your password was given to you by an administrator.').waitFor()
  for (const width of process.env.JOURNEY_PICTURES ? [390, 1440] : []) {
    await page.setViewportSize({ width, height: 900 })
    await page.screenshot({ path: `${process.env.JOURNEY_PICTURES}/given-${width}.png` })
  }
  await page.getByLabel('New password', { exact: true }).fill(given ?? '')
  await page.getByLabel('New password once more').fill(given ?? '')
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByText('Choose another password than the one you were given').waitFor()
  await choose(page, password)
  await type(password)
  await page
    .getByRole('button', { name: /Eva Holm/ })
    .first()
    .waitFor()
  expect((await admin.send(users.get, { id: user.user_id })).has_password).toBe(true)
})

it('a user whose rights ended since the last visit lands on a page, not on an empty one', async () => {
  const packer = await operator.hire(['scan'], operator.main, 'Eva Holm')
  const page = await services.open(packer, '/dashboard')
  await page.getByRole('link', { name: 'Pack', exact: true }).waitFor()
  const { version } = await admin.send(users.get, { id: packer.user_id })
  await admin.send(users.update, { id: packer.user_id, body: { version, user_name: 'eva-holm', permission: [] } })
  // The device remembers the right to pack, and opens the station until the server has answered.
  await page.goto(`${services.origin(operator.main.code)}/`)
  await page.waitForURL('**/dashboard')
  await page.getByRole('heading', { level: 1 }).waitFor()
})

it('a right that is taken away leaves the menu without a reload', async () => {
  const packer = await operator.hire(['scan', 'parcels'], operator.main, 'Liv Dahl')
  const page = await services.open(packer, '/dashboard')
  const menu = page.getByRole('link', { name: 'Pack', exact: true })
  await menu.waitFor()
  await page.getByRole('link', { name: 'Orders', exact: true }).waitFor()
  const { version } = await admin.send(users.get, { id: packer.user_id })
  await admin.send(users.update, { id: packer.user_id, body: { version, user_name: 'liv-dahl', permission: [permissionId('parcels')] } })
  await menu.waitFor({ state: 'detached', timeout: 30_000 })
  await page.getByRole('link', { name: 'Orders', exact: true }).waitFor()
})
