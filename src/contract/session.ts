/** Session: the signed-in user and the initial data of a client. */

import * as z from 'zod'
import { access, permissions } from './access.ts'
import { call, calls } from './endpoint.ts'
import { Locale } from './limits.ts'

export const SessionUser = z.object({
  user_id: z.number().int(),
  name: z.string(),
  user_name: z.string().nullable(),
  email: z.string().nullable(),
  employee_no: z.string().nullable(),
  locale: Locale.nullable(),
  company_id: z.number().int(),
  company: z.string(),
  is_main_company: z.boolean(),
  /** Numeric permission ids, as `PermissionLookup` names them. */
  permission: z.array(z.number().int()),
  has_image: z.boolean(),
})
export type SessionUser = z.infer<typeof SessionUser>

const Credentials = z.object({
  /** E-mail, user name or employee number. */
  login: z.string().trim().min(1).max(254),
  password: z.string().min(1).max(1024),
})

const Lookup = z.object({ id: z.number().int(), code: z.string() })

export const Init = z.object({
  CountryLookup: z.array(z.object({ id: z.number().int(), name: z.string(), iso_code_2: z.string().length(2) })),
  ParcelAgentCode: z.array(z.object({ agent_code: z.string(), name: z.string() })),
  PermissionLookup: z.array(z.object({ id: z.number().int(), code: z.enum(permissions) })),
  ScheduleReasonLookup: z.array(Lookup),
  CompanyLookup: z.array(z.object({ id: z.number().int(), code: z.string(), name: z.string(), main: z.boolean() })),
  MainCompanyId: z.number().int(),
  /** The stored packing pattern: a regular expression, matched whole against the public address. */
  PackingApiIpBind: z.string(),
  /** Whether the caller's address matches it: decided on the server, in linear time. */
  packing_ip_matches: z.boolean(),
  settings: z.object({
    company_name: z.string(),
    locale: Locale,
    currency: z.string().length(3),
    time_zone: z.string(),
    color: z.string().nullable(),
    has_logo: z.boolean(),
    /** Couriers make no label without the sender's address. */
    sender_missing: z.boolean(),
  }),
})
export type Init = z.infer<typeof Init>

export const session = calls(
  { name: 'session', area: 'company', access: 'user', schemas: { SessionUser, Credentials, Lookup, Init } },
  {
    login: call('POST session', {
      body: Credentials,
      reply: z.object({ user: SessionUser, token: z.string() }),
      access: 'anyone',
      rateLimit: 'handler',
      external: true,
      summary: 'Sign in; the token goes into the authorization header of every other call.',
    }),
    current: call('GET session', {
      reply: z.object({ user: SessionUser }),
      summary: 'Who is signed in with this token, with the rights as they are now.',
    }),
    logout: call('DELETE session', {
      summary: 'Signs out: the token is of no use from then on.',
    }),
    init: call('GET res/init', {
      reply: Init,
      tenantScope: 'operator',
      summary: 'Everything a client needs once after signing in: companies, countries, rights, settings and the caller’s address.',
    }),
    publicIp: call('GET res/client/public_ip', {
      reply: z.object({ ip: z.string() }),
      access: 'anyone',
      summary: 'The address from which the caller is seen here.',
    }),
    serverTime: call('GET res/server_time', {
      reply: z.object({ server_time: z.string() }),
      access: 'anyone',
      summary: 'What time it is on the server.',
    }),
    todayApiSecret: call('GET res/today_api_secret', {
      reply: z.object({ secret: z.string() }),
      access: access.settings,
      summary: 'A secret that changes with the UTC day, for clients of old.',
    }),
    checkCompany: call('GET company/check_company', { access: 'anyone', summary: '204 when the company of this host exists.' }),
  },
)
