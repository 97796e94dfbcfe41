/** The permissions that a user has: the own ones and those of the groups. */
import { sql } from 'kysely'

/** Permission ids of the user `u` of a statement. */
export const effectivePermission = sql<number[]>`effective_permission(u.operator_id, u.id, u.permission)`
