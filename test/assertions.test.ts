/** How often the sources assert a type or a value to the compiler, without a check. The limits only fall. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseSync, Visitor } from 'vite'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Type assertions (`x as T`, except `as const`) and non-null assertions (`x!`) of a source, by its syntax tree. */
function assertionsIn(path: string, text: string): { casts: number; nonNull: number } {
  const found = { casts: 0, nonNull: 0 }
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new SyntaxError(`${path}: ${errors[0]?.message}`)
  new Visitor({
    TSAsExpression({ typeAnnotation: type }) {
      const isConst = type.type === 'TSTypeReference' && type.typeName.type === 'Identifier' && type.typeName.name === 'const'
      if (!isConst) found.casts++
    },
    TSTypeAssertion() {
      found.casts++
    },
    TSNonNullExpression() {
      found.nonNull++
    },
  }).visit(program)
  return found
}

const counts = globSync('src/**/*.{ts,tsx}', { cwd: root })
  .filter(path => !/\.(test|fake|d)\.tsx?$/.test(path))
  .map(path => assertionsIn(path, readFileSync(root + path, 'utf8')))
const total = (kind: 'casts' | 'nonNull') => counts.reduce((sum, count) => sum + count[kind], 0)

it('counts assertions by the syntax tree', () => {
  const text = "import { a as b } from 'x' // c as D\nconst e = b as unknown as F; const g = [e!, 'h!' as const, e! + 1]"
  expect(assertionsIn('sample.ts', text)).toEqual({ casts: 2, nonNull: 2 })
})

it('asserts a type in few places', () => {
  expect(total('casts')).toBeLessThanOrEqual(135)
})

it('asserts that a value is there in few places', () => {
  expect(total('nonNull')).toBeLessThanOrEqual(110)
})
