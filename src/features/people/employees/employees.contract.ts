/** What a company keeps of the people that it employs: contract, guardian of minors, and pay. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { employeesSchemas } from './employees.schemas.ts'

export const employees = contract<typeof employeesSchemas>({
  name: 'employees',
  area: 'people',
  access: access.users,
  internal: true,
}).calls({
  get: call('GET user/{id}/employment', { external: true, access: [...access.users, 'schedule_admin', 'salary_admin', 'personal_admin'] }),
  update: call('PUT user/{id}/employment'),
  payTerms: call('GET user/{id}/pay_terms', { external: true, access: access.salary }),
  addPayTerm: call('POST user/{id}/pay_terms', { access: access.salary }),
  withdrawPayTerm: call('DELETE user/{id}/pay_terms/{term_id}', { access: access.salary }),
  cpr: call('GET user/{id}/cpr', { access: access.personal }),
  setCpr: call('PUT user/{id}/cpr', { access: access.personal }),
  removeCpr: call('DELETE user/{id}/cpr', { access: access.personal }),
  revealCpr: call('POST user/{id}/cpr/reveal', { access: access.personal, external: true, rateLimit: 'handler' }),
})
