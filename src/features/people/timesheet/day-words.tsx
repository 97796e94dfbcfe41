/** A day in words: its span, and what has to be looked at. */
import { Text } from '@mantine/core'
import { hoursAndMinutes } from '#features/people/punch-clock/punch-words.client.ts'
import { dateIn, time } from '#ui/kit/format.ts'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import type { TimesheetRow } from './timesheet.schemas.ts'

/** `06:00–14:00`; without an end it stays open. */
export const spanText = (span: { from: string | null; to: string | null } | null): string =>
  span === null || (span.from === null && span.to === null) ? '–' : `${span.from ? time(span.from) : '?'}–${span.to ? time(span.to) : ''}`

/** How long an entry lasts that is being written: an end before the start lies on the next day. */
export function SpanNote({ from, until }: { from: string | number | null; until: string | number | null }) {
  const t = useT()
  if (from === null || until === null) return null
  const [start, end] = [new Date(from), new Date(until)]
  const length = hoursAndMinutes((end.getTime() - start.getTime()) / 1_000)
  return (
    <Text size="sm" aria-live="polite">
      {dateIn(start) === dateIn(end) ? length : `${length} · ${t('On the next day')}`}
    </Text>
  )
}

/** The plan, with the leave of who went home; the kind of a leave is said nowhere here. */
export function plannedText(t: ReturnType<typeof useT>, { away, planned, went_home }: TimesheetRow): string {
  if (away) return t('Away')
  return went_home ? `${spanText(planned)} · ${t('leave from {{time}}', { time: time(went_home.from) })}` : spanText(planned)
}

export function DayState({ row }: { row: TimesheetRow }) {
  const t = useT()
  const { flags, approved } = row
  if (approved?.changed) return <StateBadge tone="soon">{t('Changed')}</StateBadge>
  if (approved?.state === 'locked') return <StateBadge tone="quiet">{t('Locked')}</StateBadge>
  if (approved) return <StateBadge tone="done">{approved.own ? t('Self-approved') : t('Approved')}</StateBadge>
  if (flags.includes('correction')) return <StateBadge tone="soon">{t('Correction')}</StateBadge>
  if (flags.includes('missing_out')) return <StateBadge tone="stop">{t('No clock-out')}</StateBadge>
  if (flags.includes('unverified')) return <StateBadge tone="stop">{t('Not verified')}</StateBadge>
  if (flags.includes('open')) return <StateBadge tone="busy">{t('Running')}</StateBadge>
  if (flags.includes('no_punch')) return <StateBadge tone="plain">{t('Not clocked')}</StateBadge>
  if (flags.includes('no_shift')) return <StateBadge tone="soon">{t('Without shift')}</StateBadge>
  if (flags.includes('differs')) return <StateBadge tone="soon">{t('Differs')}</StateBadge>
  return <StateBadge tone="plain">{t('As planned')}</StateBadge>
}
