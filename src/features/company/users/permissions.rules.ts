/** Rules for granting permissions. */
import { isAllowed, type Permission } from '#contract/access.ts'

/** A user holds a permission through the permission itself, its `_admin`, or `admin`. */
export const holds = (held: readonly Permission[], right: Permission): boolean =>
  isAllowed(held, [right]) || held.some(one => one === `${right}_admin`)

/** Of the permissions that a change adds, those that the editor does not hold and so cannot give. */
export const notTheirsToGive = (
  changer: readonly Permission[],
  before: readonly Permission[],
  after: readonly Permission[],
): Permission[] => after.filter(right => !before.includes(right) && !holds(changer, right) && !changer.includes('admin'))

/** True when the editor holds every permission of the other user: only then may they set that user's password, because that allows them to act as that user. */
export const standsAbove = (changer: readonly Permission[], other: readonly Permission[]): boolean =>
  other.every(right => holds(changer, right))
