/** Exports of companies: asked for with the own password, fetched by who asked. */
import { conflict, forbidden, notFound, orNotFound } from '#contract/errors.ts'
import { logAccess } from '#features/company/access-log/access-log.commands.ts'
import { companyById } from '#features/company/companies/companies.queries.ts'
import { confirmPassword } from '#features/company/users/own-password.server.ts'
import { implement } from '#platform/http/feature-module.ts'
import { startCompanyExport } from './company-exports.commands.ts'
import { companyExports } from './company-exports.contract.ts'
import { exportsOf, fileOfExport } from './company-exports.queries.ts'
import { companyExportsSchemas } from './company-exports.schemas.ts'

export const companyExportsServer = implement(companyExports, companyExportsSchemas, {
  async list({ company_id }, { db, principal }) {
    await companyById(db, company_id)
    return exportsOf(db, company_id, principal.id)
  },

  async start({ company_id, body }, outside) {
    await confirmPassword(outside, body.password)
    return outside.transaction(async context => {
      const { db, principal } = context
      const company = orNotFound(
        await db.selectFrom('companies').select(['id', 'code', 'erased_at']).where('id', '=', company_id).forUpdate().executeTakeFirst(),
        'company_not_found',
        'Company not found',
      )
      if (company.erased_at) throw conflict('company_erased', 'The data of this company have been erased. Add a new company.')
      if ((await exportsOf(db, company_id, principal.id)).some(({ state }) => state === 'queued' || state === 'running'))
        throw conflict('export_running', 'An export of this company is being made already')
      await logAccess(context, { subject_type: 'company', subject_id: company_id, what: 'company.export', durable: true })
      return startCompanyExport(context, company)
    })
  },

  async file({ id }, { transaction }) {
    const file = await transaction(async context => {
      const { db, principal, recordEvent } = context
      const found = await fileOfExport(db, id)
      if (!found) throw notFound('job_file_not_found', 'This job has no file, or its time has ended')
      if (found.requested_by !== principal.id)
        throw forbidden('export_not_own', 'Only who asked for this export may download it. Start one of your own.')
      const { code } = await companyById(db, found.company_id)
      await logAccess(context, { subject_type: 'company', subject_id: found.company_id, what: 'company.export_file', durable: true })
      await recordEvent({
        kind: 'company.export_fetched',
        subject: 'company',
        subject_id: found.company_id,
        company_id: principal.company.id,
        data: { code },
      })
      return found
    })
    return { bytes: { sha256: file.sha256, bytes: file.bytes }, media_type: 'application/zip', name: file.name }
  },
})
