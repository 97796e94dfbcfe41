/** Parsing of routes, and which route covers a postcode. */

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseRoutes, routeFor } from './routes.ts'

const written = `Nørrebro; 2100-2200, 2400; B7; 15:30

Malmö;20000..21999;C1;9:05
London west;SW1*, W1*;D 2;`

describe('routes', () => {
  it('are parsed one per line', () => {
    expect(parseRoutes(written)).toEqual({
      errors: [],
      routes: [
        {
          name: 'Nørrebro',
          cage: 'B7',
          cut_off: '15:30',
          postcodes: [
            { from: '2100', to: '2200' },
            { from: '2400', to: '2400' },
          ],
        },
        { name: 'Malmö', cage: 'C1', cut_off: '09:05', postcodes: [{ from: '20000', to: '21999' }] },
        { name: 'London west', cage: 'D 2', cut_off: null, postcodes: [{ prefix: 'SW1' }, { prefix: 'W1' }] },
      ],
    })
    expect(parseRoutes('')).toEqual({ routes: [], errors: [] })
  })

  it.each([
    ['2100', 'Nørrebro'],
    ['DK-2150', 'Nørrebro'],
    ['2200', 'Nørrebro'],
    ['2201', undefined],
    ['2400', 'Nørrebro'],
    ['211 22', 'Malmö'],
    ['sw1a 1aa', 'London west'],
    ['W2 1AA', undefined],
    ['', undefined],
    ['215', undefined],
  ])('take the postcode %j to %s', (postcode, name) => {
    expect(routeFor(postcode, parseRoutes(written).routes)?.name).toBe(name)
  })

  it.each([
    ['Nørrebro', 'Line {{line}}: write name; postcodes; cage; cut-off', {}],
    ['a;2100;b;15:30;more', 'Line {{line}}: write name; postcodes; cage; cut-off', {}],
    ['a;,;b;', 'Line {{line}}: write name; postcodes; cage; cut-off', {}],
    [';2100;B7;15:30', 'Line {{line}}: the route has no name', {}],
    ['a;2100;;15:30', 'Line {{line}}: the route has no cage', {}],
    ['a;2100;B7;25:00', 'Line {{line}}: {{cut_off}} is not a time of day such as 15:30', { cut_off: '25:00' }],
    ['a;2100;B7;half four', 'Line {{line}}: {{cut_off}} is not a time of day such as 15:30', { cut_off: 'half four' }],
    ['a;21x0-2200;B7;', 'Line {{line}}: {{postcodes}} is neither a postcode nor a range of postcodes', { postcodes: '21x0-2200' }],
    ['a;2100-230;B7;', 'Line {{line}}: {{postcodes}} is neither a postcode nor a range of postcodes', { postcodes: '2100-230' }],
    ['a;town;B7;', 'Line {{line}}: {{postcodes}} is neither a postcode nor a range of postcodes', { postcodes: 'town' }],
    ['a;*;B7;', 'Line {{line}}: {{postcodes}} is neither a postcode nor a range of postcodes', { postcodes: '*' }],
    ['a;2200-2100;B7;', 'Line {{line}}: {{postcodes}} runs backwards', { postcodes: '2200-2100' }],
  ])('refuse the line %j', (line, text, values) => {
    const { routes, errors } = parseRoutes(`ok;1000;A1;\n${line}`)
    expect(routes.map(route => route.name)).toEqual(['ok'])
    expect(errors).toEqual([{ line: 2, text, values: { line: 2, ...values } }])
  })

  it('reject a postcode that another route covers already', () => {
    expect(parseRoutes('a;2100-2200;A;\nb;2150-2300;B;').errors).toEqual([
      {
        line: 2,
        text: 'Line {{line}}: {{postcodes}} belongs to the route {{route}} already',
        values: { line: 2, postcodes: '2150-2300', route: 'a' },
      },
    ])
  })

  it('are parsed without an error for any text', () => {
    void fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.string(), (text, postcode) => {
        routeFor(postcode, parseRoutes(text).routes)
      }),
    )
  })
})
