/** Words for the codes of approval rules and requests. */
import type { Permission } from '#contract/access.ts'
import type { ApprovalMethod, ApprovalState, ApprovalSubject, ApprovedAct, approverCodes } from './approval.codes.ts'

export const subjectLabels: Record<ApprovalSubject, string> = {
  line: 'Before each item that meets the rule',
  order: 'Before the first item of the order',
  label: 'Before the label is printed',
}
export const methodLabels: Record<ApprovalMethod, string> = {
  pin: 'PIN of a lead',
  badge: 'Badge of a lead',
  photo: 'Photo by the packer, without a lead',
  remote: 'A lead elsewhere, within 60 seconds',
}
export const approverLabels: Record<(typeof approverCodes)[number] & Permission, string> = {
  admin: 'Administrators',
  scan_admin: 'Leads of packing',
  parcels_admin: 'Leads of orders',
  list_admin: 'Leads of picking',
  settings_admin: 'Administrators of settings',
}
export const actLabels: Record<ApprovedAct, string> = {
  take_over: 'Order taken over',
  cancel_rest: 'Missing items cancelled',
  bypass: 'Packed without scanning',
  weight: 'Weight taken',
}
/** What a lead is asked. */
export const actQuestions: Record<ApprovedAct, string> = {
  take_over: 'Take this order over?',
  cancel_rest: 'Cancel missing items?',
  bypass: 'Pack without scanning?',
  weight: 'Take this weight?',
}
export const stateLabels: Record<ApprovalState, string> = {
  asked: 'Waiting for an answer',
  approved: 'Approved',
  refused: 'Rejected',
  expired: 'Too late',
  cancelled: 'Cancelled',
}
export const stateTones = { asked: 'busy', approved: 'done', refused: 'stop', expired: 'soon', cancelled: 'plain' } as const
