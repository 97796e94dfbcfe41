/** Every route of section 2 of the specification, in its order: who may open it, from where, and the screen it shows. */
import type { ComponentType } from 'react'
import { type Access, access } from '#contract/access.ts'
import { type SettingsPage, settingsPages } from '#contract/settings-access.ts'

export type ScreenIcon =
  | 'approve'
  | 'bypass'
  | 'collect'
  | 'customers'
  | 'dashboard'
  | 'deadlines'
  | 'groups'
  | 'invoices'
  | 'lists'
  | 'messages'
  | 'orders'
  | 'overview'
  | 'pick'
  | 'punchclock'
  | 'salary'
  | 'scan'
  | 'schedule'
  | 'serials'
  | 'settings'
  | 'shipments'
  | 'statistics'
  | 'timesheet'
  | 'users'

export interface Screen {
  /** A `{name}` is one segment of any text. */
  path: string
  /** English; the translation key. */
  title: string
  access: Access
  icon?: ScreenIcon
  /** The path of the screen under which this one lies. */
  parent?: string
  /** Only from an address that matches the company's pattern. */
  ipLock?: true
  /** Only for the main company of an operator. */
  mainOnly?: true
  /** Only on a small computer beside the printers. */
  device?: 'raspberry'
  /** Exists in development only, or when the conf file says `dev`. */
  dev?: true
  /** Stands under the bare base domain, which belongs to no company, and nowhere else. */
  bare?: true
  /** An alias or a page that nobody looks for: in no menu and no palette. */
  hidden?: true
  /** `full` fills the window, without rail and top bar; `public` needs no login. The others stand in the shell. */
  look?: 'full' | 'public'
  /** Works without a network, and says so itself. */
  offline?: true
  /** More words under which the palette and the settings search find it: English, one translation key. */
  words?: string
  /** `G` and this letter go there. */
  key?: string
  /** Ours, beside the routes of the specification. */
  own?: true
  /** Absent until it is built: then the route is not found and in no menu. */
  screen?: () => Promise<ComponentType>
}

const settingsPage = (page: SettingsPage, title: string, words: string, more: Partial<Screen> = {}): Screen => ({
  path: `/settings/${page}`,
  parent: '/settings',
  title,
  words,
  access: settingsPages[page],
  ...more,
})

const scanScreen = () => import('#features/packing/station/ScanScreen.tsx').then(room => room.ScanScreen)

