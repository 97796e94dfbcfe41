import { describe, expect, it } from 'vitest'
import type { Permission } from '#contract/access.ts'
import { permissions } from '#contract/access.ts'
import { documentTitle } from '#ui/navigation/document-title.ts'
import { firstAllowed, type NavigationContext, offered, reachable, resolveNavigation, screenAt } from '#ui/navigation/navigation.ts'
import { railOf, railPageAt, tabAt } from '#ui/navigation/rail.ts'
import type { Screen } from '#ui/navigation/screen.ts'
import { settingsGroups } from '#ui/navigation/settings-groups.ts'
import { rail } from './rail.ts'
import { screens } from './screens.ts'

const visitor = (more: Partial<NavigationContext> = {}): NavigationContext => ({
  signedIn: true,
  permissions: ['admin'],
  main: true,
  ipMatches: true,
  raspberry: false,
  dev: false,
  ...more,
})

const component = async () => () => null
/** These only hold other pages. */
const holders = new Set(['/parcels', '/lists'])
/** The table as it will be when every screen is built. */
const whole: readonly Screen[] = screens.map(screen => (holders.has(screen.path) ? screen : { ...screen, screen: component }))

/** Section 6 of the specification and decision 4, written down a second time. */
const parcels: Permission[] = ['parcels_admin', 'parcels']
const settings: Permission[] = ['settings_admin']
const station: Permission[] = ['settings_admin', 'settings', 'scan_admin', 'scan', 'parcels_admin', 'parcels', 'pick_admin', 'pick']
const table: Record<string, Permission[]> = {
  '/punchclock': ['punchclock_admin', 'punchclock'],
  '/': ['scan_admin', 'scan'],
  '/scan': ['scan_admin', 'scan'],
  '/parcels/orders': parcels,
  // Ours, beside the specification's.
  '/parcels/orders/new': parcels,
  '/parcels/jobs': parcels,
  '/parcels/bulk': parcels,
  '/parcels/orders/import': ['parcels_admin'],
  '/parcels/products': parcels,
  '/serials/stock': ['sn_admin'],
  '/parcels/shipments': parcels,
  '/parcels/shipments/new': parcels,
  '/parcels/shipments/exceptions': parcels,
  '/parcels/shipments/claims': parcels,
  '/parcels/shipments/pickups': ['admin', 'list_admin', 'list', 'parcels_admin', 'parcels'],
  '/parcels/exceptions': ['admin', 'parcels_admin', 'parcels', 'scan_admin'],
  '/parcels/messages': parcels,
  '/parcels/customers': [...parcels, 'customer_admin', 'customer'],
  '/parcels/bypass': ['parcels_admin'],
  '/serials': ['sn_admin'],
  '/users': ['users_admin'],
  '/groups': ['users_admin'],
  '/salary': ['salary_admin'],
  '/salary/rules': ['salary_admin'],
  // The lists row, plus those who pick.
  '/lists/pick': ['list_admin', 'list', 'pick_admin', 'pick'],
  '/lists/collect': ['list_admin', 'list'],
  '/lists/pick/tasks': ['list_admin', 'list', 'pick_admin', 'pick'],
  '/lists/paperless': ['list_admin', 'list', 'pick_admin', 'pick'],
  '/returns': ['rma_admin', 'parcels_admin', 'parcels'],
  '/lists/invoices': ['list_admin', 'list'],
  '/statistics': ['statistics_admin', 'statistics'],
  '/statistics/picker-stats': ['statistics_admin', 'statistics'],
  '/statistics/packer-stats': ['statistics_admin', 'statistics'],
  '/dashboard/deadlines': ['dashboard_admin', 'dashboard'],
  '/schedule': ['schedule_admin', 'schedule'],
  '/schedule/overview': ['schedule_admin', 'schedule'],
  '/schedule/timesheet': ['schedule_admin'],
  '/schedule/work': ['schedule_admin'],
  '/schedule/approve': ['schedule_admin'],
  '/schedule/settings': ['schedule_admin'],
  '/settings/dashboard': ['settings_admin', 'dashboard_admin', 'dashboard'],
  '/settings/email': settings,
  '/settings/country': settings,
  '/settings/printer': station,
  '/settings/qrcode': station,
  '/settings/company-config': settings,
  '/settings/global-config': settings,
  '/settings/bulk-invoicing-config': settings,
  '/settings/customs-config': settings,
  '/settings/announcement-config': settings,
  '/settings/warehouse-map': ['settings_admin', 'pick_admin', 'pick'],
  '/settings/shipping-config': settings,
  '/settings/packing-config': settings,
  '/settings/api-config': settings,
  '/settings/dvr-config': settings,
  '/settings/rma-config': ['settings_admin', 'rma_admin'],
  '/settings/campaign-config': settings,
  '/settings/address-book': ['settings_admin', ...parcels],
  '/settings/serial-number-config': ['settings_admin', 'sn_admin'],
  '/settings/printer-management': settings,
  '/settings/email-alert': settings,
  '/settings/cache': ['settings_admin', 'settings'],
  // Ours, beside the specification's.
  '/settings/global-config/company': [],
  '/settings/first-steps': settings,
  '/settings/approval': ['settings_admin', 'parcels_admin', 'scan_admin'],
  '/settings/additional-products': ['settings_admin'],
  '/settings/order-alerts': ['settings_admin'],
  '/settings/webhooks': ['settings_admin'],
  '/settings/shop-connections': ['settings_admin'],
  '/settings/product-links': ['settings_admin'],
  '/settings/tags': ['parcels_admin', 'settings_admin'],
  '/settings/tag-rules': ['settings_admin'],
  '/settings/crates': ['settings_admin', 'parcels_admin'],
  '/settings/personal-data': [],
  '/settings/sign-in': [],
  // biome-ignore format: one line for each route
  '/settings/changes': ['settings_admin', 'settings', 'parcels_admin', 'scan_admin', 'sn_admin', 'rma_admin', 'schedule_admin', 'dashboard_admin', 'salary_admin', 'users_admin', 'list_admin', 'pick_admin'],
  '/settings/about': ['settings_admin', 'settings', ...parcels, 'pick_admin', 'pick', 'dashboard_admin', 'dashboard'],
}
/** Pages that everybody who is signed in may open. */
const everybody = new Set(['/dashboard', '/my-hours', '/settings', '/settings/me'])
/** Stand under the bare base domain only. */
const bare = ['/setup', '/welcome']
const locked = new Set(['/punchclock', '/', '/scan', '/settings/printer'])
const mainOnly = new Set([
  '/lists/pick',
  '/lists/pick/tasks',
  '/lists/paperless',
  '/lists/collect',
  '/settings/warehouse-map',
  '/settings/personal-data',
  '/settings/global-config',
  '/settings/global-config/company',
])
const onRaspberry = new Set(['/settings/printer-management', '/settings/email-alert'])
const publicPaths = [
  '/login',
  '/tracking',
  '/stats',
  '/deadlinesexternal/{token}',
  '/dashboardpunchclock',
  '/email/template/preview',
  '/rma-landing-page-preview',
  '/rma-landing-page',
  '/answer',
]

