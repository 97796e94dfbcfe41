/** Users: the people of a company, their permissions, pictures, own settings and sessions. */
import * as z from 'zod'
import { access, permissions } from '#contract/access.ts'
import { call, calls } from '#contract/endpoint.ts'
import { Locale, limits, text } from '#contract/limits.ts'
import { page, pageQuery } from '#contract/page.ts'
import { longestPassword } from './passwords.rules.ts'

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
  /** Numeric permission ids, as `PermissionLookup` names them. */
  permission: z.array(z.number().int()),
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
  /** When left out, the server makes one and shows it once. */
  password: Password.optional(),
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
}

export const users = calls(
  { name: 'users', area: 'company', access: access.users, schemas: { User, NewPerson, NewUser, UserChange, Session } },
  {
    list: call('GET user', {
      query: pageQuery.extend({
        ...filters,
        sort: z.enum(['name', '-name', 'employee_no', '-employee_no', '-created_at']).default('name'),
      }),
      reply: page(User),
      summary: 'Searches the users of this company, page by page.',
    }),
    get: call('GET user/{id}', { reply: User, summary: 'One user.' }),
    search: call('GET user/query/{q}', {
      reply: z.array(User),
      summary: 'At most twenty people whose name, login, e-mail or number holds the text.',
    }),
    nextEmployeeNo: call('GET user/next_employee_no', {
      reply: z.object({ employee_no: z.string() }),
      summary: 'The next free employee number.',
    }),
    export: call('GET user/export', {
      query: z.object(filters),
      media: 'text/csv',
      summary: 'Everybody who matches, for a spreadsheet; no text in it is a formula.',
    }),
    create: call('POST user', {
      body: NewUser,
      reply: Saved,
      external: true,
      summary: 'Makes a user; a password that was left out is made here and shown in the answer once.',
    }),
    update: call('PUT user/{id}', {
      body: UserChange,
      reply: Saved,
      external: true,
      summary: 'Changes what is sent and leaves the rest; 409 with the current state when the version is old.',
    }),
    remove: call('DELETE user/{id}', { external: true, summary: 'Ends all sessions at once; the history keeps the name.' }),

    image: call('GET user/img/{id}', {
      access: 'user',
      media: 'image/*',
      external: true,
      summary: 'The picture of a user.',
    }),
    setImage: call('POST user/img/{id}', {
      access: 'user',
      upload: limits.picture,
      external: true,
      summary: 'Your own, or anybody’s with users_admin.',
    }),
    removeImage: call('DELETE user/img/{id}', {
      access: 'user',
      summary: 'Removes the picture of a user.',
    }),

    sessions: call('GET user/{id}/sessions', {
      reply: z.array(Session),
      internal: true,
      summary: 'Where a user is signed in, and since when.',
    }),
    endSessions: call('POST user/{id}/end_sessions', {
      reply: z.object({ ended: z.number().int() }),
      external: true,
      internal: true,
      summary: 'Signs a user out everywhere; answers how many sessions that ended.',
    }),

    me: call('GET user/my_data', { access: 'user', reply: User, summary: 'The caller’s own user.' }),
    mySessions: call('GET user/my_sessions', {
      access: 'user',
      reply: z.array(Session),
      internal: true,
      summary: 'Where the caller is signed in.',
    }),
    endMySession: call('DELETE user/my_sessions/{id}', {
      access: 'user',
      external: true,
      internal: true,
      summary: 'Ends one of the caller’s own sessions.',
    }),
    endMyOtherSessions: call('DELETE user/my_sessions', {
      access: 'user',
      external: true,
      internal: true,
      reply: z.object({ ended: z.number().int() }),
      summary: 'Signs you out everywhere but here.',
    }),
    setMyPassword: call('POST user/my_password', {
      access: 'user',
      body: z.strictObject({ current: z.string().min(1).max(1024), password: Password }),
      rateLimit: { max: 10, seconds: 300 },
      external: true,
      internal: true,
      reply: z.object({ ended: z.number().int() }),
      summary: 'Needs the present password; ends your other sessions.',
    }),
  },
)

/** The presets of the form: the usual permissions of these roles. */
export const rightsPresets = {
  picker: ['pick', 'scan', 'punchclock'],
  packer: ['scan', 'punchclock'],
  lead: [
    'parcels_admin',
    'scan_admin',
    'list_admin',
    'pick_admin',
    'sn_admin',
    'statistics',
    'dashboard',
    'schedule_admin',
    'punchclock',
    'settings',
  ],
  office: ['parcels', 'customer', 'rma_admin', 'punchclock'],
  accountant: ['statistics', 'list', 'dashboard'],
  device: ['scan'],
} as const satisfies Record<string, readonly (typeof permissions)[number][]>
export type RightsPreset = keyof typeof rightsPresets
