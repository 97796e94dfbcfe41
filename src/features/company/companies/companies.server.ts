/** Company: show and change a company's settings, and add companies to the operator. */

import { orNotFound, unprocessable } from '#contract/errors.ts'
import { newPasswordFault } from '#features/company/users/new-password.server.ts'
import { newPassword } from '#features/company/users/users.queries.ts'
import { hashPassword } from '#platform/crypto/vault.ts'
import { recordFile } from '#platform/files/file-store.ts'
import { sanitizeImage } from '#platform/files/images.ts'
import { implement } from '#platform/http/feature-module.ts'
import { addressMatches, compileSafeRegExp, normalizeAddress } from '#platform/http/tenant-host.ts'
import { allowUpload } from '#platform/limits/company-limits.ts'
import { applyChange, configOf } from './change-settings.server.ts'
import { addCompany, followSetting, setOperatorDefault } from './companies.commands.ts'
import { company } from './companies.contract.ts'
import { type CompanyRow, companyById, companyRow, companySettings, followedSettings, operatorDefaults } from './companies.queries.ts'
import { homeCountry, homepageFor } from './companies.rules.ts'
import { CompanySettings, companySchemas, StationSettings } from './companies.schemas.ts'
import { inheritedSettings, ownSettings } from './operator-defaults.rules.ts'

/** Days whose orders the list of companies counts. */
const recentDays = 30

