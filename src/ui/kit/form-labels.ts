/** What a field says when its value does not fit: short sentences for the schema's refusals. */
import type * as z from 'zod'
import { t } from './translate.ts'

/** Sentences that a schema or the server wrote itself are translated as they are. */
export function fieldErrors(schema: z.ZodType, values: unknown): Record<string, string> {
  const errors: Record<string, string> = {}
  const result = schema.safeParse(values, { error: issue => wordsFor(issue as unknown as Issue) })
  for (const issue of result.error?.issues ?? []) {
    const path = issue.path.map(String).join('.')
    errors[path] ??= t(issue.message)
  }
  return errors
}

interface Issue {
  code?: string
  input?: unknown
  origin?: string
  minimum?: number | bigint
  maximum?: number | bigint
  format?: string
  expected?: string
}

function wordsFor(issue: Issue): string | undefined {
  const text = issue.origin === 'string'
  if (issue.code === 'too_small') {
    const count = Number(issue.minimum)
    if (text) return count <= 1 ? t('Fill this in') : t('At least {{count}} characters', { count })
    if (issue.origin === 'array' || issue.origin === 'set')
      return count <= 1 ? t('Select at least one') : t('Select at least {{count}}', { count })
    return t('At least {{number}}', { number: count })
  }
  if (issue.code === 'too_big') {
    const count = Number(issue.maximum)
    if (text) return t('At most {{count}} characters', { count })
    if (issue.origin === 'array' || issue.origin === 'set') return t('Select at most {{count}}', { count })
    return t('At most {{number}}', { number: count })
  }
  if (issue.code === 'invalid_type') {
    if (issue.input === undefined || issue.input === null || issue.input === '' || Number.isNaN(issue.input)) return t('Fill this in')
    if (issue.expected === 'int') return t('A whole number')
    if (issue.expected === 'number') return t('A number')
  }
  if (issue.code === 'invalid_value')
    return issue.input === undefined || issue.input === null || issue.input === '' ? t('Select one') : t('This cannot be chosen')
  if (issue.code === 'invalid_format') {
    if (issue.input === '') return t('Fill this in')
    if (issue.format === 'email') return t('This is not an e-mail address')
    if (issue.format === 'url') return t('This is not a web address')
    return t('This does not have the right form')
  }
  return undefined
}
