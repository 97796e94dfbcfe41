/** Generates valid and invalid inputs of calls from the contract. */
import * as fc from 'fast-check'
import * as z from 'zod'
import type { Call } from '#contract/endpoint.ts'

interface Json {
  type?: string | string[]
  $ref?: string
  $defs?: Record<string, Json>
  enum?: unknown[]
  const?: unknown
  anyOf?: Json[]
  oneOf?: Json[]
  allOf?: Json[]
  properties?: Record<string, Json>
  required?: string[]
  additionalProperties?: boolean | Json
  propertyNames?: Json
  items?: Json | boolean
  prefixItems?: Json[]
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  pattern?: string
  format?: string
}

export const jsonOf = (schema: z.ZodType): Json => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json

/** Values that the schema would take – or nearly: what refinements ask for is not in it. */
export function arbitraryOf(schema: z.ZodType): fc.Arbitrary<unknown> {
  const whole = jsonOf(schema)
  return made(whole, whole.$defs ?? {}, 4)
}

function made(json: Json, defs: Record<string, Json>, depth: number): fc.Arbitrary<unknown> {
  if (json.$ref) {
    const named = defs[json.$ref.replace('#/$defs/', '')]
    return named && depth > 0 ? made(named, defs, depth - 1) : fc.constant(null)
  }
  if (json.const !== undefined) return fc.constant(json.const)
  if (json.enum) return fc.constantFrom(...json.enum)
  const choices = json.anyOf ?? json.oneOf
  if (choices) return fc.oneof(...choices.map(one => made(one, defs, depth)))
  const type = Array.isArray(json.type) ? json.type : [json.type]
  if (type.length > 1) return fc.oneof(...type.map(one => made({ ...json, type: one ?? 'null' }, defs, depth)))
  switch (type[0]) {
    case 'string':
      return text(json)
    case 'integer':
    case 'number': {
      const least = json.minimum ?? (json.exclusiveMinimum === undefined ? -1_000_000 : json.exclusiveMinimum + 1)
      const most = json.maximum ?? (json.exclusiveMaximum === undefined ? 1_000_000_000 : json.exclusiveMaximum - 1)
      const some = fc.integer({
        min: Math.max(least, -2_147_483_648),
        max: Math.max(Math.min(most, 2_147_483_647), Math.max(least, -2_147_483_648)),
      })
      return type[0] === 'integer'
        ? some
        : fc.oneof(
            some,
            some.map(n => n / 7).filter(n => n >= least && n <= most),
          )
    }
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array': {
      const most = Math.min(json.maxItems ?? 3, 3)
      if (json.prefixItems) return fc.tuple(...json.prefixItems.map(one => made(one, defs, depth - 1)))
      const item = typeof json.items === 'object' ? made(json.items, defs, depth - 1) : fc.constant(null)
      return depth <= 0
        ? fc.constant([])
        : fc.array(item, { minLength: Math.min(json.minItems ?? 0, 3), maxLength: Math.max(most, json.minItems ?? 0) })
    }
    case 'object': {
      if (depth <= -2) return fc.constant({})
      const fields = Object.fromEntries(Object.entries(json.properties ?? {}).map(([name, one]) => [name, made(one, defs, depth - 1)]))
      const plain = fc.record(fields, { requiredKeys: json.required ?? [] })
      if (typeof json.additionalProperties !== 'object') return plain
      const names = json.propertyNames
        ? made({ type: 'string', ...json.propertyNames }, defs, depth)
        : fc.string({ minLength: 1, maxLength: 10 })
      return fc
        .tuple(plain, fc.dictionary(names as fc.Arbitrary<string>, made(json.additionalProperties, defs, depth - 1), { maxKeys: 2 }))
        .map(([a, b]) => ({ ...b, ...(a as object) }))
    }
    default:
      return fc.oneof(fc.constant(null), fc.boolean(), fc.integer(), fc.string({ maxLength: 20 }))
  }
}

