/** The suggested code of a new warehouse. */
import { expect, it } from 'vitest'
import { companyCode } from '#contract/fields.schemas.ts'
import { codeFrom } from './setup.rules.ts'

it.each([
  ['Aarhus Lager ApS', 'aarhus-lager-aps'],
  ['Große Müllerei & Söhne', 'grosse-muellerei-soehne'],
  ['Café Åse', 'cafe-aase'],
  ['3PL Nord', 'pl-nord'],
  ['  Kiel  ', 'kiel'],
  ['A very long name of a warehouse indeed', 'a-very-long-name-of-a-warehouse'],
])('makes of %j the code %s', (name, code) => {
  expect(codeFrom(name)).toBe(code)
  expect(companyCode.safeParse(code).success).toBe(true)
})

it('suggests nothing where no character of the name is valid in a code', () => {
  expect(codeFrom('倉庫')).toBe('')
})
