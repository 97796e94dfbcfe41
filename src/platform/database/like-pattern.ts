/** What a person typed, looked for in texts: in patterns for `like` and `ilike`, `\`, `%` and `_` mean themselves. */
import { sql } from 'kysely'

const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/** Fits every text that holds this one. */
export const containing = (text: string): string => `%${escaped(text.trim())}%`

/** Fits every text that begins with this one. */
export const beginning = (text: string): string => `${escaped(text.trim())}%`

/** After every text that begins with the one before it, in the order of their characters. */
const lastCharacter = '\u{10ffff}'

/**
 * A column whose text begins with this one, by the operators of its index with `text_pattern_ops`: row level security lets these use the
 * index, and a pattern of `like` not.
 */
export const beginsWith = (column: string, text: string) =>
  sql<boolean>`(${sql.ref(column)} ~>=~ ${text} and ${sql.ref(column)} ~<~ ${text + lastCharacter})`
