/** Schemas of the calls in users.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import { permissions } from '#contract/access.ts'
import { accountKinds } from '#contract/device-accounts.ts'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { Locale, text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { page, pageQuery } from '#contract/page.ts'
import { stationActs } from '#contract/station-acts.ts'
import { longestPassword } from './passwords.rules.ts'
import { userViews } from './users.codes.ts'

const PermissionId = z.number().int().min(1).max(permissions.length)

/** A login name: it must not look like an e-mail address or an employee number, which are logins too. */
const UserName = text(60).regex(
  /^[a-z][a-z0-9._-]{1,59}$/i,
  'A user name is 2 to 60 letters, digits, dots, hyphens and underscores, and begins with a letter',
)
export const Email = text(254).regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'This is not an e-mail address')
const EmployeeNo = text(20).regex(/^[A-Za-z0-9-]{1,20}$/, 'An employee number is letters, digits and hyphens')
const Password = z.string().max(longestPassword)

export const User = z.object({
  user_id: z.number().int(),
  name: z.string(),
  user_name: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  role: z.string().nullable(),
  employee_no: z.string().nullable(),
  locale: Locale.nullable(),
  /** `device`: a kiosk, a station or a board that many share. */
  kind: z.enum(accountKinds),
  /** Numeric permission ids, as `PermissionLookup` names them. */
  permission: z.array(z.number().int()),
  /** The same with those of the groups: what the user may do. */
  effective: z.array(z.number().int()),
  groups: z.array(z.object({ group_id: z.number().int(), group_name: z.string() })),
  /** What they can do besides the usual; shifts may ask for it. */
  skills: z.array(z.string()),
  has_image: z.boolean(),
  /** True when a password is set, which is needed to sign in. */
  has_password: z.boolean(),
  /** Time of the latest call in any of their sessions. */
  last_seen_at: z.string().nullable(),
  created_at: z.string(),
  version: z.number().int(),
})
export type User = z.infer<typeof User>

const fields = {
  name: text(limits.name).min(1),
  user_name: UserName.nullable(),
  email: Email.nullable(),
  phone: text(40).nullable(),
  role: text(60).nullable(),
  employee_no: EmployeeNo.nullable(),
  locale: Locale.nullable(),
  permission: z.array(PermissionId).max(permissions.length),
  skills: z.array(text(40).min(1)).max(20),
}

/** The first user of a new company. */
export const NewPerson = z.strictObject({
  name: fields.name,
  user_name: UserName,
  email: fields.email.optional(),
  /** When left out, the server makes one and shows it once. */
  password: Password.optional(),
})
export type NewPerson = z.infer<typeof NewPerson>

export const NewUser = z.strictObject({
  name: fields.name,
  user_name: fields.user_name.default(null),
  email: fields.email.default(null),
  phone: fields.phone.default(null),
  role: fields.role.default(null),
  employee_no: fields.employee_no.default(null),
  locale: fields.locale.default(null),
  permission: fields.permission.default([]),
  skills: fields.skills.default([]),
  /** A device stays signed in for longer, works in the network of the warehouse alone, and may scan, pick, clock people in and show boards. */
  kind: z.enum(accountKinds).default('person'),
  /** When left out, the server makes one and shows it once. */
  password: Password.optional(),
  /** The user gets no password, and sets one by an invitation. */
  no_password: z.boolean().default(false),
})

export const UserChange = z.strictObject({
  version: z.number().int().positive(),
  name: fields.name.optional(),
  user_name: fields.user_name.optional(),
  email: fields.email.optional(),
  phone: fields.phone.optional(),
  role: fields.role.optional(),
  employee_no: fields.employee_no.optional(),
  locale: fields.locale.optional(),
  permission: fields.permission.optional(),
  skills: fields.skills.optional(),
  /** The own password, asked for where an administrator takes the permission to read CPR numbers. */
  current_password: z.string().max(1024).optional(),
  password: Password.optional(),
  /** The server makes a new password and shows it once. */
  new_password: z.boolean().optional(),
})

