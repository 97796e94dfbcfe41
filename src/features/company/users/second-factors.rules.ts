/** Rules for second factors: who needs one, and how recovery codes are written. */
import type { Permission } from '#contract/access.ts'
import { deviceCodes } from '#contract/device-accounts.ts'
import type { SecondFactorPolicy } from './second-factors.codes.ts'

/** Accounts with nothing else stand at shared devices, which have no app of one person; they open no setting and no address list. */
const floor: readonly Permission[] = deviceCodes

/** Whether a company asks a user with these permissions for a second factor. */
export function needsSecondFactor(policy: SecondFactorPolicy, permissions: readonly Permission[]): boolean {
  if (policy === 'everyone') return permissions.some(code => !floor.includes(code))
  return policy === 'admins' && permissions.some(code => code === 'admin' || code === 'users_admin' || code === 'personal_admin')
}

/** Until when a person may sign in without a second factor: some days after the company began to ask, or after the person joined. */
export function graceEnd({ since, joined, days }: { since: string | null; joined: string; days: number }): string {
  const begun = since === null ? 0 : Date.parse(since)
  const from = days === 0 ? begun : Math.max(begun, Date.parse(joined))
  return new Date(from + days * 86_400_000).toISOString()
}

/** Whole days until then; 0 on the last one. */
export const daysLeft = (until: string, now: number): number => Math.max(0, Math.floor((Date.parse(until) - now) / 86_400_000))

/** Crockford's letters: none of them looks like another one. */
export const recoveryLetters = '0123456789abcdefghjkmnpqrstvwxyz'
/**
 * 24 letters of five bits each. Who has the database can try as many as they like, so that a fast hash asks for 112 bits at least: OWASP ASVS 5.0,
 * 6.5.2.
 */
export const recoveryLength = 24
/** Codes that were made before; they work until their user makes new ones. */
const earlierLength = 10

/** A recovery code as it is stored: what people write differently is the same; null when it cannot be one. */
export function readRecoveryCode(typed: string): string | null {
  const read = typed.toLowerCase().replace(/[\s-]/g, '').replace(/o/g, '0').replace(/[il]/g, '1')
  const isLong = read.length === recoveryLength || read.length === earlierLength
  return isLong && [...read].every(letter => recoveryLetters.includes(letter)) ? read : null
}

/** As it is shown: groups of four. */
export const showRecoveryCode = (code: string): string => (code.match(/.{1,4}/g) ?? []).join('-')
