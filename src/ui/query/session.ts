/** Who is signed in on this device, and the transitions of section 4 of the specification: sign in, refresh, sign out. */
import { useSyncExternalStore } from 'react'
import { type Access, isAllowed, type Permission, permissionCode } from '#contract/access.ts'
import type { ResponseOutput } from '#contract/endpoint.ts'
import type { Init, SessionUser } from '#contract/session.schemas.ts'
import { session as sessionCalls } from '#contract/session.ts'
import { device } from '#ui/device/device-storage.ts'
import { CallError } from './call-error.ts'
import { onUnauthorized, send } from './calls.ts'
import { startChangeStream, stopChangeStream } from './change-stream.ts'

export interface Session {
  user: SessionUser
  init: Init
  permissions: readonly Permission[]
}

let current: Session | undefined
const watchers = new Set<() => void>()
const endings = new Set<() => void>()

export const currentSession = (): Session | undefined => current
export const useSession = (): Session | undefined => useSyncExternalStore(onSessionChange, currentSession)
/** The session of a screen that is shown to signed-in people only. */
export function useSignedIn(): Session {
  const session = useSession()
  if (!session) throw new Error('This part is for signed-in people only')
  return session
}

export function onSessionChange(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}
/** Called when a session ends, by choice or by refusal. */
export function onSessionEnd(listener: () => void): () => void {
  endings.add(listener)
  return () => void endings.delete(listener)
}

function set(next: Session | undefined): void {
  current = next
  if (next) startChangeStream()
  else stopChangeStream()
  for (const watcher of watchers) watcher()
}

const sessionOf = (user: SessionUser, init: Init): Session => ({
  user,
  init,
  permissions: user.permission.map(permissionCode).filter(code => code !== undefined),
})

/** True when the signed-in person may do this: `const canPin = useMay(access.parcels)`. */
export const useIsAllowed = (access: Access): boolean => {
  const session = useSession()
  return session !== undefined && isAllowed(session.permissions, access)
}

/** Continues the session that this device remembers. Nothing is remembered: no one is signed in. */
export async function resumeSession(): Promise<void> {
  const token = device.read('user-token')
  const user = device.read('user')
  if (token === undefined || user === undefined) {
    forget()
    return
  }
  const stored = device.read('init')
  if (stored) {
    // The shell stands at once; what is asked behind it corrects it.
    set(sessionOf(user, stored))
    void refresh(token)
    return
  }
  await refresh(token)
}

let refreshing = false
/** Asks who we are and what a client must know. A 401 ends the session, and so does a failing init call. */
async function refresh(token: string): Promise<void> {
  refreshing = true
  const [who, init] = await Promise.allSettled([send(sessionCalls.current, {}), send(sessionCalls.init, {})])
  refreshing = false
  if (device.read('user-token') !== token) return
  if (who.status === 'fulfilled' && init.status === 'fulfilled') {
    keep(who.value.user, init.value)
    return
  }
  const gone = [who, init].some(one => one.status === 'rejected' && !isOutage(one.reason))
  // While the server is away a station that was signed in stays so: its next call decides.
  if (gone || !current) end()
}

/** What the person has just saved of the own settings, for this page and the next reload. */
export function changeUser(changes: Partial<Pick<SessionUser, 'locale' | 'start_page' | 'second_factor_by'>>): void {
  if (!current) return
  const user = { ...current.user, ...changes }
  device.write('user', user)
  set(sessionOf(user, current.init))
}

const isOutage = (error: unknown): boolean =>
  error instanceof CallError && (error.status === 408 || error.status === 444 || error.status >= 500)

function keep(user: SessionUser, init: Init): void {
  // Most answers say what the device knew: then nothing is drawn again.
  const same = current !== undefined && JSON.stringify([current.user, current.init]) === JSON.stringify([user, init])
  device.write('user', user)
  device.write('init', init)
  device.write('IP', { public: device.read('IP')?.public ?? '', packing: init.PackingApiIpBind })
  if (!same) set(sessionOf(user, init))
  void send(sessionCalls.publicIp, {}).then(
    ({ ip }) => device.write('IP', { packing: init.PackingApiIpBind, public: ip }),
    () => undefined,
  )
}

/** What a call that signs in answers. */
export type SignedIn = ResponseOutput<typeof sessionCalls.login>

/**
 * Signs in: reads the address of the API, checks the company, asks for user and token by `ask`, then starts the session.
 * @throws {CallError} the sentence to show; nothing is stored then
 */
export async function signIn(ask: () => Promise<SignedIn>, prepare: Prepare): Promise<void> {
  await askApiServer()
  await send(sessionCalls.checkCompany, {})
  await startSession(await ask(), prepare)
}

/** Runs before a session starts: it loads what the first screen needs, such as the language. */
export type Prepare = (user: SessionUser, init: Init) => Promise<void>

/**
 * Starts the session that a call has answered, with the init data.
 * @throws {CallError} the sentence to show; nothing is stored then
 */
export async function startSession({ user, token }: SignedIn, prepare: Prepare): Promise<void> {
  device.write('user-token', token)
  device.write('user', user)
  try {
    const init = await send(sessionCalls.init, {})
    await prepare(user, init)
    keep(user, init)
  } catch (error) {
    forget()
    throw error
  }
}

/** `{origin}/api_server` names the origin of the API, as plain text or JSON. */
async function askApiServer(): Promise<void> {
  let named: string
  try {
    const response = await fetch('/api_server', { signal: AbortSignal.timeout(10_000), cache: 'no-store' })
    if (!response.ok) throw new CallError(response.status)
    named = firstAddress(await response.text())
  } catch (error) {
    throw error instanceof CallError ? error : new CallError(444)
  }
  if (named === '') throw new CallError(400, 'Missing API host')
  // Behind a proxy the server may not know that the page came by HTTPS: the same host is the same origin.
  device.write('api-host', new URL(named).host === location.host ? location.origin : named)
}

const firstAddress = (text: string): string => /https?:\/\/[^\s"',}]+/.exec(text)?.[0] ?? ''

/** Signs out on the server too; the device forgets in any case. */
export async function signOut(): Promise<void> {
  await send(sessionCalls.logout, {}).catch(() => undefined)
  end()
}

function end(): void {
  forget()
  for (const listener of endings) listener()
}

function forget(): void {
  device.logout()
  set(undefined)
}

/** A 401 to any call: ask once who we are; that answer ends the session or keeps it. */
onUnauthorized(token => {
  if (!refreshing && device.read('user-token') === token) void refresh(token)
})

/** Another tab signed out, or signed in as somebody else. */
export function followOtherTabs(): void {
  window.addEventListener('storage', event => {
    if (event.key !== 'user-token' || event.newValue === event.oldValue) return
    if (event.newValue === null) end()
    else location.reload()
  })
}
