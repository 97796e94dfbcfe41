/** The conf file of the deployment: fetched on every navigation, and a newer version reloads the page when nothing can be lost. */
import { useEffect, useSyncExternalStore } from 'react'
import { isFlag, isText, listOf, objectOf, optional } from '#domain/guards.ts'
import { activateWaitingWorker } from '#ui/device/service-worker.ts'

interface DemoLogin {
  login: string
  password: string
  name: string
  role: string
  company?: string | undefined
}
interface AppConfig {
  version: string
  build: string
  base_domain: string
  demo: boolean
  dev: boolean
  demo_logins: DemoLogin[]
}
/** The conf file leaves out what its deployment has no use for. */
const defaults = { base_domain: 'localhost', demo: false, dev: false, demo_logins: [] }
const isConfFile = objectOf<Omit<AppConfig, keyof typeof defaults> & Partial<AppConfig>>({
  version: isText,
  build: isText,
  base_domain: optional(isText),
  demo: optional(isFlag),
  dev: optional(isFlag),
  demo_logins: optional(
    listOf(objectOf<DemoLogin>({ login: isText, password: isText, name: isText, role: isText, company: optional(isText) })),
  ),
})

interface State {
  conf: AppConfig | undefined
  /** The deployment has another version than this page. */
  newer: boolean
}

let state: State = { conf: undefined, newer: false }
const watchers = new Set<() => void>()
const watch = (watcher: () => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}
function set(next: Partial<State>): void {
  state = { ...state, ...next }
  for (const watcher of watchers) watcher()
}

export const currentAppConfig = (): AppConfig | undefined => state.conf
export const useAppConfig = (): AppConfig | undefined => useSyncExternalStore(watch, () => state.conf)
/** True while the deployment is newer than this page and the page waits for a safe moment. */
export const useNewerVersion = (): boolean => useSyncExternalStore(watch, () => state.newer)

/** Asks for the conf file; a failure changes nothing, since the page can work without it. */
export async function fetchAppConfig(): Promise<void> {
  try {
    const response = await fetch('/conf.json', { cache: 'no-store', signal: AbortSignal.timeout(10_000) })
    if (!response.ok) return
    const read: unknown = await response.json()
    if (!isConfFile(read)) return
    const conf = { ...defaults, ...read }
    set({ conf, newer: differs(conf) })
  } catch {
    // Offline, or not the conf file: the next navigation asks again.
  }
}

const differs = (conf: AppConfig): boolean => !import.meta.env.DEV && (conf.version !== __VERSION__ || conf.build !== __BUILD__)

const holds = new Map<symbol, string>()

/**
 * Forbids reloading while something would be lost: an open packing session, a form with changes, unsent scans.
 * Answers the function that allows it again.
 */
function blockReload(reason: string): () => void {
  const hold = Symbol(reason)
  holds.set(hold, reason)
  set({})
  return () => {
    holds.delete(hold)
    set({})
  }
}

const isReloadSafe = (): boolean => holds.size === 0
/** True while nothing is open that an interruption would disturb. */
export const useNothingOpen = (): boolean => useSyncExternalStore(watch, isReloadSafe)

/** Holds reloading while `active`. */
export function useBlockReload(active: boolean, reason: string): void {
  // The outside system is the page itself, which must not be reloaded meanwhile.
  useEffect(() => (active ? blockReload(reason) : undefined), [active, reason])
}

const reloadedFor = 'reloaded-for'

/**
 * Loads the newer version, at `href` or where we are. Once per version in a tab: when a cache keeps handing out
 * the old page, the banner stays instead of a loop.
 */
export async function reloadIntoNewVersion(href: string = location.href, asked = false): Promise<boolean> {
  const wanted = `${state.conf?.version}+${state.conf?.build}`
  if (!asked && (!isReloadSafe() || sessionStorage.getItem(reloadedFor) === wanted)) return false
  sessionStorage.setItem(reloadedFor, wanted)
  await activateWaitingWorker()
  location.replace(href)
  // The same address with another fragment would not load anything.
  if (href === location.href) location.reload()
  return true
}

/** What every navigation does: ask, and reload there when the version differs and the moment is safe. */
export async function checkVersion(href: string, asked: Promise<void> = fetchAppConfig()): Promise<void> {
  await asked
  if (state.newer) await reloadIntoNewVersion(href)
}
