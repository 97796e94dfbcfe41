/** Ids in a path, as different clients join them. */
import { badRequest } from './errors.ts'

const mostIds = 500

/** Whole numbers joined by commas, by the letter `s`, or by slashes where the route takes the rest of the path. */
export function joinedIds(text: string): number[] {
  const ids = text
    .split(/[,/s\s]/)
    .filter(part => part !== '')
    .map(Number)
  if (ids.length === 0 || ids.length > mostIds || !ids.every(id => Number.isSafeInteger(id) && id > 0))
    throw badRequest('ids_unreadable', 'Ids are whole numbers joined by commas, slashes or the letter s, at most 500')
  return ids
}
