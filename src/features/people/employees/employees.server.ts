/** Handlers of employments and pay. */
import { isAllowed } from '#contract/access.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { localDay } from '#features/company/companies/local-day.server.ts'
import { confirmPassword } from '#features/company/users/own-password.server.ts'
import { type Context, implement } from '#platform/http/feature-module.ts'
import { removeCpr, revealCpr, setCpr } from './cpr.commands.ts'
import { cprOf } from './cpr.queries.ts'
import { addPayTerm, saveEmployment, withdrawPayTerm } from './employees.commands.ts'
import { employees } from './employees.contract.ts'
import { employmentOf, payTermsOf } from './employees.queries.ts'
import { employeesSchemas } from './employees.schemas.ts'

const todayOf = async ({ db, principal, now }: Context): Promise<string> =>
  localDay(now(), (await companySettings(db, principal.company.id)).time_zone)

export const employeesServer = implement(employees, employeesSchemas, {
  async get({ id }, context) {
    const employment = await employmentOf(context.db, id, await todayOf(context))
    const personal = isAllowed(context.principal.permissions, ['users_admin', 'personal_admin'])
    return personal ? employment : { ...employment, birth_date: null, guardian_name: null, guardian_phone: null, guardian_email: null }
  },
  update: async ({ id, body }, context) => saveEmployment(context, id, body, await todayOf(context)),
  payTerms: async ({ id }, context) => payTermsOf(context.db, id, await todayOf(context)),
  addPayTerm: async ({ id, body }, context) => addPayTerm(context, id, body, await todayOf(context)),
  withdrawPayTerm: async ({ id, term_id }, context) => withdrawPayTerm(context, id, term_id, await todayOf(context)),
  cpr: async ({ id }, { db }) => ({ ...(await cprOf(db, id)), hint: null }),
  setCpr: async ({ id, body }, context) => setCpr(context, id, body.cpr, await todayOf(context)),
  removeCpr: ({ id }, context) => removeCpr(context, id),
  async revealCpr({ id, body }, outside) {
    await confirmPassword(outside, body.password)
    outside.setHeader('cache-control', 'no-store')
    return { cpr: await outside.transaction(context => revealCpr(context, id, body.reason)) }
  },
})
