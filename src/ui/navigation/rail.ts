/** The rail: groups of pages, which `app/` registers, and what of them a visitor sees. */
import type { ComponentType } from 'react'
import type { Screen, ScreenIcon } from './screen.ts'

/** One of the pages that share a place in the rail; or one half of a page, named by its `tab` in the address. */
interface RailTab {
  path: string
  tab?: string
  /** English; the translation key. Without it the title of the screen. */
  title?: string
}

interface RailPage {
  path: string
  /** The label where the title of the screen is longer or says less. */
  title?: string
  /** Where it is not the screen's own. */
  icon?: ScreenIcon
  /** In their order, the page itself among them; drawn under the title of each of them. */
  tabs?: readonly RailTab[]
  /** Draws how much waits there for somebody. */
  Count?: ComponentType
}

export interface RailGroup {
  /** Absent for what stands above all groups. */
  caption?: string
  pages: readonly RailPage[]
}

export interface ShownTab {
  path: string
  tab: string | undefined
  title: string
}
export interface ShownPage {
  path: string
  title: string
  icon: ScreenIcon | undefined
  /** Where the entry leads: the first tab that the visitor may open. */
  to: string
  tabs: readonly ShownTab[]
  Count: ComponentType | undefined
}
export interface ShownGroup {
  caption: string | undefined
  pages: readonly ShownPage[]
}

let registered: readonly RailGroup[] = []

/** Called once, before the first navigation. */
export function registerRail(groups: readonly RailGroup[]): void {
  registered = groups
}
export const registeredRail = (): readonly RailGroup[] => registered

/** The groups with the pages that are open to a visitor; a group without any is left out. */
export function railOf(groups: readonly RailGroup[], open: readonly Screen[]): readonly ShownGroup[] {
  const byPath = new Map(open.map(screen => [screen.path, screen]))
  return groups.flatMap(({ caption, pages }) => {
    const shown = pages.flatMap(page => {
      const tabs = (page.tabs ?? [{ path: page.path }]).flatMap(({ path, tab, title }) => {
        const screen = byPath.get(path)
        return screen ? [{ path, tab, title: title ?? screen.title }] : []
      })
      const [first] = tabs
      const screen = byPath.get(page.path) ?? (first && byPath.get(first.path))
      return first && screen
        ? [{ path: page.path, title: page.title ?? screen.title, icon: page.icon ?? screen.icon, to: first.path, tabs, Count: page.Count }]
        : []
    })
    return shown.length > 0 ? [{ caption, pages: shown }] : []
  })
}

const liesUnder = (path: string, top: string): boolean => path === top || (top !== '/' && path.startsWith(`${top}/`))

/** The entry under which a path lies: the one with the longest path above it. */
export function railPageAt(groups: readonly ShownGroup[], path: string): ShownPage | undefined {
  const length = (page: ShownPage) => Math.max(...[page, ...page.tabs].map(one => (liesUnder(path, one.path) ? one.path.length : 0)))
  return groups
    .flatMap(group => group.pages)
    .filter(page => length(page) > 0)
    .sort((one, other) => length(other) - length(one))[0]
}

/** The tab that an address shows: of several of one page the one that the address names, else the first. */
export function tabAt(tabs: readonly ShownTab[], path: string, tab: string | undefined): ShownTab | undefined {
  const same = tabs.filter(one => one.path === path)
  return same.find(one => one.tab === tab) ?? same[0]
}
