/** Permission codes of the specification, and the sets in which calls and screens name them. */

const areas = [
  ['parcels_admin', 'parcels'],
  ['scan_admin', 'scan'],
  ['punchclock_admin', 'punchclock'],
  ['sn_admin'],
  ['users_admin'],
  ['list_admin', 'list'],
  ['statistics_admin', 'statistics'],
  ['dashboard_admin', 'dashboard'],
  ['schedule_admin', 'schedule'],
  ['settings_admin', 'settings'],
  ['pick_admin', 'pick'],
  ['rma_admin'],
  ['customer_admin', 'customer'],
] as const

/** In the specification's order, then our own: a permission's id is its position here, counted from 1, and never changes. */
export const permissions = ['admin', ...areas.flat(), 'salary_admin', 'personal_admin'] as const
export type Permission = (typeof permissions)[number]

export const permissionId = (code: Permission): number => permissions.indexOf(code) + 1
export const permissionCode = (id: number): Permission | undefined => permissions[id - 1]

/** Codes that `admin` does not include: it may give them, and opens nothing by them. */
const beyondAdmin: readonly Permission[] = ['personal_admin']

/** What a key is for: a shop's program, a print agent, or another program of the company, which works for the person who made the key. */
export const keyPurposes = ['shop', 'print_agent', 'api'] as const
export type KeyPurpose = (typeof keyPurposes)[number]

/** Codes that a key may have as its scopes: none that opens users, keys, settings, hours, pay or personal numbers. */
export const keyScopes = [
  'parcels_admin',
  'parcels',
  'customer_admin',
  'customer',
  'list_admin',
  'list',
  'pick_admin',
  'pick',
  'rma_admin',
  'sn_admin',
  'statistics_admin',
  'statistics',
  'dashboard',
] as const satisfies readonly Permission[]
export type KeyScope = (typeof keyScopes)[number]

/** Who holds a key for calls that people cannot make: shops and print agents by CMS keys, and video recorders. */
export type KeyHolder = 'shop' | 'print_agent' | 'recorder'

/** `anyone` needs no login; `user` any signed-in user; `person` the same, and no device; `shop`, `print_agent` and `recorder` a key of this kind; a list needs one of its codes. */
export type Access = readonly Permission[] | 'anyone' | 'user' | 'person' | KeyHolder

export const needsKey = (asked: Access): asked is KeyHolder => asked === 'shop' || asked === 'print_agent' || asked === 'recorder'

export const access = {
  admin: ['admin'],
  parcels: ['admin', 'parcels_admin', 'parcels'],
  parcelsAdmin: ['admin', 'parcels_admin'],
  customers: ['admin', 'parcels_admin', 'parcels', 'customer_admin', 'customer'],
  customersAdmin: ['admin', 'parcels_admin', 'customer_admin'],
  scan: ['admin', 'scan_admin', 'scan'],
  scanAdmin: ['admin', 'scan_admin'],
  /** Packing stations and the office both use labels and prints. */
  bench: ['admin', 'scan_admin', 'scan', 'parcels_admin', 'parcels'],
  punchclock: ['admin', 'punchclock_admin', 'punchclock'],
  serials: ['admin', 'sn_admin'],
  users: ['admin', 'users_admin'],
  lists: ['admin', 'list_admin', 'list'],
  listsAdmin: ['admin', 'list_admin'],
  /** The office and those who hand parcels over ask couriers to collect. */
  pickups: ['admin', 'list_admin', 'list', 'parcels_admin', 'parcels'],
  picks: ['admin', 'list_admin', 'list', 'pick_admin', 'pick'],
  picksAdmin: ['admin', 'list_admin', 'pick_admin'],
  statistics: ['admin', 'statistics_admin', 'statistics'],
  dashboard: ['admin', 'dashboard_admin', 'dashboard'],
  schedule: ['admin', 'schedule_admin', 'schedule'],
  scheduleAdmin: ['admin', 'schedule_admin'],
  /** Groups are named where shifts are planned and announcements are addressed. */
  groups: ['admin', 'users_admin', 'schedule_admin', 'settings_admin'],
  salary: ['admin', 'salary_admin'],
  personal: ['personal_admin'],
  /** Who reads returns, and who works on them. */
  returns: ['admin', 'rma_admin', 'parcels_admin', 'parcels'],
  returnsDesk: ['admin', 'rma_admin'],
  settings: ['admin', 'settings_admin'],
  settingsRead: ['admin', 'settings_admin', 'settings'],
  /** Crates are chosen in the settings, at stations and while picking. */
  crates: ['admin', 'settings_admin', 'settings', 'scan_admin', 'scan', 'list_admin', 'list', 'pick_admin', 'pick'],
  crateRulesRead: ['admin', 'settings_admin', 'settings', 'scan_admin', 'scan', 'parcels_admin', 'parcels'],
  crateRules: ['admin', 'settings_admin', 'parcels_admin'],
  /** The settings that a station needs: printers, its own label size. */
  station: ['admin', 'settings_admin', 'settings', 'scan_admin', 'scan', 'parcels_admin', 'parcels', 'pick_admin', 'pick'],
} as const satisfies Record<string, readonly Permission[]>

/** True when a user with these permissions has access; `admin` has, except to what asks for codes beyond it alone. */
export const isAllowed = (held: readonly Permission[], asked: Access): boolean =>
  typeof asked === 'string'
    ? !needsKey(asked)
    : asked.some(code => held.includes(code)) || (held.includes('admin') && !asked.every(code => beyondAdmin.includes(code)))
