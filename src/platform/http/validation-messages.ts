/** What a field says when its value does not fit, for readers of an answer instead of a screen: the schema's own sentences stay as they are. */
import type { $ZodRawIssue } from 'zod/v4/core'

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  date: 'a date',
}

/** A sentence about one of Zod's findings, or undefined where the schema has better words. */
export function validationMessage(issue: $ZodRawIssue): string | undefined {
  const { input } = issue
  if (issue.code === 'invalid_type') {
    if (input === undefined) return 'This is missing'
    return `This must be ${kinds[issue.expected] ?? issue.expected}${input === null ? ', not null' : ''}`
  }
  if (issue.code === 'too_small' || issue.code === 'too_big') {
    const least = issue.code === 'too_small'
    const size = Number(least ? issue.minimum : issue.maximum)
    const bound = `at ${least ? 'least' : 'most'} ${size}`
    if (issue.origin === 'string') return least && size === 1 ? 'This is empty' : `This must have ${bound} characters`
    if (issue.origin === 'array' || issue.origin === 'set') return `This must have ${bound} entries`
    return `This must be ${bound}`
  }
  if (issue.code === 'invalid_value') return `This is none of ${issue.values.map(String).join(', ')}`
  if (issue.code === 'unrecognized_keys') return `There is no field ${issue.keys.join(', ')}`
  if (issue.code === 'invalid_format') {
    if (issue.format === 'email') return 'This is not an e-mail address'
    return issue.format === 'url' ? 'This is not a web address' : 'This does not have the right form'
  }
  return undefined
}
