/** Hours and days as people read them. */
import { number } from '#ui/kit/format.ts'
import { t } from '#ui/kit/translate.ts'

/** Seconds → `7.5 h`. */
export const hours = (seconds: number): string => t('{{hours}} h', { hours: number(seconds / 3600, 2) })

/** Thousandths of a day → `2.5`. */
export const days = (milli: number): string => number(milli / 1000, 2)
