/** The registry of shop systems. A new one is added only here. */
import type { ShopConnector, ShopSystem } from './shop-connector.ts'
import { shopifyConnector } from './shopify/shopify-connector.ts'
import { woocommerceConnector } from './woocommerce/woocommerce-connector.ts'

const all: readonly ShopConnector[] = [woocommerceConnector, shopifyConnector]

export const connectors: ReadonlyMap<string, ShopConnector> = new Map<ShopSystem, ShopConnector>(
  all.map(connector => [connector.system, connector]),
)

/** Undefined for a system that no adapter speaks to. */
export const connectorOf = (system: string): ShopConnector | undefined => connectors.get(system)
