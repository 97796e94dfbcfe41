import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Locale } from '#contract/limits.ts'
import {
  bytes,
  country,
  dateIn,
  day,
  dayOf,
  duration,
  instant,
  instantOf,
  list,
  money,
  number,
  otherZone,
  percent,
  relative,
  setTimeZone,
  span,
  time,
  upcoming,
  week,
  weight,
} from './format.ts'
import { speak, t } from './translate.ts'

/** `Intl` writes spaces that do not break; the rule is about the rest. */
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ')
const inLocale = async (locale: Locale, words: () => string) => {
  await speak(locale)
  return plain(words())
}

beforeAll(() => {
  vi.stubGlobal('__WORDS__', {})
  vi.stubGlobal('document', { documentElement: {} })
  // The words that a deployment hands out.
  vi.stubGlobal('fetch', async (address: string) => {
    const words: Record<string, string> = address.includes('da_DK')
      ? { '{{count}} orders_one': '{{count}} ordre', '{{count}} orders_other': '{{count}} ordrer', Save: 'Gem' }
      : address.includes('en_GB')
        ? { '{{count}} orders_one': '{{count}} order', '{{count}} orders_other': '{{count}} orders' }
        : {}
    return new Response(JSON.stringify(words))
  })
  setTimeZone('Europe/Copenhagen')
})

describe('values as the reader writes them', () => {
  it('puts separators and signs where the locale has them', async () => {
    expect(await inLocale('da_DK', () => money(1_234_560, 'DKK'))).toBe('12.345,60 kr.')
    expect(await inLocale('de_DE', () => money(-995, 'EUR'))).toBe('-9,95 €')
    expect(await inLocale('no_NO', () => number(1_234_567))).toBe('1 234 567')
    expect(await inLocale('sv_SE', () => percent(0.257))).toBe('26 %')
    expect(await inLocale('en_GB', () => number(1_234_567))).toBe('1,234,567')
  })

  it('knows currencies without minor units', async () => {
    expect(await inLocale('en_GB', () => money(12_345, 'JPY'))).toBe('JP¥12,345')
  })

  it('changes from grams to kilograms at a thousand', async () => {
    expect(await inLocale('da_DK', () => weight(999))).toBe('999 g')
    expect(await inLocale('da_DK', () => weight(1250))).toBe('1,25 kg')
    expect(await inLocale('de_DE', () => bytes(1_400_000))).toBe('1,4 MB')
    expect(await inLocale('en_GB', () => bytes(485))).toBe('485 bytes')
  })

  it('shows instants in the time zone of the company, with 24 hours', async () => {
    expect(await inLocale('en_GB', () => instant('2026-11-20T13:05:00Z'))).toBe('20 Nov 2026, 14:05')
    expect(await inLocale('en_GB', () => time('2026-11-20T23:30:00Z'))).toBe('00:30')
    expect(await inLocale('en_GB', () => dayOf('2026-11-20T23:30:00Z'))).toBe('21 Nov 2026')
  })

  it('leaves a calendar day where it is', async () => {
    expect(await inLocale('en_GB', () => day('2026-11-20'))).toBe('Fri, 20 Nov 2026')
  })

  it('counts ISO weeks over the turn of the year', () => {
    expect([week('2026-12-31'), week('2027-01-01'), week('2027-01-04'), week('2024-12-30')]).toEqual([53, 53, 1, 1])
  })

  it('says how long ago', async () => {
    const now = Date.parse('2026-11-20T12:00:00Z')
    expect(await inLocale('da_DK', () => relative('2026-11-20T11:55:00Z', now))).toBe('for 5 minutter siden')
    expect(await inLocale('de_DE', () => relative('2026-11-20T14:00:00Z', now))).toBe('in 2 Stunden')
    expect(await inLocale('en_GB', () => relative('2026-11-19T12:00:00Z', now))).toBe('yesterday')
    expect(await inLocale('en_GB', () => relative('2026-11-20T11:00:20Z', now))).toBe('1 hour ago')
    expect(await inLocale('en_GB', () => relative('2026-11-19T12:10:00Z', now))).toBe('yesterday')
  })

  it('says how long something lasts in one unit, rounded down', async () => {
    const spans = () => [30_000, 59 * 60_000, 47 * 3_600_000, 6.9 * 86_400_000].map(span).join('; ')
    expect(await inLocale('en_GB', spans)).toBe('0 mins; 59 mins; 47 hrs; 6 days')
    expect(await inLocale('de_DE', spans)).toBe('0 Min.; 59 Min.; 47 Std.; 6 Tg.')
  })

  it('names what is to come by its hour, within a week with its day, else by its date', async () => {
    const now = Date.parse('2026-11-20T12:00:00Z')
    const moments = () => ['2026-11-20T15:00:00Z', '2026-11-24T15:00:00Z', '2026-12-01T15:00:00Z', '2026-11-19T15:00:00Z']
    const named = () =>
      moments()
        .map(one => upcoming(one, now))
        .join('; ')
    expect(await inLocale('en_GB', named)).toBe('16:00; Tue 16:00; 1 Dec; 19 Nov')
    expect(await inLocale('da_DK', named)).toBe('16.00; tirs. 16.00; 1. dec.; 19. nov.')
  })

  it('names durations, countries and lists', async () => {
    expect(await inLocale('da_DK', () => duration(5040))).toBe('1 t. og 24 min.')
    expect(await inLocale('de_DE', () => country('dk'))).toBe('Dänemark')
    expect(await inLocale('sv_SE', () => list(['a', 'b', 'c']))).toBe('a, b och c')
  })
})

