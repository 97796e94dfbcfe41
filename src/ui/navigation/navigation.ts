/** Where a visitor may go: the navigation rules of section 2 of the specification, over the table of screens. */

import { isAllowed, type Permission } from '#contract/access.ts'
import type { Screen } from './screen.ts'

export interface NavigationContext {
  signedIn: boolean
  permissions: readonly Permission[]
  /** Belongs to the main company of the operator. */
  main: boolean
  /** The public address matches the company's packing pattern. */
  ipMatches: boolean
  /** Runs on a small computer beside the printers. */
  raspberry: boolean
  dev: boolean
  /** The page that the user chose to begin with. */
  startPage?: string | null | undefined
  /** Came to the bare base domain, where no company is. */
  bare?: boolean
  /** Has just opened the address on a device that is no packing station: `/` is then no wish for the station. */
  arrives?: boolean
}

export type NavigationResult =
  | { kind: 'show'; screen: Screen }
  | { kind: 'redirect'; to: string }
  /** Sign in first; `remember` is where the visitor wanted to go. */
  | { kind: 'login'; remember: string | null }
  | { kind: 'notFound' }
  /** The page exists, and this visitor's role does not open it. */
  | { kind: 'refused'; screen: Screen }
  /** Allowed, but not from this address, and there is no other place to go. */
  | { kind: 'lockedByAddress'; screen: Screen }
  /** Signed in, but no screen is allowed at all. */
  | { kind: 'nothingAllowed' }

const matchers = new WeakMap<Screen, RegExp>()
function matches(screen: Screen, path: string): boolean {
  let matcher = matchers.get(screen)
  if (!matcher) {
    const pattern = screen.path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')
    matcher = new RegExp(`^${pattern}$`)
    matchers.set(screen, matcher)
  }
  return matcher.test(path)
}

/** `/parcels/` and `/parcels` are one place. */
const plainPath = (path: string): string => (path.length > 1 ? path.replace(/\/+$/, '') || '/' : path)

export const screenAt = (path: string, table: readonly Screen[]): Screen | undefined => {
  const plain = plainPath(path)
  return table.find(screen => screen.path === plain) ?? table.find(screen => matches(screen, plain))
}

const childrenOf = (screen: Screen, table: readonly Screen[]): readonly Screen[] => table.filter(one => one.parent === screen.path)
const isPublic = (screen: Screen): boolean => screen.access === 'anyone'

/** The screen is there for this visitor's company and device, whatever the permission. */
const exists = (screen: Screen, visitor: NavigationContext): boolean =>
  (screen.device !== 'raspberry' || visitor.raspberry) && (!screen.dev || visitor.dev)
const built = (screen: Screen, visitor: NavigationContext): boolean => screen.screen !== undefined && exists(screen, visitor)
const allowed = (screen: Screen, visitor: NavigationContext): boolean => !isPublic(screen) && isAllowed(visitor.permissions, screen.access)
const forCompany = (screen: Screen, visitor: NavigationContext): boolean => !screen.mainOnly || visitor.main
const fromHere = (screen: Screen, visitor: NavigationContext): boolean => !screen.ipLock || visitor.ipMatches

/** The visitor can stand there: it is built, allowed, for this company and from this address. */
export const reachable = (screen: Screen, visitor: NavigationContext): boolean =>
  visitor.signedIn && built(screen, visitor) && allowed(screen, visitor) && forCompany(screen, visitor) && fromHere(screen, visitor)

/** What the menu, the palette and the settings list offer. */
export const offered = (visitor: NavigationContext, table: readonly Screen[]): readonly Screen[] =>
  table.filter(screen => !screen.hidden && reachable(screen, visitor))

const floor: readonly Permission[] = ['scan_admin', 'scan', 'pick_admin', 'pick', 'punchclock_admin', 'punchclock']

/** Packs, picks or punches the clock, and does nothing else here. */
export const worksOnFloor = (permissions: readonly Permission[]): boolean =>
  permissions.length > 0 && permissions.every(one => floor.includes(one))

