/** The routes of a company's own vans, written one per line: `name;postcodes;cage;cut-off`. */

import { barePostcode, coversPostcode, type PostcodeRange, postcodesOverlap, readPostcodeRange } from '#domain/postcode-ranges.ts'
import type { Finding } from '../courier.ts'

export interface Route {
  name: string
  postcodes: PostcodeRange[]
  cage: string
  /** HH:MM in the company's time zone, or null when the route never closes. */
  cut_off: string | null
}

export interface RouteError {
  /** Line number, counted from 1. */
  line: number
  text: string
  values: Record<string, string | number>
}

/**
 * Parses the setting. A line with an error gives no route; the other lines count.
 *
 *     Nørrebro;2100-2200, 2400;B7;15:30
 *     London west;SW1*, W1*;C1;
 */
export function parseRoutes(text: string): { routes: Route[]; errors: RouteError[] } {
  const routes: Route[] = []
  const errors: RouteError[] = []
  for (const [i, written] of text.split(/\r?\n/).entries()) {
    if (written.trim() === '') continue
    const line = i + 1
    const refuse = (sentence: string, values: Record<string, string> = {}) =>
      errors.push({ line, text: sentence, values: { line, ...values } })
    const [name = '', list = '', cage = '', cutOff = '', ...more] = written.split(';').map(part => part.trim())
    if (list === '' || more.length > 0) {
      refuse('Line {{line}}: write name; postcodes; cage; cut-off')
      continue
    }
    if (name === '') refuse('Line {{line}}: the route has no name')
    if (cage === '') refuse('Line {{line}}: the route has no cage')
    const cut_off = /^\d:/.test(cutOff) ? `0${cutOff}` : cutOff
    const timely = cut_off === '' || /^([01]\d|2[0-3]):[0-5]\d$/.test(cut_off)
    if (!timely) refuse('Line {{line}}: {{cut_off}} is not a time of day such as 15:30', { cut_off: cutOff })
    const postcodes: Route['postcodes'] = []
    let clean = name !== '' && cage !== '' && timely
    for (const part of list.split(',').map(p => p.trim())) {
      if (part === '') continue
      const read = readPostcodeRange(part)
      const owner =
        typeof read === 'string' ? undefined : routes.find(route => route.postcodes.some(other => postcodesOverlap(read, other)))
      if (read === 'odd') refuse('Line {{line}}: {{postcodes}} is neither a postcode nor a range of postcodes', { postcodes: part })
      else if (read === 'backwards') refuse('Line {{line}}: {{postcodes}} runs backwards', { postcodes: part })
      else if (owner) refuse('Line {{line}}: {{postcodes}} belongs to the route {{route}} already', { postcodes: part, route: owner.name })
      else {
        postcodes.push(read)
        continue
      }
      clean = false
    }
    if (clean && postcodes.length === 0) refuse('Line {{line}}: write name; postcodes; cage; cut-off')
    else if (clean) routes.push({ name, postcodes, cage, cut_off: cut_off === '' ? null : cut_off })
  }
  return { routes, errors }
}

/** The first route that covers the postcode, in any spelling. */
export function routeFor(postcode: string, routes: readonly Route[]): Route | undefined {
  const code = barePostcode(postcode)
  if (code === '') return undefined
  return routes.find(route => route.postcodes.some(range => coversPostcode(range, code)))
}

/** Each error as a finding about the setting. */
export function routeFindings(errors: readonly RouteError[], severity: Finding['severity']): Finding[] {
  return errors.map(({ text, values }) => ({ code: null, field: 'routes', severity, text, values }))
}
