/**
 * A control that cannot be used says why. In the source each `disabled` is the time of a running request; everything else goes with its reason
 * through `disabledBecause` or `MenuAction`, whose types ask for a sentence. `test/journeys/screens.test.ts` looks at what browsers show.
 */
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { expect, it } from 'vitest'

/** Names of a request that is under way; a control whose request it is opens again by itself. */
const running = /^(?:\w+\.)?(?:isPending|busy|pending|looking)$/

/** Where the reason is given in another way. */
const otherwise = new Map([
  ['src/ui/kit/MenuAction.tsx', 'shows the reason below the name'],
  ['src/ui/kit/PhonePrefixInput.tsx', 'passes on what its field got'],
  ['src/ui/kit/table/Grid.tsx', 'old rows stay dimmed while the new ones load'],
  ['src/features/packing/station/station-parts.tsx', 'an answer shows its reason below its words'],
])

/** Everything between a bracket at `from` and the one that closes it. */
function inside(source: string, from: number): string {
  let depth = 0
  for (let at = from; at < source.length; at++) {
    if (source[at] === '{') depth++
    if (source[at] === '}' && --depth === 0) return source.slice(from + 1, at)
  }
  return source.slice(from + 1)
}

/** The name of the element whose opening tag holds the attribute at this place. */
const elementAt = (source: string, at: number): string => source.slice(0, at).match(/<([\w.]+)(?=[\s>])(?!.*<[A-Z])[^<]*$/s)?.[1] ?? ''

/** Expressions that close a control without a reason beside them. */
function unexplained(source: string): string[] {
  const found: string[] = []
  for (const match of source.matchAll(/\s(?:aria-|data-)?disabled(?==\{|[\s/>])(?!\s*[:?=}),;]\s)/g)) {
    // A tooltip that is off hides no deed.
    if (elementAt(source, match.index) === 'Tooltip') continue
    const end = match.index + match[0].length
    const expression = source.startsWith('={', end) ? inside(source, end + 1).trim() : 'always'
    if (!expression.split('||').every(part => running.test(part.trim()))) found.push(expression)
  }
  for (const match of source.matchAll(/\bdisabled: (.+)/g)) found.push(match[1]?.trim() ?? '')
  return found
}

it('sees a control that is closed without a reason', () => {
  expect(unexplained('<Button disabled={!valid} onClick={run}>')).toEqual(['!valid'])
  expect(unexplained('<Button onClick={run} disabled>')).toEqual(['always'])
  expect(unexplained('<Button aria-disabled={printer === null}>')).toEqual(['printer === null'])
  expect(unexplained('data={all.map(one => ({ value: one, disabled: taken.has(one) }))}')).toEqual(['taken.has(one) }))}'])
  expect(unexplained('<Tooltip label={why} disabled={open}><Button disabled={save.isPending || looking}>')).toEqual([])
  expect(unexplained("<Button {...disabledBecause(!valid && t('Enter a name'))} disabled={busy}>")).toEqual([])
})

it('each disabled control says why, or is saving', async () => {
  const silent: string[] = []
  const seen = new Set<string>()
  for await (const found of glob('src/**/*.tsx')) {
    const file = found.replaceAll('\\', '/')
    const without = unexplained(readFileSync(file, 'utf8'))
    if (without.length > 0) seen.add(file)
    if (!otherwise.has(file)) silent.push(...without.map(expression => `${file}: ${expression}`))
  }
  expect(silent).toEqual([])
  expect([...otherwise.keys()].filter(file => !seen.has(file))).toEqual([])
})