const anyPrintable = '^[^\\u0000-\\u0008'
function text(json: Json): fc.Arbitrary<string> {
  const patterns = [json.pattern, ...(json.allOf ?? []).map(one => one.pattern)].filter(
    (one): one is string => one !== undefined && !one.startsWith(anyPrintable),
  )
  if (json.format === 'uuid') return fc.uuid()
  if (json.format === 'date-time')
    return fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }).map(at => at.toISOString())
  if (json.format === 'date')
    return fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }).map(at => at.toISOString().slice(0, 10))
  if (json.format === 'email') return fc.stringMatching(/^[a-z]{1,8}@[a-z]{1,8}\.com$/)
  const [pattern] = patterns
  const least = json.minLength ?? 0
  const most = Math.min(json.maxLength ?? 60, Math.max(60, least))
  const some = pattern
    ? fc.stringMatching(new RegExp(pattern), { size: '-1' })
    : fc.oneof(
        fc.string({ minLength: least, maxLength: Math.min(most, Math.max(12, least)) }),
        fc.string({ unit: 'grapheme', minLength: least, maxLength: Math.min(most, Math.max(12, least)) }),
        fc.constantFrom(...['Ærø', 'DK', '0', "' or 1=1 --", '<b>x</b>', '=1+1'].map(word => word.padEnd(least, '·').slice(0, most))),
      )
  // No filter: a pattern that chance never meets must not be searched for ever. What does not fit is sorted out by the schema itself.
  return some
}

/** Whole values that nearly nothing should take, and pieces to put into otherwise good inputs. */
export const hostile: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  Number.MAX_SAFE_INTEGER,
  1e308,
  -0,
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202Egnp.exe',
  '0x10',
  '1e9',
  'NaN',
  'x'.repeat(10_000),
  [],
  [[]],
  {},
  { length: 1 },
  { toString: 'x', valueOf: 'y' },
  { $gt: '' },
  ['a', 1, null],
  '../../etc/passwd',
  "'; drop table orders; --",
  '{{7*7}}<%= 7*7 %>',
  '%00%0a',
  '2026-13-45T99:99:99Z',
]

/** One value, somewhere in `value`, replaced, left out or joined by another. */
export function mutation(value: unknown): fc.Arbitrary<unknown> {
  const places = placesIn(value, [])
  return fc
    .tuple(fc.constantFrom(...places), fc.constantFrom('replace', 'remove', 'add'), fc.constantFrom(...hostile))
    .map(([place, way, piece]) => {
      const copy = structuredClone(value)
      if (place.length === 0) return way === 'add' && isRecord(copy) ? { ...copy, surplus: piece } : piece
      const last = place.at(-1) as string
      let parent = copy as Record<string, unknown>
      for (const name of place.slice(0, -1)) parent = parent[name] as Record<string, unknown>
      if (way === 'remove' && !Array.isArray(parent)) delete parent[last]
      else if (way === 'add' && isRecord(parent[last])) parent[last] = { ...(parent[last] as object), surplus: piece }
      else parent[last] = piece
      return copy
    })
}
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
function placesIn(value: unknown, at: string[]): string[][] {
  if (typeof value !== 'object' || value === null) return [at]
  return [at, ...Object.entries(value).flatMap(([name, inside]) => placesIn(inside, [...at, name]))]
}

/** A few inputs that the schema takes, always the same for the same seed; none when refinements ask for what chance does not find. */
export function valid(schema: z.ZodType, seed: number, most = 3): unknown[] {
  const found: unknown[] = []
  for (const value of fc.sample(arbitraryOf(schema), { numRuns: 120, seed })) {
    if (found.length >= most) break
    const copy = JSON.parse(JSON.stringify(value)) as unknown
    if (schema.safeParse(copy).success) found.push(copy)
  }
  return found
}

/** Seeds by name, so that one call's inputs do not change when another call is added. */
export const seedOf = (call: Call): number => [...call.line].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) | 0, 7)
