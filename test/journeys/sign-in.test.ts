/** Journey: a passkey of a virtual authenticator signs in without a name, a company asks for a code app at sign-in, and a provider signs a user in. */
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { buildUser, scopeOfCompany } from '#app/demo/builders.ts'
import { company } from '#features/company/companies/companies.contract.ts'
import { startProvider } from '#features/company/session/oidc-provider.fake.ts'
import type { TestOperator } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'

let services: JourneyApp
let operator: TestOperator
const password = 'six herons over a harbour'
beforeAll(async () => {
  services = await openJourneyApp({ ALLOWED_NETWORKS: '127.0.0.0/8' })
  operator = await services.operator()
  for (const [user_name, name] of [
    ['kim', 'Kim Lund'],
    ['bo', 'Bo Lind'],
    ['sofie', 'Sofie Bang'],
  ] as const) {
    const permissions = [user_name === 'bo' ? ('parcels' as const) : ('admin' as const)]
    await buildUser(services.services.database, scopeOfCompany(operator), { name, user_name, password, permissions })
  }
})
afterAll(() => services?.close())

/** A device whose owner confirms with a finger whenever it is asked. */
async function addAuthenticator(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { session, authenticatorId }
}
const typePassword = async (page: Page, login: string) => {
  await page.getByLabel('E-mail, user name or number').fill(login)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}
const signedIn = (page: Page, name: RegExp) => page.getByRole('button', { name }).first().waitFor()
/** Asks for the export of the own company; it wants to know who asks. */
async function askExport(page: Page) {
  await page.getByRole('button', { name: 'Export everything', exact: true }).click()
  return page.getByRole('dialog', { name: /^Export everything of/ })
}
const provenUntil = /You have shown who you are\. No password is needed until \d\d:\d\d\./
const startOver = async (page: Page, code = operator.main.code) => {
  await page.evaluate(() => localStorage.clear())
  await page.goto(`${services.origin(code)}/login`)
}

it('a passkey is added in the own settings, signs in without a name, and works at its company alone', async () => {
  const page = await services.open({ company: operator.main }, '/login')
  const { session, authenticatorId } = await addAuthenticator(page)
  await typePassword(page, 'kim')
  await signedIn(page, /Kim Lund/)
  await page.goto(`${services.origin(operator.main.code)}/settings/me`)
  await page.getByText('No passkeys yet').waitFor()
  await page.getByRole('button', { name: 'Add passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add passkey' })
  await dialog.getByLabel('Name').waitFor()
  await page.keyboard.press('Escape')
  // The focus is where it was, for who works with the keyboard.
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Add passkey')
  await page.keyboard.press('Enter')
  await dialog.getByLabel('Name').fill('Laptop')
  await dialog.getByLabel('Present password').fill('wrong')
  await dialog.getByRole('button', { name: 'Add passkey' }).click()
  await dialog.getByText('This is not your present password').waitFor()
  await dialog.getByLabel('Present password').fill(password)
  await dialog.getByRole('button', { name: 'Add passkey' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByText('Laptop').waitFor()

  await startOver(page)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await signedIn(page, /Kim Lund/)

  // Where the password is asked for, it stands for it.
  await page.goto(`${services.origin(operator.main.code)}/settings/global-config/company?id=${operator.main.id}`)
  const asked = await askExport(page)
  await asked.getByRole('button', { name: 'Start export' }).click()
  await asked.getByText('Fill this in').waitFor()
  await asked.getByRole('button', { name: 'Use passkey' }).click()
  await asked.getByText(provenUntil).waitFor()
  await asked.getByRole('button', { name: 'Start export' }).click()
  await asked.waitFor({ state: 'hidden' })

  // It is a second factor too: the password alone is not enough any more.
  await startOver(page)
  await typePassword(page, 'kim')
  await page.getByRole('heading', { name: 'Second factor' }).waitFor()
  await page.getByRole('button', { name: 'Use passkey' }).click()
  await signedIn(page, /Kim Lund/)

  // The device offers it at this host alone: neither at another company nor at the domain of all.
  const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId })
  expect(credentials.map(one => one.rpId)).toEqual([`${operator.main.code}.localhost`])
})

