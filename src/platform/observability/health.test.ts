/** What a load balancer and a metrics collector read. */
import { expect, it } from 'vitest'
import { openTestApp } from '#test/test-app.ts'

it('answers metrics only to who sends the token of the settings, and nothing without such a setting', async () => {
  const closed = await openTestApp()
  expect((await closed.app.inject({ url: '/metrics' })).statusCode).toBe(404)
  await closed.close()
  const open = await openTestApp({ METRICS_TOKEN: 'a token of sixteen' })
  const read = (authorization?: string) => open.app.inject({ url: '/metrics', headers: { ...(authorization && { authorization }) } })
  expect((await read()).statusCode).toBe(401)
  expect((await read('Bearer another token of 16')).statusCode).toBe(401)
  const answer = await read('Bearer a token of sixteen')
  expect(answer.statusCode).toBe(200)
  expect(answer.body).toContain('pakhus_call_seconds')
  await open.close()
})

it('is not ready when the disk is nearly full', async () => {
  const roomy = await openTestApp({ MIN_FREE_DISK_MB: '1' })
  expect((await roomy.app.inject({ url: '/readyz' })).body).toBe('ready')
  await roomy.close()
  const full = await openTestApp({ MIN_FREE_DISK_MB: '1000000000000' })
  const answer = await full.app.inject({ url: '/readyz' })
  expect([answer.statusCode, answer.body]).toEqual([503, 'the disk is full'])
  await full.close()
})