describe('words', () => {
  it('come from the file of the locale, with its plurals and separators', async () => {
    expect(await inLocale('da_DK', () => t('{{count}} orders', { count: 1 }))).toBe('1 ordre')
    expect(await inLocale('da_DK', () => t('{{count}} orders', { count: 1234 }))).toBe('1.234 ordrer')
    expect(await inLocale('en_GB', () => t('{{count}} orders', { count: 1 }))).toBe('1 order')
  })

  it('fall back to the English sentence, whatever signs are in it', async () => {
    expect(await inLocale('de_DE', () => t('Save: now. {{name}} <b>', { name: 'Jürgen & Söhne' }))).toBe('Save: now. Jürgen & Söhne <b>')
    expect(await inLocale('da_DK', () => t('Save'))).toBe('Gem')
  })

  it('leaves numbers that are names as they are', async () => {
    expect(await inLocale('da_DK', () => t('Order {{number}}', { number: 100023 }))).toBe('Order 100023')
  })
})

describe('a day and a time that somebody wrote', () => {
  it('is read on the company’s clock, in winter and in summer', () => {
    expect(instantOf('2026-01-15T10:30')).toBe('2026-01-15T09:30:00.000Z')
    expect(instantOf('2026-07-15T10:30')).toBe('2026-07-15T08:30:00.000Z')
    expect(instantOf('2026-07-15T23:59:59')).toBe('2026-07-15T21:59:59.000Z')
  })

  it('is right on both sides of a change to summer time, and one hour later where the clock leaves it out', () => {
    expect(instantOf('2026-03-29T01:59')).toBe('2026-03-29T00:59:00.000Z')
    expect(instantOf('2026-03-29T02:30')).toBe('2026-03-29T01:30:00.000Z')
    expect(instantOf('2026-03-29T03:00')).toBe('2026-03-29T01:00:00.000Z')
    expect(instantOf('2026-03-30T00:00')).toBe('2026-03-29T22:00:00.000Z')
  })

  it('means the first of an hour that comes twice', () => {
    expect(instantOf('2026-10-25T01:59')).toBe('2026-10-24T23:59:00.000Z')
    expect(instantOf('2026-10-25T02:30')).toBe('2026-10-25T00:30:00.000Z')
    expect(instantOf('2026-10-25T03:00')).toBe('2026-10-25T02:00:00.000Z')
  })

  it('is nothing while it is not written', () => {
    for (const text of ['', 'T23:59:59', '2026-02', 'soon']) expect(instantOf(text), text).toBeNull()
  })

  it('comes back as it was written, in every zone that people live in', () => {
    for (const zone of ['Europe/Copenhagen', 'Asia/Kathmandu', 'America/St_Johns', 'Pacific/Apia', 'Australia/Lord_Howe', 'UTC']) {
      setTimeZone(zone)
      for (const local of ['2026-02-11T00:00', '2026-06-30T23:59', '2026-12-31T12:34'])
        expect(dateIn(instantOf(local) ?? ''), `${zone} ${local}`).toBe(local.slice(0, 10))
    }
    setTimeZone('Europe/Copenhagen')
  })

  it('names the company’s zone where its clock shows another time than the device', async () => {
    const here = Intl.DateTimeFormat().resolvedOptions().timeZone
    setTimeZone(here)
    expect(otherZone()).toBeNull()
    setTimeZone(here === 'Asia/Tokyo' ? 'Europe/Copenhagen' : 'Asia/Tokyo')
    await speak('en_GB')
    expect(otherZone()).toMatch(/Japan|Central European|Denmark/)
    setTimeZone('Europe/Copenhagen')
  })
})
