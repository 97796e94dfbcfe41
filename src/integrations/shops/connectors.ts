/** The registry of shop systems. A new one is added only here. */
import { magento } from './magento/magento.ts'
import { medusa } from './medusa/medusa.ts'
import { prestashop } from './prestashop/prestashop.ts'
import type { ShopConnector, ShopSystem } from './shop-connector.ts'
import { shopifyConnector } from './shopify/shopify-connector.ts'
import { shopware } from './shopware/shopware.ts'
import { vendure } from './vendure/vendure.ts'
import { woocommerceConnector } from './woocommerce/woocommerce-connector.ts'

const all: readonly ShopConnector[] = [woocommerceConnector, shopifyConnector, magento, prestashop, shopware, vendure, medusa]

export const connectors: ReadonlyMap<string, ShopConnector> = new Map<ShopSystem, ShopConnector>(
  all.map(connector => [connector.system, connector]),
)

/** Undefined for a system that no adapter speaks to. */
export const connectorOf = (system: string): ShopConnector | undefined => connectors.get(system)
