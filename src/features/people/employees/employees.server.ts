/** Handlers of employments and pay. */
import { isAllowed } from '#contract/access.ts'
import { logAccess } from '#features/company/access-log/access-log.commands.ts'
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

/** Who looks at the employment or the pay of somebody else stands in the access log. */
async function noteReading(context: Context, user_id: number, what: 'employee.read' | 'pay.read'): Promise<void> {
  if (user_id !== context.principal.id) await logAccess(context, { subject_type: 'user', subject_id: user_id, what })
}

export const employeesServer = implement(employees, employeesSchemas, {
  get: ({ id }, outside) =>
    outside.transaction(async context => {
      const employment = await employmentOf(context.db, id, await todayOf(context))
      await noteReading(context, id, 'employee.read')
      const personal = isAllowed(context.principal.permissions, ['users_admin', 'personal_admin'])
      return personal ? employment : { ...employment, birth_date: null, guardian_name: null, guardian_phone: null, guardian_email: null }
    }),
  update: async ({ id, body }, context) => saveEmployment(context, id, body, await todayOf(context)),
  payTerms: ({ id }, outside) =>
    outside.transaction(async context => {
      const terms = await payTermsOf(context.db, id, await todayOf(context))
      await noteReading(context, id, 'pay.read')
      return terms
    }),
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
