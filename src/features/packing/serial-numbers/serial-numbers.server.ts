/** Serial numbers: the rules are linear-time patterns, so that no rule can hold the server. */
import { conflict, notFound, orNotFound, unprocessable } from '#contract/errors.ts'
import { changeSettings } from '#features/company/companies/companies.commands.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { SerialSettings } from '#features/company/companies/companies.schemas.ts'
import { type Context, implement } from '#platform/http/feature-module.ts'
import { compileSafeRegExp } from '#platform/http/tenant-host.ts'
import { removeSerialRule, setSerialRule } from './serial-numbers.commands.ts'
import { serialNumbers } from './serial-numbers.contract.ts'
import { duplicateSerials, findSerials, serialChecks } from './serial-numbers.queries.ts'
import { readSetting } from './serial-numbers.rules.ts'
import { serialNumbersSchemas } from './serial-numbers.schemas.ts'

export const serialNumbersServer = implement(serialNumbers, serialNumbersSchemas, {
  config: async ({ company }, context) => configOf(context, await companyNamed(context, company)),

  async configure({ code, property, value }, context) {
    const { db, recordEvent, notify } = context
    const company = await companyNamed(context, code)
    const { serials } = await companySettings(db, company.id)
    if (!isSetting(property)) throw unprocessable('unknown_property', 'There is no setting {{property}}', { property })
    const changed = readSetting(serials, property, value)
    if (!changed) throw unprocessable('bad_value', '{{value}} is no value of {{property}}', { property, value })
    if (JSON.stringify(changed) !== JSON.stringify(serials)) {
      if (property === 'default_scope' && value === 'company') await mustBeUnique(context, company.id)
      await changeSettings(db, company.id, { serials: changed })
      await recordEvent({
        kind: 'serial_setting.set',
        subject: 'company',
        subject_id: company.id,
        company_id: company.id,
        data: { property, value },
      })
      notify('serial_check', undefined, company.id)
    }
    return configOf(context, company)
  },

  async checks({ company }, context) {
    return { rows: await serialChecks(context.db, (await companyNamed(context, company)).id) }
  },

  async update({ regex, barcode, company: code, scope }, context) {
    const { db, recordEvent, notify } = context
    if (!compileSafeRegExp(regex))
      throw unprocessable(
        'pattern_unsupported',
        'This is no pattern that can be used: look-around and back-references are not understood',
        {},
        {
          fields: { regex: 'This is no pattern that can be used: look-around and back-references are not understood' },
        },
      )
    const company = await companyNamed(context, code)
    const { default_scope } = (await companySettings(db, company.id)).serials
    if (scope === 'company') await mustBeUnique(context, company.id)
    const id = await setSerialRule(db, company.id, { regex, barcode, scope, default_scope })
    const check = orNotFound(
      (await serialChecks(db, company.id)).find(one => one.id === id),
      'rule_not_found',
      'Rule not found',
    )
    await recordEvent({
      kind: 'serial_check.set',
      subject: 'serial_check',
      subject_id: id,
      company_id: company.id,
      data: { regex, barcode, scope: check.scope },
    })
    notify('serial_check', id, company.id)
    return check
  },

  async remove({ id }, { db, recordEvent, notify }) {
    const removed = await removeSerialRule(db, id)
    if (!removed) throw notFound('rule_not_found', 'Rule not found')
    const { company_id, ...data } = removed
    await recordEvent({ kind: 'serial_check.removed', subject: 'serial_check', subject_id: id, company_id, data })
    notify('serial_check', id, company_id)
  },

  search: ({ q, ...paging }, { db }) => findSerials(db, q.trim(), paging),
  list: (paging, { db }) => findSerials(db, '', paging),
})

interface NamedCompany {
  id: number
  code: string
}

/** The company with this code among those in reach; without a code the caller's own. */
async function companyNamed({ db, principal }: Context, code?: string): Promise<NamedCompany> {
  if (code === undefined || code === principal.company.code) return principal.company
  const company = await db.selectFrom('companies').select(['id', 'code']).where('code', '=', code).executeTakeFirst()
  return orNotFound(company, 'company_not_at_address', 'There is no such company at this address')
}

async function configOf({ db }: Context, { id, code }: NamedCompany) {
  const { serials } = await companySettings(db, id)
  return { company: code, ...serials, rules: await serialChecks(db, id) }
}

const isSetting = (property: string): property is keyof SerialSettings => Object.hasOwn(SerialSettings.shape, property)

/** Serials that are out twice would contradict a company-wide scope. */
async function mustBeUnique({ db }: Context, company_id: number): Promise<void> {
  const duplicates = (await duplicateSerials(db, company_id)).map(row => row.serial)
  if (duplicates.length > 0)
    throw conflict(
      'duplicate_serials',
      'These serial numbers went out more than once: {{serials}}',
      { serials: duplicates.join(', ') },
      { current: { serials: duplicates } },
    )
}
