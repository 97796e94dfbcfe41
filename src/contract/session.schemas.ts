/** Schemas of the calls in session.ts, with what the API documentation says of them. */
import * as z from 'zod'
import { permissions } from './access.ts'
import type { ContractSchemas } from './endpoint.ts'
import { Locale } from './fields.schemas.ts'
import { stationActs } from './station-acts.ts'

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
  /** What groups allow at packing stations as a lead may: at these stations, in small letters; null means at all. */
  acts: z.array(z.object({ act: z.enum(stationActs), stations: z.array(z.string()).nullable() })),
  /** Set for the account of a device that many share. */
  device: z.literal(true).optional(),
  has_image: z.boolean(),
  /** The page to begin with after signing in, of the user's own choice; null: the page of the role. */
  start_page: z.string().nullable(),
  /** Until when the user may sign in without a second factor; null where one is set up or none is asked for. */
  second_factor_by: z.string().nullable(),
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
    /** Languages that may be chosen. */
    languages: z.array(Locale),
    /** The prefix that an empty phone field begins with, and those that stand first in its list. */
    home_country: z.string(),
    phone_countries: z.array(z.string()),
    color: z.string().nullable(),
    has_logo: z.boolean(),
    /** Couriers make no label without the sender's address. */
    sender_missing: z.boolean(),
  }),
})
export type Init = z.infer<typeof Init>

export const sessionSchemas = {
  components: { SessionUser, Credentials, Lookup, Init },
  calls: {
    login: {
      body: Credentials,
      reply: z.object({ user: SessionUser, token: z.string() }),
      summary: 'Sign in; the token goes into the authorization header of every other call.',
    },
    current: {
      reply: z.object({ user: SessionUser }),
      summary: 'Who is signed in with this token, with the rights as they are now.',
    },
    logout: {
      summary: 'Signs out: the token is of no use from then on.',
    },
    admins: {
      reply: z.object({ names: z.array(z.string()).max(3) }),
      summary: 'Whom to ask for access: the names of up to three administrators of the own company.',
    },
    init: {
      reply: Init,
      summary: 'Everything a client needs once after signing in: companies, countries, rights, settings and the caller’s address.',
    },
    publicIp: {
      reply: z.object({ ip: z.string() }),
      summary: 'The address from which the caller is seen here.',
    },
    serverTime: {
      reply: z.object({ server_time: z.string() }),
      summary: 'What time it is on the server.',
    },
    todayApiSecret: {
      reply: z.object({ secret: z.string() }),
      summary: 'A secret that changes with the UTC day, for clients of old.',
    },
    checkCompany: {
      summary: '204 when the company of this host exists.',
    },
  },
} satisfies ContractSchemas
