/** Words for kinds of time, and sums of it. */
import type { useT } from '#ui/kit/translate.ts'
import type { otherWhys, PunchState, PunchType } from './punch.codes.ts'
import type { Pass } from './written-times.rules.ts'

type T = ReturnType<typeof useT>

export const typeWord = (t: T, type: PunchType): string =>
  ({ work: t('Work'), break: t('Break'), meeting: t('Meeting'), cleaning: t('Cleaning'), other: t('Other') })[type]

export const stateWord = (t: T, state: PunchState): string =>
  ({
    open: t('Running'),
    closed: t('Clocked'),
    validated: t('Accepted'),
    correction_requested: t('Correction'),
    corrected: t('Corrected'),
    missing_out: t('No clock-out'),
    time_unverified: t('Not verified'),
    deleted: t('Deleted'),
  })[state]

/** Why somebody left before the end of the shift. */
export const earlyWord = (t: T, why: (typeof otherWhys)[number]): string =>
  ({ finished: t('finished for today'), agreed: t('agreed with the lead'), other: t('another reason') })[why]

/** Which of the two is meant by a time that the clock shows twice. */
export const passChoices = (t: T): { value: Pass; label: string }[] => [
  { value: '', label: t('Select') },
  { value: 'summer', label: t('Summer time') },
  { value: 'winter', label: t('Winter time') },
]

/** `27000` → `7:30`: hours and minutes of a sum, negative ones too. */
export function hoursAndMinutes(seconds: number): string {
  const minutes = Math.round(Math.abs(seconds) / 60)
  return `${seconds < 0 && minutes > 0 ? '−' : ''}${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
}
