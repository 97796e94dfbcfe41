/** Company: show and change a company's settings, and add companies to the operator. */
import { orNotFound, unprocessable, type Values } from '#contract/errors.ts'
import { gs1PrefixFault } from '#domain/gs1.ts'
import { entriesOf } from '#domain/objects.ts'
import { passwordFault } from '#features/company/users/passwords.rules.ts'
import { newPassword } from '#features/company/users/users.queries.ts'
import { hashPassword } from '#platform/crypto/vault.ts'
import { recordFile } from '#platform/files/file-store.ts'
import { sanitizeImage } from '#platform/files/images.ts'
import { type ExternalContext, implement } from '#platform/http/feature-module.ts'
import { addressMatches, compileSafeRegExp, normalizeAddress } from '#platform/http/tenant-host.ts'
import { addCompany, changeCompany } from './companies.commands.ts'
import { company } from './companies.contract.ts'
import { type CompanyRow, companyById, companyRow, companySettings } from './companies.queries.ts'
import { homeCountry, homepageFor } from './companies.rules.ts'
import { type CompanyConfig, CompanySettings, companySchemas, type SettingsChange, StationSettings } from './companies.schemas.ts'

export const companyServer = implement(company, companySchemas, {
  config: async (_, { db, principal, ip }) => configOf(await companyById(db, principal.company.id), ip),

  async setConfig({ body: { version, name, packing_ip_confirmed, ...settings } }, context) {
    const row = await change(context, current => ({ name, settings: { ...settings, ...askedSince(current, settings, context.now()) } }), {
      version,
      packing_ip_confirmed,
    })
    return configOf(row, context.ip)
  },

  async resetConfig({ name }, context) {
    const row = await change(context, { settings: { [name]: CompanySettings.parse({})[name] } }, { packing_ip_confirmed: true })
    return configOf(row, context.ip)
  },

  settings: async (_, { db, principal }) => StationSettings.parse(await companySettings(db, principal.company.id)),

  setSettings: async ({ body }, context) => StationSettings.parse((await change(context, { settings: body })).settings),

  resetSettings: async ({ name }, context) =>
    StationSettings.parse((await change(context, { settings: { [name]: CompanySettings.parse({})[name] } })).settings),

  data: async (_, { db, principal }) => dataOf(await companyById(db, principal.company.id)),

  setData: async ({ body: { version, name, ...settings } }, context) =>
    dataOf(await change(context, { name, settings }, { version, shown: dataOf })),

  async logo(_, { transaction, principal }) {
    const file = await transaction(async ({ db }) => {
      const { logo_file_id } = await companySettings(db, principal.company.id)
      return logo_file_id === null
        ? undefined
        : db.selectFrom('files').select(['sha256', 'bytes', 'media_type']).where('id', '=', logo_file_id).executeTakeFirst()
    })
    const picture = orNotFound(file, 'picture_not_found', 'There is no picture')
    return { bytes: picture, media_type: picture.media_type, inline: true }
  },

  async setLogo({ upload }, context) {
    const { services, principal } = context
    const { bytes, media_type } = await sanitizeImage(upload.content, { longest: 400, as: 'png' })
    const stored = await services.files.put(principal.company.operator_id, bytes)
    const logo_file_id = await context.transaction(({ db }) => recordFile(db, stored, { media_type, name: 'logo.png' }))
    const { version } = await change(context, { settings: { logo_file_id } })
    return { version }
  },

  async removeLogo(_, context) {
    const { version } = await change(context, { settings: { logo_file_id: null } })
    return { version }
  },

  footer: async ({ locale }, { db, principal }) => ({
    text: (await companySettings(db, principal.company.id)).invoice_footers[locale] ?? '',
  }),

  async setFooter({ locale, body }, context) {
    await change(context, current => ({ settings: { invoice_footers: { ...current.invoice_footers, [locale]: body.text } } }))
  },

  cmsLink: async (_, { db, principal }) => ({ cms_link: (await companySettings(db, principal.company.id)).cms_link }),

  async setCmsLink({ body }, context) {
    await change(context, { settings: body })
  },

  homepage: async (_, { db, principal }) => ({ homepage: (await companySettings(db, principal.company.id)).homepage }),

  async setHomepage({ body }, context) {
    await change(context, { settings: body })
  },

  async homepageIn({ locale }, { db, principal }) {
    return { homepage: homepageFor(await companySettings(db, principal.company.id), locale) }
  },

  async setHomepageIn({ locale, body }, context) {
    await change(context, current => ({ settings: { homepages: { ...current.homepages, [locale]: body.homepage } } }))
  },

  async homeCountry(_, { db, principal }) {
    const settings = await companySettings(db, principal.company.id)
    return { country: homeCountry(settings), chosen: settings.home_country !== null }
  },

  async setHomeCountry({ body }, context) {
    await change(context, { settings: { home_country: body.country } })
  },

  async resetHomeCountry(_, context) {
    await change(context, { settings: { home_country: null } })
  },

  checkIpPattern: async ({ body }, { ip }) => ({
    valid: compileSafeRegExp(body.pattern) !== null,
    matches: addressMatches(body.pattern, ip),
    ip: normalizeAddress(ip),
  }),

  async companies(_, { db }) {
    const rows = await db
      .selectFrom('companies as c')
      .select(eb => [
        'c.id',
        'c.code',
        'c.name',
        'c.is_main',
        'c.created_at',
        eb
          .selectFrom('users as u')
          .select(inner => inner.fn.countAll<number>().as('n'))
          .whereRef('u.company_id', '=', 'c.id')
          .where('u.removed_at', 'is', null)
          .as('users'),
      ])
      .orderBy('c.is_main', 'desc')
      .orderBy('c.code')
      .execute()
    return rows.map(row => ({ ...row, users: row.users ?? 0 }))
  },

  /** A new company is outside the tenant of the company that creates it, so the system role writes it; the path does not choose its operator. */
  async createCompany({ body: { code, name, admin } }, { transaction, services, principal, now }) {
    const { operator_id } = principal.company
    const known = [admin.name, admin.user_name, admin.email ?? null, name, code, principal.company.name].filter(text => text !== null)
    const fault = admin.password === undefined ? null : passwordFault(admin.password, known)
    if (fault) throw unprocessable('password_rejected', fault, {}, { fields: { 'admin.password': fault } })
    const made = admin.password === undefined ? newPassword() : null
    const password_hash = await hashPassword(admin.password ?? made ?? newPassword())
    const id = await addCompany(
      { transaction, services },
      {
        operator_id,
        main_id: principal.company.id,
        code,
        name,
        admin: { ...admin, email: admin.email ?? null, password_hash },
        at: now(),
        by: principal.name,
      },
    )
    return { id, code, password: made }
  },
})

