/** Where a visitor wanted to go before signing in, kept for this tab only. */

const key = 'wanted'

export const returnTo = {
  remember: (href: string | null): void => {
    if (href === null) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, href)
  },
  /** The remembered path, once; the page of the visitor's role when there is none or it leads to another site. */
  take: (): string => {
    const href = sessionStorage.getItem(key)
    sessionStorage.removeItem(key)
    return href?.startsWith('/') && !href.startsWith('//') ? href : '/login'
  },
}
