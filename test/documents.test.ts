/** The rules of the documentation: links lead somewhere, and a decision is named by its number. */
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))
const documents = globSync('**/*.md', { cwd: root, exclude: ['**/node_modules/**', 'build/**', 'dist/**'] })

it('leads with every link to a file that exists', () => {
  const broken = documents.flatMap(document =>
    [...readFileSync(join(root, document), 'utf8').matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)/g)]
      .filter(([, link = '']) => !existsSync(join(root, dirname(document), link)))
      .map(([, link]) => `${document}: ${link}`),
  )
  expect(documents.length).toBeGreaterThan(20)
  expect(broken).toEqual([])
})

it('numbers the decisions from 1, each number once', () => {
  const numbers = readdirSync(join(root, 'docs/decisions')).map(file => Number(file.slice(0, 4)))
  expect(numbers.toSorted((a, b) => a - b)).toEqual(numbers.map((_, place) => place + 1))
})
