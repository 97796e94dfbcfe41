/** The copy for a member of the staff as a document on A4: a heading per part, its rows as a table, in the person's language. */
import { setImmediate } from 'node:timers/promises'
import * as z from 'zod'
import type { Locale } from '#contract/limits.ts'
import { fromMinor } from '#domain/money.ts'
import { isRecord } from '#domain/objects.ts'
import type { CompanySettings } from '#features/company/companies/companies.schemas.ts'
import { heightOf, write } from '#integrations/printers/documents.ts'
import { addPage, finished, hairline, ink, mm, paleInk, type Sheet, sheet, writeLine } from '#integrations/printers/paper.ts'
import { localeOf } from '#integrations/printers/pick-list.labels.ts'
import { type StaffColumn, type StaffSection, staffWords } from '#integrations/printers/staff-paper.labels.ts'

interface StaffCopy {
  sections: Readonly<Record<string, readonly unknown[]>>
  cpr: string | null
  company: string
  settings: Pick<CompanySettings, 'locale' | 'time_zone' | 'currency'>
  at: Date
}

type Row = Readonly<Record<string, unknown>>

/** The columns of a part with their shares of the width, and what follows below a row where it has a value. */
interface Part {
  name: StaffSection
  columns: readonly (readonly [column: StaffColumn, share: number])[]
  below?: readonly StaffColumn[]
}

const facts: readonly { name: StaffSection; columns: readonly StaffColumn[] }[] = [
  { name: 'users', columns: ['name', 'cpr', 'user_name', 'email', 'phone', 'role', 'employee_no', 'locale', 'created_at', 'removed_at'] },
  {
    name: 'employees',
    columns: [
      ...(['birth_date', 'guardian_name', 'guardian_phone', 'guardian_email', 'employed_from', 'employed_to'] as const),
      ...(['weekly_s', 'days_per_week', 'country', 'compulsory_school'] as const),
      ...(['average_opt_out_from', 'average_opt_out_to'] as const),
    ],
  },
]

// biome-ignore format: a part a line reads as a table
const parts: readonly Part[] = [
  { name: 'pay_terms', columns: [['valid_from', 2], ['salary_type', 2], ['rate', 2], ['floor_rate', 2], ['made_by', 3]], below: ['reason', 'made_at', 'withdrawn_at'] },
  { name: 'schedule_entries', columns: [['work_date', 2], ['date_to', 2], ['kind', 2], ['start_local', 1], ['end_local', 1], ['state', 2]], below: ['reason_id', 'part', 'station', 'skill', 'break_s', 'decided_by', 'decided_at', 'decision', 'changed_by', 'changed_at'] },
  { name: 'schedule_notes', columns: [['work_date', 2], ['kind', 2], ['note', 7]] },
  { name: 'leave_ledger', columns: [['day', 2], ['kind', 2], ['days_milli', 1], ['explanation', 4], ['made_by', 2]], below: ['year_start', 'made_at'] },
  { name: 'shift_offers', columns: [['created_at', 3], ['kind', 2], ['state', 2], ['decided_by', 3]], below: ['decided_at', 'reason'] },
  { name: 'punches', columns: [['work_date', 2], ['type', 2], ['started_at', 3], ['ended_at', 3], ['state', 2]], below: ['station', 'source', 'way', 'early_out'] },
  { name: 'punch_versions', columns: [['work_date', 2], ['no', 1], ['why', 2], ['type', 2], ['started_at', 3], ['ended_at', 3]], below: ['at', 'note'] },
  { name: 'timesheet_days', columns: [['work_date', 2], ['state', 2], ['paid_s', 1.5], ['approved_by_name', 3], ['approved_at', 3]], below: ['intervals'] },
  { name: 'timesheet_versions', columns: [['work_date', 2], ['why', 2.5], ['paid_s', 1.5], ['by_name', 3], ['at', 3]], below: ['intervals', 'reason'] },
  { name: 'pay_export_lines', columns: [['kind', 2], ['name', 4], ['pay_code', 1.5], ['units_c', 1.5], ['rate', 2], ['amount', 2]] },
  { name: 'work_daily', columns: [['day', 2], ['kind', 2.5], ['orders', 1.5], ['lines', 1.5], ['pieces', 1.5], ['active_s', 1.5]], below: ['grams', 'wagons', 'scans', 'wrong', 'shorts', 'break_s'] },
  { name: 'announcements', columns: [['title', 5], ['version_no', 1], ['at', 3], ['locale', 1]] },
  { name: 'user_groups', columns: [['name', 4], ['added_by', 3], ['added_at', 3]] },
  { name: 'user_identities', columns: [['issuer', 4], ['subject', 4], ['linked_at', 3]], below: ['last_used_at'] },
  { name: 'sessions', columns: [['created_at', 3], ['last_used_at', 3], ['expires_at', 3], ['ip', 3]], below: ['user_agent'] },
  { name: 'access_log', columns: [['at', 3], ['user_name', 3], ['what', 3], ['criteria', 3]] },
]

