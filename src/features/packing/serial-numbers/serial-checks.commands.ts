/** Setting and removing the rule of a product's serial numbers, with what is checked before. */
import { conflict, notFound, orNotFound, unprocessable } from '#contract/errors.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import type { SerialSettings } from '#features/company/companies/companies.schemas.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { compileSafeRegExp } from '#platform/http/tenant-host.ts'
import { removeSerialRule, setSerialRule } from './serial-numbers.commands.ts'
import { duplicateSerials, serialChecks } from './serial-numbers.queries.ts'
import type { ExtractStep, SerialCheck } from './serial-numbers.schemas.ts'

const noPattern = 'This is no pattern that can be used: look-around and back-references are not understood'

/** `restored` is the number of a product's entry that comes back. */
export async function setCheck(
  { db, recordEvent, notify }: Context,
  company_id: number,
  {
    regex,
    barcode,
    scope,
    extract,
    restored,
  }: {
    regex: string
    barcode: string
    scope?: SerialSettings['default_scope'] | undefined
    extract?: readonly ExtractStep[] | undefined
    restored?: number
  },
): Promise<SerialCheck> {
  if (!compileSafeRegExp(regex)) throw unprocessable('pattern_unsupported', noPattern, {}, { fields: { regex: noPattern } })
  const { default_scope } = (await companySettings(db, company_id)).serials
  if (scope === 'company') await mustBeUnique({ db }, company_id)
  const id = await setSerialRule(db, company_id, {
    regex,
    barcode,
    scope,
    extract,
    default_scope,
    ...(restored !== undefined && { restored }),
  })
  const check = orNotFound(
    (await serialChecks(db, company_id)).find(one => one.id === id),
    'rule_not_found',
    'Rule not found',
  )
  await recordEvent({
    kind: 'serial_check.set',
    subject: 'serial_check',
    subject_id: id,
    company_id,
    data: { regex, barcode, scope: check.scope },
  })
  notify('serial_check', id, company_id)
  return check
}

export async function removeCheck({ db, recordEvent, notify }: Context, id: number): Promise<void> {
  const removed = await removeSerialRule(db, id)
  if (!removed) throw notFound('rule_not_found', 'Rule not found')
  const { company_id, ...data } = removed
  await recordEvent({ kind: 'serial_check.removed', subject: 'serial_check', subject_id: id, company_id, data })
  notify('serial_check', id, company_id)
}

/** Serials that are out twice would contradict a company-wide scope. */
export async function mustBeUnique({ db }: Pick<Context, 'db'>, company_id: number): Promise<void> {
  const duplicates = (await duplicateSerials(db, company_id)).map(row => row.serial)
  if (duplicates.length > 0)
    throw conflict(
      'duplicate_serials',
      'These serial numbers went out more than once: {{serials}}',
      { serials: duplicates.join(', ') },
      { current: { serials: duplicates } },
    )
}
