/** Passwords that many people use, as published lists of leaked ones count them. Source of the rule: ASVS 5.0, 6.2.4. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** Twelve hexadecimal digits: among some thousand entries one password in fifty thousand million is taken for another one. */
export const commonPasswordHash = (password: string): string =>
  createHash('sha256').update(password.normalize('NFKC').toLowerCase()).digest('hex').slice(0, 12)

let known: ReadonlySet<string> | undefined

/** Written by `scripts/common-passwords.ts`, one hash a line. */
export function commonPasswords(): ReadonlySet<string> {
  known ??= new Set(
    readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
      .trimEnd()
      .split('\n'),
  )
  return known
}

/** In any case of its letters, and with digits and signs behind it. */
export function isCommonPassword(password: string): boolean {
  const bare = password.normalize('NFKC').replace(/[^\p{L}]+$/u, '')
  return [password, bare].some(one => commonPasswords().has(commonPasswordHash(one)))
}
