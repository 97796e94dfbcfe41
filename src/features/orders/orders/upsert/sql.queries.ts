/** What the statements of storing share. Their texts never change, so that the database plans them once. */
import { CompiledQuery } from 'kysely'
import { type Db, markGenericPlan } from '#platform/database/database.ts'
import type { ActorKind } from '#platform/database/events.ts'
import type { Context } from '#platform/http/feature-module.ts'

export type StoringTools = Pick<
  Context,
  'db' | 'notify' | 'now' | 'principal' | 'recordEvent' | 'recordEvents' | 'runSubscribers' | 'scope' | 'services' | 'station'
>

export interface StoringOptions {
  /** The import that brings them: it alone may take back what it created. */
  import_id?: number
  /** Who did it, where it is neither the person nor the key that asks: `WooCommerce`. */
  actor?: string
  /** Nothing of the caller's comes after it, and it tries again what collided: the commit may travel with the last statement. */
  ends?: boolean
  /** Bundles of the company stay lines as they are: a part of an order takes pieces of its lines. */
  as_sent?: boolean
}

/** Who did it, as an event holds it: name, user, company, station, kind. */
export type Actor = [name: string, user_id: number | null, company_id: number, station: string | null, kind: ActorKind]

export const actorOf = ({ principal, station }: StoringTools, { actor }: StoringOptions): Actor => [
  actor ?? (principal.kind === 'anonymous' && principal.id === 0 ? 'system' : principal.name),
  principal.id || null,
  principal.company.id,
  station || null,
  // Only a shop whose webhook is signed with its key is named by the caller.
  actor === undefined ? (principal.kind === 'shop' ? 'api_key' : principal.id ? 'user' : 'system') : 'api_key',
]

/** Between the parts of what is sent as one text; no stored text holds it. */
export const unit = '\u001f'

type Cell = string | number | boolean | null

export type Cells<T> = readonly (readonly [name: string, type: string, of: (row: T) => Cell])[]

/** `unnest($1::text[], …) as o(external_id, …)`: any number of rows under one text. */
export function table<T>(name: string, cells: Cells<T>, first: number): string {
  return `unnest(${cells.map(([, type], at) => `$${first + at}::${type}[]`).join(', ')}) as ${name}(${cells.map(([column]) => column).join(', ')})`
}

/** A column is sent to its last value: `unnest` fills up with null, and most columns of most shops hold nothing else. */
export const values = <T>(rows: readonly T[], cells: Cells<T>): string[] =>
  cells.map(([, , of]) => {
    const column = rows.map(of)
    return arrayLiteral(column.slice(0, column.findLastIndex(cell => cell !== null) + 1))
  })

/**
 * The text of an array. JSON is written many times faster than the driver searches each value for what to escape, and differs only in the
 * brackets and in how it writes line breaks and other control characters.
 */
export function arrayLiteral(cells: readonly Cell[]): string {
  const text = JSON.stringify(cells)
  return controlEscape.test(text) ? `{${cells.map(elementText).join(',')}}` : `{${text.slice(1, -1)}}`
}
const controlEscape = /\\[^"\\]/
const elementText = (cell: Cell): string => (typeof cell === 'string' ? `"${cell.replace(/["\\]/g, '\\$&')}"` : JSON.stringify(cell))

export async function run<R>(db: Db, text: string, parameters: readonly unknown[]): Promise<R[]> {
  // The length of an array never changes how these should run.
  markGenericPlan(text)
  const { rows } = await db.executeQuery<R>(CompiledQuery.raw(text, [...parameters]))
  return rows
}

export const ours = (alias: string) => `${alias}.operator_id = current_operator_id() and ${alias}.company_id = current_company_id()`

/**
 * The same for looks by a key, planned for a company of the usual size whichever asks first: one that PostgreSQL has never counted seems empty to
 * it, and then any index of the operator is as good, which reads all rows of the company for each look.
 */
export const ofAnyCompany = (alias: string) =>
  `${alias}.operator_id = (select current_operator_id()) and ${alias}.company_id = (select current_company_id())`

/** An order that stands on a living pick list, and of which nothing is packed. */
export const onList = (order: string) => `(${order}.work_state in ('in_pick', 'picked')
  and exists (select from pick_slots s where s.operator_id = ${order}.operator_id and s.order_id = ${order}.id and s.live)
  and not exists (select from order_lines l where l.operator_id = ${order}.operator_id and l.order_id = ${order}.id and l.packed_qty > 0))`

/** An order that goes in one parcel with others. */
export const isCombined = (order: string) => `(${order}.combined_into is not null
  or exists (select from orders m where m.operator_id = ${order}.operator_id and m.combined_into = ${order}.id))`

export const json = (value: unknown): string => JSON.stringify(value)
