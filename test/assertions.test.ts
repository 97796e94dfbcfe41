/** How often the sources assert to the compiler that a value is there, without a check. The limit only falls. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Code without comments and texts, in which the sign means something else. */
const code = globSync('src/**/*.{ts,tsx}', { cwd: root })
  .filter(path => !/\.(test|fake)\.tsx?$/.test(path))
  .map(path =>
    readFileSync(root + path, 'utf8')
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''")
      .replace(/^\s*\/\/.*$|\s\/\/ .*$/gm, ''),
  )

it('asserts that a value is there in few places', () => {
  const assertions = code.reduce((sum, text) => sum + (text.match(/[\w)\]]!(?!=)/g)?.length ?? 0), 0)
  expect(assertions).toBeLessThanOrEqual(215)
})