/** The answer to a change that may have made a password. */
const Saved = z.object({ user: User, password: z.string().nullable() })

export const Session = z.object({
  id: z.number().int(),
  created_at: z.string(),
  last_used_at: z.string(),
  ip: z.string().nullable(),
  user_agent: z.string().nullable(),
  /** True for the session of this request. */
  current: z.boolean(),
})
export type Session = z.infer<typeof Session>

const filters = {
  query: text(120).default(''),
  permission: z.enum(permissions).optional(),
  group_id: z.coerce.number<unknown>().int().positive().optional(),
  only: z.enum(userViews).optional(),
}

export const usersSchemas = {
  components: { User, NewPerson, NewUser, UserChange, Session },
  calls: {
    list: {
      query: pageQuery.extend({
        ...filters,
        sort: z.enum(['name', '-name', 'employee_no', '-employee_no', '-created_at']).default('name'),
      }),
      reply: page(User),
      summary: 'Searches the users of this company, page by page.',
    },
    get: {
      reply: User,
      summary: 'One user.',
    },
    search: {
      reply: z.array(User),
      summary: 'At most twenty people whose name, login, e-mail or number holds the text.',
    },
    nextEmployeeNo: {
      reply: z.object({ employee_no: z.string() }),
      summary: 'The next free employee number.',
    },
    groups: {
      reply: z.array(z.object({ group_id: z.number().int(), group_name: z.string() })),
      summary: 'The groups that people are in, by name, to filter the list of users.',
    },
    export: {
      query: z.object({ ...filters, format: z.enum(['csv', 'xlsx']).default('csv') }),
      summary: 'Everybody who matches, for a spreadsheet, as CSV or as an Excel workbook; no text in it is a formula.',
    },
    create: {
      body: NewUser,
      reply: Saved,
      summary: 'Makes a user; a password that was left out is made here and shown in the answer once.',
    },
    update: {
      body: UserChange,
      reply: Saved,
      summary: 'Changes what is sent and leaves the rest; 409 with the current state when the version is old.',
    },
    remove: {
      summary: 'Ends all sessions at once; the history keeps the name.',
    },
    image: {
      summary: 'The picture of a user.',
    },
    setImage: {
      summary: 'Your own, or anybody’s with users_admin.',
    },
    removeImage: {
      summary: 'Removes the picture of a user.',
    },
    actsOf: {
      reply: z.array(
        z.object({
          act: z.enum(stationActs),
          /** Groups that allow it, and at which stations; null means at every station. */
          groups: z.array(z.object({ group_name: z.string(), stations: z.array(z.string()).nullable() })),
        }),
      ),
      summary: 'What groups allow a person at packing stations as a lead may.',
    },
    permissionsOf: {
      reply: z.array(
        z.object({
          permission: z.number().int(),
          code: z.enum(permissions),
          /** Given to the person directly. */
          own: z.boolean(),
          /** Names of the groups that give it. */
          groups: z.array(z.string()),
        }),
      ),
      summary: 'What a person may do, and where each permission comes from.',
    },
    sessions: {
      reply: z.array(Session),
      summary: 'Where a user is signed in, and since when.',
    },
    endSession: {
      summary: 'Ends one session of a user.',
    },
    endSessions: {
      reply: z.object({ ended: z.number().int() }),
      summary: 'Signs a user out everywhere; answers how many sessions that ended.',
    },
    me: {
      reply: User,
      summary: 'The caller’s own user.',
    },
    mySessions: {
      reply: z.array(Session),
      summary: 'Where the caller is signed in.',
    },
    endMySession: {
      summary: 'Ends one of the caller’s own sessions.',
    },
    endMyOtherSessions: {
      reply: z.object({ ended: z.number().int() }),
      summary: 'Signs you out everywhere but here.',
    },
    setMyPassword: {
      body: z.strictObject({ current: z.string().min(1).max(1024), password: Password }),
      reply: z.object({ ended: z.number().int() }),
      summary: 'Needs the present password; ends your other sessions.',
    },
  },
} satisfies ContractSchemas
