/** For the build: the tracking page brings its own words, one small chunk a language, and nothing of the staff's application. */
import { readFile } from 'node:fs/promises'
import type { Plugin } from 'vite'
import type { pageSentences } from '../src/features/shipping/tracking/page/tracking-page.labels.ts'
import type { trackingSentences } from '../src/features/shipping/tracking/tracking.rules.ts'

const asked = 'virtual:tracking-words/'
/** The chunk is named after what follows the last slash. */
const packed = `${asked}tracking-`
const root = new URL('../', import.meta.url)

/** Loaded when they are needed: the configuration itself must not depend on the sources. */
async function sentencesOfPage(): Promise<string[]> {
  const page = (await import(new URL('src/features/shipping/tracking/page/tracking-page.labels.ts', root).href)) as {
    pageSentences: typeof pageSentences
  }
  const rules = (await import(new URL('src/features/shipping/tracking/tracking.rules.ts', root).href)) as {
    trackingSentences: typeof trackingSentences
  }
  return [...page.pageSentences, ...rules.trackingSentences]
}

export const trackingPage = (): Plugin[] => [
  {
    name: 'tracking-words',
    resolveId: id => (id.startsWith(asked) ? packed + id.slice(asked.length) : undefined),
    async load(id) {
      if (!id.startsWith(packed)) return undefined
      const book = JSON.parse(await readFile(new URL(`translations/${id.slice(packed.length)}.json`, root), 'utf8')) as Record<
        string,
        string
      >
      const words = Object.fromEntries((await sentencesOfPage()).flatMap(sentence => (book[sentence] ? [[sentence, book[sentence]]] : [])))
      return `export const words = ${JSON.stringify(words)}`
    },
  },
  {
    name: 'tracking-alone',
    enforce: 'post',
    // A recipient must not be asked to install the warehouse's application.
    transformIndexHtml: {
      order: 'post',
      handler: (html, { path }) => (path === '/tracking.html' ? html.replace(/\s*<link rel="manifest"[^>]*>/, '') : html),
    },
  },
]
