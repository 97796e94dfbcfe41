/** Burd, through the courier interface and against its fake. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampleBooking } from '#test/label-samples.ts'
import { capabilityFindings } from '../capabilities.ts'
import { CourierRefused, CourierUnavailable } from '../courier.ts'
import { burdAccount, type FakeBurd, openFakeBurd } from './burd.fake.ts'
import { burdAt } from './burd.ts'

const never = new AbortController().signal
let fake: FakeBurd
let burd: ReturnType<typeof burdAt>
beforeAll(async () => {
  fake = await openFakeBurd()
  burd = burdAt({ postcodes: { url: fake.server.url }, orders: { url: fake.server.url } })
})
afterAll(() => fake.close())

const covered = (postcode: string, settings = burdAccount) => burd.coverage?.({ postcode, settings }, never)

describe('Burd', () => {
  it('says where it delivers and in which area, and that it does not deliver elsewhere', async () => {
    expect(await covered('2100')).toEqual({ covered: true, area: 'KBH-Ø' })
    expect(await covered('8000')).toEqual({ covered: false, area: null })
    expect(await covered('21/00')).toEqual({ covered: false, area: null })
  })

  it('says on which days it delivers next', async () => {
    expect(await burd.deliveryDates?.(burdAccount, never)).toEqual(['2026-11-26', '2026-11-27', '2026-11-30'])
    expect(await burd.probe?.(burdAccount, never)).toEqual({ ok: true, words: 'Burd, 2026-11-26' })
  })

  it('does not take a wrong password or a fault for a no', async () => {
    await expect(covered('2100', { ...burdAccount, password: 'wrong' })).rejects.toBeInstanceOf(CourierRefused)
    const broken = burdAt({
      postcodes: { url: fake.server.url, fetch: async () => new Response('', { status: 503 }) },
      orders: { url: fake.server.url, fetch: async () => new Response('<html>', { status: 200 }) },
    })
    const settings = burdAccount
    await expect(broken.coverage?.({ postcode: '2100', settings }, never)).rejects.toBeInstanceOf(CourierUnavailable)
    await expect(broken.deliveryDates?.(settings, never)).rejects.toBeInstanceOf(CourierUnavailable)
  }, 15_000)

  it('makes no labels', async () => {
    expect(capabilityFindings(burd.capabilities, sampleBooking({ method: 'home' }))).toMatchObject([
      { code: 'shipping_method_not_offered' },
    ])
    await expect(burd.book(sampleBooking(), never)).rejects.toMatchObject({ name: 'CourierRefused', code: 'operation_not_offered' })
  })
})
