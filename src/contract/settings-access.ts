/** The subpages of the settings and their required permissions (specification, sections 2 and 6; decision 4). */
import { access, type Permission } from './access.ts'

/** Stations, pickers and the office choose their own printers and print their own codes. */
const station: readonly Permission[] = access.station
const settings: readonly Permission[] = access.settings

export const settingsPages = {
  dashboard: ['admin', 'settings_admin', 'dashboard_admin', 'dashboard'],
  email: settings,
  country: settings,
  printer: station,
  qrcode: station,
  'company-config': settings,
  'global-config': settings,
  'bulk-invoicing-config': settings,
  'customs-config': settings,
  'announcement-config': settings,
  'warehouse-map': ['admin', 'settings_admin', 'pick_admin', 'pick'],
  'shipping-config': settings,
  'packing-config': settings,
  'api-config': settings,
  'dvr-config': settings,
  'rma-config': ['admin', 'settings_admin', 'rma_admin'],
  'campaign-config': settings,
  'address-book': ['admin', 'settings_admin', 'parcels_admin', 'parcels'],
  'serial-number-config': ['admin', 'settings_admin', 'sn_admin'],
  'printer-management': settings,
  'email-alert': settings,
  cache: access.settingsRead,
  about: ['admin', 'settings_admin', 'settings', 'parcels_admin', 'parcels', 'pick_admin', 'pick', 'dashboard_admin', 'dashboard'],
} as const satisfies Record<string, readonly Permission[]>

/** Who may read the history of some page; stands here because each page of the interface loads it. */
export const settingReaders = [
  'admin',
  'settings_admin',
  'settings',
  'parcels_admin',
  'scan_admin',
  'sn_admin',
  'rma_admin',
  'schedule_admin',
  'dashboard_admin',
  'salary_admin',
  'users_admin',
  'list_admin',
  'pick_admin',
] as const satisfies readonly Permission[]

export type SettingsPage = keyof typeof settingsPages