export const screens: readonly Screen[] = [
  { path: '/punchclock', title: 'Punch clock', access: access.punchclock, icon: 'punchclock', ipLock: true, look: 'full', key: 'p' },
  {
    path: '/',
    title: 'Scan and pack',
    access: access.scan,
    icon: 'scan',
    ipLock: true,
    look: 'full',
    key: 's',
    screen: scanScreen,
  },
  { path: '/scan', title: 'Scan and pack', access: access.scan, ipLock: true, look: 'full', hidden: true, screen: scanScreen },

  { path: '/parcels', title: 'Orders', access: access.customers, icon: 'orders' },
  {
    path: '/parcels/orders',
    parent: '/parcels',
    title: 'Orders',
    access: access.parcels,
    icon: 'orders',
    key: 'o',
    screen: () => import('#features/orders/orders/OrdersScreen.tsx').then(room => room.OrdersScreen),
  },
  {
    path: '/parcels/orders/import',
    parent: '/parcels',
    title: 'Import orders',
    access: access.parcelsAdmin,
    words: 'CSV file upload',
    own: true,
    icon: 'lists',
    screen: () => import('#features/orders/order-imports/OrderImportsScreen.tsx').then(room => room.OrderImportsScreen),
  },
  {
    path: '/parcels/products',
    parent: '/parcels',
    title: 'Products',
    access: access.parcels,
    icon: 'lists',
    words: 'SKU barcode picture weight bin customs',
    own: true,
    screen: () => import('#features/catalog/products/ProductsScreen.tsx').then(room => room.ProductsScreen),
  },
  {
    path: '/parcels/shipments',
    parent: '/parcels',
    title: 'Shipments',
    access: access.parcels,
    icon: 'shipments',
    key: 'h',
    screen: () => import('#features/shipping/labels/ShipmentsScreen.tsx').then(room => room.ShipmentsScreen),
  },
  { path: '/parcels/customers', parent: '/parcels', title: 'Customers', access: access.customers, icon: 'customers', key: 'c' },
  { path: '/parcels/messages', parent: '/parcels', title: 'Messages', access: access.parcels, icon: 'messages', key: 'm' },
  {
    path: '/parcels/bypass',
    parent: '/parcels',
    title: 'Bypass',
    access: access.parcelsAdmin,
    icon: 'bypass',
    hidden: true,
    screen: () => import('#features/orders/orders/OrdersScreen.tsx').then(room => room.OrdersScreen),
  },
  { path: '/serials', title: 'Serial numbers', access: access.serials, icon: 'serials', key: 'n' },
  {
    path: '/users',
    title: 'Users',
    access: access.users,
    icon: 'users',
    key: 'u',
    screen: () => import('#features/company/users/UsersScreen.tsx').then(room => room.UsersScreen),
  },
  { path: '/groups', parent: '/users', title: 'User groups', access: access.users, icon: 'groups' },
  { path: '/salary', title: 'Salary', access: access.admin, icon: 'salary' },

  { path: '/lists', title: 'Lists', access: access.lists, icon: 'lists', key: 'l' },
  {
    path: '/lists/pick',
    parent: '/lists',
    title: 'Pick lists',
    access: access.picks,
    icon: 'pick',
    mainOnly: true,
    key: 'k',
    words: 'wave wagon tote preview',
    screen: () => import('#features/warehouse/pick-lists/PickListsScreen.tsx').then(room => room.PickListsScreen),
  },
  {
    path: '/pick',
    title: 'Pick',
    access: access.picks,
    icon: 'pick',
    mainOnly: true,
    look: 'full',
    offline: true,
    own: true,
    words: 'wagon phone walk claim',
    screen: () => import('#features/warehouse/picking/PickScreen.tsx').then(room => room.PickScreen),
  },
  {
    path: '/lists/pick/tasks',
    parent: '/lists',
    title: 'Pick tasks',
    access: access.picks,
    icon: 'approve',
    mainOnly: true,
    own: true,
    words: 'short missing count put back bin',
    screen: () => import('#features/warehouse/pick-tasks/PickTasksScreen.tsx').then(room => room.PickTasksScreen),
  },
  {
    path: '/lists/paperless',
    parent: '/lists',
    title: 'Paperless codes',
    access: access.picks,
    icon: 'serials',
    mainOnly: true,
    own: true,
    words: 'tote PP label pool lost',
    screen: () => import('#features/warehouse/paperless/PaperlessScreen.tsx').then(room => room.PaperlessScreen),
  },
  {
    path: '/lists/collect',
    parent: '/lists',
    title: 'Collect lists',
    access: access.lists,
    icon: 'collect',
    mainOnly: true,
    words: 'courier pickup hand over cage cut-off driver',
    screen: () => import('#features/warehouse/collect-lists/CollectListsScreen.tsx').then(room => room.CollectListsScreen),
  },
  {
    path: '/lists/collect/scan',
    parent: '/lists',
    title: 'Scan out',
    access: access.lists,
    icon: 'scan',
    mainOnly: true,
    look: 'full',
    own: true,
    screen: () => import('#features/warehouse/collect-lists/CollectScanScreen.tsx').then(room => room.CollectScanScreen),
  },
  { path: '/lists/invoices', parent: '/lists', title: 'Invoices', access: access.lists, icon: 'invoices' },

  { path: '/statistics', title: 'Statistics', access: access.statistics, icon: 'statistics', key: 't' },
  {
    path: '/statistics/picker-stats',
    parent: '/statistics',
    title: 'Picking',
    access: access.statistics,
    icon: 'pick',
    screen: () => import('#features/insight/statistics/PickerStatsScreen.tsx').then(room => room.PickerStatsScreen),
  },
  {
    path: '/statistics/packer-stats',
    parent: '/statistics',
    title: 'Packing',
    access: access.statistics,
    icon: 'scan',
    screen: () => import('#features/insight/statistics/PackerStatsScreen.tsx').then(room => room.PackerStatsScreen),
  },
  { path: '/dashboard', title: 'Dashboard', access: access.dashboard, icon: 'dashboard', key: 'd' },
  { path: '/dashboard/deadlines', parent: '/dashboard', title: 'Deadlines', access: access.dashboard, icon: 'deadlines' },

  { path: '/schedule', title: 'Schedule', access: access.schedule, icon: 'schedule', key: 'w' },
  { path: '/schedule/timesheet', parent: '/schedule', title: 'Timesheet', access: access.scheduleAdmin, icon: 'timesheet' },
  { path: '/schedule/overview', parent: '/schedule', title: 'Overview', access: access.schedule, icon: 'overview' },
  { path: '/schedule/approve', parent: '/schedule', title: 'Approve leave', access: access.scheduleAdmin, icon: 'approve' },

  { path: '/settings', title: 'Settings', access: 'user', icon: 'settings', key: 'e' },
  settingsPage('dashboard', 'Dashboard', 'deadline token wall screen'),
  settingsPage('email', 'E-mail', 'template sender message'),
  settingsPage('country', 'Countries', 'home country language'),
  settingsPage('printer', 'Printers and station', 'PrintNode label A4 station scanner calibration test print', {
    ipLock: true,
    screen: () => import('#features/printing/printers/PrinterSettingsScreen.tsx').then(room => room.PrinterSettingsScreen),
  }),
  settingsPage('qrcode', 'Codes', 'QR barcode command sheet', {
    screen: () => import('#features/printing/code-sheets/CodeSheetsScreen.tsx').then(room => room.QrcodeSettingsScreen),
  }),
  settingsPage('company-config', 'Company', 'name logo colour time zone IP address GS1 prefix cut-off packing rules', {
    screen: () => import('#features/company/companies/CompanyConfigScreen.tsx').then(room => room.CompanyConfigScreen),
  }),
  settingsPage('global-config', 'All companies', 'operator companies new company'),
  settingsPage('bulk-invoicing-config', 'Bulk invoicing', 'customs invoice courier'),
  settingsPage('announcement-config', 'Announcements', 'EULA message confirm'),
  settingsPage('warehouse-map', 'Warehouse map', 'aisle bin route', {
    screen: () => import('#features/warehouse/map-editor/WarehouseMapScreen.tsx').then(room => room.WarehouseMapScreen),
  }),
  {
    path: '/settings/warehouse-map/edit',
    parent: '/settings/warehouse-map',
    title: 'Warehouse map',
    access: settingsPages['warehouse-map'],
    mainOnly: true,
    hidden: true,
    own: true,
    screen: () => import('#features/warehouse/map-editor/MapEditorScreen.tsx').then(room => room.MapEditorScreen),
  },
  {
    path: '/settings/warehouse-map/results',
    parent: '/settings/warehouse-map',
    title: 'Results of warehouse maps',
    access: settingsPages['warehouse-map'],
    mainOnly: true,
    hidden: true,
    own: true,
    screen: () => import('#features/warehouse/map-results/MapResultsScreen.tsx').then(room => room.MapResultsScreen),
  },
  settingsPage('shipping-config', 'Shipping methods', 'courier label check active', {
    screen: () => import('#features/shipping/shipping-methods/ShippingConfigScreen.tsx').then(room => room.ShippingConfigScreen),
  }),
  settingsPage('packing-config', 'Packing', 'crate PIN approval additional product'),
  settingsPage('api-config', 'API keys', 'CMS webhook PrintNode key import', {
    screen: () => import('#features/company/api-keys/ApiConfigScreen.tsx').then(room => room.ApiConfigScreen),
  }),
  settingsPage('dvr-config', 'Packing video', 'DVR camera'),
  settingsPage('rma-config', 'Returns', 'RMA language return portal'),
  settingsPage('campaign-config', 'Campaigns', 'tracking page banner'),
  settingsPage('address-book', 'Address book', 'sender predefined address'),
  settingsPage('serial-number-config', 'Serial number rules', 'regular expression checklist barcode'),
  settingsPage('printer-management', 'Printer management', 'Raspberry CUPS', { device: 'raspberry' }),
  settingsPage('email-alert', 'E-mail alert', 'Raspberry printer down', { device: 'raspberry' }),
  settingsPage('cache', 'Cache', 'memory refresh'),
  settingsPage('about', 'About', 'version build licence', {
    screen: () => import('#features/company/about/AboutScreen.tsx').then(room => room.AboutScreen),
  }),

  {
    path: '/settings/first-steps',
    parent: '/settings',
    title: 'First steps',
    words: 'begin new company checklist set up',
    access: access.settings,
    own: true,
    screen: () => import('#features/desk/first-steps/FirstStepsScreen.tsx').then(room => room.FirstStepsScreen),
  },
  {
    path: '/settings/me',
    parent: '/settings',
    title: 'My settings',
    words: 'password language theme sessions sign out',
    access: 'user',
    screen: () => import('#features/company/users/MySettingsScreen.tsx').then(room => room.MySettingsScreen),
  },

  {
    path: '/login',
    title: 'Sign in',
    access: 'anyone',
    look: 'public',
    hidden: true,
    screen: () => import('#features/company/session/LoginScreen.tsx').then(room => room.LoginScreen),
  },
  { path: '/tracking', title: 'Tracking', access: 'anyone', look: 'public', hidden: true },
  {
    path: '/route',
    title: 'Walk of a wagon',
    access: 'anyone',
    look: 'public',
    hidden: true,
    own: true,
    screen: () => import('#features/warehouse/wagon-routes/RouteScreen.tsx').then(room => room.RouteScreen),
  },
  { path: '/stats', title: 'Statistics', access: 'anyone', look: 'public', hidden: true },
  { path: '/deadlinesexternal/{token}', title: 'Deadlines', access: 'anyone', look: 'public', hidden: true },
  { path: '/dashboardpunchclock', title: 'Punch clock', access: 'anyone', look: 'public', hidden: true },
  { path: '/email/template/preview', title: 'E-mail preview', access: 'anyone', look: 'public', hidden: true },
  { path: '/rma-landing-page-preview', title: 'Return preview', access: 'anyone', look: 'public', hidden: true },
  { path: '/rma-landing-page', title: 'Return', access: 'anyone', look: 'public', hidden: true },

  {
    path: '/setup',
    title: 'Set up',
    access: 'anyone',
    look: 'public',
    hidden: true,
    bare: true,
    screen: () => import('#features/company/setup/SetupScreen.tsx').then(room => room.SetupScreen),
  },
  {
    path: '/welcome',
    title: 'Welcome',
    access: 'anyone',
    look: 'public',
    hidden: true,
    bare: true,
    screen: () => import('#features/company/setup/WelcomeScreen.tsx').then(room => room.WelcomeScreen),
  },

  {
    path: '/ui',
    title: 'Building blocks',
    access: 'anyone',
    look: 'public',
    hidden: true,
    dev: true,
    screen: () => import('#ui/shell/BuildingBlocksScreen.tsx').then(room => room.BuildingBlocksScreen),
  },
]
