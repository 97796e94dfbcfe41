/** The copy on paper holds every row once, however many there are, and lets others work meanwhile. */
import { describe, expect, it } from 'vitest'
import { readText } from '#test/label-reader.ts'
import { mostPaperRows, staffPaper } from './staff-paper.server.ts'

const punch = (n: number) => ({
  row: {
    ...{ work_date: '2026-11-02', type: 'work', started_at: '2026-11-02T05:00:00Z', ended_at: '2026-11-02T13:00:00Z', state: 'validated' },
    ...{ station: `place-${n}`, source: 'kiosk', way: 'badge' },
  },
})
const paper = (punches: number, more: Record<string, unknown[]> = {}) =>
  staffPaper({
    sections: { users: [{ name: 'Kim Lund', locale: 'de_DE' }], punches: Array.from({ length: punches }, (_, i) => punch(i + 1)), ...more },
    cpr: null,
    company: 'Nordlys',
    settings: { locale: 'en_GB', time_zone: 'Europe/Copenhagen', currency: 'DKK' },
    at: new Date('2026-11-26T10:00:00Z'),
  })

describe('the copy for a person on paper', () => {
  it('holds each of 3,000 clocked times once, in order, numbers its pages and repeats the titles', async () => {
    let turns = 0
    let drawn = false
    const count = () => {
      turns++
      if (!drawn) setImmediate(count)
    }
    setImmediate(count)
    const bytes = await paper(3_000)
    drawn = true
    const words = await readText(bytes)
    const stations = words.flatMap(word => /Station: (place-\d+) · Erfasst über: Terminal/.exec(word)?.[1] ?? [])
    expect(stations).toEqual(Array.from({ length: 3_000 }, (_, i) => `place-${i + 1}`))
    const pages = words.filter(word => /^Seite \d+ von \d+$/.test(word))
    expect(pages).toEqual(pages.map((_, i) => `Seite ${i + 1} von ${pages.length}`))
    expect(pages.length).toBeGreaterThan(50)
    expect(words.filter(word => word === 'Beginn').length).toBeGreaterThan(pages.length - 5)
    expect(turns).toBeGreaterThanOrEqual(pages.length - 1)
  })

  it('shows the latest rows and says so where there are more than it holds', async () => {
    const groups = Array.from({ length: mostPaperRows + 1 }, (_, i) => ({ name: `group-${i + 1}` }))
    const words = await readText(await paper(0, { user_groups: groups }))
    expect(words).toContain('Die neuesten 10000 von 10001. Alle stehen in der Kopie als JSON.')
    expect(words).not.toContain('group-1')
    expect(words).toContain('group-10001')
  })

  it('writes hours, money, holidays and reasons as the person reads them', async () => {
    const words = await readText(
      await paper(0, {
        employees: [{ row: { birth_date: '1990-05-17', weekly_s: 133_200, compulsory_school: false } }],
        pay_terms: [
          { row: { valid_from: '2026-01-01', salary_type: 'hourly', rate: 18_550, floor_rate: 0, currency: 'DKK', made_by: 'Jo' } },
        ],
        leave_ledger: [{ row: { day: '2026-09-01', kind: 'taken', days_milli: -1_500, explanation: '', made_by: 'Jo' } }],
        pay_export_lines: [{ row: { kind: 'leave', name: '3', pay_code: '40', units_c: 150, rate: null, amount: 0 } }],
        timesheet_days: [
          {
            row: {
              ...{
                work_date: '2026-11-02',
                state: 'approved',
                paid_s: 27_900,
                approved_by_name: 'Jo',
                approved_at: '2026-11-03T08:00:00Z',
              },
              intervals: [{ from: Date.parse('2026-11-02T05:00:00Z'), to: Date.parse('2026-11-02T12:45:00Z'), type: 'work', paid: true }],
            },
          },
        ],
        schedule_entries: [{ row: { work_date: '2026-12-01', kind: 'leave', reason_id: 1, part: 'morning', state: 'registered' } }],
      }),
    )
    for (const shown of ['17.05.1990', '37:00', 'Nein', '185.50 DKK', '-1,5', 'Bezahlter Urlaub', '1,5', '7:45', 'Genehmigt', 'Erfasst'])
      expect(words, shown).toContain(shown)
    expect(words.join(' ')).toContain('Grund: Krankheitstag · Teil des Tages: Vormittag')
    expect(words.join(' ')).toMatch(/Zeiten: 06:00.{1,3}13:45/)
  })
})
