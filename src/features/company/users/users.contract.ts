/** Users: the people of a company, their permissions, pictures, own settings and sessions. */
import { access, type permissions } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import { limits } from '#contract/limits.ts'
import type { usersSchemas } from './users.schemas.ts'

export const users = contract<typeof usersSchemas>({ name: 'users', area: 'company', access: access.users }).calls({
  list: call('GET user'),
  get: call('GET user/{id}'),
  search: call('GET user/query/{q}', { workClass: 'search' }),
  nextEmployeeNo: call('GET user/next_employee_no'),
  groups: call('GET user/groups', { internal: true }),
  export: call('GET user/export', { media: 'text/csv' }),
  create: call('POST user', { external: true }),
  update: call('PUT user/{id}', { external: true }),
  remove: call('DELETE user/{id}', { external: true }),

  image: call('GET user/img/{id}', {
    access: 'user',
    media: 'image/*',
    external: true,
  }),
  setImage: call('POST user/img/{id}', { access: 'person', upload: limits.picture, external: true }),
  removeImage: call('DELETE user/img/{id}', { access: 'person' }),

  actsOf: call('GET user/{id}/station_acts', { internal: true }),
  permissionsOf: call('GET user/{id}/permissions', { internal: true }),

  sessions: call('GET user/{id}/sessions', { internal: true }),
  endSession: call('DELETE user/{id}/sessions/{session_id}', { internal: true }),
  endSessions: call('POST user/{id}/end_sessions', { external: true, internal: true }),

  me: call('GET user/my_data', { access: 'person' }),
  mySessions: call('GET user/my_sessions', { access: 'person', internal: true }),
  endMySession: call('DELETE user/my_sessions/{id}', { access: 'person', external: true, internal: true }),
  endMyOtherSessions: call('DELETE user/my_sessions', { access: 'person', external: true, internal: true }),
  setMyPassword: call('POST user/my_password', {
    access: 'person',
    rateLimit: { max: 10, seconds: 300 },
    external: true,
    internal: true,
  }),
})

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
  accountant: ['statistics', 'list', 'dashboard', 'salary_admin'],
} as const satisfies Record<string, readonly (typeof permissions)[number][]>
export type RightsPreset = keyof typeof rightsPresets