/** The days of grace begin when more people are asked for a second factor than before. */
function askedSince(before: CompanySettings, { second_factor: asked }: SettingsChange, now: Date): Partial<CompanySettings> {
  if (asked === undefined || asked === before.second_factor) return {}
  if (asked === 'off') return { second_factor_since: null }
  return asked === 'admins' && before.second_factor === 'everyone' ? {} : { second_factor_since: now.toISOString() }
}

function configOf({ settings, ...row }: CompanyRow, ip: string): CompanyConfig {
  const { logo_file_id, handling_image_file_id: _handling, second_factor_since: _since, ...shown } = settings
  return {
    ...shown,
    ...row,
    has_logo: logo_file_id !== null,
    your_ip: normalizeAddress(ip),
    packing_ip_matches: addressMatches(settings.packing_ip_pattern, ip),
  }
}

const dataOf = ({ name, version, settings: { sender, support_email, support_phone, vat_no } }: CompanyRow) => ({
  name,
  version,
  sender,
  support_email,
  support_phone,
  vat_no,
})

type Change = { name?: string | undefined; settings: SettingsChange & Partial<CompanySettings> }

/** Applies one change of the settings: validated, written with its event, sent to every server. */
async function change(
  { transaction, principal, now, ip }: ExternalContext,
  asked: Change | ((current: CompanySettings) => Change),
  more: { version?: number; packing_ip_confirmed?: boolean | undefined; shown?: (row: CompanyRow) => unknown } = {},
): Promise<CompanyRow> {
  return transaction(async ({ db, recordEvent, notify }) => {
    await companyRow(db, principal.company.id).forUpdate().execute()
    const before = await companyById(db, principal.company.id)
    const change = typeof asked === 'function' ? asked(before.settings) : asked
    judge(change.settings, before.settings, ip, more.packing_ip_confirmed ?? false)
    const row = await changeCompany(db, principal.company.id, change, {
      name: principal.name,
      at: now(),
      ...(more.version !== undefined && { version: more.version }),
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

/** Checks that a schema cannot make: whether time zone and currency exist, and whether a pattern excludes the user. */
function judge(change: Change['settings'], before: CompanySettings, ip: string, confirmed: boolean): void {
  const fields: Record<string, string> = {}
  let values: Values = {}
  if (change.time_zone !== undefined && !isTimeZone(change.time_zone))
    fields.time_zone = 'This time zone is not known; write it like Europe/Copenhagen'
  if (change.currency !== undefined && !currencies.has(change.currency))
    fields.currency = 'This currency is not known; write it as three letters, such as DKK'
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
