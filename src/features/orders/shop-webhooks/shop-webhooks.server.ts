/**
 * Web hooks: the signature is checked over the raw body, each delivery is taken once, and the newest version wins whatever the order
 * in which deliveries arrive. A delivery that was understood is answered 204 even when its order is refused – the shop would only
 * repeat it and then stop sending; what became of it is reported on the API screen and in the events.
 */
import { createHash } from 'node:crypto'
import { interpolate, unauthorized } from '#contract/errors.ts'
import { formatIssue } from '#domain/order/canonical-order.ts'
import { toOrder } from '#domain/order/canonical-order-checks.ts'
import { hookName } from '#features/company/api-keys/cms-keys.queries.ts'
import type { HookSource } from '#features/company/api-keys/cms-keys.schemas.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { homeCountry } from '#features/company/companies/companies.rules.ts'
import { cancelRemoved } from '#features/orders/orders/upsert/cancel-orders.commands.ts'
import { retryOrderConflict, storeOrders } from '#features/orders/orders/upsert/order-upsert.commands.ts'
import type { Delivery, Headers } from '#integrations/shops/shop-order.ts'
import { readShopifyDelivery } from '#integrations/shops/shopify.ts'
import { readWooDelivery, readWooPing } from '#integrations/shops/woocommerce.ts'
import { readSecrets, recordRotatedSecretUse } from '#platform/crypto/secret-store.ts'
import { type Context, type ExternalContext, implement } from '#platform/http/feature-module.ts'
import { shopWebhooks } from './shop-webhooks.contract.ts'
import { forgetRemoval, noteOutcome, noteRemoval, ordersOfRequest, takeDelivery, wasRemoved } from './shop-webhooks.queries.ts'
import { shopWebhooksSchemas } from './shop-webhooks.schemas.ts'

export const shopWebhooksServer = implement(shopWebhooks, shopWebhooksSchemas, {
  async woocommerce({ shop, upload }, context) {
    // A new web hook introduces itself unsigned, and is not kept when it is not answered well.
    const raw = await upload.bytes()
    if (readWooPing(raw) !== null) return
    await take('woocommerce', shop, raw, context)
  },
  shopify: async ({ shop, upload }, context) => take('shopify', shop, await upload.bytes(), context),
})

const actors: Record<HookSource, string> = { woocommerce: 'WooCommerce', shopify: 'Shopify' }

async function take(
  source: HookSource,
  shop: string,
  raw: Uint8Array,
  { services, transaction, scope, headers }: ExternalContext,
): Promise<void> {
  const place = { operator_id: scope.operator_id, company_id: scope.company_id, name: hookName(source, shop) }
  const { secrets, settings } = await transaction(async ({ db, now }) => ({
    secrets: await readSecrets(db, services.vault, place, now()),
    settings: await companySettings(db, scope.company_id),
  }))
  const options = { shop, country: homeCountry(settings), timeZone: settings.time_zone }
  for (const { plain, retired_id } of secrets) {
    const delivery = read[source](raw, headers, plain, options)
    if (delivery.kind !== 'forged') return takeSigned(delivery, retired_id, { source, shop, raw }, { transaction, headers })
  }
  // The same sentence for a wrong signature, a wrong shop and a missing secret.
  throw unauthorized('webhook_signature_invalid', 'This delivery is not signed with the secret of this shop')
}

type Signed = Exclude<Delivery, { kind: 'forged' }>

async function takeSigned(
  delivery: Signed,
  retired_id: number | null,
  { source, shop, raw }: { source: HookSource; shop: string; raw: Uint8Array },
  { transaction, headers }: Pick<ExternalContext, 'transaction' | 'headers'>,
): Promise<void> {
  const id = delivery.delivery_id ?? createHash('sha256').update(raw).digest('hex')
  const topic = headers['x-wc-webhook-topic']
  await retryOrderConflict(() =>
    transaction(async context => {
      if (retired_id !== null) await recordRotatedSecretUse(context.db, retired_id, context.now())
      if (!(await takeDelivery(context.db, `${source}:${shop}`, id))) return
      await noteOutcome(
        context.db,
        `${source}:${shop}`,
        id,
        await carryOut(delivery, { source, shop, restores: topic === 'order.restored' }, context),
      )
    }),
  )
}

const read: Record<
  HookSource,
  (raw: Uint8Array, headers: Headers, secret: string, options: { shop: string; country: string; timeZone: string }) => Delivery
> = { woocommerce: readWooDelivery, shopify: readShopifyDelivery }

/** Does what a delivery says; answers in words what came of it. */
async function carryOut(
  delivery: Signed,
  { source, shop, restores }: { source: HookSource; shop: string; restores: boolean },
  context: Context,
): Promise<string> {
  const actor = actors[source]
  switch (delivery.kind) {
    case 'ignored':
      return `ignored: ${interpolate(delivery.text, delivery.values)}`
    case 'privacy':
      await context.recordEvent({
        kind: 'webhook.privacy',
        subject: 'webhook',
        data: {
          source,
          shop,
          topic: delivery.topic,
          external_ids: delivery.external_ids,
          order_ids: await ordersOfRequest(context.db, shop, delivery),
        },
      })
      return `noted: ${delivery.topic}`
    case 'refused': {
      const problems = delivery.problems.map(formatIssue)
      await context.recordEvent({ kind: 'webhook.refused', subject: 'webhook', data: { source, shop, problems } })
      return `refused: ${problems[0]?.message ?? ''}`
    }
    case 'removed': {
      await noteRemoval(context.db, `${source}:${shop}`, delivery.external_id)
      const [done] = await cancelRemoved(context, { shop, external_ids: [delivery.external_id] }, { actor })
      return done?.problems[0] ? `refused: ${interpolate(done.problems[0].text, done.problems[0].values)}` : (done?.result ?? 'unchanged')
    }
    case 'order': {
      const order = toOrder({ ...delivery.order, shop })
      if (restores) await forgetRemoval(context.db, `${source}:${shop}`, order.external_id)
      // Its deletion overtook it.
      else if (await wasRemoved(context.db, `${source}:${shop}`, order.external_id)) return 'ignored: the shop has deleted this order'
      const [stored] = await storeOrders(context, [order], { actor })
      const problem = stored?.problems.map(formatIssue)[0]
      if (problem)
        await context.recordEvent({
          kind: 'webhook.refused',
          order_id: stored?.order_id ?? null,
          subject: 'webhook',
          data: { source, shop, problems: [problem] },
        })
      return problem ? `refused: ${problem.message}` : (stored?.result ?? 'unchanged')
    }
  }
}
