/** What the start prints: addresses as people reach them. */
import { afterEach, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '#test/test-app.ts'
import { welcome } from './first-run.ts'

let testApp: TestApp
afterEach(() => testApp.close())

it('names the addresses of PUBLIC_URL', async () => {
  testApp = await openTestApp({ DEMO: '0', PUBLIC_URL: 'https://{company}.shop.example.com' })
  expect(await (await welcome(testApp)).text(8080)).toContain('https://shop.example.com/setup#')
  await testApp.operator()
  const { text } = await welcome(testApp)
  expect(await text(8080)).toContain('https://<company>.shop.example.com')
  expect(await text(8080)).not.toContain('http://')
})

it('names host and port without PUBLIC_URL', async () => {
  testApp = await openTestApp({ DEMO: '0' })
  await testApp.operator()
  expect(await (await welcome(testApp)).text(8080)).toContain('http://<company>.localhost:8080')
})
