/** Machine codes of refusals: each is used, well formed and has one meaning. */
import { globSync, readFileSync } from 'node:fs'
import { parseSync } from 'vite'
import { expect, it } from 'vitest'
import { errorCodes } from '#contract/error-codes.ts'

/** Codes that stand before several sentences, which say the same more precisely. */
const severalSentences = new Set([
  'address_incomplete',
  'answer_link_missing',
  'booking_failed',
  'cage_not_found',
  'choice_not_offered',
  'collect_list_handed_over',
  'components_invalid',
  'csv_column_unmapped',
  'csv_unreadable',
  'field_invalid',
  'fields_invalid',
  'file_empty',
  'file_not_table',
  'hold_not_found',
  'link_postcode',
  'map_not_measurable',
  'order_on_hold',
  'order_invalid',
  'password_rejected',
  'wagon_finished',
  'pick_list_cancelled',
  'rule_invalid',
  'shipment_status_forbids',
  'tote_code_free',
  'too_many_streams',
  'tote_order_at_station',
])

interface Node {
  type: string
  name?: string
  value?: unknown
  callee?: Node
  arguments?: Node[]
  id?: Node
  init?: Node
  expression?: Node
  object?: Node
  property?: Node
  key?: Node
  properties?: Node[]
}

const helpers = new Set(
  'badRequest conflict errorFinding externalFailed forbidden locked notFound orNotFound reason tooLarge tooMany unauthorized unavailable unprocessable AppError'.split(
    ' ',
  ),
)
const secondArgument = new Set(['orNotFound', 'AppError'])

const files = globSync(['src/**/*.ts', 'src/**/*.tsx']).filter(path => !/\.test\.tsx?$|contract\/errors\.ts$/.test(path))

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value
const textOf = (node: Node | undefined): string | undefined =>
  node?.type === 'TSAsExpression' || node?.type === 'TSSatisfiesExpression'
    ? textOf(node.expression)
    : typeof node?.value === 'string'
      ? node.value
      : undefined

function walk(value: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(value)) for (const part of value) walk(part, visit)
  else if (isNode(value)) {
    visit(value)
    for (const part of Object.values(value)) walk(part, visit)
  }
}

/** The exported declarations of a file. */
function exportsOf(program: Node): Node {
  const found: Node[] = []
  walk(program, node => {
    if (node.type === 'ExportNamedDeclaration') found.push(node)
  })
  return { type: 'Program', arguments: found }
}

/** Constant sentences by name: `noList`, and `codeSentences.lost` for an object of sentences. */
function constantsOf(programs: readonly Node[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  const add = (name: string, text: string | undefined) => {
    if (text !== undefined) found.set(name, (found.get(name) ?? new Set()).add(text))
  }
  for (const program of programs)
    walk(program, node => {
      if (node.type !== 'VariableDeclarator' || node.id?.name === undefined) return
      add(node.id.name, textOf(node.init))
      const object = node.init?.type === 'TSAsExpression' ? node.init.expression : node.init
      if (object?.type === 'ObjectExpression')
        for (const { key, value } of object.properties ?? [])
          if (isNode(value)) add(`${node.id.name}.${key?.name ?? key?.value}`, textOf(value))
    })
  return found
}

const programs = files.map(path => ({ path, program: parseSync(path, readFileSync(path, 'utf8')).program as unknown as Node }))
const shared = constantsOf(programs.map(({ program }) => exportsOf(program)))

interface Use {
  code: string | undefined
  sentences: string[]
  path: string
}

const uses: Use[] = programs.flatMap(({ path, program }) => {
  const own = constantsOf([program])
  const found: Use[] = []
  walk(program, ({ type, callee, arguments: given = [] }) => {
    const helper = callee?.name
    if ((type !== 'CallExpression' && type !== 'NewExpression') || helper === undefined || !helpers.has(helper)) return
    const [code, sentence] = given.slice(secondArgument.has(helper) ? 1 : 0)
    // A function of the same name that is no refusal takes no code.
    if (textOf(code) === undefined && helper !== 'orNotFound') return
    const name = sentence?.type === 'MemberExpression' ? `${sentence.object?.name}.${sentence.property?.name}` : (sentence?.name ?? '')
    const literal = textOf(sentence)
    found.push({ code: textOf(code), sentences: literal === undefined ? [...(own.get(name) ?? shared.get(name) ?? [])] : [literal], path })
  })
  return found
})

it('every refusal names a code', () => {
  expect(uses.length).toBeGreaterThan(400)
  expect(uses.filter(({ code }) => code === undefined)).toEqual([])
})

it('every code is written in lower-case words joined by underscores, and listed once in order', () => {
  expect(errorCodes.filter(code => !/^[a-z][a-z0-9_]*$/.test(code))).toEqual([])
  expect([...errorCodes]).toEqual([...new Set(errorCodes)].sort())
})

it('every listed code is used', () => {
  const used = new Set(uses.map(({ code }) => code))
  expect(errorCodes.filter(code => !used.has(code))).toEqual([])
})

it('a code stands before one sentence, and one sentence has one code', () => {
  const sentencesOf = new Map<string, Set<string>>()
  const codesOf = new Map<string, Set<string>>()
  for (const { code = '', sentences } of uses)
    for (const sentence of sentences) {
      sentencesOf.set(code, (sentencesOf.get(code) ?? new Set()).add(sentence))
      codesOf.set(sentence, (codesOf.get(sentence) ?? new Set()).add(code))
    }
  expect([...sentencesOf].filter(([code, sentences]) => sentences.size > 1 && !severalSentences.has(code))).toEqual([])
  expect([...codesOf].filter(([, codes]) => codes.size > 1)).toEqual([])
})

it('a sentence that is computed has a code that is declared to stand before several', () => {
  const computed = uses.filter(({ code = '', sentences }) => sentences.length === 0 && !severalSentences.has(code))
  expect(computed.map(({ code, path }) => `${path}: ${code}`)).toEqual([])
})
