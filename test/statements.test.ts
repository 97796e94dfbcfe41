/** What statements must not do to their indexes. */
import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

it('no id is compared with coalesce, which finds no index under row-level security: firstKnown does', () => {
  // What is set is not compared.
  const compared = /(?<!\bset )\bid\b['"]?(?:, '=', sql(?:<[^>]*>)?`|\s*=\s*)coalesce\(/
  const found = globSync('src/**/*.ts').flatMap(file =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, at) => (compared.test(line.replaceAll(/\b\w+_id\b/g, 'id')) ? [`${file}:${at + 1}`] : [])),
  )
  expect(found).toEqual([])
})
