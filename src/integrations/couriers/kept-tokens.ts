/** Tokens of accounts in the memory of this process, each found by the credentials that it was given for. */
import { createHash } from 'node:crypto'

/** What a token was given for: host, user, password. */
type Credentials = readonly (string | undefined)[]

export interface KeptTokens {
  of(credentials: Credentials): string | undefined
  keep(credentials: Credentials, token: string, milliseconds: number): void
  forget(credentials: Credentials): void
}

const mostTokens = 1_000

export function keptTokens(): KeptTokens {
  const tokens = new Map<string, { token: string; ends: number }>()
  const keyOf = (credentials: Credentials): string => createHash('sha256').update(JSON.stringify(credentials)).digest('base64')
  return {
    of(credentials) {
      const kept = tokens.get(keyOf(credentials))
      return kept && kept.ends > Date.now() ? kept.token : undefined
    },
    keep(credentials, token, milliseconds) {
      if (tokens.size >= mostTokens) tokens.clear()
      tokens.set(keyOf(credentials), { token, ends: Date.now() + milliseconds })
    },
    forget: credentials => void tokens.delete(keyOf(credentials)),
  }
}
