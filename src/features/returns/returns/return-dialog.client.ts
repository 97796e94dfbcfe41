/** The dialogs of a return. */
import type { ReturnItem } from './returns.schemas.ts'

/** What is asked in a dialog of the page. */
export type ReturnDialog =
  | { kind: 'inspect'; item: ReturnItem; serial?: string }
  | { kind: 'decide'; items: readonly ReturnItem[] }
  | { kind: 'exchange'; item: ReturnItem }
  | { kind: 'propose' }
  | { kind: 'waive'; item: ReturnItem }
  | { kind: 'add'; code: string }
  | { kind: 'link' }
  | { kind: 'reject' | 'cancel' | 'reopen' }
  | { kind: 'confirm'; no: number }
  | { kind: 'deny'; no: number }
