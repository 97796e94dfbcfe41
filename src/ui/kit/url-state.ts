/** What the address bar remembers: filters, sort, page, tab and open record, each checked when it is read. */
import { useRouter, useRouterState } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { entriesOf } from '#domain/objects.ts'
import type { UrlFields, UrlValues } from './url-fields.ts'

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

/** A field of text takes any text: one that does not fit is read back as the initial value. */
type Writable<T> = [T] extends [string] ? string : [T] extends [readonly string[]] ? readonly string[] : T
type UrlChange<F extends UrlFields> = { [K in keyof F]?: Writable<UrlValues<F>[K]> }
export type SetUrl<F extends UrlFields> = (change: UrlChange<F>, options?: { replace?: boolean }) => void
/** For links to the same screen: what the address says after a change. */
export type UrlWith<F extends UrlFields> = (change: UrlChange<F>) => Record<string, unknown>

/**
 * State that lives in the address: back, reload and a pasted link restore it.
 * A value that does not fit its field reads as the field's initial value, and an initial value is left out of the address.
 * Changing anything but the page or the open record goes back to page 1.
 *
 *     const View = { query: urlText(), page: urlNumber(1) }
 *     const [url, setUrl, urlWith] = useUrlState(View)
 *     <Go to="/parcels/orders" search={urlWith({ id: 7 })}>
 */
export function useUrlState<F extends UrlFields>(fields: F): [UrlValues<F>, SetUrl<F>, UrlWith<F>] {
  const { history } = useRouter()
  const text = useRouterState({ select: state => state.location.searchStr })
  const value = useMemo(() => readUrl(fields, text), [fields, text])
  const set = useCallback<SetUrl<F>>(
    (change, options) => {
      const search = parseSearch(history.location.search)
      const next: Record<string, unknown> = { ...search, ...change }
      if ('page' in fields && !Object.keys(change).some(name => keepsPage.has(name))) next.page = undefined
      for (const [name, { initial }] of entriesOf(fields)) if (same(next[name], initial)) next[name] = undefined
      const href = hrefOf(history.location.pathname, next)
      if (options?.replace) history.replace(href)
      else history.push(href)
    },
    [history, fields],
  )
  const link = useCallback<UrlWith<F>>(change => searchAfter(fields, value, change), [fields, value])
  return [value, set, link]
}

/** What the address would say after a change; an initial value is left out. */
export function searchAfter<F extends UrlFields>(fields: F, state: UrlValues<F>, change: UrlChange<F>): Record<string, unknown> {
  return Object.fromEntries(Object.entries({ ...state, ...change }).filter(([name, value]) => !same(value, fields[name]?.initial)))
}

export function readUrl<F extends UrlFields>(fields: F, text: string): UrlValues<F> {
  const search = new URLSearchParams(text)
  return Object.fromEntries(
    entriesOf(fields).map(([name, { initial, read }]) => {
      const texts = search.getAll(name)
      return [name, (texts.length > 0 ? read(texts) : undefined) ?? initial]
    }),
  ) as UrlValues<F>
}

const same = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right) || String(left) === String(right)
