/** Where the plugin of rate limits counts calls: in the limits that all processes share. */
import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type { SharedLimits } from './shared-limits.ts'

/** All routes count in one place: the key of a call names its route. */
export const callCounts = (limits: SharedLimits): FastifyRateLimitStoreCtor =>
  class implements FastifyRateLimitStore {
    incr(key: string, callback: (error: Error | null, count?: { current: number; ttl: number }) => void, span: number): void {
      limits.countCall(key, span).then(count => callback(null, count), callback)
    }
    child(): FastifyRateLimitStore {
      return this
    }
  }

/** Under which the calls of an address are counted. */
export const countedAs = (line: string, ip: string, company: string | undefined): string => `${line} ${ip} ${company}`