describe('the table of screens', () => {
  it('holds every route of section 2 of the specification', () => {
    const paths = new Set(screens.map(screen => screen.path))
    expect([...Object.keys(table), ...publicPaths].filter(path => !paths.has(path))).toEqual([])
  })

  it('asks for a login on every page of our own, save the building blocks, the start of a deployment, forgotten passwords and links that are shared', () => {
    const known = new Set([...Object.keys(table), ...publicPaths, ...holders])
    const open = screens.filter(screen => screen.access === 'anyone' && !known.has(screen.path))
    expect(open.map(screen => screen.path).toSorted()).toEqual([
      '/clip',
      '/login/company',
      '/login/forgotten',
      '/login/password',
      '/route',
      '/setup',
      '/ui',
      '/welcome',
    ])
  })

  it('names each path once', () => {
    expect(new Set(screens.map(screen => screen.path)).size).toBe(screens.length)
  })

  it('gives every letter of a jump to one screen only', () => {
    const keys = screens.flatMap(screen => screen.key ?? [])
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('has a parent in the table for every screen that names one', () => {
    for (const { parent } of screens) if (parent) expect(screenAt(parent, screens)?.path).toBe(parent)
  })
})

describe('the rail', () => {
  const shown = (more: Partial<NavigationContext> = {}) =>
    railOf(rail, offered(visitor(more), whole)).map(group => [group.caption, ...group.pages.map(page => page.title)])

  it('shows the admin of a warehouse everything in four groups', () => {
    expect(shown()).toEqual([
      [undefined, 'Home'],
      ['Orders', 'Orders', 'Shipments', 'Exceptions', 'Customers', 'Messages', 'Products', 'Serial numbers'],
      ['Warehouse', 'Pack', 'Pick', 'Pick lists', 'Collect lists', 'Returns'],
      ['People', 'Schedule', 'Punch clock', 'Team', 'Payroll'],
      ['Insight', 'Statistics', 'Invoices'],
    ])
  })

  it('shows others only what they may open, and no caption without a page', () => {
    expect(shown({ permissions: ['scan'] })).toEqual([
      [undefined, 'Home'],
      ['Warehouse', 'Pack'],
    ])
    expect(shown({ permissions: ['parcels'], main: false })).toEqual([
      [undefined, 'Home'],
      ['Orders', 'Orders', 'Shipments', 'Exceptions', 'Customers', 'Messages', 'Products'],
      ['Warehouse', 'Returns'],
    ])
  })

  it('names only screens of the table, each once', () => {
    const paths = rail.flatMap(group => group.pages.flatMap(page => [...new Set((page.tabs ?? [page]).map(tab => tab.path))]))
    expect(paths.filter(path => screenAt(path, screens)?.path !== path)).toEqual([])
    expect(new Set(paths).size).toBe(paths.length)
  })

  it('marks the entry above a page that is none itself', () => {
    const groups = railOf(rail, offered(visitor(), whole))
    const at = (path: string) => railPageAt(groups, path)?.title
    expect(at('/')).toBe('Pack')
    expect(at('/parcels/shipments/new')).toBe('Shipments')
    expect(at('/parcels/orders/import')).toBe('Orders')
    expect(at('/lists/pick/tasks')).toBe('Pick lists')
    expect(at('/lists/paperless')).toBe('Pick lists')
    expect(at('/statistics/picker-stats')).toBe('Statistics')
    expect(at('/settings/me')).toBeUndefined()
    expect(at('/no/such/page')).toBeUndefined()
  })

  it('marks of two tabs of one page the one that the address names', () => {
    const tabs = railPageAt(railOf(rail, offered(visitor(), whole)), '/lists/pick')?.tabs ?? []
    expect(tabAt(tabs, '/lists/pick', 'wagons')?.title).toBe('Wagons')
    expect(tabAt(tabs, '/lists/pick', undefined)?.title).toBe('Lists')
    expect(tabAt(tabs, '/lists/pick', 'new')?.title).toBe('Lists')
    expect(tabAt(tabs, '/lists/paperless', undefined)?.title).toBe('Totes')
  })
})

describe('the list of the settings', () => {
  it('holds every page under the settings once, in eight groups', () => {
    expect(settingsGroups.map(group => group.caption)).toEqual([
      'You',
      'This device',
      'Company',
      'Shipping',
      'Warehouse',
      'Messages and boards',
      'Connections',
      'System',
    ])
    const listed = settingsGroups.flatMap(group => group.pages.map(page => page.path))
    expect(listed.toSorted()).toEqual(
      screens
        .filter(screen => screen.parent === '/settings')
        .map(screen => screen.path)
        .toSorted(),
    )
  })

  it('shows a packer what belongs to the person and the device', () => {
    const shown = railOf(settingsGroups, offered(visitor({ permissions: ['scan'] }), whole))
    expect(shown.map(group => [group.caption, ...group.pages.map(page => page.path)])).toEqual([
      ['You', '/settings/me'],
      ['This device', '/settings/printer'],
      ['Warehouse', '/settings/qrcode'],
    ])
  })
})

describe('every route × every permission × main company × address × device', () => {
  for (const main of [true, false]) {
    for (const ipMatches of [true, false]) {
      for (const raspberry of [true, false]) {
        it(`is shown exactly to those who may, ${main ? 'main' : 'other'} company, address ${ipMatches ? 'fits' : 'differs'}${raspberry ? ', on a Raspberry Pi' : ''}`, () => {
          for (const permission of permissions) {
            const one = visitor({ permissions: [permission], main, ipMatches, raspberry })
            for (const [path, codes] of Object.entries(table)) {
              const may = permission === 'admin' || codes.includes(permission)
              const stands =
                may && (main || !mainOnly.has(path)) && (ipMatches || !locked.has(path)) && (raspberry || !onRaspberry.has(path))
              const verdict = resolveNavigation(path, '', one, whole)
              const where = `${path} as ${permission}`
              if (stands) expect(verdict, where).toMatchObject({ kind: 'show', screen: { path } })
              else expect(verdict.kind, where).not.toBe('show')
            }
            for (const path of everybody)
              expect(resolveNavigation(path, '', one, whole), path).toMatchObject({ kind: 'show', screen: { path } })
          }
        })
      }
    }
  }

  it('never redirects twice: where a redirect leads, the visitor stands', () => {
    for (const built of [screens, whole]) {
      for (const main of [true, false]) {
        for (const ipMatches of [true, false]) {
          for (const permission of permissions) {
            const one = visitor({ permissions: [permission], main, ipMatches })
            for (const { path } of built) {
              const verdict = resolveNavigation(path, '', one, built)
              if (verdict.kind === 'redirect')
                expect(resolveNavigation(verdict.to, '', one, built).kind, `${path} as ${permission}`).toBe('show')
            }
          }
        }
      }
    }
  })

  it('offers in the menu only what would be shown', () => {
    for (const permission of permissions) {
      const one = visitor({ permissions: [permission], main: false, ipMatches: false })
      for (const screen of offered(one, whole)) expect(resolveNavigation(screen.path, '', one, whole).kind).toBe('show')
    }
  })
})

describe('a visitor who is not signed in', () => {
  const stranger = visitor({ signedIn: false, permissions: [] })

  it('is sent to the login from every path that is not public', () => {
    for (const built of [screens, whole])
      for (const path of [...Object.keys(table), ...holders, '/no/such/place'])
        expect(resolveNavigation(path, '', stranger, built).kind, path).toBe('login')
  })

  it('sees the public pages', () => {
    for (const path of publicPaths) expect(resolveNavigation(path.replace('{token}', 'abc-1'), '', stranger, whole).kind, path).toBe('show')
  })

  it('finds the pages of the bare base domain there and nowhere else', () => {
    for (const path of bare) {
      expect(resolveNavigation(path, '', stranger, whole).kind, path).toBe('notFound')
      expect(resolveNavigation(path, '', visitor({ signedIn: false, bare: true }), whole).kind, path).toBe('show')
    }
    expect(resolveNavigation('/users', '', visitor({ signedIn: false, bare: true }), whole)).toEqual({ kind: 'redirect', to: '/welcome' })
  })

  it('is remembered with the order that was wanted', () => {
    expect(resolveNavigation('/parcels/orders', '?id=100023', stranger, whole)).toEqual({
      kind: 'login',
      remember: '/parcels/orders?id=100023',
    })
  })

  it('has nothing to remember at the start page', () => {
    expect(resolveNavigation('/', '', stranger, whole)).toEqual({ kind: 'login', remember: null })
  })

  it('meets the not-found page on an unknown path once signed in', () => {
    expect(resolveNavigation('/no/such/place', '', visitor(), whole).kind).toBe('notFound')
  })
})

describe('the rules of redirection', () => {
  it('names the page that a role may not open instead of leading elsewhere', () => {
    const refused = (path: string, one: Permission) => resolveNavigation(path, '', visitor({ permissions: [one] }), whole)
    expect(refused('/salary', 'parcels')).toMatchObject({ kind: 'refused', screen: { path: '/salary' } })
    expect(refused('/users', 'scan')).toMatchObject({ kind: 'refused', screen: { path: '/users' } })
    expect(refused('/lists', 'scan')).toMatchObject({ kind: 'refused', screen: { path: '/lists' } })
  })

  it('leads from the sign-in to the page of the role: packers to the station, pickers to their wagons, everyone else to Home', () => {
    const start = (permissions: Permission[]) => resolveNavigation('/login', '', visitor({ permissions }), whole)
    for (const packer of [
      ['scan', 'punchclock'],
      ['scan', 'schedule'],
    ] satisfies Permission[][])
      expect(start(packer), packer.join()).toEqual({ kind: 'redirect', to: '/' })
    expect(start(['pick', 'scan', 'punchclock'])).toEqual({ kind: 'redirect', to: '/pick' })
    for (const others of [['admin'], ['scan', 'parcels'], ['statistics'], ['punchclock'], ['schedule'], []] satisfies Permission[][])
      expect(start(others), others.join()).toEqual({ kind: 'redirect', to: '/dashboard' })
  })

  it('leads from the sign-in to the page that the user chose, while the role opens it', () => {
    const start = (startPage: string, more: Partial<NavigationContext>) =>
      resolveNavigation('/login', '', visitor({ startPage, ...more }), whole)
    expect(start('/parcels/orders', { permissions: ['scan', 'parcels'] })).toEqual({ kind: 'redirect', to: '/parcels/orders' })
    expect(start('/parcels/orders', { permissions: ['scan'] })).toEqual({ kind: 'redirect', to: '/' })
    expect(start('/', { ipMatches: false })).toEqual({ kind: 'redirect', to: '/dashboard' })
    for (const other of ['/no/such/place', '//elsewhere.example', '/scan', '/login'])
      expect(start(other, {}), other).toEqual({ kind: 'redirect', to: '/dashboard' })
  })

  it('leads who opens the bare address to the own first page, unless that is the station or the device is one', () => {
    const open = (more: Partial<NavigationContext>, search = '') => resolveNavigation('/', search, visitor(more), whole)
    expect(open({ arrives: true })).toEqual({ kind: 'redirect', to: '/dashboard' })
    expect(open({ arrives: true, startPage: '/parcels/orders' })).toEqual({ kind: 'redirect', to: '/parcels/orders' })
    expect(open({ arrives: true, permissions: ['scan'] })).toMatchObject({ kind: 'show' })
    expect(open({ arrives: true, startPage: '/' })).toMatchObject({ kind: 'show' })
    expect(open({ arrives: true }, '?order=7')).toMatchObject({ kind: 'show' })
    expect(open({})).toMatchObject({ kind: 'show' })
  })

  it('leads from the bare address to the page of the role where the station is not allowed', () => {
    expect(resolveNavigation('/', '', visitor({ permissions: ['parcels'] }), whole)).toEqual({ kind: 'redirect', to: '/dashboard' })
  })

  it('sends an address that does not fit to the nearest earlier route that is not locked', () => {
    const lead = visitor({ ipMatches: false })
    expect(resolveNavigation('/settings/printer', '', lead, whole)).toEqual({ kind: 'redirect', to: '/settings/country' })
    expect(resolveNavigation('/settings/printer', '', visitor({ permissions: ['parcels'], ipMatches: false }), whole)).toEqual({
      kind: 'redirect',
      to: '/settings',
    })
  })

  it('names the lock where no earlier route is allowed', () => {
    expect(resolveNavigation('/', '', visitor({ ipMatches: false }), whole)).toMatchObject({
      kind: 'lockedByAddress',
      screen: { path: '/' },
    })
  })

  it('names the lock to a packer away from the warehouse, who has no other route', () => {
    const packer = visitor({ permissions: ['scan'], ipMatches: false })
    expect(resolveNavigation('/parcels/orders', '', packer, whole).kind).not.toBe('show')
    expect(firstAllowed(packer, screensWith(['/', '/scan']))).toMatchObject({ kind: 'lockedByAddress', screen: { path: '/' } })
  })

  it('sends other companies from a main-only route to a sibling', () => {
    expect(resolveNavigation('/lists/pick', '', visitor({ main: false }), whole)).toEqual({ kind: 'redirect', to: '/lists/invoices' })
  })

  it('sends other companies from a main-only route that stands alone to their first page', () => {
    // Pages without a parent are no siblings of each other.
    const orders = whole.filter(screen => screen.path === '/parcels/orders')
    const table = [...orders, ...whole.filter(screen => !orders.includes(screen))]
    expect(resolveNavigation('/pick', '', visitor({ main: false }), table)).toEqual({ kind: 'redirect', to: '/parcels/orders' })
  })

  it('sends other companies to the parent where there is no sibling', () => {
    const built = whole.map(screen =>
      screen.path === '/lists/invoices' ? without(screen) : screen.path === '/lists' ? { ...screen, screen: component } : screen,
    )
    expect(resolveNavigation('/lists/pick', '', visitor({ main: false }), built)).toEqual({ kind: 'redirect', to: '/lists' })
  })

  it('opens the first page of a holder that this visitor may see', () => {
    expect(resolveNavigation('/parcels', '', visitor({ permissions: ['customer'] }), whole)).toEqual({
      kind: 'redirect',
      to: '/parcels/customers',
    })
  })

  it('does not find a route whose screen is not built, nor offers it', () => {
    const built = screensWith(['/parcels/orders'])
    expect(resolveNavigation('/statistics', '', visitor(), built).kind).toBe('notFound')
    expect(resolveNavigation('/lists', '', visitor(), built).kind).toBe('notFound')
    expect(offered(visitor(), built).map(screen => screen.path)).toEqual(['/parcels/orders'])
  })

  it('says so when nothing at all is allowed', () => {
    expect(resolveNavigation('/login', '', visitor({ permissions: [] }), screensWith(['/users', '/login'])).kind).toBe('nothingAllowed')
  })

  it('does not show the login to somebody who is signed in', () => {
    expect(resolveNavigation('/login', '', visitor({ permissions: ['users_admin'] }), whole)).toEqual({
      kind: 'redirect',
      to: '/dashboard',
    })
  })

  it('takes a trailing slash for nothing', () => {
    expect(resolveNavigation('/users/', '', visitor(), whole)).toMatchObject({ kind: 'show', screen: { path: '/users' } })
  })

  it('does not let a permission of one area open another', () => {
    expect(reachable(screenAt('/salary', whole) as Screen, visitor({ permissions: ['schedule_admin'] }))).toBe(false)
  })

  it('shows the building blocks in development only', () => {
    expect(resolveNavigation('/ui', '', visitor({ dev: false }), whole).kind).toBe('notFound')
    expect(resolveNavigation('/ui', '', visitor({ dev: true }), whole).kind).toBe('show')
  })
})

it('writes the company code capitalised into the title', () => {
  expect(documentTitle('demo-north', 'Orders')).toBe('Demo-north · Orders')
})

function without(screen: Screen): Screen {
  const { screen: _screen, ...rest } = screen
  return rest
}
/** The table with only these screens built. */
function screensWith(paths: readonly string[]): readonly Screen[] {
  return screens.map(screen => (paths.includes(screen.path) ? { ...screen, screen: component } : without(screen)))
}

describe('the bare base domain', () => {
  const bare: NavigationContext = {
    signedIn: false,
    permissions: [],
    main: false,
    ipMatches: false,
    raspberry: false,
    dev: false,
    bare: true,
  }

  it('shows its own pages and leads everything else to the one that names the companies', () => {
    for (const path of ['/setup', '/welcome'])
      expect(resolveNavigation(path, '', bare, screens)).toMatchObject({ kind: 'show', screen: { path } })
    for (const path of ['/', '/login', '/tracking', '/parcels/orders', '/nowhere'])
      expect(resolveNavigation(path, '', bare, screens)).toEqual({ kind: 'redirect', to: '/welcome' })
  })

  it('keeps them for itself', () => {
    for (const path of ['/setup', '/welcome'])
      expect(resolveNavigation(path, '', { ...bare, bare: false }, screens)).toEqual({ kind: 'notFound' })
  })
})
