/** An empty list says what comes next: each has a button. */
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { expect, it } from 'vitest'

/** Where nothing is the best there can be, or where what to do stands right above the list. */
const withoutButton = new Set([
  'Nothing needs action',
  'No activity in this period',
  'Nothing was asked for yet',
  'No imports yet',
  'No deviating basket',
  'Nothing to decide',
  'No shifts are published yet',
  'Nothing read or reported yet',
  'Nothing delivered yet',
  // The postcode stands right above.
  'No parcel shop is near',
  'No hours in this period',
  'No pay in this period',
  'No numbers in this period',
  // A station, a weighing, a parcel, a day or a view appears by work at another place.
  'No parcels wait',
  'No station yet',
  'No locker is free there today',
  'No parcel was weighed yet',
  'No video is kept',
  'No videos yet',
  'No one has seen a video yet',
  // Public pages have nowhere to lead to.
  'This link does not work',
  'The video is being prepared',
  'E-mail preview',
])

/** From `<EmptyList` to the end of its opening tag. */
function openingTag(source: string, at: number): string {
  let depth = 0
  for (let i = at; i < source.length; i++) {
    if (source[i] === '{') depth++
    if (source[i] === '}') depth--
    if (source[i] === '>' && depth === 0) return source.slice(at, i)
  }
  return source.slice(at)
}

it('every empty list has its button', async () => {
  const without: string[] = []
  for await (const file of glob('src/features/**/*.tsx')) {
    const source = readFileSync(file, 'utf8')
    for (const { index } of source.matchAll(/<EmptyList\b/g)) {
      const tag = openingTag(source, index)
      const title = tag.match(/title=\{t\('([^']+)'/)?.[1] ?? ''
      if (!/\baction[=:]/.test(tag) && !withoutButton.has(title)) without.push(`${file}: ${title}`)
    }
  }
  expect(without).toEqual([])
})
