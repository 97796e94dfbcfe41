/** A packer asks leads elsewhere to approve an act. Apart from packing: stations load it when a lead is asked. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { leadQuestionsSchemas } from './lead-questions.schemas.ts'

export const leadQuestions = contract<typeof leadQuestionsSchemas>({
  name: 'leadQuestions',
  area: 'packing',
  access: access.scan,
  workClass: 'scan',
  tenantScope: 'operator',
  ipLock: true,
  internal: true,
}).calls({
  leads: call('GET packing/order/{id}/leads'),
  ask: call('POST packing/order/{id}/approve/ask'),
  answer: call('GET packing/order/{id}/approve/{request_id}'),
})
