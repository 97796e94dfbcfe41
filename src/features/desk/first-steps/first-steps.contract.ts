/** First steps: what a new company still needs before its first parcel can leave. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { firstStepsSchemas } from './first-steps.schemas.ts'

export const firstSteps = contract<typeof firstStepsSchemas>({
  name: 'firstSteps',
  area: 'desk',
  access: access.settings,
  internal: true,
}).calls({
  get: call('GET company/first_steps'),
})
