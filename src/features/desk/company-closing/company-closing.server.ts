/** Closes companies of the operator and opens them again. What a closed one may still do stands in `authenticate` and in the triggers of orders. */
import { conflict, orNotFound, unprocessable } from '#contract/errors.ts'
import { closeCompany, reopenCompany } from '#features/company/companies/companies.commands.ts'
import { cancelJob, openJobs } from '#features/company/jobs/jobs.queries.ts'
import { confirmPassword } from '#features/company/users/own-password.server.ts'
import { endSessionsOfCompany } from '#platform/auth/session-store.ts'
import type { Db } from '#platform/database/database.ts'
import { type Context, implement } from '#platform/http/feature-module.ts'
import { companyClosing } from './company-closing.contract.ts'
import { blocksOf, keptOf } from './company-closing.queries.ts'
import { type CompanyClosing, companyClosingSchemas } from './company-closing.schemas.ts'

export const companyClosingServer = implement(companyClosing, companyClosingSchemas, {
  get: ({ company_id }, { db }) => closingOf(db, company_id),

  async close({ company_id, body }, outside) {
    await confirmPassword(outside, body.password)
    return outside.transaction(async context => {
      const { db, principal, now, recordEvent, notify } = context
      const company = await takeCompany(db, company_id)
      if (company.is_main)
        throw conflict('company_main', 'The main company holds the warehouse and all its companies. It cannot be closed.')
      if (company.closed_at) throw conflict('company_closed', 'This company is closed. Nothing new is taken for it.')
      if (body.code.trim().toLowerCase() !== company.code)
        throw unprocessable(
          'company_code_differs',
          'This is not the code of the company',
          {},
          { fields: { code: 'This is not the code of the company' } },
        )
      const blocks = await blocksOf(db, company_id)
      if (blocks.length > 0)
        throw conflict(
          'company_blocked',
          'Something of this company is still open. It can be closed when that has ended.',
          {},
          { current: blocks },
        )
      const at = now()
      const erase_from = new Date(at.getTime() + body.days * 86_400_000)
      await closeCompany(db, company_id, { name: principal.name, at, reason: body.reason, erase_from })
      await endSessionsOfCompany(db, company_id, at)
      for (const { id } of await openJobs(db, company_id)) {
        await cancelJob(db, id, at)
        notify('job', id, company_id)
      }
      await recordEvent({
        kind: 'company.closed',
        subject: 'company',
        subject_id: company_id,
        company_id: principal.company.id,
        data: { code: company.code, days: body.days },
      })
      announce(context, company_id)
      return closingOf(db, company_id)
    })
  },

  async reopen({ company_id }, context) {
    const { db, principal, now, recordEvent } = context
    const company = await takeCompany(db, company_id)
    if (!company.closed_at || !company.erase_from) throw conflict('company_not_closed', 'This company is open')
    if (company.erased_at) throw conflict('company_erased', 'The data of this company have been erased. Add a new company.')
    if (company.erase_from <= now().toISOString())
      throw conflict('company_ending', 'The data of this company are being erased. It cannot be opened again.')
    await reopenCompany(db, company_id)
    await recordEvent({
      kind: 'company.reopened',
      subject: 'company',
      subject_id: company_id,
      company_id: principal.company.id,
      data: { code: company.code },
    })
    announce(context, company_id)
    return closingOf(db, company_id)
  },
})

/** Who is behind a key or an address is remembered by every process; `people` makes them ask again. */
function announce({ notify, principal }: Context, company_id: number): void {
  notify('people', undefined, company_id)
  notify('company', company_id)
  notify('company', company_id, principal.company.id)
}

/** Locked: rows of the company that are being made are waited for, and later ones wait. */
const takeCompany = async (db: Db, id: number) =>
  orNotFound(
    await db
      .selectFrom('companies')
      .select(['code', 'is_main', 'closed_at', 'erase_from', 'erased_at'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst(),
    'company_not_found',
    'Company not found',
  )

async function closingOf(db: Db, company_id: number): Promise<CompanyClosing> {
  const row = orNotFound(
    await db
      .selectFrom('companies as c')
      .select(eb => [
        'c.id',
        'c.code',
        'c.name',
        'c.is_main',
        'c.created_at',
        'c.closed_at',
        'c.closed_by',
        'c.close_reason as reason',
        'c.erase_from',
        'c.erased_at',
        eb
          .selectFrom('users as u')
          .select(inner => inner.fn.countAll<number>().as('n'))
          .whereRef('u.company_id', '=', 'c.id')
          .where('u.removed_at', 'is', null)
          .as('users'),
      ])
      .where('c.id', '=', company_id)
      .executeTakeFirst(),
    'company_not_found',
    'Company not found',
  )
  return { ...row, users: row.users ?? 0, blocks: row.closed_at ? [] : await blocksOf(db, company_id), kept: await keptOf(db, company_id) }
}