/** Most rows of a part: eight years of clocking in twice a day are 4,000. */
export const mostPaperRows = 10_000
/** Rows that are measured before others have their turn. */
const atOnce = 100

const [width, height] = [210, 297]
const [left, right] = [14, width - 14]
const [top, foot] = [22, height - 18]
const size = 8.5
const small = 7.5

/** Something of a known height that is drawn at a place of a page. */
interface Block {
  tall: number
  draw: (y: number) => void
  /** Stays with so much of what follows. */
  keep?: number
  /** Titles of the columns, again at the top of the next page. */
  titles?: Block
}

export async function staffPaper(copy: StaffCopy): Promise<Uint8Array> {
  const { users: [user] = [] } = copy.sections
  const person = rowOf(user)
  const locale = localeOf(typeof person.locale === 'string' ? person.locale : copy.settings.locale)
  const words = staffWords(locale)
  const textOf = values(copy, locale)
  const name = String(person.name ?? '')
  const title = `${words.text('title')}: ${name}`
  const page = sheet({ size: [width, height], title, at: copy.at, language: locale.replace('_', '-'), open: false })

  const line = (text: string, place: { size: number; bold?: boolean; colour?: string }, after = 0): Block => {
    const of = { width: right - left, lines: 20, ...place }
    return { tall: heightOf(page, text, of) + after, draw: y => write(page, text, { ...of, x: left, y }) }
  }
  const heading = (text: string): Block => ({
    tall: 12,
    keep: 14,
    draw: y => {
      writeLine(page, text, { x: left, y: y + 5, width: right - left, size: 12, bold: true })
      rule(page, y + 11, 0.35)
    },
  })
  const blocks: Block[] = [
    line(words.text('title'), { size: 20, bold: true }, 2),
    line(
      words
        .text('about')
        .replace('{name}', () => name)
        .replace('{at}', () => textOf('at', copy.at.toISOString(), {})),
      { size: 10 },
      1,
    ),
    line(words.text('more'), { size: 9, colour: paleInk }),
  ]
  for (const part of facts) {
    blocks.push(heading(words.section(part.name)))
    const row: Row = { ...rowOf(copy.sections[part.name]?.[0]), ...(part.name === 'users' && { cpr: copy.cpr }) }
    const shown = part.columns.map(column => [words.column(column), textOf(column, row[column], row)] as const)
    for (const [label, value] of shown.filter(([, text]) => text !== '')) {
      const place = { width: right - left - 60, size: 9.5, lines: 6 }
      blocks.push({
        tall: heightOf(page, value, place) + 1.4,
        draw: y => {
          writeLine(page, label, { x: left, y: y + 1, width: 56, size: 9, colour: paleInk })
          write(page, value, { ...place, x: left + 60, y: y + 0.8 })
        },
      })
    }
    if (shown.every(([, text]) => text === '')) blocks.push(line(words.text('none'), { size: 9, colour: paleInk }))
  }
  for (const part of parts) {
    const stored = copy.sections[part.name] ?? []
    const rows = stored.slice(-mostPaperRows)
    blocks.push(heading(words.section(part.name)))
    if (rows.length === 0) {
      blocks.push(line(words.text('none'), { size: 9, colour: paleInk }))
      continue
    }
    if (rows.length < stored.length) {
      const latest = words.text('latest').replace('{n}', String(rows.length)).replace('{total}', String(stored.length))
      blocks.push(line(latest, { size: 9, colour: paleInk }, 1))
    }
    const places = placesOf(part)
    const titles: Block = {
      tall: 5.2,
      keep: 8,
      draw: y => {
        for (const { column, ...place } of places)
          writeLine(page, words.column(column), { ...place, y: y + 1, size: small, bold: true, colour: paleInk })
        rule(page, y + 5, 0.1)
      },
    }
    blocks.push(titles)
    for (const [i, one] of rows.entries()) {
      if (i % atOnce === atOnce - 1) await setImmediate()
      const row = rowOf(one)
      const cells = places.map(({ column, ...place }) => ({ text: textOf(column, row[column], row), ...place, size, lines: 6 }))
      const more = (part.below ?? [])
        .map(column => [words.column(column), textOf(column, row[column], row)] as const)
        .filter(([, text]) => text !== '')
        .map(([label, text]) => `${label}: ${text}`)
        .join(' · ')
      const below = { width: right - left, size: small, lines: 20, colour: paleInk }
      const upper = Math.max(...cells.map(cell => heightOf(page, cell.text, cell)))
      blocks.push({
        titles,
        tall: upper + (more ? heightOf(page, more, below) + 0.6 : 0) + 2,
        draw: y => {
          for (const { text, ...place } of cells) if (text) write(page, text, { ...place, y: y + 0.8 })
          if (more) write(page, more, { ...below, x: left, y: y + upper + 1.2 })
        },
      })
    }
  }
  const pages = pagesOf(blocks)
  for (const [i, content] of pages.entries()) {
    if (i > 0) {
      await addPage(page)
      writeLine(page, title, { x: left, y: 12, width: right - left, size: 9, colour: paleInk })
    }
    for (const { block, y } of content) block.draw(y)
    writeLine(page, copy.company, { x: left, y: foot + 5, width: 120, size: small, colour: paleInk })
    const number = words
      .text('page')
      .replace('{n}', String(i + 1))
      .replace('{total}', String(pages.length))
    writeLine(page, number, { x: right - 50, y: foot + 5, width: 50, size: small, colour: paleInk, align: 'right' })
  }
  return finished(page)
}

