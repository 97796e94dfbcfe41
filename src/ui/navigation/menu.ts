/** The menu: what the table offers this visitor. */
import { useMemo } from 'react'
import { useAppConfig } from '#ui/query/app-config.ts'
import { useSession } from '#ui/query/session.ts'
import { offered } from './navigation.ts'
import { navigationContext } from './navigation-context.ts'
import { railOf, registeredRail, type ShownGroup } from './rail.ts'
import { allScreens, type Screen } from './screen.ts'

/** Screens that this visitor may open, in the order of the table. */
export function useOfferedScreens(): readonly Screen[] {
  const session = useSession()
  const conf = useAppConfig()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the conf file decides whether development pages exist
  return useMemo(() => offered(navigationContext(session), allScreens()), [session, conf])
}

/** Whether a link there would lead there: allowed, for this company and from this address. */
export const useIsOffered = (path: string): boolean => useOfferedScreens().some(screen => screen.path === path)

/** The rail of this visitor. */
export function useRail(): readonly ShownGroup[] {
  const open = useOfferedScreens()
  return useMemo(() => railOf(registeredRail(), open), [open])
}
