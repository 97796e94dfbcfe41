/** What the fakes of shop systems have in common: a server on the loopback with its own books and clock, and what a test does in the shop. */
import type { FakeCourierServer, FakeRequest } from '../couriers/courier-server.fake.ts'
import type { ShopAccess, ShopConnector } from './shop-connector.ts'
import { openShopHttp } from './shop-http.ts'

export interface FakeShop {
  connector: ShopConnector
  server: FakeCourierServer
  credentials: Record<string, string>
  settings: Record<string, string>
  /** Which requests take the next of the server's faults. */
  faultsOf: 'questions' | 'writes'
  /** A paid order of two and one pieces: the ids of the order and of its lines. */
  place(): { id: string; lines: [string, string] }
  /** The customer moves: the street of the delivery changes. */
  move(id: string, street: string): void
  cancel(id: string): void
  /** The order loses what it cannot be sent without. */
  spoil(id: string): void
  /** Parcels as the shop knows them: `T1 line×1`; without goods where the shop keeps none. */
  parcels(id: string): string[]
  /** The words that people in the shop read about the order. */
  notes(id: string): string[]
  /** Whether the shop counts the order as completely sent. */
  isSent(id: string): boolean
  close(): Promise<void>
}

/** A clock that stands still until something happens. */
export function fakeClock(start = '2026-11-10T10:00:00.000Z') {
  let now = Date.parse(start)
  return {
    iso: () => new Date(now).toISOString(),
    /** Some seconds pass, and it is the time after them. */
    tick: (seconds = 7) => {
      now += seconds * 1_000
      return new Date(now).toISOString()
    },
  }
}

/** Everything that an adapter gets, towards a server on the loopback. */
export function accessTo(
  { connector, server, credentials, settings }: Pick<FakeShop, 'connector' | 'server' | 'credentials' | 'settings'>,
  over: Partial<ShopAccess> = {},
): ShopAccess {
  let token: string | undefined
  const used = over.credentials ?? credentials
  return {
    base_url: server.url,
    credentials: used,
    settings,
    shop: 'main',
    country: 'DK',
    timeZone: 'Europe/Copenhagen',
    http: openShopHttp({
      base_url: server.url,
      allowedNetworks: ['127.0.0.0/8'],
      signal: new AbortController().signal,
      secrets: connector.credentials.filter(field => field.secret).map(field => used[field.name] ?? ''),
    }),
    session: {
      get: () => token,
      set: given => {
        token = given
      },
    },
    ...over,
  }
}

/** The faults of a server meet questions or writes, and no logins. */
export const faultsMeet = (shop: Pick<FakeShop, 'faultsOf'>, request: FakeRequest, isWrite: boolean, isLogin = false): boolean =>
  !isLogin && (shop.faultsOf === 'writes') === isWrite && request.path !== ''
