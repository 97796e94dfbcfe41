/** Serial numbers: the rules are linear-time patterns, so that no rule can hold the server. */
import { notFound, orNotFound, unprocessable } from '#contract/errors.ts'
import { implement } from '#platform/http/feature-module.ts'
import { compileSafeRegExp } from '#platform/http/tenant-host.ts'
import { serialNumbers } from './serial-numbers.contract.ts'
import { findSerials, serialChecks } from './serial-numbers.queries.ts'

export const serialNumbersServer = implement(serialNumbers, {
  async checks({ company }, { db, principal, scope }) {
    if (company && company !== principal.company.code) throw notFound('company_not_at_address', 'There is no such company at this address')
    return { rows: await serialChecks(db, scope.company_id) }
  },

  async update({ regex, barcode }, { db, recordEvent, scope, notify }) {
    if (!compileSafeRegExp(regex))
      throw unprocessable(
        'pattern_unsupported',
        'This is no pattern that can be used: look-around and back-references are not understood',
        {},
        {
          fields: { regex: 'This is no pattern that can be used: look-around and back-references are not understood' },
        },
      )
    const { id } = await db
      .insertInto('serial_checks')
      .values({ regex, barcode })
      .onConflict(conflict => conflict.columns(['operator_id', 'company_id', 'barcode']).doUpdateSet({ regex }))
      .returning('id')
      .executeTakeFirstOrThrow()
    await recordEvent({ kind: 'serial_check.set', subject: 'serial_check', subject_id: id, data: { regex, barcode } })
    notify('serial_check', id)
    return orNotFound(
      (await serialChecks(db, scope.company_id)).find(check => check.id === id),
      'rule_not_found',
      'This rule does not exist',
    )
  },

  async remove({ id }, { db, recordEvent, notify }) {
    const row = await db.deleteFrom('serial_checks').where('id', '=', id).returning(['regex', 'barcode']).executeTakeFirst()
    if (!row) throw notFound('rule_not_found', 'This rule does not exist')
    await recordEvent({ kind: 'serial_check.removed', subject: 'serial_check', subject_id: id, data: row })
    notify('serial_check', id)
  },

  search: ({ q, ...paging }, { db }) => findSerials(db, q.trim(), paging),
  list: (paging, { db }) => findSerials(db, '', paging),
})
