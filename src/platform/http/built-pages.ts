/** The pages of the build as text: which of their addresses depend on the question, and which style sheets they load. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

export const builtScreens = fileURLToPath(new URL('../../../dist/web/', import.meta.url))

/** A page as it was built; null where it was not. It is read anew each time: a new build is served without a restart. */
async function builtPage(file: string): Promise<string | null> {
  return readFile(builtScreens + file, 'utf8').catch(() => null)
}

/** The style sheets of a page. */
export async function stylesOfPage(file: string): Promise<string[]> {
  const links = (await builtPage(file))?.match(/<link\b[^>]*\brel="stylesheet"[^>]*>/g) ?? []
  return links.flatMap(link => /\bhref="([^"]+)"/.exec(link)?.[1] ?? [])
}

/** Where the portal's page leads browsers without scripts, until it is known for which company. */
const formPlace = '/rma-landing-page/form'

/** The page of the return portal, which leads browsers without scripts to the forms of this company with the shop and language that were asked for. */
export async function portalPageWithForm(file: string, company: string, query: URLSearchParams): Promise<string | null> {
  const kept = new URLSearchParams(['shop', 'lang'].flatMap(name => (query.has(name) ? [[name, query.get(name) ?? '']] : [])))
  const address = `/api/${company}/returns/portal/form${kept.size === 0 ? '' : `?${kept}`}`
  return (await builtPage(file))?.replaceAll(formPlace, address.replaceAll('&', '&amp;')) ?? null
}
