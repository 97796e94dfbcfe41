/** Where a street line ends and its house number starts. */
import { expect, it } from 'vitest'
import { splitStreet } from './split-street.ts'

it.each<[string, string, string, string]>([
  ['Hauptstraße 12', 'Hauptstraße', '12', ''],
  ['Hauptstr. 12a', 'Hauptstr.', '12a', ''],
  ['Hauptstr. 12 a, Hinterhaus', 'Hauptstr.', '12 a', 'Hinterhaus'],
  ['Am Markt 1-3', 'Am Markt', '1-3', ''],
  ['Am Markt 1 - 3', 'Am Markt', '1 - 3', ''],
  ['Hauptstr.5', 'Hauptstr.', '5', ''],
  ['Straße des 17. Juni 135', 'Straße des 17. Juni', '135', ''],
  ['Nørrebrogade 112, 3. tv', 'Nørrebrogade', '112', '3. tv'],
  ['Platz der Republik', 'Platz der Republik', '', ''],
  ['17', '17', '', ''],
  ['Weg A', 'Weg A', '', ''],
  ['', '', '', ''],
])('“%s”', (line, street, house_number, addition) => {
  expect(splitStreet(line)).toEqual({ street, house_number, addition })
})

it('takes linear time', () => {
  const started = performance.now()
  splitStreet(`${'1 '.repeat(50_000)}x`)
  splitStreet('1'.repeat(100_000))
  splitStreet(`${'a'.repeat(100_000)}1`)
  expect(performance.now() - started).toBeLessThan(1_000)
})
