/** What the address bar remembers: filters, sort, page, tab and open record, each checked by a schema. */
import { useRouter, useRouterState } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import type * as z from 'zod'

export type UrlSearch = Record<string, string | readonly string[]>

/** `?state=ready&state=new&q=1` → `{ state: ['ready', 'new'], q: '1' }`: plain text, readable in the address bar. */
export function parseSearch(text: string): UrlSearch {
  const search: Record<string, string | string[]> = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const known = search[name]
    if (known === undefined) search[name] = value
    else if (Array.isArray(known)) known.push(value)
    else search[name] = [known, value]
  }
  return search
}

export function stringifySearch(search: Record<string, unknown>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    if (value === undefined || value === null || value === '') continue
    for (const one of Array.isArray(value) ? value : [value]) query.append(name, String(one))
  }
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}

export const hrefOf = (path: string, search: Record<string, unknown> = {}): string => path + stringifySearch(search)

/** Goes somewhere: `go('/parcels/orders', { id: 7 })`. */
export function useNavigate(): (path: string, search?: Record<string, unknown>, options?: { replace?: boolean }) => void {
  const { history } = useRouter()
  return useCallback(
    (path, search, options) => (options?.replace ? history.replace(hrefOf(path, search)) : history.push(hrefOf(path, search))),
    [history],
  )
}

/** These name a record within the list and leave its page alone. */
const keepsPage = new Set(['page', 'open', 'id'])

type UrlSchema = z.ZodObject
/** Fields of text take any text: the schema reads it back, and one that does not fit reads as the default. */
type Writable<T> = [T] extends [string] ? string : [T] extends [readonly string[]] ? readonly string[] : T
type UrlChange<S extends UrlSchema> = { [K in keyof z.output<S>]?: Writable<z.output<S>[K]> }
export type SetUrl<S extends UrlSchema> = (change: UrlChange<S>, options?: { replace?: boolean }) => void
/** For links to the same screen: what the address says after a change. */
export type UrlWith<S extends UrlSchema> = (change: UrlChange<S>) => Record<string, unknown>

/**
 * State that lives in the address: back, reload and a pasted link restore it.
 * Every field of the schema needs a default; a value that does not fit reads as that default, and a default is left out of the address.
 * Changing anything but the page or the open record goes back to page 1.
 *
 *     const [url, setUrl, urlWith] = useUrlState(z.object({ query: z.string().default(''), page: z.coerce.number().int().min(1).default(1) }))
 *     <Go to="/parcels/orders" search={urlWith({ id: 7 })}>
 */
export function useUrlState<S extends UrlSchema>(schema: S): [z.output<S>, SetUrl<S>, UrlWith<S>] {
  const { history } = useRouter()
  const text = useRouterState({ select: state => state.location.searchStr })
  const value = useMemo(() => readUrl(schema, text), [schema, text])
  const set = useCallback<SetUrl<S>>(
    (change, options) => {
      const search = parseSearch(history.location.search)
      const next: Record<string, unknown> = { ...search, ...change }
      if ('page' in schema.shape && !Object.keys(change).some(name => keepsPage.has(name))) next.page = undefined
      const defaults = readUrl(schema, '')
      for (const name of Object.keys(schema.shape)) if (same(next[name], defaults[name])) next[name] = undefined
      const href = hrefOf(history.location.pathname, next)
      if (options?.replace) history.replace(href)
      else history.push(href)
    },
    [history, schema],
  )
  const link = useCallback<UrlWith<S>>(change => searchAfter(schema, value, change), [schema, value])
  return [value, set, link]
}

/** What the address would say after a change; a default is left out. */
export function searchAfter<S extends UrlSchema>(schema: S, state: z.output<S>, change: UrlChange<S>): Record<string, unknown> {
  const defaults = readUrl(schema, '')
  return Object.fromEntries(Object.entries({ ...state, ...change }).filter(([name, value]) => !same(value, defaults[name])))
}

export function readUrl<S extends UrlSchema>(schema: S, text: string): z.output<S> {
  const search = parseSearch(text)
  const value: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(schema.shape)) {
    const given = field.safeParse(search[name])
    // One value of a list stands alone in the address.
    const listed = given.success || search[name] === undefined ? given : field.safeParse([search[name]])
    value[name] = listed.success ? listed.data : field.safeParse(undefined).data
  }
  return value as z.output<S>
}

const same = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right) || String(left) === String(right)
