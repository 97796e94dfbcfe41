/** Which company a host name or a path names, and whether an address lies inside the warehouse. */
import { RE2JS } from 're2js'
import { createCache } from '#platform/caches/caches.ts'

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * The company's code in a Host header, '' for the bare base domain, or null for anything else: foreign domains, several
 * names, user parts, addresses. Lower-cased, one port and one trailing dot allowed.
 */
export function companyOfHost(host: string | undefined, baseDomain: string): string | null {
  if (!host || host.length > 255) return null
  const name = /^([a-z0-9.-]+?)\.?(?::\d{1,5})?$/i.exec(host)?.[1]?.toLowerCase()
  if (!name) return null
  if (name === baseDomain) return ''
  if (!name.endsWith(`.${baseDomain}`)) return null
  const first = name.slice(0, -baseDomain.length - 1)
  return label.test(first) ? first : null
}

/** This computer's own names, which every client resolves; many do not resolve `<company>.localhost`. */
export const isLoopbackHost = (host: string | undefined): boolean => /^(?:127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?$/i.test(host ?? '')

/** The company's code in a path, or '' for text that cannot be one. */
export const companyOfPath = (text: string | undefined): string => (text !== undefined && label.test(text) ? text : '')

/** Linear-time, so that no tenant's pattern can hold the server; null when it is no pattern of that kind. */
export function compileSafeRegExp(source: string): { matches(text: string): boolean } | null {
  if (source === '' || source.length > 200) return null
  try {
    const compiled = RE2JS.compile(source)
    return { matches: text => text.length <= 4_096 && compiled.matches(text) }
  } catch {
    return null
  }
}

const patterns = createCache<string, ReturnType<typeof compileSafeRegExp>>('addresses', { most: 1_000, bytesOf: () => compiledBytes })
/** About what a compiled pattern of usual length takes. */
const compiledBytes = 4_000

/** Matched whole, never in part: `10.0.0.1` does not let `110.0.0.12` in. An empty or broken pattern lets no one in. */
export function addressMatches(source: string, ip: string): boolean {
  let known = patterns.get(source)
  if (known === undefined) {
    known = compileSafeRegExp(source)
    patterns.set(source, known)
  }
  return known?.matches(normalizeAddress(ip)) ?? false
}

/** IPv4 inside IPv6 is IPv4: what a dual-stack socket reports. */
export const normalizeAddress = (ip: string): string => (/^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(ip) ? ip.slice(7) : ip)
