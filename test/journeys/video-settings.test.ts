/** Journey: an administrator switches filming on, makes and replaces the key of a recorder, and sees what is kept and who saw it. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { packingVideo } from '#features/packing/packing-video/packing-video.contract.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'

let testApp: JourneyApp
let operator: TestOperator
let admin: TestUser

beforeAll(async () => {
  testApp = await openJourneyApp()
  operator = await testApp.operator({ shops: 1 })
  admin = await operator.hire(['settings_admin'], operator.main, 'Jonas Krogh')
})
afterAll(() => testApp?.close())

it('switches filming on, sets its limits and writes the notice of a language', async () => {
  const page = await testApp.open(admin, '/settings/dvr-config')
  await page.getByRole('heading', { level: 1, name: 'Packing video' }).waitFor()
  await page.getByRole('switch', { name: 'Film packing' }).click({ force: true })
  await page.getByRole('radiogroup', { name: 'Language' }).getByText('Dansk').click()
  const notice = page.getByRole('textbox', { name: 'Notice in Dansk' })
  await expect.poll(() => notice.getAttribute('placeholder')).toContain('filmes')
  await notice.fill('Vi filmer pakningen, uden lyd.')
  await page.getByRole('textbox', { name: 'Days' }).fill('14')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Video settings saved').waitFor()
  // Fields that were saved together stand in one line.
  await page.getByText(/ and .* changed by Jonas Krogh/).waitFor()
  expect(await admin.send(packingVideo.settings, {})).toMatchObject({
    enabled: true,
    retention_days: 14,
    notices: { da_DK: 'Vi filmer pakningen, uden lyd.' },
  })
  await page.getByRole('tab', { name: 'Storage' }).click()
  await page.getByText('0 bytes of 100 GB used (0%)').waitFor()
  await page.getByRole('tab', { name: 'Kept videos' }).click()
  await page.getByText('No video is kept').waitFor()
  await page.getByRole('tab', { name: 'Access log' }).click()
  await page.getByText('No one has seen a video yet').waitFor()
})

it('makes a key that is shown once, replaces it without a gap, and revokes the old one', async () => {
  const page = await testApp.open(admin, '/settings/dvr-config?tab=recorders')
  await page.getByRole('button', { name: 'Add recorder' }).click()
  const form = page.getByRole('dialog', { name: 'Add recorder' })
  await form.getByRole('textbox', { name: 'Name' }).fill('Rack in the hall')
  await form.getByRole('textbox', { name: 'Channel 1', exact: true }).fill('101')
  await form.getByLabel('Station of channel 1').fill('Bench 1')
  await form.getByRole('button', { name: 'Add channel' }).click()
  await form.getByRole('textbox', { name: 'Channel 2', exact: true }).fill('101')
  await form.getByLabel('Station of channel 2').fill('Bench 2')
  await form.getByRole('button', { name: 'Create key' }).click()
  await form.getByText('Each channel belongs to one station').waitFor()
  await form.getByRole('textbox', { name: 'Channel 2', exact: true }).fill('102')
  await form.getByRole('button', { name: 'Create key' }).click()
  const once = page.getByRole('dialog', { name: 'Copy the key now' })
  const key = (await once.locator('pre').first().textContent()) ?? ''
  expect(key).toMatch(/^pkv_\d+_[\w-]{43}$/)
  await once.getByRole('button', { name: 'Key copied' }).click()
  const ask = (token: string) => testApp.visitor(operator.main).ask(packingVideo.requests, {}, { headers: { authorization: token } })
  expect((await ask(key)).statusCode).toBe(200)

  const recorders = page.getByRole('region', { name: 'Rack in the hall' })
  await recorders.getByText('Channel 102 films Bench 2').waitFor()
  await recorders.getByRole('button', { name: 'Replace key' }).click()
  const replace = page.getByRole('dialog', { name: 'Replace key' })
  await replace.getByRole('button', { name: 'Create key' }).click()
  const fresh = (await once.locator('pre').first().textContent()) ?? ''
  await once.getByRole('button', { name: 'Key copied' }).click()
  expect(await Promise.all([key, fresh].map(async one => (await ask(one)).statusCode))).toEqual([200, 200])
  await expect.poll(() => recorders.count()).toBe(2)
  expect(await page.getByRole('button', { name: 'Add recorder' }).isDisabled()).toBe(true)
  await recorders.first().getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('dialog', { name: 'Revoke this key?' }).getByRole('button', { name: 'Revoke key' }).click()
  await expect.poll(() => recorders.count()).toBe(1)
  await expect.poll(async () => (await ask(key)).statusCode).toBe(401)
  expect((await ask(fresh)).statusCode).toBe(200)
  expect(await page.content()).not.toContain(fresh.slice(-43))
})

it('shows a shop what the warehouse films, without a way to change it', async () => {
  const shop = await operator.hire(['settings_admin'], operator.shops[0])
  const page = await testApp.open(shop, '/settings/dvr-config')
  await page.getByText('The warehouse films packing and sets how long videos are kept.').waitFor()
  expect(await page.getByRole('switch', { name: 'Film packing' }).isDisabled()).toBe(true)
  expect(await page.getByRole('tab', { name: 'Recorders' }).count()).toBe(0)
  await page.getByRole('tab', { name: 'Access log' }).click()
  await page.getByText('No one has seen a video yet').waitFor()
})
