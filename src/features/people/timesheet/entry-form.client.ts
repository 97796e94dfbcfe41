/** What the form of an entry holds, and the body that it sends. */
import * as z from 'zod'
import type { PunchType } from '#features/people/punch-clock/punch.codes.ts'
import type { PunchHistory } from '#features/people/punch-clock/punch-clock.schemas.ts'
import { comesTwice, type Pass, writtenSpan } from '#features/people/punch-clock/written-times.rules.ts'
import { localOf, timeZone } from '#ui/kit/format.ts'
import type { useT } from '#ui/kit/translate.ts'

export interface EntryValues extends Record<string, unknown> {
  /** Times of the company's clock, `06:00`. */
  started_at: string
  ended_at: string
  from_pass: Pass
  until_pass: Pass
  type: PunchType
  note: string
}

/** The day on which an entry begins: before midnight it may be the one before the day that it is worked for. */
export const firstDay = (work_date: string, punch: Pick<PunchHistory, 'started_at'> | null): string =>
  punch?.started_at ? localOf(punch.started_at).slice(0, 10) : work_date

const clockOf = (at: string | null | undefined): string => (at ? localOf(at).slice(11) : '')

export const initialEntry = (punch: PunchHistory | null): EntryValues => ({
  started_at: clockOf(punch?.started_at),
  ended_at: clockOf(punch?.ended_at),
  from_pass: '',
  until_pass: '',
  type: punch?.type ?? 'work',
  note: '',
})

const timesOf = (values: EntryValues) => ({
  from: values.started_at,
  until: values.ended_at,
  from_pass: values.from_pass,
  until_pass: values.until_pass,
})

export const spanOfEntry = (day: string, values: EntryValues) => writtenSpan(day, timesOf(values), timeZone())

export function bodyOfEntry(day: string, values: EntryValues) {
  const { from, until } = spanOfEntry(day, values)
  return {
    started_at: new Date(from ?? Number.NaN).toISOString(),
    ended_at: new Date(until ?? Number.NaN).toISOString(),
    type: values.type,
    note: values.note.trim(),
  }
}

/** Says at each field what is missing. */
export const entrySchema = (t: ReturnType<typeof useT>, day: string) =>
  z.custom<EntryValues>().superRefine((values, context) => {
    const problem = (field: keyof EntryValues & string, message: string) => context.addIssue({ code: 'custom', path: [field], message })
    const twice = comesTwice(day, { from: values.started_at, until: values.ended_at }, timeZone())
    const { from, until } = spanOfEntry(day, values)
    if (from === null) {
      if (twice.from) problem('from_pass', t('Select summer or winter time'))
      else problem('started_at', t('Enter the time as 16:00'))
    }
    if (until === null) {
      if (twice.until) problem('until_pass', t('Select summer or winter time'))
      else problem('ended_at', t('Enter the time as 16:00'))
    }
    if (values.note.trim().length < 3) problem('note', t('Write at least three characters'))
  })
