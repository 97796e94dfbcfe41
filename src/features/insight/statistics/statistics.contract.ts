/** Statistics of the warehouse: figures of pickers and packers by person and day, and the time of a wagon. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { statisticsSchemas } from './statistics.schemas.ts'

export const statistics = contract<typeof statisticsSchemas>({
  name: 'statistics',
  area: 'insight',
  access: access.statistics,
  workClass: 'bulk',
  tenantScope: 'operator',
}).calls({
  picks: call('GET statistics/pick_list/from/{start}/to/{end}', { external: true, timeout: 'long' }),
  kept: call('GET statistics/pick_list/cache/{id}'),
  breaks: call('GET statistics/pick_list/{pick_list}/breaks/wagon/{wagon}'),
  packs: call('GET statistics/pack_list/from/{start}/to/{end}', { external: true, timeout: 'long' }),
})
