/** Applies a change of a company's settings on behalf of a person: judged, written with its event, sent to every server. */
import { unprocessable, type Values } from '#contract/errors.ts'
import { gs1PrefixFault } from '#domain/gs1.ts'
import { entriesOf } from '#domain/objects.ts'
import type { Db } from '#platform/database/database.ts'
import type { ExternalContext } from '#platform/http/feature-module.ts'
import { addressMatches, compileSafeRegExp, normalizeAddress } from '#platform/http/tenant-host.ts'
import { changeCompany } from './companies.commands.ts'
import { type CompanyRow, companyById, companyRow } from './companies.queries.ts'
import type { CompanyConfig, CompanySettings, SettingsChange } from './companies.schemas.ts'

export function configOf({ settings, own_settings: _own, ...row }: CompanyRow, ip: string): CompanyConfig {
  const { logo_file_id, handling_image_file_id: _handling, second_factor_since: _since, ...shown } = settings
  return {
    ...shown,
    ...row,
    has_logo: logo_file_id !== null,
    your_ip: normalizeAddress(ip),
    packing_ip_matches: addressMatches(settings.packing_ip_pattern, ip),
  }
}

type Change = { name?: string | undefined; settings: SettingsChange & Partial<CompanySettings> }

export async function applyChange(
  { transaction, principal, now, ip }: ExternalContext,
  asked: Change | ((current: CompanySettings, db: Db) => Change | Promise<Change>),
  more: {
    version?: number
    follows?: readonly string[]
    packing_ip_confirmed?: boolean | undefined
    shown?: (row: CompanyRow) => unknown
  } = {},
): Promise<CompanyRow> {
  return transaction(async ({ db, recordEvent, notify }) => {
    await companyRow(db, principal.company.id).forUpdate().execute()
    const before = await companyById(db, principal.company.id)
    const { settings, ...named } = typeof asked === 'function' ? await asked(before.settings, db) : asked
    const change = { ...named, settings: { ...settings, ...askedSince(before.settings, settings, now()) } }
    judge(change.settings, before.settings, ip, more.packing_ip_confirmed ?? false)
    const row = await changeCompany(db, principal.company.id, change, {
      name: principal.name,
      at: now(),
      ...(more.version !== undefined && { version: more.version }),
      ...(more.follows && { follows: more.follows }),
      shown: more.shown ?? (fresh => configOf(fresh, ip)),
    })
    const changed = Object.fromEntries(
      entriesOf(row.settings)
        .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before.settings[name]))
        .map(([name, value]) => [name, { from: before.settings[name], to: value }]),
    )
    await recordEvent({
      kind: 'company.changed',
      subject: 'company',
      subject_id: row.id,
      data: { ...changed, ...(row.name !== before.name && { name: { from: before.name, to: row.name } }) },
    })
    notify('company', row.id)
    // The packing pattern and the name are cached with every session.
    notify('people')
    return row
  })
}

/** The days of grace begin when more people are asked for a second factor than before. */
function askedSince(before: CompanySettings, { second_factor: asked }: SettingsChange, now: Date): Partial<CompanySettings> {
  if (asked === undefined || asked === before.second_factor) return {}
  if (asked === 'off') return { second_factor_since: null }
  return asked === 'admins' && before.second_factor === 'everyone' ? {} : { second_factor_since: now.toISOString() }
}

/** Checks that a schema cannot make: whether time zone and currency exist, and whether a pattern excludes the user. */
function judge(change: Change['settings'], before: CompanySettings, ip: string, confirmed: boolean): void {
  const fields: Record<string, string> = {}
  let values: Values = {}
  if (change.time_zone !== undefined && !isTimeZone(change.time_zone))
    fields.time_zone = 'This time zone is not known; write it like Europe/Copenhagen'
  if (change.currency !== undefined && !currencies.has(change.currency))
    fields.currency = 'This currency is not known; write it as three letters, such as DKK'
  const own = change.locale ?? before.locale
  if ((change.languages || change.locale) && !(change.languages ?? before.languages).includes(own))
    fields[change.languages ? 'languages' : 'locale'] = 'The company’s own language must be among those that are offered'
  if (change.gs1_prefix) {
    const fault = gs1PrefixFault(change.gs1_prefix)
    if (fault) fields.gs1_prefix = fault
  }
  const wanted = change.packing_ip_pattern
  if (wanted !== undefined && wanted !== before.packing_ip_pattern) {
    if (wanted !== '' && !compileSafeRegExp(wanted))
      fields.packing_ip_pattern =
        'This is no pattern that can be matched. An address is written as 10\\.0\\.0\\.7, several with | between them.'
    else if (!confirmed && !addressMatches(wanted, ip)) {
      values = { ip: normalizeAddress(ip) }
      fields.packing_ip_pattern =
        'Your own address {{ip}} does not match this pattern, so this place would be locked out. Confirm it if that is meant.'
    }
  }
  const [first] = Object.values(fields)
  if (first) throw unprocessable('fields_invalid', first, values, { fields })
}

const currencies = new Set(Intl.supportedValuesOf('currency'))

function isTimeZone(name: string): boolean {
  try {
    // Intl accepts an offset such as +02:00, which has no summer time.
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}
