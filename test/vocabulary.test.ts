/** The vocabulary: names, comments and file names use the standard terms of the trade, not the metaphors of early drafts. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const folders = ['src', 'test', 'bench', 'scripts', 'migrations']
const words = ['house', 'wall', 'door', 'room', 'keeper', 'pulse', 'lane', 'round', 'told', 'tell', 'whoever', 'nobody']

/** Uses that are left in src. Lower it with every renaming; at zero this number and its test go. */
const mostUsesInSource = 836

/** Uses that mean the thing itself. A pattern is removed from the text before the search. */
const allowedUses: { reason: string; pattern: RegExp; files?: RegExp }[] = [
  {
    reason: 'rounds a number',
    pattern: /\bMath\.round\b|\bround\(|\b(roundTo|roundUp|roundDown|roundMoney|halfRound)\w*|\bround (up|down|to|half)\b/g,
  },
  {
    reason: 'the Unix user without rights',
    pattern: /(user|uid|su|runuser|setpriv)[^\n]{0,40}\bnobody\b/g,
    files: /^src\/platform\/postgres\//,
  },
  { reason: 'a wall of a building on a map of the warehouse', pattern: /\bwalls?\b/gi, files: /warehouse-maps|^src\/app\/demo\/floor/ },
  { reason: 'a door code or a door in an address of a recipient', pattern: /\bdoor code\b|\bdoor_code\b|\bto the door\b|\bfront door\b/gi },
  { reason: 'a time as a clock shows it, without a time zone', pattern: /\bwall[ -]?(clock|time)\b|\bWallTime\w*|\bwallTime\w*/g },
  { reason: 'the kind of a principal without a login', pattern: /\bkind: 'nobody'/g, files: /^test\/faults/ },
  { reason: 'the former name that the migration renames', pattern: /\bwall\b/g, files: /^migrations\/0049_/ },
  { reason: 'a sentence that users read, which is a translation key', pattern: /does not tell the two apart|make room there/g },
]

function filesUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && /\.(ts|tsx|mjs|css|sql|html)$/.test(entry.name))
    .map(entry => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort()
}

/** `fooBarBaz foo-bar` → foo, bar, baz, foo, bar; in lower case. */
const wordsOf = (text: string): string[] => (text.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).map(word => word.toLowerCase())

/** Every use of a word of the list, as `file:line word`. */
function usesIn(file: string, text: string): string[] {
  let rest = text
  for (const { pattern, files } of allowedUses)
    if (!files || files.test(file)) rest = rest.replace(pattern, match => match.replace(/\S/g, ' '))
  const inName = wordsOf(file).filter(word => words.includes(word))
  const inText = rest
    .split('\n')
    .flatMap((line, index) => wordsOf(line).flatMap(word => (words.includes(word) ? [`${file}:${index + 1} ${word}`] : [])))
  return [...inName.map(word => `${file} ${word}`), ...inText]
}

const uses = folders
  .flatMap(filesUnder)
  // Applied migrations are history and never change. This file lists the words.
  .filter(file => !(file.startsWith('migrations/') && file < 'migrations/0047') && file !== 'test/vocabulary.test.ts')
  .flatMap(file => usesIn(file, readFileSync(join(root, file), 'utf8')))

describe('the names and comments of the project', () => {
  it('avoid the metaphors of early drafts outside the product', () => {
    expect(uses.filter(use => !use.startsWith('src/'))).toEqual([])
  })

  it('use fewer of them in the product with every change', () => {
    expect(uses.filter(use => use.startsWith('src/')).length).toBeLessThanOrEqual(mostUsesInSource)
  })

  it('are searched as whole words and as parts of camelCase names', () => {
    expect(usesIn('src/warehouse.ts', 'const houseWall = tellAll(around, HTTPDoor)')).toEqual([
      'src/warehouse.ts:1 house',
      'src/warehouse.ts:1 wall',
      'src/warehouse.ts:1 tell',
      'src/warehouse.ts:1 door',
    ])
    expect(usesIn('src/room-state.ts', 'Math.round(value)')).toEqual(['src/room-state.ts room'])
  })
})
