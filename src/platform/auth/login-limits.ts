/** Limits on failed sign-ins: by account, by address and by block of addresses, with a delay that grows with each failure. */
import { isIPv6 } from 'node:net'

/** Failures without delay, and the longest delay in seconds. */
interface Limit {
  free: number
  longest: number
}
const accountLimit: Limit = { free: 10, longest: 900 }
const addressLimit: Limit = { free: 30, longest: 900 }
const blockLimit: Limit = { free: 100, longest: 900 }
/** At an address from which users sign in, guesses are slowed down, but a new colleague is not kept out. */
const usedAddressLimit: Limit = { free: 30, longest: 5 }
/** Seconds of the first delay; each further failure doubles it. */
const firstDelay = 15
/** Milliseconds after which failures are forgotten; longer than any delay. */
const memory = 3_600_000
/** Bounds the memory that an attacker with many names can fill. */
const mostCounters = 50_000

export interface LoginAttempt {
  /** Keys of the accounts that the typed login may mean; for a name that is unknown, one key of the name. */
  accounts: readonly string[]
  address: string
  /** Accounts that have signed in from this address before. */
  familiar: readonly string[]
  /** True when anyone has signed in from this address lately. */
  addressInUse: boolean
}

export interface LoginLimits {
  /** Counts the attempt as a failure and returns 0; or returns the seconds to wait, and counts nothing. */
  begin(attempt: LoginAttempt, at: Date): number
  /** The attempt has succeeded with this account: its failures are forgotten, and this attempt was none. */
  succeed(attempt: LoginAttempt, account: string): void
}

/** Failures by key, in the memory of one process. */
function createFailureCounters() {
  const counters = new Map<string, { failures: number; last: number }>()

  function delayOf(key: string, { free, longest }: Limit, at: number): number {
    const counter = counters.get(key)
    if (!counter || counter.last + memory <= at || counter.failures < free) return 0
    const delay = Math.min(longest, firstDelay * 2 ** Math.min(20, counter.failures - free))
    return Math.max(0, Math.ceil((counter.last + delay * 1_000 - at) / 1_000))
  }
  function count(key: string, at: number): void {
    const counter = counters.get(key)
    const failures = counter && counter.last + memory > at ? counter.failures : 0
    counters.delete(key)
    // The map keeps the order of insertion: its first key has failed longest ago.
    for (const oldest of counters.keys()) {
      if (counters.size < mostCounters) break
      counters.delete(oldest)
    }
    counters.set(key, { failures: failures + 1, last: at })
  }
  function uncount(key: string): void {
    const counter = counters.get(key)
    if (counter) counter.failures--
  }
  return { delayOf, count, uncount, forget: (key: string) => void counters.delete(key) }
}

/** Personal PINs have four digits at least: after five wrong ones each further try waits, twice as long every time. */
const pinLimit: Limit = { free: 5, longest: 1_800 }

export interface PinLimits {
  /** Counts the try as wrong and returns 0; or returns the seconds to wait, and counts nothing. */
  begin(key: string, at: Date): number
  succeed(key: string): void
}

export function createPinLimits(): PinLimits {
  const { delayOf, count, forget } = createFailureCounters()
  return {
    begin(key, at) {
      const delay = delayOf(key, pinLimit, at.getTime())
      if (delay === 0) count(key, at.getTime())
      return delay
    },
    succeed: forget,
  }
}

export function createLoginLimits(): LoginLimits {
  const { delayOf, count, uncount, forget } = createFailureCounters()
  return {
    begin(attempt, at) {
      const limits = limitsOf(attempt)
      const delay = Math.max(0, ...limits.map(([key, limit]) => delayOf(key, limit, at.getTime())))
      if (delay === 0) for (const [key] of limits) count(key, at.getTime())
      return delay
    },
    succeed(attempt, account) {
      for (const [key] of limitsOf(attempt)) uncount(key)
      forget(accountKey(attempt, account))
    },
  }
}

/** An account is counted apart where it is familiar, so that failures elsewhere do not keep its owner out. */
const accountKey = ({ familiar, address }: LoginAttempt, account: string): string =>
  familiar.includes(account) ? `account ${account} at ${address}` : `account ${account}`

function limitsOf(attempt: LoginAttempt): [key: string, limit: Limit][] {
  const { accounts, address, familiar, addressInUse } = attempt
  const limits: [string, Limit][] = accounts.map(account => [accountKey(attempt, account), accountLimit])
  if (familiar.length > 0) return limits
  limits.push([`address ${address}`, addressInUse ? usedAddressLimit : addressLimit])
  if (!addressInUse) limits.push([`block ${blockOf(address)}`, blockLimit])
  return limits
}

/** The network that one customer of a provider can change addresses in: /24 of IPv4, /48 of IPv6. */
export function blockOf(address: string): string {
  if (!isIPv6(address)) return address.split('.').slice(0, 3).join('.')
  const [head = '', tail] = address.split('%', 1)[0]?.split('::') ?? []
  const groups = head === '' ? [] : head.split(':')
  if (tail !== undefined) while (groups.length < 3 && groups.length + tail.split(':').filter(Boolean).length < 8) groups.push('0')
  return [...groups, ...(tail ?? '').split(':')]
    .slice(0, 3)
    .map(group => Number.parseInt(group || '0', 16).toString(16))
    .join(':')
}
