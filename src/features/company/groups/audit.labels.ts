/** What the log of permissions calls its kinds of change. */
import type { permissionEvents } from './groups.codes.ts'

export const auditWords: Readonly<Record<(typeof permissionEvents)[number], string>> = {
  'user.created': 'User created',
  'user.changed': 'User changed',
  'user.removed': 'User removed',
  'user.pin_set': 'PIN set',
  'user.pin_removed': 'PIN removed',
  'user.badge_made': 'Badge made',
  'user.badge_revoked': 'Badge revoked',
  'user.totp_set': 'Code app set up',
  'user.totp_removed': 'Code app removed',
  'user.recovery_codes_made': 'Recovery codes made',
  'user.recovery_code_used': 'Recovery code used',
  'user.passkey_added': 'Passkey added',
  'user.passkey_removed': 'Passkey removed',
  'user.second_factors_reset': 'Second factor reset',
  'user.identity_linked': 'Company account connected',
  'user.identity_unlinked': 'Company account disconnected',
  'personal.erased': 'Person erased',
  'personal.revealed': 'CPR number read',
  'group.created': 'Group created',
  'group.renamed': 'Group renamed',
  'group.permission_changed': 'Permissions of a group changed',
  'group.member_added': 'Person added to a group',
  'group.member_removed': 'Person removed from a group',
  'group.removed': 'Group removed',
}