it('a provider is set up, an account is connected, and signs in', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  // The page of the provider asks for a typeface from elsewhere.
  services.expectOutages()
  const origin = services.origin(operator.main.code)
  const provider = await startProvider([`${origin}/login/company`], 'sofie@example.test')
  const admin = await operator.hire(['admin'], operator.main, 'Mette Krog')
  const office = await services.open(admin, '/settings/sign-in')
  await office.getByRole('textbox', { name: 'Name' }).fill('Harbour ID')
  await office.getByLabel('Issuer').fill(provider.issuer)
  await office.getByLabel('Client ID').fill(provider.client_id)
  await office.getByLabel('Client secret').fill(provider.client_secret)
  await office.getByRole('button', { name: 'Save' }).click()
  await office.getByText('Provider saved').waitFor()
  await office.getByRole('button', { name: 'Test provider' }).click()
  await office.getByText('The provider answers').waitFor()
  // An answer belongs to what is saved: it goes with the first change, and stays away once that is saved.
  await office.getByRole('textbox', { name: 'Name' }).fill('Harbour')
  await office.getByText('The provider answers').waitFor({ state: 'detached' })
  await office.getByRole('textbox', { name: 'Name' }).fill('Harbour ID')
  await office.getByText('The provider answers').waitFor()
  await office.getByRole('textbox', { name: 'Name' }).fill('Harbour Login')
  await office.getByRole('button', { name: 'Save' }).click()
  await office.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' })
  expect(await office.getByText('The provider answers').count()).toBe(0)

  const page = await services.open({ company: operator.main }, '/login')
  const atProvider = async (login: string) => {
    await page.waitForURL(`${provider.issuer}/interaction/**`)
    await page.locator('input[name=login]').fill(login)
    await page.locator('input[name=password]').fill('any')
    await page.locator('button[type=submit]').click()
  }
  await page.getByRole('button', { name: 'Sign in with Harbour Login' }).click()
  await atProvider('sofie-at-harbour')
  await page.getByRole('alert').getByText('This account is not connected').first().waitFor()
  expect(new URL(page.url()).search).toBe('')
  await page.getByRole('link', { name: 'Back to sign in' }).click()
  await typePassword(page, 'sofie')
  await signedIn(page, /Sofie Bang/)
  await page.goto(`${origin}/settings/me`)
  await page.getByRole('button', { name: 'Connect account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Connect account' })
  await dialog.getByLabel('Present password').fill(password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  // The provider remembers who is signed in there.
  await page.waitForURL(`${origin}/settings/me`)
  await page.getByText('sofie-at-harbour').waitFor()

  await startOver(page)
  await page.getByRole('button', { name: 'Sign in with Harbour Login' }).click()
  await signedIn(page, /Sofie Bang/)

  // A new sign-in there stands for the password; the way back leads to the page that asked.
  const here = `${origin}/settings/global-config/company?id=${operator.main.id}`
  await page.goto(here)
  const asked = await askExport(page)
  await asked.getByRole('button', { name: 'Sign in again at Harbour Login' }).click()
  await atProvider('sofie-at-harbour')
  await page.waitForURL(here)
  await page.getByText('You have shown who you are. Go on where you were.').waitFor()
  await (await askExport(page)).getByText(provenUntil).waitFor()
  await provider.close()
})

it('a company that asks for a second factor has a user set up a code app, and asks for its codes then', async () => {
  const admin = await operator.hire(['admin'], operator.main, 'Astrid Holm')
  const office = await services.open(admin, '/settings/company-config')
  await office.getByRole('combobox', { name: 'Second factor' }).click()
  await office.getByRole('option', { name: 'Needed by everyone, except at shared devices' }).click()
  await office.getByRole('button', { name: 'Save' }).click()
  await office.getByText('Company saved').waitFor()
  expect((await admin.send(company.config, {})).second_factor).toBe('everyone')

  const page = await services.open({ company: operator.main }, '/login')
  await typePassword(page, 'bo')
  await page.getByRole('heading', { name: 'Set up code app' }).waitFor()
  await page.getByRole('img', { name: 'QR code for the code app' }).waitFor()
  const shown = await page.locator('pre').first().textContent()
  const app = new TOTP({ secret: Secret.fromBase32((shown ?? '').replace(/\s/g, '')) })
  await page.getByLabel('Code that the app shows').fill(app.generate())
  await page.getByRole('button', { name: 'Set up code app' }).click()
  await page.getByText('Keep these recovery codes').waitFor()
  const recovery = await page.locator('code').first().textContent()
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await signedIn(page, /Bo Lind/)

  await startOver(page)
  await typePassword(page, 'bo')
  await page.getByLabel('Code from your app').fill('000000')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('Wrong code.').waitFor()
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').fill(recovery ?? '')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await signedIn(page, /Bo Lind/)
})
