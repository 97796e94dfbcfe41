/** Pagination of lists. */
import * as z from 'zod'

const maxPageSize = 500

/** Pages count from 1, as the specification's page parameters do, with `limit` rows each. */
export const pageQuery = z.object({
  page: z.coerce.number<unknown>().int().min(1).max(1_000_000).default(1),
  limit: z.coerce.number<unknown>().int().min(1).max(maxPageSize).default(50),
})

export const page = <T extends z.ZodType>(row: T) =>
  z.object({
    rows: z.array(row),
    /** Counted to at most `countedTo`; `total_is_more` is true when there are more. */
    total: z.number().int(),
    total_is_more: z.boolean(),
    offset: z.number().int(),
    limit: z.number().int(),
  })

export interface Page<T> {
  rows: T[]
  total: number
  total_is_more: boolean
  offset: number
  limit: number
}

/** Limit of the count: a full count of a million rows is too slow for a request. */
export const countCap = 10_000

export const pageOffset = (query: { page: number; limit: number }): number => (query.page - 1) * query.limit

/** Several values of a filter in a query: repeated, or joined by commas. */
export const listParam = <T extends z.ZodType>(one: T, most = 20) =>
  z
    .preprocess(value => (typeof value === 'string' ? value.split(',').filter(part => part !== '') : value), z.array(one).max(most))
    .optional()
