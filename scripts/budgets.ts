/** For the build: it fails where a page makes a device fetch more JavaScript, in packed kilobytes, than it may. */
import { gzipSync } from 'node:zlib'
import type { Plugin, Rolldown } from 'vite'

/**
 * By the file of a page: what it needs at once, and what that may come to with any one screen or part which opens in it. The screens
 * that are opened most have their own limits, by the name of their part.
 */
export type Budgets = Record<string, { first: number; opened: number; screens?: Readonly<Record<string, number>> }>

export function budgets(limits: Budgets): Plugin {
  return {
    name: 'budgets',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      const chunks = new Map(Object.values(bundle).flatMap(one => (one.type === 'chunk' ? [[one.fileName, one]] : [])))
      const sizes = new Map([...chunks].map(([file, { code }]) => [file, gzipSync(code).length / 1_000]))
      const walk = (files: readonly string[], next: (chunk: Rolldown.OutputChunk) => readonly string[]) => {
        const met = new Set(files)
        // A set is walked to its end, also when it grows meanwhile.
        for (const file of met) for (const one of next(chunks.get(file) as Rolldown.OutputChunk)) met.add(one)
        return [...met]
      }
      const allow = (most: number, what: string, ...files: string[]) => {
        const size = walk(files, one => one.imports).reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0)
        if (size > most) this.error(`${what} comes to ${size.toFixed(1)} kB of JavaScript, packed: at most ${most} kB are allowed.`)
      }
      for (const [page, { first, opened, screens = {} }] of Object.entries(limits)) {
        const html = bundle[page]
        if (html?.type !== 'asset') return this.error(`There is no page ${page}.`)
        const scripts = [...html.source.toString().matchAll(/<script[^>]* src="\/([^"]+)"/g)].map(([, file = '']) => file)
        allow(first, page, ...scripts)
        const missing = new Set(Object.keys(screens))
        for (const file of walk(scripts, one => [...one.imports, ...one.dynamicImports]))
          for (const part of chunks.get(file)?.dynamicImports ?? []) {
            const name = chunks.get(part)?.name ?? part
            missing.delete(name)
            allow(screens[name] ?? opened, `${page} with ${name}`, ...scripts, part)
          }
        if (missing.size > 0) this.error(`${page} has no part ${[...missing].join(', ')}, for which there is a limit.`)
      }
    },
  }
}
