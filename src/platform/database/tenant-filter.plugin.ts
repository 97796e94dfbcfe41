/**
 * The first fence between tenants: adds operator and company to every statement that Kysely builds, so that no handler
 * has to remember it. Row-level security is the second fence behind it; each holds alone.
 */
import {
  AliasNode,
  AndNode,
  BinaryOperationNode,
  ColumnNode,
  type DeleteQueryNode,
  FunctionNode,
  IdentifierNode,
  type JoinNode,
  type KyselyPlugin,
  OnNode,
  type OperationNode,
  OperationNodeTransformer,
  OperatorNode,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type QueryResult,
  ReferenceNode,
  type RootOperationNode,
  type SelectQueryNode,
  TableNode,
  type UnknownRow,
  type UpdateQueryNode,
  ValueNode,
  WhereNode,
} from 'kysely'
import { isKeyOf } from '#domain/objects.ts'
import { tenantScopeByTable } from './schema.ts'
import type { TenantScope } from './tenant-scope.ts'

export class TenantFilterPlugin implements KyselyPlugin {
  readonly #transformer: TenantFilterTransformer
  constructor(scope: TenantScope) {
    this.#transformer = new TenantFilterTransformer(scope)
  }
  transformQuery({ node, queryId }: PluginTransformQueryArgs): RootOperationNode {
    return this.#transformer.transformNode(node, queryId)
  }
  async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return result
  }
}

/** What stands behind the fence already: a query inside a query is handed through here once by itself and once with its outer one. */
const fenced = new WeakSet<OperationNode>()

class TenantFilterTransformer extends OperationNodeTransformer {
  readonly #scope: TenantScope
  constructor(scope: TenantScope) {
    super()
    this.#scope = scope
  }

  protected override transformSelectQuery(node: SelectQueryNode, queryId?: never): SelectQueryNode {
    if (fenced.has(node)) return node
    const inside = super.transformSelectQuery(node, queryId)
    return this.#withWhere(inside, inside.from?.froms ?? [])
  }
  protected override transformUpdateQuery(node: UpdateQueryNode, queryId?: never): UpdateQueryNode {
    const inside = super.transformUpdateQuery(node, queryId)
    return this.#withWhere(inside, [...(inside.table ? [inside.table] : []), ...(inside.from?.froms ?? [])])
  }
  protected override transformDeleteQuery(node: DeleteQueryNode, queryId?: never): DeleteQueryNode {
    const inside = super.transformDeleteQuery(node, queryId)
    return this.#withWhere(inside, [...inside.from.froms, ...(inside.using?.tables ?? [])])
  }
  protected override transformJoin(node: JoinNode, queryId?: never): JoinNode {
    const inside = super.transformJoin(node, queryId)
    const condition = this.#conditionOf(inside.table)
    if (!condition) return inside
    return { ...inside, on: inside.on ? OnNode.create(AndNode.create(inside.on.on, condition)) : OnNode.create(condition) }
  }

  #withWhere<N extends SelectQueryNode | UpdateQueryNode | DeleteQueryNode>(node: N, tables: readonly OperationNode[]): N {
    let where = node.where
    for (const table of tables) {
      const condition = this.#conditionOf(table)
      if (condition) where = where ? WhereNode.create(AndNode.create(where.where, condition)) : WhereNode.create(condition)
    }
    const whole = where === node.where ? node : { ...node, where }
    fenced.add(whole)
    return whole
  }

  #conditionOf(table: OperationNode): OperationNode | undefined {
    const aliased = AliasNode.is(table) ? table.node : table
    if (!TableNode.is(aliased)) return undefined
    const name = aliased.table.identifier.name
    const tableScope = isKeyOf(tenantScopeByTable, name) ? tenantScopeByTable[name] : undefined
    if (!tableScope || tableScope === 'none') return undefined
    const as = AliasNode.is(table) && IdentifierNode.is(table.alias) ? table.alias.name : name
    const { operator_id, companies } = this.#scope
    const ofOperator = equals(as, 'operator_id', ValueNode.create(operator_id))
    if (tableScope === 'operator') return ofOperator
    // `= any` also for one company: the statement's text, and so its prepared plan, stays the same.
    return AndNode.create(
      ofOperator,
      equals(as, name === 'companies' ? 'id' : 'company_id', FunctionNode.create('any', [ValueNode.create(companies)])),
    )
  }
}

const equals = (table: string, column: string, to: OperationNode): OperationNode =>
  BinaryOperationNode.create(ReferenceNode.create(ColumnNode.create(column), TableNode.create(table)), OperatorNode.create('='), to)
