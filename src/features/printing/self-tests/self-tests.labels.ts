/** Words and tones of self-tests. */
import type { SelfTestState } from './self-tests.codes.ts'

export const selfTestLabels = {
  waiting: 'To be scanned',
  proved: 'Scanned back',
  missed: 'Not scanned',
  skipped: 'Skipped by hand',
} as const satisfies Record<SelfTestState, string>

export const selfTestTones = {
  waiting: 'busy',
  proved: 'done',
  missed: 'soon',
  skipped: 'soon',
} as const satisfies Record<SelfTestState, string>
