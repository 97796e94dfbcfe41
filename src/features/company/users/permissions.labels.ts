/** Labels of the permissions, in the order of the form. */

import type { Permission } from '#contract/access.ts'
import type { DevicePreset } from '#contract/device-accounts.ts'
import type { RightsPreset } from './users.contract.ts'

interface Level {
  code: Permission
  /** Name of the level beside the area's title. */
  title: string
  /** What the level allows. */
  help: string
}
export interface Area {
  title: string
  /** From the lowest to the highest level; each includes the ones before it. */
  levels: readonly Level[]
  /** Not part of *Everything*: given by itself, also to administrators. */
  beyondAdmin?: true
}

const works = 'Standard'
const leads = 'Lead'

export const areas: readonly Area[] = [
  {
    title: 'Packing',
    levels: [
      { code: 'scan', title: works, help: 'Opens orders at the packing station, scans, packs and prints.' },
      { code: 'scan_admin', title: leads, help: 'Also takes over packing stations, looks after scans and approves.' },
    ],
  },
  {
    title: 'Picking',
    levels: [
      { code: 'pick', title: works, help: 'Collects the goods of pick lists.' },
      { code: 'pick_admin', title: leads, help: 'Also edits the warehouse map and other people’s lists.' },
    ],
  },
  {
    title: 'Orders and shipments',
    levels: [
      { code: 'parcels', title: works, help: 'Finds and opens orders, shipments and messages, and writes comments.' },
      { code: 'parcels_admin', title: leads, help: 'Also changes many at once, lifts locks and lets orders pass.' },
    ],
  },
  {
    title: 'Customers',
    levels: [
      { code: 'customer', title: works, help: 'Finds customers, sees their orders, changes and notes them.' },
      { code: 'customer_admin', title: leads, help: 'Also merges, exports and erases customers.' },
    ],
  },
  { title: 'Returns', levels: [{ code: 'rma_admin', title: leads, help: 'Takes returns in and sets up the return page.' }] },
  {
    title: 'Serial numbers',
    levels: [{ code: 'sn_admin', title: leads, help: 'Searches serial numbers and sets their rules.' }],
  },
  {
    title: 'Lists and invoices',
    levels: [
      { code: 'list', title: works, help: 'Makes and opens pick lists, collect lists and invoices.' },
      { code: 'list_admin', title: leads, help: 'Also closes, reopens and deletes them.' },
    ],
  },
  {
    title: 'Statistics',
    levels: [
      { code: 'statistics', title: works, help: 'Sees how much was picked, packed and earned.' },
      { code: 'statistics_admin', title: leads, help: 'Also sees the figures of single people.' },
    ],
  },
  {
    title: 'Dashboard',
    levels: [
      { code: 'dashboard', title: works, help: 'Sees the day’s numbers and deadlines.' },
      { code: 'dashboard_admin', title: leads, help: 'Also arranges the boards and their links.' },
    ],
  },
  {
    title: 'Schedule',
    levels: [
      { code: 'schedule', title: works, help: 'Sees shifts and asks for leave.' },
      { code: 'schedule_admin', title: leads, help: 'Also plans shifts, approves leave and corrects hours.' },
    ],
  },
  {
    title: 'Punch clock',
    levels: [
      { code: 'punchclock', title: works, help: 'Clocks in and out.' },
      { code: 'punchclock_admin', title: leads, help: 'Also sets the clock up and corrects it.' },
    ],
  },
  {
    title: 'Settings',
    levels: [
      { code: 'settings', title: works, help: 'Sets up printers and the own station.' },
      { code: 'settings_admin', title: leads, help: 'Also changes the company, its couriers and keys.' },
    ],
  },
  {
    title: 'Users',
    levels: [{ code: 'users_admin', title: leads, help: 'Makes and changes users, and gives the permissions that they hold themselves.' }],
  },
  {
    title: 'Payroll',
    levels: [{ code: 'salary_admin', title: leads, help: 'Sees and changes what people earn, and unlocks approved hours.' }],
  },
  {
    title: 'CPR numbers',
    beyondAdmin: true,
    levels: [{ code: 'personal_admin', title: leads, help: 'Enters and reads social security numbers. Every reading is recorded.' }],
  },
]

export const presetNames: Readonly<Record<RightsPreset | DevicePreset, string>> = {
  picker: 'Picker',
  packer: 'Packer',
  lead: 'Warehouse lead',
  office: 'Customer service',
  accountant: 'Accountant',
  kiosk: 'Kiosk',
  station: 'Station',
  board: 'Board',
}
