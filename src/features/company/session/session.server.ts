/** Session: sign in and out, and the initial data of a client. */
import { permissionId, permissions } from '#contract/access.ts'
import { tooMany, unauthorized } from '#contract/errors.ts'
import { type Init, sessionSchemas } from '#contract/session.schemas.ts'
import { session } from '#contract/session.ts'
import { countryCodes, countryId } from '#domain/countries.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { homeCountry, lacksSender } from '#features/company/companies/companies.rules.ts'
import { accountKey, loginAttempt, loginCandidates } from '#features/company/users/logins.queries.ts'
import { makePasswordLink } from '#features/company/users/password-links.commands.ts'
import { couriers, makesLabels } from '#integrations/couriers/couriers.ts'
import { endSession } from '#platform/auth/session-store.ts'
import { checkPassword } from '#platform/crypto/vault.ts'
import { type Context, implement } from '#platform/http/feature-module.ts'
import { addressMatches } from '#platform/http/tenant-host.ts'
import { signIn } from './second-factor-login.server.ts'
import { adminNames, mainCompanyId, sessionUser } from './session.queries.ts'

export const sessionServer = implement(session, sessionSchemas, {
  /** Not in one transaction: hashing a password takes as long as a hundred queries, and must not hold a connection. */
  async login({ body }, outside) {
    const {
      transaction,
      services,
      principal: { company },
      ip,
      now,
    } = outside
    const { candidates, attempt } = await transaction(async ({ db }) => {
      const candidates = await loginCandidates(db, body.login)
      return { candidates, attempt: await loginAttempt(db, { company, login: body.login, candidates, ip, at: now() }) }
    })
    const seconds = await services.limits.beginLogin(attempt, now().getTime())
    if (seconds > 0) throw tooMany('too_many_attempts', 'Too many attempts. Wait {{seconds}} seconds.', { seconds })
    let user: { id: number; password_given?: boolean } | undefined
    // An unknown name takes the same time as a wrong password.
    for (const candidate of candidates.length ? candidates : [{ id: 0, password_hash: null }])
      if ((await checkPassword(body.password, candidate.password_hash)) && candidate.id) user = candidate
    if (!user) {
      // Not what was typed: people type passwords into the wrong field.
      services.log.warn({ company: company.code, users: candidates.map(one => one.id), ip, way: 'password' }, 'sign-in refused')
      throw unauthorized('login_rejected', 'Wrong name or password.')
    }
    const { id } = user
    await services.limits.succeedLogin(attempt, accountKey(company, id))
    if (user.password_given) {
      const { token } = await transaction(context => makePasswordLink(context, id, 'given'))
      throw unauthorized('own_password_needed', 'Your password was given to you. Choose your own to sign in.', { token })
    }
    return signIn(outside, id)
  },

  current: async (_, { db, principal }) => ({ user: await sessionUser(db, principal.id) }),

  async logout(_, { db, principal, now, notify }) {
    await endSession(db, principal.id, principal.session_id, now())
    notify('people')
  },

  admins: async (_, { db, principal }) => ({ names: await adminNames(db, principal.company.id) }),

  init: (_, context) => initOf(context),

  publicIp: async (_, { ip }) => ({ ip }),

  serverTime: async (_, { now }) => ({ server_time: now().toISOString() }),

  /** For old clients: changes with the UTC day. */
  todayApiSecret: async (_, { principal, services, now }) => ({
    secret: services.vault.sign('today', `${principal.company.code} ${now().toISOString().slice(0, 10)}`),
  }),

  /** The route reaches this handler only for an existing company. */
  async checkCompany() {},
})

async function initOf({ db, principal, ip, services }: Context): Promise<Init> {
  const companies = await db
    .selectFrom('companies')
    .select(['id', 'code', 'name', 'is_main as main'])
    .orderBy('is_main', 'desc')
    .orderBy('code')
    .execute()
  const settings = await companySettings(db, principal.company.id)
  const names = new Intl.DisplayNames('en-GB', { type: 'region' })
  return {
    CountryLookup: countryCodes.map(code => ({ id: countryId(code), name: names.of(code) ?? code, iso_code_2: code })),
    ParcelAgentCode: [...couriers.values()].filter(makesLabels).map(({ capabilities: { agent_code, name } }) => ({ agent_code, name })),
    PermissionLookup: permissions.map(code => ({ id: permissionId(code), code })),
    ScheduleReasonLookup: ['sick_day', 'childs_first_sick_day', 'vacation_with_pay', 'vacation_without_pay'].map((code, i) => ({
      id: i + 1,
      code,
    })),
    CompanyLookup: companies,
    MainCompanyId: await mainCompanyId(services.database, principal.company.operator_id),
    PackingApiIpBind: settings.packing_ip_pattern,
    packing_ip_matches: addressMatches(settings.packing_ip_pattern, ip),
    settings: {
      company_name: principal.company.name,
      locale: settings.locale,
      currency: settings.currency,
      time_zone: settings.time_zone,
      languages: settings.languages,
      home_country: homeCountry(settings),
      phone_countries: settings.phone_countries,
      color: settings.color,
      has_logo: settings.logo_file_id !== null,
      sender_missing: lacksSender(settings),
    },
  }
}
