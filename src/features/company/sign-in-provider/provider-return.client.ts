/** The way to the provider and back: what was begun is kept in this tab until the page is loaded again. */
import * as z from 'zod'

const Begun = z.object({
  challenge_id: z.string(),
  /** `link`: a signed-in user connects an account. */
  purpose: z.enum(['sign_in', 'link']),
})
type Begun = z.infer<typeof Begun>

const key = 'provider-login'

/** Leaves the page for the provider. */
export function goToProvider({ url, ...begun }: Begun & { url: string }): void {
  sessionStorage.setItem(key, JSON.stringify(begun))
  location.assign(url)
}

let taken: { begun: Begun; query: string } | null | undefined

/**
 * What was begun in this tab, with what the provider has added to the address, which is then removed from it. Null where nothing was. It is
 * taken once for each load of the page, because an answer of the provider counts once.
 */
export function takeProviderAnswer(): { begun: Begun; query: string } | null {
  if (taken !== undefined) return taken
  const kept = sessionStorage.getItem(key)
  sessionStorage.removeItem(key)
  const query = location.search.slice(1)
  history.replaceState(history.state, '', location.pathname)
  const begun = Begun.safeParse(kept === null ? null : JSON.parse(kept))
  taken = begun.success && query !== '' ? { begun: begun.data, query } : null
  return taken
}
