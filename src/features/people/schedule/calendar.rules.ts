/** Shifts as iCalendar (RFC 5545, RFC 7986): times in UTC and stations, no names. */
import type { ScheduleEntry } from './schedule.schemas.ts'

const stamp = (at: string): string => `${at.slice(0, 19).replaceAll(/[-:]/g, '')}Z`
const escaped = (text: string): string => text.replaceAll(/[\\;,]/g, '\\$&').replaceAll('\n', '\\n')

/** Lines hold at most 75 octets; the rest goes on after a space, and no character is cut in two. */
function folded(line: string): string {
  let out = ''
  let size = 0
  for (const letter of line) {
    const bytes = new TextEncoder().encode(letter).length
    if (size + bytes > 75) {
      out += '\r\n '
      size = 1
    }
    out += letter
    size += bytes
  }
  return out
}

/** The summary is translated already: `Shift · Packing 2`. */
export function calendarOf(
  shifts: readonly Pick<ScheduleEntry, 'id' | 'start_at' | 'end_at' | 'station' | 'version'>[],
  { host, made, word }: { host: string; made: Date; word: string },
): string {
  const events = shifts.flatMap(({ id, start_at, end_at, station, version }) =>
    start_at === null || end_at === null
      ? []
      : [
          'BEGIN:VEVENT',
          `UID:shift-${id}@${host}`,
          `SEQUENCE:${version - 1}`,
          `DTSTAMP:${stamp(made.toISOString())}`,
          `DTSTART:${stamp(new Date(start_at).toISOString())}`,
          `DTEND:${stamp(new Date(end_at).toISOString())}`,
          `SUMMARY:${escaped(station === null ? word : `${word} · ${station}`)}`,
          'END:VEVENT',
        ],
  )
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Pakhus//Schedule//EN',
    'CALSCALE:GREGORIAN',
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    ...events,
    'END:VCALENDAR',
  ]
  return `${lines.map(folded).join('\r\n')}\r\n`
}
