/** The vocabulary: names, comments and file names use the standard terms of the trade, not the metaphors of early drafts. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const folders = ['src', 'test', 'bench', 'scripts', 'migrations']
const words = ['house', 'wall', 'door', 'room', 'keeper', 'pulse', 'lane', 'round', 'told', 'tell', 'whoever', 'nobody']

/** Uses that mean the thing itself. A pattern is removed from the text before the search. */
const allowedUses: { reason: string; pattern: RegExp; files?: RegExp }[] = [
  { reason: 'the number of a house in an address', pattern: /house[_ ]?number/gi },
  {
    reason: 'rounds a number',
    pattern: /\bMath\.round\b|\bround\(|\b(roundTo|roundUp|roundDown|roundMoney|halfRound)\w*|\bround (up|down|to|half)\b/g,
  },
  {
    reason: 'the Unix user without rights',
    pattern: /(user|uid|su|runuser|setpriv|postgres)[^\n]{0,40}\bnobody\b/g,
    files: /^(src\/platform\/postgres|test\/operations)\//,
  },
  { reason: 'a wall of a building on a map of the warehouse', pattern: /\bwalls?\b/gi, files: /warehouse-maps|^src\/app\/demo\/floor/ },
  { reason: 'a door code or a door in an address of a recipient', pattern: /\bdoor code\b|door_code\b|\bto the door\b|\bfront door\b/gi },
  { reason: 'a field as a courier names it', pattern: /\boutsideDoor\b/g, files: /couriers\/budbee\// },
  { reason: 'a time as a clock shows it, without a time zone', pattern: /\bwall[ -]?(clock|time)\b|\bWallTime\w*|\bwallTime\w*/g },
  { reason: 'the former name that the migration renames', pattern: /\bwall\b/g, files: /^migrations\/0049_/ },
  { reason: 'the time that a message takes to a server and back', pattern: /\bround[ -]trips?\b/g },
  {
    reason: 'the shape of the ends and corners of a drawn line',
    pattern: /(linecap|linejoin|Linecap|Linejoin)="round"|stroke-line\w+: round/g,
  },
  { reason: 'the number of a building in an address', pattern: /(?<![a-z])house[ _]?numbers?\b/gi },
  {
    reason: 'a column of a file as a marketplace names it',
    pattern: /\bHouse Name or Number\b|\brecipient_house_no\b|\b(?:bill|delivery)HouseNumber\b|\b(?:Customer|Delivery)HouseNo\b/g,
    files: /shop-files-/,
  },
  { reason: 'DHL’s name of a field', pattern: /\baddressHouse\b/g, files: /couriers\/dhl_de/ },
  { reason: 'a function of SQL', pattern: /\bround \(/g, files: /\.queries\.ts$/ },
  { reason: 'the recorded name of the first migration', pattern: /0001_the_house_stands/g },
  { reason: 'former names that must not exist in a migrated database', pattern: /'wall\|scope_'/g, files: /migrate\.test/ },
  {
    reason: 'goods, streets and notes of the demo',
    pattern: /\bWall clock\w*|\bMill Lane\b|\bback door\b/g,
    files: /^src\/app\/demo\/|orders\.test/,
  },
  { reason: 'a search word in small and capital letters', pattern: /nobody-knows-this/gi, files: /orders\.test/ },
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
  for (const sentence of sentences) rest = rest.replace(sentence, '')
  const inName = wordsOf(file).filter(word => words.includes(word))
  const inText = rest
    .split('\n')
    .flatMap((line, index) => wordsOf(line).flatMap(word => (words.includes(word) ? [`${file}:${index + 1} ${word}`] : [])))
  return [...inName.map(word => `${file} ${word}`), ...inText]
}

/** Sentences that users read follow the rules of the copy; their text is the key of their translation. */
const sentences = Object.keys(JSON.parse(readFileSync(join(root, 'translations/en_GB.json'), 'utf8')) as Record<string, string>)
  .filter(sentence => wordsOf(sentence).some(word => words.includes(word)))
  .toSorted((a, b) => b.length - a.length)
  // A test writes values where the sentence has a name in braces, and a plural has one key for each form.
  .map(
    sentence => new RegExp(RegExp.escape(sentence.replace(/_(one|other)$/, '')).replaceAll(/\\\{\\\{\w+\\\}\\\}/g, '[^\\n]{1,60}?'), 'g'),
  )

const uses = folders
  .flatMap(filesUnder)
  // Applied migrations are history and never change. This file lists the words.
  .filter(file => !(file.startsWith('migrations/') && file < 'migrations/0047') && file !== 'test/vocabulary.test.ts')
  .flatMap(file => usesIn(file, readFileSync(join(root, file), 'utf8')))

describe('the names and comments of the project', () => {
  it('avoid the metaphors of early drafts', () => {
    expect(uses).toEqual([])
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
