/** Limits that hold for all processes of this server together: failed sign-ins, calls in a span of time, open streams. */
import { createLoginLimits, createPinLimits, type LoginAttempt } from '#platform/auth/login-limits.ts'

/** Whose stream is open. */
interface StreamOwner {
  operator_id: number
  company_id: number
  user_id: number
}

interface StreamRefusal {
  of: 'user' | 'company'
  limit: number
}

/** One process' way to the limits. Everything that is passed can be sent as JSON. */
export interface SharedLimits {
  /** Counts the attempt as a failure and returns 0; or returns the seconds to wait, and counts nothing. `at` is in milliseconds. */
  beginLogin(attempt: LoginAttempt, at: number): Promise<number>
  /** The attempt has succeeded with this account: its failures are forgotten, and this attempt was none. */
  succeedLogin(attempt: LoginAttempt, account: string): Promise<void>
  /** As for a sign-in: counts a try of a personal PIN as wrong and returns 0, or returns the seconds to wait. */
  beginPin(key: string, at: number): Promise<number>
  succeedPin(key: string): Promise<void>
  /** Counts a call in its span of milliseconds; returns how many it has now, and the milliseconds until the next span. */
  countCall(key: string, span: number): Promise<{ current: number; ttl: number }>
  /** How many calls were counted in the present span. */
  callsNow(key: string): Promise<number>
  /** Counts a stream of this process, or returns which limit refuses it. */
  openStream(owner: StreamOwner): Promise<StreamRefusal | null>
  closeStream(owner: StreamOwner): Promise<void>
  /**
   * Whether one of these users has a stream open, in any process of this server. It does not know streams of another server at the same
   * database, nor whether a person sits at the screen: one that was left open counts, and one whose network broke does until that is noticed.
   */
  isListening(operator_id: number, user_ids: readonly number[]): Promise<boolean>
}

export interface LimitCounters {
  /** The limits for one of the processes. */
  of(process: number): SharedLimits
  /** A process has ended, and its streams with it. */
  forget(process: number): void
}

const streamsOfUser = 20
const streamsOfCompany = 200
/** Bounds the memory that callers from many addresses can fill. */
const mostCalls = 50_000

/** The counters live in the memory of one process, so an attacker cannot fill the database with them. */
export function createLimitCounters(now: () => number = Date.now): LimitCounters {
  const logins = createLoginLimits()
  const pins = createPinLimits()
  const calls = new Map<string, { current: number; until: number }>()
  /** Open streams by process, and in it by user and by company. */
  const streams = new Map<number, Map<string, number>>()

  function countCall(key: string, span: number): { current: number; ttl: number } {
    const at = now()
    const known = calls.get(key)
    const call = known && known.until > at ? known : { current: 0, until: at + span }
    call.current++
    calls.delete(key)
    // The map keeps the order of insertion: its first key was called longest ago.
    for (const oldest of calls.keys()) {
      if (calls.size < mostCalls) break
      calls.delete(oldest)
    }
    calls.set(key, call)
    return { current: call.current, ttl: call.until - at }
  }
  const open = (key: string): number => [...streams.values()].reduce((sum, some) => sum + (some.get(key) ?? 0), 0)
  function add(process: number, owner: StreamOwner, by: 1 | -1): void {
    const some = streams.get(process) ?? new Map<string, number>()
    streams.set(process, some)
    for (const key of [userKey(owner), companyKey(owner)]) {
      const n = (some.get(key) ?? 0) + by
      if (n > 0) some.set(key, n)
      else some.delete(key)
    }
  }

  return {
    of: process => ({
      beginLogin: async (attempt, at) => logins.begin(attempt, new Date(at)),
      succeedLogin: async (attempt, account) => logins.succeed(attempt, account),
      beginPin: async (key, at) => pins.begin(key, new Date(at)),
      succeedPin: async key => pins.succeed(key),
      countCall: async (key, span) => countCall(key, span),
      async callsNow(key) {
        const call = calls.get(key)
        return call && call.until > now() ? call.current : 0
      },
      async openStream(owner) {
        if (open(userKey(owner)) >= streamsOfUser) return { of: 'user', limit: streamsOfUser }
        if (open(companyKey(owner)) >= streamsOfCompany) return { of: 'company', limit: streamsOfCompany }
        add(process, owner, 1)
        return null
      },
      closeStream: async owner => add(process, owner, -1),
      isListening: async (operator_id, user_ids) => user_ids.some(user_id => open(userKey({ operator_id, user_id })) > 0),
    }),
    forget: process => void streams.delete(process),
  }
}

const userKey = ({ operator_id, user_id }: Pick<StreamOwner, 'operator_id' | 'user_id'>): string => `user ${operator_id}/${user_id}`
const companyKey = ({ operator_id, company_id }: StreamOwner): string => `company ${operator_id}/${company_id}`
