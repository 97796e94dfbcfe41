/** The words with which recipients stop messages, and the ranks of states. */
import type { MessageState } from './messages.codes.ts'

/** Whole texts, in capital letters without punctuation. CANCEL, END and QUIT are answers of customers here. */
const stopWords: readonly string[] = ['STOP', 'STOPP', 'STOPALL', 'UNSUBSCRIBE', 'AFMELD', 'AVMELD', 'AVSLUTA', 'ABMELDEN']
const startWords: readonly string[] = ['START', 'UNSTOP', 'TILMELD', 'ANMELDEN']

const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase()
export const isStop = (text: string): boolean => stopWords.includes(folded(text))
export const isStart = (text: string): boolean => startWords.includes(folded(text))

/** A report never takes a message back to an earlier rank. */
export const stateRanks: Readonly<Record<MessageState, number>> = {
  queued: 0,
  sending: 0,
  sent: 1,
  unknown: 2,
  delivered: 3,
  failed: 3,
  expired: 3,
  cancelled: 3,
  skipped: 3,
  received: 3,
}
