/** The pay list of any span of days: made at once or by a job, and kept. */
import { badRequest, notFound } from '#contract/errors.ts'
import { logAccess } from '#features/company/access-log/access-log.commands.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { newJob } from '#features/company/jobs/jobs.queries.ts'
import { type ExternalContext, implement } from '#platform/http/feature-module.ts'
import { figuresFor, payOfSpan, shownPay } from './period-pay.server.ts'
import { mostPayDays } from './salary.codes.ts'
import { keepPayList } from './salary.commands.ts'
import { payLists } from './salary.contract.ts'
import { keptPayList, type Span } from './salary.queries.ts'
import { KeptPayList, type PayList, payListSchemas } from './salary.schemas.ts'

export function checkSpan({ from, to }: Span): void {
  if (to < from) throw badRequest('period_reversed', 'The period ends before it begins')
  if ((Date.parse(to) - Date.parse(from)) / 86_400_000 >= mostPayDays)
    throw badRequest('period_too_long', 'A period has at most {{count}} days', { count: mostPayDays })
}

export async function makePayList(
  context: ExternalContext,
  { from, to }: Span,
  progress?: (done: number, total: number) => Promise<void>,
): Promise<PayList> {
  const today = await figuresFor(context, { from, to }, progress)
  return context.transaction(async tools => {
    const { db, scope, now } = tools
    const { company_id } = scope
    const { currency } = await companySettings(db, company_id)
    const people = await payOfSpan(db, { from, to }, { company_id, today })
    const list = { from, to, currency, made_at: now().toISOString(), rows: people.map(one => shownPay(one, false)) }
    await logAccess(tools, { subject_type: 'user', subject_id: null, what: 'pay.read', criteria: `${from} ${to}` })
    return { job_id: null, id: await keepPayList(tools, list), ...list }
  })
}

export const payListsServer = implement(payLists, payListSchemas, {
  async payList({ start, end, job, id }, context) {
    const span = { from: start, to: end }
    checkSpan(span)
    if (id !== undefined)
      return context.transaction(async tools => {
        const row = await keptPayList(tools.db, tools.scope.company_id, span, id)
        if (!row) throw notFound('pay_list_expired', 'This list is not kept any more. Ask for the period again.')
        await logAccess(tools, { subject_type: 'user', subject_id: null, what: 'pay.read', criteria: `${start} ${end}` })
        return { job_id: null, id: row.id, ...KeptPayList.parse(row.answer) }
      })
    if (job === undefined) return makePayList(context, span)
    return context.transaction(async ({ db, principal, enqueue, notify, now }) => {
      const job_id = await newJob(db, { kind: 'pay.list', title: `${start} – ${end}`, created_by: principal.id })
      await enqueue(
        'pay.list',
        { job_id, ...span, companies: principal.company.is_main ? principal.operatorCompanies : [] },
        { key: `pay.list/${job_id}`, queue: `pay.list/${principal.company.id}` },
      )
      notify('job', job_id)
      const { currency } = await companySettings(db, principal.company.id)
      return { job_id, id: null, ...span, currency, made_at: now().toISOString(), rows: [] }
    })
  },
})
