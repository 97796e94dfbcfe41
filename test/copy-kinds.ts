/**
 * Where each sentence stands on the screen: button, column head, toast … The kind follows from the source around `t('…')`: the component and
 * its property, or the object that the sentence is a property of. So a new sentence is held to the length of its place without a list.
 */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseAst } from 'vite'
import limits from '../translations/limits.json' with { type: 'json' }

export type Kind = keyof typeof limits.lengths
export interface Use {
  sentence: string
  kind: Kind
  /** File and what the sentence belongs to there. */
  where: string
}

interface Node {
  type: string
  [key: string]: unknown
}
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** `Button` (its content), `Button.title`, `confirm.action` (an object handed to a call), `views[].title`, `toastInfo()`. */
const places: readonly [place: RegExp, kind: Kind][] = [
  [/^Tabs\.Tab$/, 'tab'],
  [/^screens\.title$/, 'page title'],
  [/^views\.title$|^FilterBar\.views\.title$/, 'view'],
  [/^(Page|FullPage)\.title$|^h1$/, 'page title'],
  [/^columns?\.title$|^(Table\.Th|th)$/, 'column head'],
  [/^(StateBadge|Badge)$|^Mark\.word$|^\w*(state|wagon|slot|code)Word\.\w+$/i, 'badge'],
  [/^Button$|^(confirm|questions|steps)\.(action|keep)$|^(Form|Asking)\.action$|^Asking\.stay$/, 'button'],
  [
    /^(\w+Input|NumberField|TextField|Select|NativeSelect|NativeChoice|MultiSelect|Textarea|Autocomplete|Input\.Wrapper)\.label$/,
    'field label',
  ],
  [/^(Checkbox|Radio|Switch)\.label$/, 'choice'],
  [/^(Checkbox|Radio)\.Group\.label$|^DescriptionItem\.name$|^DetailPage\.(facts|details)\.name$|^filters\.label$/, 'field label'],
  [/\.placeholder$|^FilterBar\.search\.label$/, 'placeholder'],
  [/^(?!Input\.Wrapper|Field).*\.description$|^Input\.Wrapper\.description$/, 'help'],
  [/^SettingsSection\.help$|^Page\.note$|^Part\.help$/, 'section help'],
  [/^(toastSuccess|toastInfo|toastWithUndo|undoToast)\(\)$|^(useSend|useEdit|useCommand)\.said$|^options\.said$/, 'toast'],
  [/^(Dialog|Drawer|Asking)\.title$|^(confirm|questions)\.title$/, 'dialog title'],
  [/^(confirm|questions)\.body$/, 'dialog text'],
  [/^Alert\.title$|^ErrorState\.title$/, 'error title'],
  [/^Alert$|\.error$|^(badRequest|forbidden|notFound|conflict|unauthorized|tooMany|unprocessable|unavailable|tooLarge)\(\)$/, 'error line'],
  [/^(EmptyList|EmptyState|NoMatches)\.title$/, 'empty title'],
  [/^(EmptyList|EmptyState|NoMatches|AccessDenied)$/, 'empty line'],
  [/^Prompt$|^BigMessage\.title$/, 'station hero'],
  [/^Prompt\.detail$/, 'station reason'],
  [/^Tooltip\.label$|^(ActionIcon|Button|Link|button|Tool)\.title$/, 'tooltip'],
]

/** The same place on a screen that is used standing, with gloves. */
const floor: Partial<Record<Kind, Kind>> = { button: 'floor button' }
const isFloor = (file: string): boolean => /^src\/features\/(packing\/station|warehouse\/picking)\//.test(file)
const isPhone = (file: string): boolean => file.startsWith('src/features/warehouse/picking/')

const refusals = new Set([
  'badRequest',
  'forbidden',
  'notFound',
  'conflict',
  'unauthorized',
  'tooMany',
  'unprocessable',
  'unavailable',
  'tooLarge',
])
const root = fileURLToPath(new URL('../', import.meta.url))

/** Every sentence whose place is known, as often as it is used. */
export function sentencesByPlace(): Use[] {
  const files = globSync(['src/**/*.ts', 'src/**/*.tsx'], { cwd: root }).filter(
    path => !/\.(test|fake)\.tsx?$|^src\/(app\/demo|ui\/shell\/BuildingBlocks|features\/company\/settings\/BuildingBlocks)/.test(path),
  )
  return files.toSorted().flatMap(file => usesIn(file, readFileSync(root + file, 'utf8')))
}

