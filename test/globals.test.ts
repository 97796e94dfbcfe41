/**
 * Which globals each side uses. One program checks all sources with the types of both sides, so the compiler allows every global
 * everywhere; this test refuses those of the other side.
 */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))

interface Node {
  type: string
  [field: string]: unknown
}
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value
function childrenOf(node: Node): [field: string, child: Node][] {
  const found: [string, Node][] = []
  for (const field in node) {
    const value = node[field]
    if (Array.isArray(value)) found.push(...value.filter(isNode).map(child => [field, child] as [string, Node]))
    else if (isNode(value)) found.push([field, value])
  }
  return found
}
const nameOf = (value: unknown): string => (isNode(value) && typeof value.name === 'string' ? value.name : '')

const opensScope = (node: Node): boolean =>
  /Function|^Program$|^BlockStatement$|^For|^SwitchStatement$|^CatchClause$|^Class|^TS(TypeAlias|Interface|Module)Declaration$|^TS(Conditional|Mapped|Constructor)Type$|^TS(Method|Call|Construct|Index)Signature/.test(
    node.type,
  )
const namesItself = (node: Node): boolean => /Declaration$|^TSDeclareFunction$/.test(node.type)

/** The names that a pattern binds: `{ a, b: [c = 1] }` binds a and c. */
function boundBy(pattern: unknown): string[] {
  if (!isNode(pattern)) return []
  if (pattern.type === 'Identifier') return [nameOf(pattern)]
  if (pattern.type === 'AssignmentPattern') return boundBy(pattern.left)
  if (pattern.type === 'Property') return boundBy(pattern.value)
  return [pattern.properties, pattern.elements, pattern.argument, pattern.parameter].flat().flatMap(boundBy)
}

/** The names that belong to a scope, without those of scopes inside of it. */
function declaredIn(scope: Node): Set<string> {
  const names = new Set<string>([scope.params, scope.param, scope.parameters].flat().flatMap(boundBy))
  if (!namesItself(scope)) names.add(nameOf(scope.id))
  if (scope.type === 'TSMappedType') names.add(nameOf(scope.key))
  const visit = (node: Node): void => {
    if (node.type === 'VariableDeclarator') for (const name of boundBy(node.id)) names.add(name)
    if (/^Import\w*Specifier$/.test(node.type)) names.add(nameOf(node.local))
    if (node.type === 'TSTypeParameter') names.add(nameOf(node.name))
    if (namesItself(node)) names.add(nameOf(node.id))
    if (!opensScope(node)) for (const [, child] of childrenOf(node)) visit(child)
  }
  for (const [, child] of childrenOf(scope)) visit(child)
  return names
}

const isReference = (parent: Node, field: string): boolean => {
  if (field === 'key' || field === 'property') return parent.computed === true
  if (/^Import|^MetaProperty$|^TSImportType$|^TSEnumMember$/.test(parent.type)) return false
  return (
    !/^(label|exported|right)$/.test(field) || !/^(Labeled|Break|Continue|ExportSpecifier|TSNamedTuple|TSQualifiedName)/.test(parent.type)
  )
}

/** The names that a file uses without declaring or importing them. */
function globalsOf(path: string, text: string): Set<string> {
  const found = new Set<string>()
  const visit = (node: Node, scopes: readonly Set<string>[]): void => {
    const inner = opensScope(node) ? [declaredIn(node), ...scopes] : scopes
    for (const [field, child] of childrenOf(node)) {
      if (child.type !== 'Identifier') visit(child, inner)
      else {
        if (isReference(node, field) && !inner.some(names => names.has(nameOf(child)))) found.add(nameOf(child))
        for (const [, part] of childrenOf(child)) visit(part, inner)
      }
    }
  }
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`)
  visit({ ...program }, [])
  return found
}

/** The names that a file of types adds to the global scope. */
function globalTypesOf(path: string): Set<string> {
  const names = new Set<string>()
  const add = (body: unknown): void => {
    for (const statement of [body].flat().filter(isNode)) {
      const declaration = isNode(statement.declaration) ? statement.declaration : statement
      const inside = isNode(declaration.body) ? declaration.body.body : undefined
      if (declaration.type === 'TSModuleDeclaration' && (declaration.global === true || declaration.kind === 'module')) {
        if (declaration.global === true) add(inside)
        else add([inside].flat().filter(one => isNode(one) && one.global === true))
      } else {
        names.add(nameOf(declaration.id))
        for (const one of [declaration.declarations].flat().filter(isNode)) names.add(nameOf(one.id))
      }
    }
  }
  const { program } = parseSync(path, readFileSync(root + path, 'utf8'))
  const body: Node[] = program.body.map(statement => ({ ...statement }))
  const isModule = body.some(({ type }) => /^(Import|Export)/.test(type))
  add(isModule ? body.filter(one => one.type === 'TSModuleDeclaration' && (one.global === true || one.kind === 'module')) : body)
  return names
}

const filesOf = (...patterns: string[]): string[] =>
  globSync(patterns, { cwd: root })
    .map(path => path.replaceAll('\\', '/'))
    .toSorted()
const namesOf = (...patterns: string[]): Set<string> => new Set(filesOf(...patterns).flatMap(path => [...globalTypesOf(path)]))

const language = namesOf('node_modules/@typescript/*/lib/lib.es*.d.ts')
const browser = namesOf('node_modules/@typescript/*/lib/lib.dom.d.ts')
const node = namesOf('node_modules/@types/node/**/*.d.ts')
const browserOnly = browser.difference(language).difference(node)
const nodeOnly = node.difference(language).difference(browser)

const sources = filesOf('src/**/*.{ts,tsx}').filter(path => !/\.(test|fake|d)\.tsx?$/.test(path))
const isBrowser = (path: string): boolean =>
  /^src\/ui\/|\.tsx$|\.client\.ts$|^src\/app\/(screens|query-client)\.ts$|^src\/features\/shipping\/tracking\/page\/|^src\/features\/returns\/portal\/page\/|^src\/features\/messages\/decision-links\/page\//.test(
    path,
  )
const isBoth = (path: string): boolean => /^src\/(contract|domain)\/|\.(contract|codes|schemas|rules|labels)\.ts$/.test(path)

const misused = (paths: readonly string[], names: ReadonlySet<string>): string[] =>
  paths.flatMap(path => {
    const text = readFileSync(root + path, 'utf8')
    // Most files have none of the names at all and need no parsing.
    if (new Set(text.match(/\w+/g)).isDisjointFrom(names)) return []
    return [...globalsOf(path, text).intersection(names)].map(name => `${path}: ${name}`)
  })

describe('globals', () => {
  it('are found in values and types, whatever their place', () => {
    const text = 'const f = ({ name }: { name: string }) => name + status; type A = HTMLElement; { const top = 1 }; f(top); a.window'
    expect([...globalsOf('a.ts', text)].toSorted()).toEqual(['HTMLElement', 'a', 'status', 'top'])
    expect(['window', 'name', 'HTMLElement', 'requestAnimationFrame'].filter(name => !browserOnly.has(name))).toEqual([])
    expect(['process', 'Buffer', 'setImmediate', 'NodeJS'].filter(name => !nodeOnly.has(name))).toEqual([])
  })

  it('of the browser are not used on the server', () => {
    expect(
      misused(
        sources.filter(path => !isBrowser(path)),
        browserOnly,
      ),
    ).toEqual([])
  })

  it('of Node are not used in the browser', () => {
    expect(
      misused(
        sources.filter(path => isBrowser(path) || isBoth(path)),
        nodeOnly,
      ),
    ).toEqual([])
  })
})
