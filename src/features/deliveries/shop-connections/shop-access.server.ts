/** Opens a connected shop: its keys, its own rate limit, and the token that it gave last. */
import * as z from 'zod'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { homeCountry } from '#features/company/companies/companies.rules.ts'
import { connectorOf } from '#integrations/shops/connectors.ts'
import { type ShopAccess, type ShopConnector, ShopError } from '#integrations/shops/shop-connector.ts'
import { openShopHttp, openTurns } from '#integrations/shops/shop-http.ts'
import { readSecret } from '#platform/crypto/secret-store.ts'
import type { Db } from '#platform/database/database.ts'
import type { Services } from '#platform/http/feature-module.ts'

export const keysName = (id: number): string => `shop_connection:${id}`
const Keys = z.record(z.string(), z.string())

export interface ShopAddress {
  /** Null before it is stored. */
  id: number | null
  system: string
  shop: string
  base_url: string
  settings: Readonly<Record<string, string>>
}

/** Of each connection: its turns and its token. Another process has its own. */
const kept = new Map<string, { turn: (signal: AbortSignal) => Promise<void>; token: string | undefined }>()
const mostKept = 10_000

export interface OpenedShop {
  connector: ShopConnector
  access: ShopAccess
}

/** The keys of a shop; read in a transaction, before the shop is asked. */
export async function readShopKeys(
  db: Db,
  services: Services,
  scope: { operator_id: number; company_id: number },
  id: number,
): Promise<Record<string, string> | null> {
  const plain = await readSecret(db, services.vault, { ...scope, name: keysName(id) })
  if (plain === null) return null
  const read = Keys.safeParse(JSON.parse(plain))
  return read.success ? read.data : null
}

export async function shopPlace(db: Db, company_id: number): Promise<{ country: string; timeZone: string }> {
  const settings = await companySettings(db, company_id)
  return { country: homeCountry(settings), timeZone: settings.time_zone }
}

export function openShop(
  services: Services,
  address: ShopAddress,
  credentials: Readonly<Record<string, string>>,
  place: { country: string; timeZone: string },
  signal: AbortSignal,
): OpenedShop {
  const connector = connectorOf(address.system)
  if (!connector) throw new ShopError('unreadable', 'This version has no adapter for the shop system')
  const key = `${address.id ?? `new ${address.base_url}`} ${JSON.stringify(credentials)}`
  if (kept.size >= mostKept) kept.clear()
  const own = kept.get(key) ?? { turn: openTurns(connector.capabilities.rate), token: undefined }
  kept.set(key, own)
  const http = openShopHttp({
    base_url: address.base_url,
    allowedNetworks: services.config.allowed_networks,
    signal,
    secrets: Object.values(credentials),
    turn: own.turn,
  })
  const session: ShopAccess['session'] = {
    get: () => own.token,
    set: token => {
      own.token = token
    },
  }
  return {
    connector,
    access: { base_url: address.base_url, credentials, settings: address.settings, shop: address.shop, ...place, http, session },
  }
}
