/** Slotting: handlers. */

import { activeMap, measuredMap } from '#features/warehouse/map-results/measured-maps.queries.ts'
import { pastWalks } from '#features/warehouse/map-results/past-walks.queries.ts'
import { activeResult } from '#features/warehouse/map-results/results.queries.ts'
import { type ActiveMap, cellAt } from '#features/warehouse/map-results/walks.rules.ts'
import { type ExternalContext, type FeatureModule, implement } from '#platform/http/feature-module.ts'
import { publicUrl } from '#platform/http/public-url.ts'
import { runInThread } from '#platform/threads/worker-thread.ts'
import { mostFetched, placedProducts } from './product-picks.queries.ts'
import { slotting, slottingOwn } from './slotting.contract.ts'
import type { SlottingAdvice, SlottingTask } from './slotting.rules.ts'
import { type HotSpot, type Slotting, slottingOwnSchemas, slottingSchemas } from './slotting.schemas.ts'

const day = 86_400_000

const thread = new URL('./slotting.thread.ts', import.meta.url)
/** Heap limit of the thread in megabytes: the largest map needs about 600. */
const memory = 1_536

export const slottingServer = implement(slotting, slottingSchemas, {
  async hotSpots({ product_count, order_from, advice }, context) {
    const { services, transaction, now, principal } = context
    const until = now()
    const since = order_from ? new Date(`${order_from}T00:00:00Z`) : new Date(until.getTime() - 30 * day)
    const { map, products } = await transaction(async ({ db }) => ({
      map: await activeMap(db, services),
      products: await mostFetched(db, since, until, product_count),
    }))
    const spots = [...Map.groupBy(products, one => one.bin)].map(([bin, some]): HotSpot => {
      const sum = (of: 'picks' | 'pieces') => some.reduce((all, one) => all + one[of], 0)
      return {
        bin,
        ...placeOf(map, bin),
        picks: sum('picks'),
        pieces: sum('pieces'),
        products: some.map(({ product_id, company, sku, name, picks }) => ({ product_id, company, sku, name, picks })),
      }
    })
    const from = since.toISOString().slice(0, 10)
    return {
      url: `${publicUrl(services, principal.company.code)}/settings/warehouse-map?show=hot-spots&product_count=${product_count}&order_from=${from}`,
      result_id: map?.result_id ?? null,
      product_count,
      order_from: from,
      spots: spots.sort((a, b) => b.picks - a.picks),
      advice: advice === 'yes' ? await advised(context, since, 20) : null,
    }
  },
})

export const slottingOwnServer: FeatureModule = implement(slottingOwn, slottingOwnSchemas, {
  advice: ({ days, swaps }, context) => advised(context, new Date(context.now().getTime() - days * day), swaps),
})

function placeOf(map: ActiveMap | null, bin: string): { x: number | null; y: number | null } {
  const cell = map?.cellOfBin(bin) ?? null
  return map && cell !== null ? cellAt(map, cell) : { x: null, y: null }
}

async function advised({ services, transaction, now, signal }: ExternalContext, since: Date, most: number): Promise<Slotting> {
  const asked = await transaction(async ({ db }) => {
    const active = await activeResult(db)
    const map = active && (await measuredMap(db, services, active.result_id))
    if (!map) return null
    const past = await pastWalks(db, since, now())
    return { map, past, products: await placedProducts(db, past.walks) }
  })
  if (!asked)
    return { result_id: null, since: since.toISOString(), days: 0, walks: 0, metres_per_day: 0, saved_metres_per_day: 0, swaps: [] }
  const advice = await runInThread<SlottingAdvice>(thread, { ...asked, most } satisfies SlottingTask, { signal, memory })
  return { result_id: asked.map.result_id, ...advice }
}
