/** Copies and erases what is stored of one member of the staff. */
import { AppError, conflict } from '#contract/errors.ts'
import { logAccess } from '#features/company/access-log/access-log.commands.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { localDay } from '#features/company/companies/local-day.server.ts'
import { confirmPassword } from '#features/company/users/own-password.server.ts'
import { eraseUser, onlyAdminsChangeAdmins, removeUser } from '#features/company/users/users.commands.ts'
import { codesOf, userById } from '#features/company/users/users.queries.ts'
import { revealCpr } from '#features/people/employees/cpr.commands.ts'
import { copyReason } from '#features/people/employees/employees.codes.ts'
import { eraseEmployee } from '#features/people/employees/old-employees.commands.ts'
import { erasePunchWords } from '#features/people/punch-clock/old-punches.commands.ts'
import { eraseOwnWords } from '#features/people/schedule/leavers.commands.ts'
import { removeErasedFiles } from '#platform/files/erased-files.ts'
import { type ExternalContext, implement } from '#platform/http/feature-module.ts'
import { keptUntil } from './retention.rules.ts'
import { staffData } from './staff-data.contract.ts'
import { storedOf } from './staff-data.queries.ts'
import { staffDataSchemas } from './staff-data.schemas.ts'
import { staffPaper } from './staff-paper.server.ts'

/** The number belongs into the person's own copy; where none is kept, or its key is elsewhere, the copy is made without it. */
async function cprFor(outside: ExternalContext, id: number): Promise<string | null> {
  try {
    return await outside.transaction(context => revealCpr(context, id, copyReason))
  } catch (error) {
    if (error instanceof AppError && (error.code === 'cpr_not_found' || error.code === 'personal_key_missing')) return null
    throw error
  }
}

export const staffDataServer = implement(staffData, staffDataSchemas, {
  async copy({ id, body }, outside) {
    await confirmPassword(outside, body.password)
    const { sections, settings } = await outside.transaction(async context => {
      // First, so that the copy names this look too.
      await logAccess(context, { subject_type: 'user', subject_id: id, what: 'personal.copy', durable: true })
      return {
        sections: await storedOf(context.db, id),
        settings: await companySettings(context.db, context.principal.company.id),
      }
    })
    const cpr = await cprFor(outside, id)
    const at = outside.now()
    outside.setHeader('cache-control', 'no-store')
    return {
      bytes:
        body.format === 'pdf'
          ? await staffPaper({ sections, cpr, company: outside.principal.company.name, settings, at })
          : Buffer.from(JSON.stringify({ made_at: at.toISOString(), cpr, ...sections }, null, 2)),
      media_type: 'application/octet-stream',
      name: `staff-${id}-${outside.principal.company.code}.${body.format}`,
    }
  },

  async erase({ id, body }, outside) {
    if (id === outside.principal.id) throw conflict('cannot_remove_self', 'You cannot remove yourself; another administrator can')
    await confirmPassword(outside, body.password)
    const answer = await outside.transaction(async context => {
      const { db, principal, now, recordEvent } = context
      const user = await userById(db, id)
      if (user) {
        onlyAdminsChangeAdmins(principal, codesOf(user.effective))
        await removeUser(context, id)
      } else await storedOf(db, id)
      const erased = {
        ...(await eraseEmployee(db, id)),
        ...(await eraseOwnWords(db, id)),
        ...(await erasePunchWords(db, id)),
        ...(await eraseUser(context, id)),
      }
      await recordEvent({ kind: 'personal.erased', subject: 'user', subject_id: id, data: {} })
      const { time_zone } = await companySettings(db, principal.company.id)
      return { erased, kept: keptUntil(localDay(now(), time_zone)) }
    })
    await removeErasedFiles(outside.services, outside.scope.operator_id, outside.now())
    return answer
  },
})
