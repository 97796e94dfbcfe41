/** Who may give which rights to whom. */
import { isAllowed, type Permission } from '#contract/access.ts'

/** Somebody holds a right when they have it, its `_admin`, or `admin`. */
export const holds = (held: readonly Permission[], right: Permission): boolean =>
  isAllowed(held, [right]) || held.includes(`${right}_admin` as Permission)

/** Of the rights that a change adds, those that the changer does not hold and so cannot give. */
export const notTheirsToGive = (
  changer: readonly Permission[],
  before: readonly Permission[],
  after: readonly Permission[],
): Permission[] => after.filter(right => !before.includes(right) && !holds(changer, right))

/** True when the changer holds everything that the other person does: only then may they set that person's password, which lets them act as that person. */
export const standsAbove = (changer: readonly Permission[], other: readonly Permission[]): boolean =>
  other.every(right => holds(changer, right))