export function usesIn(file: string, source: string): Use[] {
  const uses: Use[] = []
  const add = (sentence: string, place: string) => {
    const kind = places.find(([pattern]) => pattern.test(place))?.[1]
    if (kind === undefined) return
    const standing = isPhone(file) && kind === 'button' ? 'phone button' : isFloor(file) ? (floor[kind] ?? kind) : kind
    uses.push({ sentence, kind: standing, where: `${file}: ${place}` })
  }
  const walk = (node: unknown, above: readonly Node[]): void => {
    if (Array.isArray(node)) for (const one of node) walk(one, above)
    if (!isNode(node)) return
    if (node.type === 'CallExpression' && Array.isArray(node.arguments)) {
      const name = nameOf(node.callee)
      if (name === 't') for (const sentence of texts(node.arguments[0])) for (const place of placesOf(node, above)) add(sentence, place)
      if (refusals.has(name)) for (const sentence of texts(node.arguments[1])) add(sentence, `${name}()`)
    }
    // The table of screens holds sentences without `t`.
    if (file === 'src/app/screens.ts' && node.type === 'Property' && nameOf(node.key) === 'title')
      for (const sentence of texts(node.value)) add(sentence, 'screens.title')
    for (const [key, value] of Object.entries(node)) if (key !== 'type' && typeof value === 'object') walk(value, [...above, node])
  }
  walk(parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }), [])
  return uses
}

/** The literals that an expression may be. */
function texts(node: unknown): string[] {
  if (!isNode(node)) return []
  if (node.type === 'Literal') return typeof node.value === 'string' ? [node.value] : []
  if (node.type === 'ConditionalExpression') return [...texts(node.consequent), ...texts(node.alternate)]
  if (node.type === 'LogicalExpression') return [...texts(node.left), ...texts(node.right)]
  return []
}

function nameOf(node: unknown): string {
  if (!isNode(node)) return ''
  if (node.type === 'Identifier' || node.type === 'JSXIdentifier') return String(node.name)
  if (node.type === 'Literal') return String(node.value)
  if (node.type === 'JSXMemberExpression') return `${nameOf(node.object)}.${nameOf(node.property)}`
  if (node.type === 'MemberExpression') return nameOf(node.property)
  return ''
}

const passing = new Set([
  'ConditionalExpression',
  'LogicalExpression',
  'JSXExpressionContainer',
  'JSXFragment',
  'TSAsExpression',
  'TemplateLiteral',
  'ArrowFunctionExpression',
  'ReturnStatement',
  'BlockStatement',
])

/** What the value of `node` belongs to: the nearest component, property or call that it is handed to. */
function placesOf(node: Node, above: readonly Node[]): string[] {
  for (let i = above.length - 1; i >= 0; i--) {
    const parent = above[i] as Node
    // A condition is read, not shown.
    if (parent.type === 'ConditionalExpression' && parent.test === (above[i + 1] ?? node)) return []
    if (parent.type === 'JSXAttribute') {
      const element = above[i - 1]
      return [`${nameOf(element?.name)}.${nameOf(parent.name)}`]
    }
    if (parent.type === 'JSXElement') return isNode(parent.openingElement) ? [nameOf(parent.openingElement.name)] : []
    if (parent.type === 'Property') return propertyPlaces(parent, above.slice(0, i))
    if (parent.type === 'CallExpression') return [`${nameOf(parent.callee)}()`]
    if (!passing.has(parent.type)) return []
  }
  return []
}

/** An object's property: named after the component, call or variable that the object is for. One with a `cell` is a column. */
function propertyPlaces(property: Node, above: readonly Node[]): string[] {
  const name = nameOf(property.key)
  const object = above.at(-1)
  const keys = Array.isArray(object?.properties) ? object.properties.map(one => (isNode(one) ? nameOf(one.key) : '')) : []
  if (name === 'title' && keys.includes('cell')) return ['columns.title']
  const found: string[] = []
  for (let i = above.length - 1; i >= 0; i--) {
    const parent = above[i] as Node
    if (parent.type === 'JSXAttribute') return [...found, `${nameOf(above[i - 1]?.name)}.${nameOf(parent.name)}.${name}`]
    if (parent.type === 'CallExpression' && nameOf(parent.callee) !== 'useMemo') return [...found, `${nameOf(parent.callee)}.${name}`]
    if (parent.type === 'VariableDeclarator') return [...found, `${nameOf(parent.id)}.${name}`]
    if (parent.type === 'FunctionDeclaration') return found
  }
  return found
}