export const companyServer = implement(company, companySchemas, {
  config: async (_, { db, principal, ip }) => configOf(await companyById(db, principal.company.id), ip),

  async setConfig({ body: { version, name, packing_ip_confirmed, ...settings } }, context) {
    const row = await applyChange(context, { name, settings }, { version, packing_ip_confirmed })
    return configOf(row, context.ip)
  },

  async resetConfig({ name }, context) {
    const followed = await context.transaction(({ db }) => followedSettings(db))
    const row = await applyChange(context, { settings: { [name]: followed[name] } }, { packing_ip_confirmed: true, follows: [name] })
    return configOf(row, context.ip)
  },

  settings: async (_, { db, principal }) => StationSettings.parse(await companySettings(db, principal.company.id)),

  setSettings: async ({ body }, context) => StationSettings.parse((await applyChange(context, { settings: body })).settings),

  async resetSettings({ name }, context) {
    const followed = await context.transaction(({ db }) => followedSettings(db))
    return StationSettings.parse((await applyChange(context, { settings: { [name]: followed[name] } }, { follows: [name] })).settings)
  },

  data: async (_, { db, principal }) => dataOf(await companyById(db, principal.company.id)),

  setData: async ({ body: { version, name, ...settings } }, context) =>
    dataOf(await applyChange(context, { name, settings }, { version, shown: dataOf })),

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
    await context.transaction(({ db }) => allowUpload(db, principal.company.id))
    const { bytes, media_type } = await sanitizeImage(upload.content, { longest: 400, as: 'png' })
    const stored = await services.files.put(principal.company.operator_id, bytes)
    const logo_file_id = await context.transaction(({ db }) => recordFile(db, stored, { media_type, name: 'logo.png' }))
    const { version } = await applyChange(context, { settings: { logo_file_id } })
    return { version }
  },

  async removeLogo(_, context) {
    const { version } = await applyChange(context, { settings: { logo_file_id: null } })
    return { version }
  },

  footer: async ({ locale }, { db, principal }) => ({
    text: (await companySettings(db, principal.company.id)).invoice_footers[locale] ?? '',
  }),

  async setFooter({ locale, body }, context) {
    await applyChange(context, current => ({ settings: { invoice_footers: { ...current.invoice_footers, [locale]: body.text } } }))
  },

  cmsLink: async (_, { db, principal }) => ({ cms_link: (await companySettings(db, principal.company.id)).cms_link }),

  async setCmsLink({ body }, context) {
    await applyChange(context, { settings: body })
  },

  homepage: async (_, { db, principal }) => ({ homepage: (await companySettings(db, principal.company.id)).homepage }),

  async setHomepage({ body }, context) {
    await applyChange(context, { settings: body })
  },

  async homepageIn({ locale }, { db, principal }) {
    return { homepage: homepageFor(await companySettings(db, principal.company.id), locale) }
  },

  async setHomepageIn({ locale, body }, context) {
    await applyChange(context, current => ({ settings: { homepages: { ...current.homepages, [locale]: body.homepage } } }))
  },

  async homeCountry(_, { db, principal }) {
    const settings = await companySettings(db, principal.company.id)
    return { country: homeCountry(settings), chosen: settings.home_country !== null }
  },

  async setHomeCountry({ body }, context) {
    await applyChange(context, { settings: { home_country: body.country } })
  },

  async resetHomeCountry(_, context) {
    await applyChange(context, { settings: { home_country: null } })
  },

  checkIpPattern: async ({ body }, { ip }) => ({
    valid: compileSafeRegExp(body.pattern) !== null,
    matches: addressMatches(body.pattern, ip),
    ip: normalizeAddress(ip),
  }),

  async companies(_, { db, now }) {
    const since = new Date(now().getTime() - recentDays * 86_400_000).toISOString()
    const rows = await db
      .selectFrom('companies as c')
      .select(eb => [
        'c.id',
        'c.code',
        'c.name',
        'c.is_main',
        'c.created_at',
        'c.closed_at',
        'c.erased_at',
        eb
          .selectFrom('users as u')
          .select(inner => inner.fn.countAll<number>().as('n'))
          .whereRef('u.company_id', '=', 'c.id')
          .where('u.removed_at', 'is', null)
          .as('users'),
        eb
          .selectFrom('orders as o')
          .select(inner => inner.fn.countAll<number>().as('n'))
          .whereRef('o.company_id', '=', 'c.id')
          .where('o.created_at', '>', since)
          .as('recent_orders'),
      ])
      .orderBy('c.is_main', 'desc')
      .orderBy('c.code')
      .execute()
    return rows.map(row => ({ ...row, users: row.users ?? 0, recent_orders: row.recent_orders ?? 0 }))
  },

  async defaults(_, { db }) {
    const product = CompanySettings.parse({})
    const set = await operatorDefaults(db)
    const rows = (
      await db.selectFrom('companies').select(['id', 'code', 'name', 'settings', 'own_settings']).orderBy('code').execute()
    ).map(row => ({ ...row, settings: CompanySettings.parse(row.settings) }))
    return inheritedSettings.map(name => {
      const own = rows.filter(row => ownSettings(row, product).includes(name))
      return {
        name,
        product: product[name],
        value: set[name] ?? null,
        following: rows.length - own.length,
        own: own.map(row => ({ id: row.id, code: row.code, name: row.name, value: row.settings[name] })),
      }
    })
  },

  async setDefault({ body: { name, value } }, context) {
    const read = value === null ? undefined : CompanySettings.shape[name].safeParse(value)
    if (read && !read.success) {
      throw unprocessable('bad_value', '{{value}} is no value of {{property}}', { property: name, value: String(value) })
    }
    return { companies: await setOperatorDefault(context, name, read?.data ?? null) }
  },

  async follow({ company_id, body: { name } }, context) {
    orNotFound(await companyRow(context.db, company_id).executeTakeFirst(), 'company_not_found', 'Company not found')
    await followSetting(context, company_id, name)
  },

  /** A new company is outside the tenant of the company that creates it, so the system role writes it; the path does not choose its operator. */
  async createCompany({ body: { code, name, admin: first } }, { transaction, services, principal, now }) {
    const { password: given, ...admin } = first
    const { operator_id } = principal.company
    const known = [admin.name, admin.user_name, admin.email ?? null, name, code, principal.company.name].filter(text => text !== null)
    const fault = given === undefined ? null : await newPasswordFault(services, given, known)
    if (fault) throw unprocessable('password_rejected', fault, {}, { fields: { 'admin.password': fault } })
    const made = given === undefined ? newPassword() : null
    const password_hash = await hashPassword(given ?? made ?? newPassword())
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

const dataOf = ({ name, version, settings: { sender, support_email, support_phone, vat_no } }: CompanyRow) => ({
  name,
  version,
  sender,
  support_email,
  support_phone,
  vat_no,
})
