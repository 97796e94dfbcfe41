/** The visitor as the navigation rules see one: the session, the device and the conf file in six facts. */
import { currentAppConfig } from '#ui/query/app-config.ts'
import { currentSession, type Session } from '#ui/query/session.ts'
import type { NavigationContext } from './navigation.ts'

/** A Raspberry Pi's browser names an ARM Linux that is not a phone. */
const raspberry = (agent: string): boolean => /Linux (arm|aarch64)/.test(agent) && !/Android/.test(agent)

export const navigationContext = (session: Session | undefined = currentSession()): NavigationContext => ({
  signedIn: session !== undefined,
  permissions: session?.permissions ?? [],
  main: session?.user.is_main_company ?? false,
  ipMatches: session?.init.packing_ip_matches ?? false,
  startPage: session?.user.start_page,
  raspberry: raspberry(navigator.userAgent),
  dev: import.meta.env.DEV || (currentAppConfig()?.dev ?? false),
  bare: isBare(location.hostname, currentAppConfig()?.base_domain),
})

/** Until the conf file has come, a name without a dot belongs to no company. */
const isBare = (host: string, base: string | undefined): boolean => (base === undefined ? !host.includes('.') : host === base)
