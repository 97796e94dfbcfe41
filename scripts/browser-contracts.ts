/**
 * The contract as a browser needs it. A screen sends by a call's line and reads what comes back by its type: the shapes of questions
 * and answers, and what the API's page says of them, are the server's. Making them costs a slow tablet more time than drawing the screen, so here they are left out, and a
 * schema is made only where a screen reads it by its own name.
 */
import type { Plugin } from 'vite'

interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}
interface Change {
  start: number
  end: number
  text: string
}

const serversOnly = new Set(['params', 'query', 'body', 'reply', 'summary', 'shape', 'example', 'schemas'])

export function browserContracts(): Plugin {
  return {
    name: 'browser-contracts',
    enforce: 'pre',
    transform: {
      filter: { id: /src[\\/](contract[\\/][\w-]+|features[\\/].*\.contract|domain[\\/].*)\.ts$/ },
      handler(code) {
        const program = this.parse(code, { lang: 'ts' }) as unknown as Node
        const changes: Change[] = []
        for (const statement of program.body as Node[]) {
          const declaration = (statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement) as Node | null
          if (declaration?.type !== 'VariableDeclaration') continue
          for (const { init } of declaration.declarations as (Node & { init: Node | null })[]) {
            if (!init || !calls(init)) continue
            withoutShapes(init, changes)
            // A declaration without an import is then not created at all.
            changes.push({ start: init.start, end: init.start, text: '/* @__PURE__ */ (() => (' })
            changes.push({ start: init.end, end: init.end, text: '))()' })
          }
        }
        if (changes.length === 0) return null
        // From the end, so that the places before it stay where they are; what closes at a place comes before what opens there.
        const written = changes
          .toSorted((one, other) => other.start - one.start)
          .reduce((text, { start, end, text: put }) => text.slice(0, start) + put + text.slice(end), code)
        return { code: written, map: null }
      },
    },
  }
}

/** True where making the value runs something. */
function calls(node: Node): boolean {
  if (/Function/.test(node.type)) return false
  if (node.type === 'CallExpression' || node.type === 'NewExpression') return true
  return children(node).some(calls)
}

/** Cuts the shapes out of every `call('GET …', { … })`. */
function withoutShapes(node: Node, changes: Change[]): void {
  const callee = node.callee as (Node & { name?: string }) | undefined
  const given = (node.arguments ?? []) as Node[]
  // The options of a call stand second, the defaults of all calls first.
  const options = callee?.name === 'call' ? given[1] : callee?.name === 'calls' ? given[0] : undefined
  if (node.type === 'CallExpression' && options?.type === 'ObjectExpression')
    for (const property of options.properties as (Node & { key?: Node & { name?: string }; value: Node })[])
      if (serversOnly.has(property.key?.name ?? '')) changes.push({ start: property.start, end: property.end, text: '...{}' })
  if (callee?.name === 'call') return
  for (const child of children(node)) withoutShapes(child, changes)
}

const children = (node: Node): Node[] =>
  Object.values(node)
    .flat()
    .filter((one): one is Node => typeof one === 'object' && one !== null && 'type' in one && typeof one.type === 'string')
