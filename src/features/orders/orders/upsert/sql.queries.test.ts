/** What the statements of storing send arrives as it is. */
import * as fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { arrayLiteral } from './sql.queries.ts'

let client: pg.Client
beforeAll(async () => {
  client = new pg.Client({ connectionString: inject('database') })
  await client.connect()
})
afterAll(() => client.end())

it('an array of texts arrives with every quote, backslash, comma, brace, line break and null', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('', 'NULL', 'null', '"', '\\', '\\"', '{}', ',', ' ', '\n', '[{"a":"\\u0022"}]'),
  )
  // The database stores no text with this character.
  const stored = text.filter(value => !value.includes('\0'))
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(stored), { maxLength: 20 }), async cells => {
      const { rows } = await client.query<{ cells: (string | null)[] }>('select $1::text[] as cells', [arrayLiteral(cells)])
      expect(rows[0]?.cells).toEqual(cells)
    }),
    { numRuns: 300 },
  )
})

it('an array of numbers and of truth values arrives', async () => {
  const { rows } = await client.query('select $1::bigint[]::text as numbers, $2::boolean[]::text as truths', [
    arrayLiteral([1, -2, null, Number.MAX_SAFE_INTEGER]),
    arrayLiteral([true, null, false]),
  ])
  expect(rows).toEqual([{ numbers: `{1,-2,NULL,${Number.MAX_SAFE_INTEGER}}`, truths: '{t,NULL,f}' }])
})
