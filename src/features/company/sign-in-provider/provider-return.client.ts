/** The way to the provider and back: what was begun is kept in this tab until the page is loaded again. */

interface Begun {
  challenge_id: string
  /** `link`: a signed-in user connects an account. `prove`: one shows again who they are. */
  purpose: 'sign_in' | 'link' | 'prove'
}

const key = 'provider-login'

/** Leaves the page for the provider. Where somebody proves who they are, the way back leads to the page that asks. */
export function goToProvider({ url, purpose, challenge_id }: Begun & { url: string }): void {
  sessionStorage.setItem(key, [purpose, challenge_id, location.pathname + location.search].join(' '))
  location.assign(url)
}

interface Answer {
  begun: Begun
  query: string
  /** The page from which it began. */
  from: string
}

let taken: Answer | null | undefined

/**
 * What was begun in this tab, with what the provider has added to the address, which is then removed from it. Null where nothing was. It is
 * taken once for each load of the page, because an answer of the provider counts once.
 */
export function takeProviderAnswer(): Answer | null {
  if (taken !== undefined) return taken
  const [said, challenge_id, from = '/'] = sessionStorage.getItem(key)?.split(' ') ?? []
  sessionStorage.removeItem(key)
  const query = location.search.slice(1)
  history.replaceState(history.state, '', location.pathname)
  const purpose = said === 'link' || said === 'prove' ? said : 'sign_in'
  taken = challenge_id && query ? { begun: { challenge_id, purpose }, query, from } : null
  return taken
}