/** Rows of whole tables stand under a name of their own. */
const rowOf = (one: unknown): Row => (!isRecord(one) ? {} : isRecord(one.row) ? one.row : one)
const Intervals = z.array(z.object({ from: z.number(), to: z.number() }))

function placesOf({ columns }: Part) {
  const shares = columns.reduce((sum, [, share]) => sum + share, 0)
  let x = left
  return columns.map(([column, share]) => {
    const whole = ((right - left) * share) / shares
    const place = { column, x, width: whole - 2 }
    x += whole
    return place
  })
}

function pagesOf(blocks: readonly Block[]): { block: Block; y: number }[][] {
  let page: { block: Block; y: number }[] = []
  const pages = [page]
  let y = 14
  for (const block of blocks) {
    if (page.length > 0 && y + block.tall + (block.keep ?? 0) > foot) {
      page = []
      pages.push(page)
      y = top
      if (block.titles) {
        page.push({ block: block.titles, y })
        y += block.titles.tall
      }
    }
    page.push({ block, y })
    y += block.tall
  }
  return pages
}

function rule(page: Sheet, y: number, thick: number): void {
  page
    .moveTo(mm(left), mm(y))
    .lineTo(mm(right), mm(y))
    .lineWidth(mm(thick))
    .strokeColor(thick > 0.2 ? ink : hairline)
    .stroke()
}

const days = new Set<StaffColumn>([
  ...(['work_date', 'date_to', 'valid_from', 'day', 'year_start', 'birth_date', 'employed_from', 'employed_to'] as const),
])
const codes = new Set<StaffColumn>(['kind', 'state', 'type', 'source', 'way', 'why', 'early_out', 'salary_type', 'part', 'what'])

/** Stored values as text: days and times in the company's zone, durations in hours and minutes, money with its currency. */
function values({ settings }: StaffCopy, locale: Locale) {
  const words = staffWords(locale)
  const language = locale.replace('_', '-')
  const dayText = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })
  const time = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: settings.time_zone })
  const clock = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: settings.time_zone })
  const languages = new Intl.DisplayNames(language, { type: 'language' })
  const countries = new Intl.DisplayNames(language, { type: 'region' })
  const decimals = new Intl.NumberFormat(language, { maximumFractionDigits: 3 })
  const duration = (seconds: number) => {
    const minutes = Math.round(Math.abs(seconds) / 60)
    return `${seconds < 0 ? '-' : ''}${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
  }
  const money = (minor: number, currency: unknown) => {
    const code = typeof currency === 'string' ? currency : settings.currency
    return `${fromMinor(minor, code)} ${code}`
  }
  return (column: StaffColumn, value: unknown, row: Row): string => {
    if (value === null || value === undefined || value === '') return ''
    if (days.has(column)) return dayText.format(new Date(`${String(value).slice(0, 10)}T00:00:00Z`))
    if (column === 'at' || column.endsWith('_at')) return time.format(new Date(String(value)))
    if (column.endsWith('_s')) return duration(Number(value))
    if (codes.has(column)) return words.code(String(value))
    switch (column) {
      case 'rate':
      case 'floor_rate':
      case 'amount':
        return money(Number(value), row.currency)
      case 'units_c':
        return decimals.format(Number(value) / 100)
      case 'days_milli':
        return decimals.format(Number(value) / 1_000)
      case 'grams':
        return `${decimals.format(Number(value) / 1_000)} kg`
      case 'reason_id':
        return words.reason(Number(value))
      case 'name':
        return row.kind === 'leave' && /^\d+$/.test(String(value)) ? words.reason(Number(value)) : String(value)
      case 'compulsory_school':
        return words.text(value ? 'yes' : 'no')
      case 'intervals':
        return Intervals.parse(value)
          .map(one => clock.formatRange(one.from, one.to))
          .join(', ')
      case 'locale':
        return languages.of(String(value).slice(0, 2)) ?? String(value)
      case 'country':
        return countries.of(String(value)) ?? String(value)
      default:
        return String(value)
    }
  }
}
