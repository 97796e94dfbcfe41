/** Burd's two hosts on one of the loopback, as its modules for shops ask them. */
import { type FakeCourierServer, openFakeCourier } from '../courier-server.fake.ts'

export interface FakeBurd {
  server: FakeCourierServer
  /** Areas by the postcodes that are covered. */
  areas: Map<string, string>
  dates: string[]
  close(): Promise<void>
}

export const burdAccount = { user: 'a-shop', password: 'password-of-a-shop' }
const authorization = `Basic ${Buffer.from(`${burdAccount.user}:${burdAccount.password}`).toString('base64')}`

export async function openFakeBurd(): Promise<FakeBurd> {
  const fake: FakeBurd = {
    server: await openFakeCourier(
      ({ method, path, query, headers }) => {
        if (headers.authorization !== authorization) return { status: 401 }
        if (method !== 'GET') return { status: 405 }
        if (path === '/v1/DeliveryDates') return { body: fake.dates.slice(0, Number(query.get('take'))).map(date => `${date}T00:00:00`) }
        const postcode = /^\/v1\/postcode\/(\d{4})$/.exec(path)?.[1]
        const area = fake.areas.get(postcode ?? '')
        return area === undefined ? { status: 404, body: 'Not found' } : { body: { area, city: 'København' } }
      },
      () => false,
    ),
    areas: new Map([
      ['2100', 'KBH-Ø'],
      ['2200', 'KBH-N'],
    ]),
    dates: ['2026-11-26', '2026-11-27', '2026-11-30'],
    close: () => fake.server.close(),
  }
  return fake
}
