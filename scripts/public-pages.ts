/** For the build: each public page brings its own words, one small chunk a language, and nothing of the staff's application. */
import { readFile } from 'node:fs/promises'
import type { Plugin } from 'vite'
import type { answerSentencesOfPage } from '../src/features/messages/decision-links/decision-links.rules.ts'
import type { answerPageSentences } from '../src/features/messages/decision-links/page/answer-page.labels.ts'
import type { portalPageSentences } from '../src/features/returns/portal/page/portal-page.labels.ts'
import type { portalSentences } from '../src/features/returns/portal/portal.rules.ts'
import type { pageSentences } from '../src/features/shipping/tracking/page/tracking-page.labels.ts'
import type { trackingSentences } from '../src/features/shipping/tracking/tracking.rules.ts'

const root = new URL('../', import.meta.url)
const load = async <T>(path: string): Promise<T> => (await import(new URL(path, root).href)) as T

/** Loaded when they are needed: the configuration itself must not depend on the sources. */
const sentencesOf: Readonly<Record<string, () => Promise<readonly string[]>>> = {
  async tracking() {
    const page = await load<{ pageSentences: typeof pageSentences }>('src/features/shipping/tracking/page/tracking-page.labels.ts')
    const rules = await load<{ trackingSentences: typeof trackingSentences }>('src/features/shipping/tracking/tracking.rules.ts')
    return [...page.pageSentences, ...rules.trackingSentences]
  },
  async 'return-portal'() {
    const page = await load<{ portalPageSentences: typeof portalPageSentences }>('src/features/returns/portal/page/portal-page.labels.ts')
    const rules = await load<{ portalSentences: typeof portalSentences }>('src/features/returns/portal/portal.rules.ts')
    return [...page.portalPageSentences, ...rules.portalSentences]
  },
  async answer() {
    const pages = 'src/features/messages/decision-links/'
    const page = await load<{ answerPageSentences: typeof answerPageSentences }>(`${pages}page/answer-page.labels.ts`)
    const rules = await load<{ answerSentencesOfPage: typeof answerSentencesOfPage }>(`${pages}decision-links.rules.ts`)
    return [...page.answerPageSentences, ...rules.answerSentencesOfPage]
  },
}

const wordsOf = (page: string, sentences: () => Promise<readonly string[]>): Plugin => {
  const asked = `virtual:${page}-words/`
  /** The chunk is named after what follows the last slash. */
  const packed = `${asked}${page}-`
  return {
    name: `${page}-words`,
    resolveId: id => (id.startsWith(asked) ? packed + id.slice(asked.length) : undefined),
    async load(id) {
      if (!id.startsWith(packed)) return undefined
      const book = JSON.parse(await readFile(new URL(`translations/${id.slice(packed.length)}.json`, root), 'utf8')) as Record<
        string,
        string
      >
      const words = Object.fromEntries((await sentences()).flatMap(sentence => (book[sentence] ? [[sentence, book[sentence]]] : [])))
      return `export const words = ${JSON.stringify(words)}`
    },
  }
}

export const publicPages = (): Plugin[] => [
  ...Object.entries(sentencesOf).map(([page, sentences]) => wordsOf(page, sentences)),
  {
    name: 'public-pages-alone',
    enforce: 'post',
    // A customer must not be asked to install the warehouse's application.
    transformIndexHtml: {
      order: 'post',
      handler: (html, { path }) => (path === '/index.html' ? html : html.replace(/\s*<link rel="manifest"[^>]*>/, '')),
    },
  },
]
