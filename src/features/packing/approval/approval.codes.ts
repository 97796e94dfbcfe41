/** Codes of approval rules and requests that screens and schemas share. */
import type { Permission } from '#contract/access.ts'

/** What waits for the approval: the pieces of a line, the first piece of the order, or the label. */
export const approvalSubjects = ['line', 'order', 'label'] as const
export type ApprovalSubject = (typeof approvalSubjects)[number]

/** How it is answered: PIN or badge of a lead at the station, a photo by the packer, or a lead at another screen. */
export const approvalMethods = ['pin', 'badge', 'photo', 'remote'] as const
export type ApprovalMethod = (typeof approvalMethods)[number]

/** What a lead approves at the station without a rule that asks. */
export const approvedActs = ['take_over', 'cancel_rest', 'bypass', 'weight'] as const
export type ApprovedAct = (typeof approvedActs)[number]

/** What stands in the log: the question of a rule, or one of the other acts. */
export const approvalActs = ['rule', ...approvedActs] as const

export const approvalStates = ['asked', 'approved', 'refused', 'expired', 'cancelled'] as const
export type ApprovalState = (typeof approvalStates)[number]

/** Permissions of people whom a rule may name. */
export const approverCodes = [
  'admin',
  'scan_admin',
  'parcels_admin',
  'list_admin',
  'settings_admin',
] as const satisfies readonly Permission[]

export const mostApprovalRules = 50
/** Characters of the reason of an answer. */
export const mostReason = 500
