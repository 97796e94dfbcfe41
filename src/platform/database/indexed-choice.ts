/** Comparing an indexed column with the first of two columns that is known. */

/**
 * `coalesce(one, other)` as `case`. Under row-level security PostgreSQL looks nothing up in an index by `coalesce`, since it does not know that it
 * leaks nothing (`contain_leaked_vars` in its `clauses.c`), and reads all rows of the company instead; of `case` it does.
 */
export const firstKnown = (one: string, other: string): string => `case when ${one} is null then ${other} else ${one} end`
