/** Shows and sets how much a company may have. */
import { setCompanyLimits } from '#features/company/companies/companies.commands.ts'
import { companyById } from '#features/company/companies/companies.queries.ts'
import type { Db } from '#platform/database/database.ts'
import { implement, type Services } from '#platform/http/feature-module.ts'
import { type CompanyLimits, companyLimits as limitNames, limitsOf, requestsKey, usedOf } from '#platform/limits/company-limits.ts'
import { companyLimits } from './company-limits.contract.ts'
import { companyLimitsSchemas } from './company-limits.schemas.ts'

export const companyLimitsServer = implement(companyLimits, companyLimitsSchemas, {
  async get({ company_id }, { db, services, principal }) {
    await companyById(db, company_id)
    return shown(db, services, { operator_id: principal.company.operator_id, id: company_id })
  },

  async set({ company_id, body }, { db, services, principal, recordEvent, notify }) {
    const { code } = await companyById(db, company_id)
    const limits: CompanyLimits = {}
    for (const name of limitNames) {
      const most = body[name]
      if (most !== null) limits[name] = most
    }
    await setCompanyLimits(db, company_id, limits)
    await recordEvent({
      kind: 'company.limits_set',
      subject: 'company',
      subject_id: company_id,
      company_id: principal.company.id,
      data: { code, ...body },
    })
    notify('company', company_id, principal.company.id)
    // Keys are known for some seconds, with the limit of their requests.
    notify('people', undefined, company_id)
    return shown(db, services, { operator_id: principal.company.operator_id, id: company_id })
  },
})

async function shown(db: Db, services: Services, company: { operator_id: number; id: number }) {
  const limits = await limitsOf(db, company.id)
  const used = { ...(await usedOf(db, company.id)), requests: await services.limits.callsNow(requestsKey(company)) }
  const one = (name: (typeof limitNames)[number]) => ({ limit: limits[name] ?? null, used: used[name] })
  return { users: one('users'), webhooks: one('webhooks'), imports: one('imports'), requests: one('requests'), storage: one('storage') }
}
