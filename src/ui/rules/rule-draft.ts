/** A rule while it is written: a tree with an id for each node, and pure changes of it. */
import { elementAt, isRecord } from '#domain/objects.ts'
import { fieldDefinition, isRuleField, type Operator, operatorsOf, type RuleField } from '#domain/rules/rule-fields.ts'
import type { LinesQuantifier } from '#domain/rules/rule-grammar.ts'

export type GroupMode = 'all' | 'any' | 'not_all' | 'none'

export interface DraftCondition {
  kind: 'condition'
  id: number
  field: RuleField
  op: Operator
  /** What the value control holds; null while nothing is entered. */
  value: unknown
}
export interface DraftGroup {
  kind: 'group'
  id: number
  mode: GroupMode
  nodes: DraftNode[]
}
export interface DraftLines {
  kind: 'lines'
  id: number
  lines: LinesQuantifier
  match: DraftGroup
}
export type DraftNode = DraftCondition | DraftGroup | DraftLines

let ids = 0
const nextId = (): number => ++ids

/** A condition on a common field, with its first operator and no value. */
export function newCondition(inLines: boolean): DraftCondition {
  const field = inLines ? 'line.sku' : 'ship.country'
  return withField({ kind: 'condition', id: nextId(), field, op: 'eq', value: null }, field)
}
export const newGroup = (inLines: boolean): DraftGroup => ({
  kind: 'group',
  id: nextId(),
  mode: 'any',
  nodes: [newCondition(inLines)],
})
export const newLines = (): DraftLines => ({
  kind: 'lines',
  id: nextId(),
  lines: 'some',
  match: { kind: 'group', id: nextId(), mode: 'all', nodes: [newCondition(true)] },
})

const flags: readonly Operator[] = ['is', 'is_empty']
const initialValue = (op: Operator): unknown => (flags.includes(op) ? true : null)

/** Another field keeps the operator where it has it; the value starts anew. */
export function withField(condition: DraftCondition, field: RuleField): DraftCondition {
  const operators = operatorsOf(fieldDefinition(field).type)
  const op = operators.includes(condition.op) ? condition.op : elementAt(operators, 0)
  return { ...condition, field, op, value: initialValue(op) }
}

const shapeOf = (op: Operator): string => {
  if (['in', 'not_in', 'has_any', 'has_all', 'has_none'].includes(op)) return 'list'
  if (['within', 'older_than'].includes(op)) return 'period'
  return flags.includes(op) || ['between', 'weekday_in', 'before', 'after'].includes(op) ? op : 'one'
}

/** Another operator keeps the value where it has the same shape, and a single value as the first of a list. */
export function withOperator(condition: DraftCondition, op: Operator): DraftCondition {
  const [before, after] = [shapeOf(condition.op), shapeOf(op)]
  if (before === after) return { ...condition, op }
  const { value } = condition
  if (before === 'one' && after === 'list' && typeof value === 'string') return { ...condition, op, value: [value] }
  if (before === 'list' && after === 'one' && Array.isArray(value)) return { ...condition, op, value: value[0] ?? null }
  return { ...condition, op, value: initialValue(op) }
}

/** The draft of a stored rule; parts that cannot be read are left out. */
export function draftOf(json: unknown): DraftGroup {
  const root = asRecord(json)
  return Array.isArray(root.any) ? groupOf('any', root.any) : groupOf('all', Array.isArray(root.all) ? root.all : [])
}

const asRecord = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})

const groupOf = (mode: GroupMode, nodes: readonly unknown[]): DraftGroup => ({
  kind: 'group',
  id: nextId(),
  mode,
  nodes: nodes.flatMap(nodeOf),
})

