/** Links by which recipients answer: the public page, and the questions of an order as its clerk sees them. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { decisionLinksSchemas, orderQuestionsSchemas } from './decision-links.schemas.ts'

const linked = { rateLimit: { max: 60, seconds: 600 } } as const

/** The token is in the body alone: addresses are logged, and mail scanners follow them. */
export const decisionLinks = contract<typeof decisionLinksSchemas>({
  name: 'decisionLinks',
  area: 'messages',
  access: 'anyone',
  internal: true,
}).calls({
  open: call('POST decision_links/open', { ...linked, workClass: 'read' }),
  shops: call('POST decision_links/shops', { external: true, workClass: 'search', rateLimit: { max: 20, seconds: 600 } }),
  answer: call('POST decision_links/answer', { external: true, rateLimit: { max: 20, seconds: 600 } }),
})

export const orderQuestions = contract<typeof orderQuestionsSchemas>({
  name: 'orderQuestions',
  area: 'messages',
  access: access.parcels,
  tenantScope: 'operator',
  internal: true,
}).calls({
  list: call('GET orders/{id}/questions'),
  revoke: call('POST order_questions/{id}/revoke'),
})
