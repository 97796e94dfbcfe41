/** The menu: what the table offers this visitor, as groups with their pages. */
import { useMemo } from 'react'
import { useAppConfig } from '#ui/query/app-config.ts'
import { useSession } from '#ui/query/session.ts'
import { offered, screenAt } from './navigation.ts'
import { navigationContext } from './navigation-context.ts'
import { allScreens, type Screen } from './screen.ts'

export interface MenuGroup {
  screen: Screen
  /** Where the group's entry leads. */
  to: string
  /** The group's own page and those under it that this visitor may open. */
  pages: readonly Screen[]
}

function menuOf(open: readonly Screen[], table: readonly Screen[]): readonly MenuGroup[] {
  return table.flatMap(screen => {
    if (screen.parent !== undefined || screen.hidden) return []
    const pages = open.filter(one => one === screen || one.parent === screen.path)
    const [first] = pages
    return first ? [{ screen, to: first.path, pages }] : []
  })
}

/** Screens that this visitor may open, in the order of the table. */
export function useOfferedScreens(): readonly Screen[] {
  const session = useSession()
  const conf = useAppConfig()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the conf file decides whether development pages exist
  return useMemo(() => offered(navigationContext(session), allScreens()), [session, conf])
}

/** Whether a link there would lead there: allowed, for this company and from this address. */
export const useIsOffered = (path: string): boolean => useOfferedScreens().some(screen => screen.path === path)

export function useMenu(): readonly MenuGroup[] {
  const open = useOfferedScreens()
  return useMemo(() => menuOf(open, allScreens()), [open])
}

/** The paths of the screens in which a path lies, from its own to the top of its group. */
export function screenPathsOf(path: string): readonly string[] {
  const table = allScreens()
  const paths: string[] = []
  for (let screen = screenAt(path, table); screen; screen = screen.parent === undefined ? undefined : screenAt(screen.parent, table))
    paths.push(screen.path)
  return paths
}

/** The top of the group in which a path lies. */
export const groupPathOf = (path: string): string | undefined => screenPathsOf(path).at(-1)
