/** The table of routes and the lines that the courier reads are the same thing. */
import { expect, it } from 'vitest'
import { parseRoutes } from '#integrations/couriers/own/routes.ts'
import { noRoute, routeRows, routeText } from './routes.rules.ts'

const text = 'Nørrebro; 2100-2200, 2400; B7; 15:30\nLondon west; SW1*, W1*; C1;'

it('shows each line as a row, and the rows as the same lines again', () => {
  expect(routeRows(text)).toEqual([
    { name: 'Nørrebro', postcodes: '2100-2200, 2400', cage: 'B7', cut_off: '15:30' },
    { name: 'London west', postcodes: 'SW1*, W1*', cage: 'C1', cut_off: '' },
  ])
  expect(routeText(routeRows(text))).toBe(text)
  expect(parseRoutes(routeText(routeRows(text)))).toEqual(parseRoutes(text))
})

it('leaves out rows without anything and keeps a semicolon from making two boxes of one', () => {
  expect(routeText([noRoute, { name: 'A; B', postcodes: '2100', cage: 'X', cut_off: '' }])).toBe('A  B; 2100; X;')
})

it('keeps what it does not understand, so that the courier can refuse it', () => {
  expect(routeText(routeRows('a; b; c; d; e'))).toBe('a; b; c; d  e')
})