function nodeOf(json: unknown): DraftNode[] {
  const node = asRecord(json)
  if (Array.isArray(node.all)) return [groupOf('all', node.all)]
  if (Array.isArray(node.any)) return [groupOf('any', node.any)]
  if ('not' in node) {
    const inner = asRecord(node.not)
    if (Array.isArray(inner.all)) return [groupOf('not_all', inner.all)]
    return [groupOf('none', Array.isArray(inner.any) ? inner.any : [node.not])]
  }
  if (node.lines === 'some' || node.lines === 'every' || node.lines === 'none') {
    const [match] = nodeOf(node.match)
    const group = match?.kind === 'group' ? match : groupOf('all', [node.match])
    return [{ kind: 'lines', id: nextId(), lines: node.lines, match: group }]
  }
  if (typeof node.field !== 'string' || !isRuleField(node.field)) return []
  const op = operatorsOf(fieldDefinition(node.field).type).find(one => one === node.op)
  return op ? [{ kind: 'condition', id: nextId(), field: node.field, op, value: node.value }] : []
}

export interface WrittenDraft {
  json: Record<string, unknown>
  /** The node of each path in the JSON, so that a mistake is shown where it is. */
  nodes: Map<string, number>
}

/** The rule as JSON. A negated root stands in a group of its own, because a rule begins with all or any. */
export function writtenDraft(root: DraftGroup): WrittenDraft {
  const nodes = new Map<string, number>()
  const negated = root.mode === 'not_all' || root.mode === 'none'
  const key = root.mode === 'any' ? 'any' : 'all'
  const inner = negated ? [{ ...root }] : root.nodes
  return { json: { v: 1, [key]: inner.map((node, at) => written(node, `${key}[${at}]`, nodes)) }, nodes }
}

function written(node: DraftNode, path: string, nodes: Map<string, number>): unknown {
  nodes.set(path, node.id)
  if (node.kind === 'condition') return { field: node.field, op: node.op, value: node.value }
  if (node.kind === 'lines') {
    const only = onlyNode(node.match)
    const plain = node.match.mode === 'all' || node.match.mode === 'any'
    return { lines: node.lines, match: written(plain && only ? only : node.match, `${path}.match`, nodes) }
  }
  const key = node.mode === 'all' || node.mode === 'not_all' ? 'all' : 'any'
  const negated = node.mode === 'not_all' || node.mode === 'none'
  const own = negated ? `${path}.not` : path
  const only = onlyNode(node)
  if (negated && only) return { not: written(only, own, nodes) }
  const group = { [key]: node.nodes.map((one, at) => written(one, `${own}.${key}[${at}]`, nodes)) }
  return negated ? { not: group } : group
}

/** The one condition of a group, which needs no group of its own: groups can be nested four deep only. */
const onlyNode = ({ nodes: [only, ...more] }: DraftGroup): DraftCondition | DraftLines | undefined =>
  more.length === 0 && only?.kind !== 'group' ? only : undefined

/** The node of a mistake: the longest path that holds it. */
export function nodeAt({ nodes }: WrittenDraft, path: string): number | undefined {
  const found = [...nodes.keys()].filter(one => path === one || path.startsWith(`${one}.`)).sort((one, other) => other.length - one.length)
  return found[0] === undefined ? undefined : nodes.get(found[0])
}

/** The tree with one node replaced by others: none removes it, two put one behind it. */
export function replaceNode<T extends DraftNode>(tree: T, id: number, change: (node: DraftNode) => readonly DraftNode[]): T {
  if (tree.kind === 'lines') return { ...tree, match: replaceNode(tree.match, id, change) }
  if (tree.kind === 'condition') return tree
  return { ...tree, nodes: tree.nodes.flatMap(node => (node.id === id ? change(node) : [replaceNode(node, id, change)])) }
}

/** A group after a change of itself; a change into anything else leaves it. */
export function changedGroup(group: DraftGroup, change: (node: DraftNode) => readonly DraftNode[]): DraftGroup {
  const [changed] = change(group)
  return changed?.kind === 'group' ? changed : group
}

/** The conditions of the tree in the order in which they are shown. */
export function conditionsIn(node: DraftNode): DraftCondition[] {
  if (node.kind === 'condition') return [node]
  return node.kind === 'lines' ? conditionsIn(node.match) : node.nodes.flatMap(conditionsIn)
}