/** The page that a role begins with: those who only pick or pack at their work, everyone else at Home. Their own shifts are no other work. */
function landingPath({ permissions }: NavigationContext): string {
  if (!worksOnFloor(permissions.filter(one => one !== 'schedule'))) return '/dashboard'
  if (isAllowed(permissions, ['pick_admin', 'pick'])) return '/pick'
  return isAllowed(permissions, ['scan_admin', 'scan']) ? '/' : '/dashboard'
}

/** Where a visitor begins who asked for no page: the chosen page, the page of the role, or the first allowed route where both are out of reach. */
function landing(visitor: NavigationContext, table: readonly Screen[]): NavigationResult {
  const screen = [visitor.startPage, landingPath(visitor)]
    .map(path => (path ? screenAt(path, table) : undefined))
    .find(one => one && !one.hidden && reachable(one, visitor))
  return screen ? { kind: 'redirect', to: screen.path } : firstAllowed(visitor, table)
}

/** The first route that the visitor may access, in the order of the table. */
export function firstAllowed(visitor: NavigationContext, table: readonly Screen[]): NavigationResult {
  const first = table.find(screen => reachable(screen, visitor))
  if (first) return { kind: 'redirect', to: first.path }
  const locked = table.find(screen => built(screen, visitor) && allowed(screen, visitor) && forCompany(screen, visitor))
  return locked ? { kind: 'lockedByAddress', screen: locked } : { kind: 'nothingAllowed' }
}

/**
 * What a visitor to `path` gets.
 * `search` is the query with its question mark, remembered with the path when the visitor must sign in first.
 */
export function resolveNavigation(path: string, search: string, visitor: NavigationContext, table: readonly Screen[]): NavigationResult {
  const screen = screenAt(path, table)
  if (visitor.bare) return screen?.bare && screen.screen ? { kind: 'show', screen } : { kind: 'redirect', to: '/welcome' }
  if (screen && isPublic(screen)) {
    if (screen.bare || screen.screen === undefined || !exists(screen, visitor)) return { kind: 'notFound' }
    return visitor.signedIn && screen.path === '/login' ? landing(visitor, table) : { kind: 'show', screen }
  }
  if (!visitor.signedIn) return { kind: 'login', remember: path === '/' && search === '' ? null : plainPath(path) + search }
  if (!screen || !exists(screen, visitor)) return { kind: 'notFound' }

  if (screen.screen === undefined) {
    const children = childrenOf(screen, table)
    if (!children.some(child => built(child, visitor))) return { kind: 'notFound' }
    const child = children.find(one => !one.hidden && reachable(one, visitor))
    return child ? { kind: 'redirect', to: child.path } : { kind: 'refused', screen }
  }
  if (screen.path === '/' && search === '' && visitor.arrives) {
    const start = landing(visitor, table)
    if (start.kind !== 'redirect' || start.to !== '/') return start
  }
  // The bare address is no wish for the station.
  if (!allowed(screen, visitor)) return screen.path === '/' ? landing(visitor, table) : { kind: 'refused', screen }
  if (!forCompany(screen, visitor)) {
    const sibling = table.find(
      one => one.parent !== undefined && one.parent === screen.parent && one !== screen && !one.hidden && reachable(one, visitor),
    )
    if (sibling) return { kind: 'redirect', to: sibling.path }
    const parent = table.find(one => one.path === screen.parent)
    return parent && reachable(parent, visitor) ? { kind: 'redirect', to: parent.path } : firstAllowed(visitor, table)
  }
  if (!fromHere(screen, visitor)) {
    const earlier = table.slice(0, table.indexOf(screen)).findLast(one => !one.ipLock && !one.hidden && reachable(one, visitor))
    return earlier ? { kind: 'redirect', to: earlier.path } : { kind: 'lockedByAddress', screen }
  }
  return { kind: 'show', screen }
}
