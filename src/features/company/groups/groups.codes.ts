/** Kinds of events that change who may do what. */
import type { EventKind } from '#contract/events.ts'

export const permissionEvents = [
  'user.created',
  'user.changed',
  'user.removed',
  'user.pin_set',
  'user.pin_removed',
  'user.badge_made',
  'user.badge_revoked',
  'user.totp_set',
  'user.totp_removed',
  'user.recovery_codes_made',
  'user.recovery_code_used',
  'user.passkey_added',
  'user.passkey_removed',
  'user.second_factors_reset',
  'user.identity_linked',
  'user.identity_unlinked',
  'personal.revealed',
  'personal.erased',
  'group.created',
  'group.renamed',
  'group.permission_changed',
  'group.member_added',
  'group.member_removed',
  'group.removed',
] as const satisfies readonly EventKind[]
