/** Each specified call is used by a screen, or docs/integrators.md says what it is for. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import type { Calls } from '#contract/endpoint.ts'
import { specified } from '#test/specified-calls.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const src = `${root}src/`

/** What a browser loads: everything but what runs on the server, and tests. */
const sources = globSync('{features,ui,app}/**/*.{ts,tsx}', { cwd: src })
  .filter(path => !/(\.(test|server|commands|queries|task|thread|fake|contract|schemas)\.tsx?$)|^app[/\\]demo/.test(path))
  .map(path => readFileSync(src + path, 'utf8'))

/** Lines of specified calls, by whether a source of the screens names the call. */
async function callsByUse(): Promise<Map<string, boolean>> {
  const found = new Map<string, boolean>()
  for (const path of globSync(['features/**/*.contract.ts', 'contract/{session,my-settings}.ts'], { cwd: src })) {
    const module: Record<string, unknown> = await import(src + path)
    for (const [name, value] of Object.entries(module)) {
      if (typeof value !== 'object' || value === null) continue
      for (const [key, call] of Object.entries(value as Calls))
        if (specified.includes(call.line))
          found.set(
            call.line,
            sources.some(text => names(text, name).some(one => uses(text, one, key))),
          )
    }
  }
  return found
}

/** What a source calls this contract. */
const names = (text: string, contract: string): string[] =>
  [...text.matchAll(/import \{([^}]*)\} from '[^']*(?:contract|session|my-settings)\.ts'/g)].flatMap(([, list = '']) =>
    list.split(',').flatMap(one => {
      const [name, alias = name] = one.trim().split(' as ')
      return name === contract && alias !== undefined ? [alias] : []
    }),
  )

const uses = (text: string, contract: string, key: string): boolean => new RegExp(`\\b${contract}\\.${key}\\b`).test(text)

const listed = new Set(
  [...readFileSync(`${root}docs/integrators.md`, 'utf8').matchAll(/^\| `((?:GET|POST|PUT|DELETE) [^`]+)` \| ./gm)].map(
    ([, line = '']) => line,
  ),
)

it('each specified call is used by a screen or stands in docs/integrators.md with its use', async () => {
  const calls = await callsByUse()
  expect(specified.filter(line => !calls.has(line))).toEqual([])
  expect([...calls].filter(([line, used]) => !used && !listed.has(line)).map(([line]) => line)).toEqual([])
  expect([...listed].filter(line => calls.get(line) !== false)).toEqual([])
})
