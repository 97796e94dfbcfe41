/** The rules of the documentation: links lead somewhere, and a decision is named by its number. */
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

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

describe('the judgement of OWASP ASVS', () => {
  const text = readFileSync(join(root, 'docs/security/asvs.md'), 'utf8')
  const rows = [...text.matchAll(/^\| (\d+\.\d+\.\d+) \| ([12]) \| ([^|]+) \| (met|not applicable|not met) \| (.+) \|$/gm)].map(
    ([, number = '', level = '', , verdict = '', where = '']) => ({ number, level, verdict, where }),
  )
  const chapterOf = (number: string) => number.split('.')[0]
  const count = (verdict: string, chapter?: string) =>
    rows.filter(row => row.verdict === verdict && (chapter === undefined || chapterOf(row.number) === chapter)).length

  it('names each of the 253 requirements of levels 1 and 2 once, in their order', () => {
    const numbers = rows.map(row => row.number)
    expect(numbers).toHaveLength(253)
    expect(new Set(numbers).size).toBe(253)
    expect(numbers).toEqual(numbers.toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true })))
    expect(rows.filter(row => row.level === '1')).toHaveLength(70)
  })

  it('has sums that are right', () => {
    const sums = [...text.matchAll(/^\| (?:(\d+) [^|]+|\*\*All\*\*) \| \**(\d+)\** \| \**(\d+)\** \| \**(\d+)\** \| \**(\d+)\** \|$/gm)]
    expect(sums).toHaveLength(18)
    for (const [, chapter, ...figures] of sums) {
      const [met, foreign, open] = ['met', 'not applicable', 'not met'].map(verdict => count(verdict, chapter))
      expect([chapter, ...figures.map(Number)]).toEqual([chapter, (met ?? 0) + (foreign ?? 0) + (open ?? 0), met, foreign, open])
    }
  })

  it('names at its head what is not met', () => {
    const open = rows.filter(row => row.verdict === 'not met').map(row => row.number)
    const head = text.split('\n## ')[0] ?? ''
    expect([...(head.split('not met: ')[1] ?? '').matchAll(/\d+\.\d+\.\d+/g)].map(([number]) => number).toSorted()).toEqual(open.toSorted())
  })

  it('shows what is met by something that exists, and says of the rest what to do or why', () => {
    // A file, a page of the documentation, or a command; some rules are met by the absence of something.
    const bare = rows.filter(row => row.verdict === 'met' && !/`[^`]+`|\]\(/.test(row.where) && !/^There are none$/.test(row.where))
    expect(bare.map(row => row.number)).toEqual([])
    for (const { number, where } of rows.filter(row => row.verdict === 'not met'))
      expect(where, number).toMatch(/To do:|because|operator's/)
  })
})

it('names only files and proofs that exist in the documents about security', () => {
  const missing = ['asvs', 'rules', 'threat-model'].flatMap(name => {
    const text = readFileSync(join(root, `docs/security/${name}.md`), 'utf8')
    const paths = [
      ...text.matchAll(
        /`((?:src|test|scripts|docs|migrations|\.github)(?:\/[\w.-]+)*|[\w.-]+\.(?:json|jsonc|yaml|yml|md|ts)|Dockerfile|\.dockerignore)`/g,
      ),
    ]
    const proofs = [...text.matchAll(/`npm run proof -- ([\w-]+)`/g)].map(match => `test/proof/${match[1]}.proof.ts`)
    return [...paths.map(([, path = '']) => path), ...proofs].filter(path => !existsSync(join(root, path))).map(path => `${name}: ${path}`)
  })
  expect(missing).toEqual([])
})
