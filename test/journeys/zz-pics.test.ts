import { Secret, TOTP } from 'otpauth'
import { it } from 'vitest'
import { buildUser, scopeOfCompany } from '#app/demo/builders.ts'
import { session } from '#contract/session.ts'
import { company } from '#features/company/companies/companies.contract.ts'
import { signInProvider } from '#features/company/sign-in-provider/sign-in-provider.contract.ts'
import { secondFactors } from '#features/company/users/second-factors.contract.ts'
import { openJourneyApp } from './journey-app.ts'

it('pictures', async () => {
  const services = await openJourneyApp({ ALLOWED_NETWORKS: '127.0.0.0/8' })
  const operator = await services.operator()
  const password = 'six herons over a harbour'
  for (const user_name of ['kim', 'bo'])
    await buildUser(services.services.database, scopeOfCompany(operator), {
      name: 'Kim Lund',
      user_name,
      password,
      permissions: ['parcels'],
    })
  const admin = await operator.hire(['admin'], operator.main, 'Astrid Holm')
  await admin.send(signInProvider.save, {
    body: {
      name: 'Harbour ID',
      issuer: 'https://id.example.com/harbour',
      client_id: 'pakhus',
      client_secret: 'abcdefghijklmnop',
      active: true,
      second_factor: false,
      version: null,
    },
  })
  const visitor = services.visitor(operator.main)
  const { token } = await visitor.send(session.login, { body: { login: 'kim', password } })
  const headers = { authorization: token }
  const { secret, challenge_id } = await visitor.send(secondFactors.startTotp, { body: { password } }, { headers })
  await visitor.send(
    secondFactors.confirmTotp,
    { body: { challenge_id, code: new TOTP({ secret: Secret.fromBase32(secret) }).generate() } },
    { headers },
  )
  const { version } = await admin.send(company.config, {})
  await admin.send(company.setConfig, { body: { version, second_factor: 'everyone' } })
  const kim = { ...admin, token, user_id: 0 }
  for (const [w, language, scheme] of [
    [1440, 'en_GB', 'light'],
    [390, 'de_DE', 'dark'],
  ] as const) {
    const more = { language, colorScheme: scheme, viewport: { width: w, height: 900 } }
    const shot = (page: import('playwright-core').Page, name: string) =>
      page.screenshot({ path: `/tmp/pics-signin/${name}-${w}.png`, fullPage: true })
    const page = await services.open({ company: operator.main }, '/login', more)
    await page.waitForTimeout(800)
    await shot(page, 'login')
    const sign = async (login: string) => {
      await page.locator('input[name=login]').fill(login)
      await page.locator('input[name=password]').fill(password)
      await page.locator('button[type=submit]').click()
      await page.waitForTimeout(1500)
    }
    await sign('kim')
    await shot(page, 'second')
    await page.reload()
    await sign('bo')
    await shot(page, 'setup')
    const me = await services.open(kim, '/settings/me', more)
    await me.waitForTimeout(1500)
    await shot(me, 'me')
    const prov = await services.open(admin, '/settings/sign-in', more)
    await prov.waitForTimeout(1500)
    await shot(prov, 'provider')
    const us = await services.open(admin, '/users', more)
    await us.getByText('Kim Lund').first().click()
    await us.waitForTimeout(1500)
    await us.getByRole('dialog').locator('text=/Second factor|Zweiter Faktor/').first().scrollIntoViewIfNeeded()
    await us.screenshot({ path: `/tmp/pics-signin/user-${w}.png` })
  }
  await services.close()
})
