/** Payroll: handlers. */
import { orNotFound } from '#contract/errors.ts'
import { logAccess } from '#features/company/access-log/access-log.commands.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { payTermsBetween } from '#features/people/employees/employees.queries.ts'
import { figuresBetween } from '#features/people/work-figures/work-figures.queries.ts'
import { type ExternalContext, implement } from '#platform/http/feature-module.ts'
import { checkSpan } from './pay-list.server.ts'
import { countedFigures, figuresFor, payOfPeriod, payOfSpan, shownPay } from './period-pay.server.ts'
import {
  addPeriod,
  addRule,
  changeRule,
  endRule,
  exportPeriod,
  removePeriod,
  reopenPeriod,
  setPaySettings,
  startPilot,
  todayOf,
} from './salary.commands.ts'
import { salary } from './salary.contract.ts'
import { fileOfExport, payPeriods, payRules, paySettingsOf, periodById } from './salary.queries.ts'
import { salarySchemas } from './salary.schemas.ts'

/** Figures of the days of a period, counted where tariffs need them. */
async function figuresOfPeriod(context: ExternalContext, id: number) {
  const period = await context.transaction(({ db, scope }) => periodById(db, scope.company_id, id))
  return figuresFor(context, { from: period.from_day, to: period.to_day })
}

export const salaryServer = implement(salary, salarySchemas, {
  periods: (_, { db, principal }) => payPeriods(db, principal.company.id),
  addPeriod: ({ body }, context) => addPeriod(context, body),
  removePeriod: ({ id }, context) => removePeriod(context, id),

  async period({ id }, context) {
    const today = await figuresOfPeriod(context, id)
    return context.transaction(async tools => {
      const { db, scope } = tools
      const { company_id } = scope
      const period = await periodById(db, company_id, id)
      const { currency, employer_no } = await paySettingsOf(db, company_id)
      const people = await payOfPeriod(db, period, { company_id, today })
      await logAccess(tools, { subject_type: 'user', subject_id: null, what: 'pay.read', criteria: `${period.from_day} ${period.to_day}` })
      return { period, currency, has_employer_no: employer_no !== '', rows: people.map(one => shownPay(one, false)) }
    })
  },

  async person({ id, user_id }, context) {
    const today = await figuresOfPeriod(context, id)
    return context.transaction(async tools => {
      const { db, scope } = tools
      const { company_id } = scope
      const period = await periodById(db, company_id, id)
      const [person] = await payOfPeriod(db, period, { company_id, user_id, today })
      await logAccess(tools, {
        subject_type: 'user',
        subject_id: user_id,
        what: 'pay.read',
        criteria: `${period.from_day} ${period.to_day}`,
      })
      return shownPay(orNotFound(person, 'user_not_found', 'User not found'), true)
    })
  },

  async export({ id, body }, context) {
    const today = await figuresOfPeriod(context, id)
    return context.transaction(tools => exportPeriod(tools, id, body, today))
  },
  reopen: ({ id, body }, context) => reopenPeriod(context, id, body),

  async file({ id }, { db, principal }) {
    const row = orNotFound(await fileOfExport(db, principal.company.id, id), 'pay_export_not_found', 'There is no such export.')
    return { bytes: row.content, media_type: 'text/csv', name: row.file_name }
  },

  async rules(_, context) {
    const { db, principal } = context
    return {
      rules: await payRules(db, principal.company.id, await todayOf(context)),
      settings: await paySettingsOf(db, principal.company.id),
    }
  },
  addRule: ({ body }, context) => addRule(context, body),
  changeRule: ({ id, body }, context) => changeRule(context, id, body),
  endRule: ({ id, body }, context) => endRule(context, id, body),
  startPilot: ({ body }, context) => startPilot(context, body.from),
  setSettings: ({ body }, context) => setPaySettings(context, body),

  async myPay({ start, end }, context) {
    const span = { from: start, to: end }
    checkSpan(span)
    const user_id = context.principal.id
    const isPaid = await context.transaction(async ({ db }) => (await payTermsBetween(db, { to: end, user_id })).length > 0)
    const today = isPaid ? await figuresFor(context, span) : []
    return context.transaction(async ({ db, scope }) => {
      const { currency } = await companySettings(db, scope.company_id)
      const [person] = isPaid ? await payOfSpan(db, span, { company_id: scope.company_id, user_id, today }) : []
      // What has to be solved is the work of those who run the payroll.
      return { currency, pay: person ? { ...shownPay(person, true), problems: [], pilot_total: null } : null }
    })
  },

  async myNumbers({ start, end }, context) {
    const span = { from: start, to: end }
    checkSpan(span)
    const user_id = context.principal.id
    const day = await context.transaction(todayOf)
    const today = await countedFigures(context, span, day)
    const stored = await context.transaction(({ db }) => figuresBetween(db, { ...span, user_id }))
    return [...stored.filter(one => one.day !== day || today.length === 0), ...today.filter(one => one.user_id === user_id)].map(
      ({ grams, ...one }) => ({ ...one, grams: Number(grams) }),
    )
  },
})
