/** The cursor of a reading: nothing is skipped, and nothing is read for ever. */
import { expect, it } from 'vitest'
import { cursorAfter as cursorAt, type PullCursor, requestOf, unseen } from './pull-cursor.rules.ts'

const at = (second: number) => new Date(Date.parse('2026-11-20T10:00:00Z') + second * 1_000).toISOString()
const row = (id: number, second: number) => ({ external_id: String(id), changed_at: at(second) })
const now = new Date('2026-11-20T12:00:00Z')
const cursorAfter = (cursor: PullCursor, rows: readonly ReturnType<typeof row>[], next: string | null) => cursorAt(cursor, rows, next, now)
const start: PullCursor = { watermark: at(0), from: null, page: null, seen: [] }

it('begins two minutes before the watermark and passes over what it has seen', () => {
  expect(requestOf(start)).toEqual({ from: at(-120), page: null })
  const after = cursorAfter(start, [row(1, 5), row(2, 6)], null)
  expect(after).toMatchObject({ watermark: at(6), from: null })
  expect(unseen(after, [row(1, 5), row(2, 6), row(2, 7)])).toEqual([row(2, 7)])
})

it('goes on at the last time of a page, and by the shop’s mark only among rows of one time', () => {
  const first = cursorAfter(start, [row(1, 5), row(2, 6)], 'next')
  expect(requestOf(first)).toEqual({ from: at(6), page: null })
  const same = cursorAfter(first, [row(2, 6), row(3, 6)], 'page 2')
  expect(requestOf(same)).toEqual({ from: at(6), page: 'page 2' })
  expect(requestOf(cursorAfter(same, [row(4, 6)], null))).toEqual({ from: at(-114), page: null })
})

it('never goes back, and forgets what lies before the overlap', () => {
  const far = cursorAfter(cursorAfter(start, [row(1, 5)], null), [row(2, 1_000)], null)
  expect(far.watermark).toBe(at(1_000))
  expect(far.seen).toEqual([`2@${at(1_000)}`])
  expect(cursorAfter(far, [row(3, 900)], null).watermark).toBe(at(1_000))
})

it('is not moved by an order that the shop dates far ahead, and comes back from where one moved it', () => {
  const far = { external_id: '9', changed_at: '2036-01-01T00:00:00.000Z' }
  const after = cursorAfter(start, [row(1, 5), far], null)
  expect(after.watermark).toBe(at(5))
  // It is passed over the next time, and the orders of today are read.
  expect(unseen(after, [far, row(2, 60)])).toEqual([row(2, 60)])
  expect(cursorAfter({ ...start, watermark: far.changed_at }, [], null).watermark).toBe('2026-11-21T12:00:00.000Z')
  // A shop whose clock is some hours ahead is read by its own clock.
  const ahead = { external_id: '3', changed_at: '2026-11-20T22:00:00.000Z' }
  expect(cursorAfter(start, [ahead], null).watermark).toBe(ahead.changed_at)
})

it.each(Array.from({ length: 6 }, (_, n) => n + 1))('reads each order once from a shop with pages of %s that moves meanwhile', size => {
  const shop = Array.from({ length: 40 }, (_, id) => row(id, Math.floor(id / 3)))
  const got = new Map<string, number>()
  let cursor = start
  let ends = 0
  for (let pages = 0; pages < 400; pages++) {
    const { from, page } = requestOf(cursor)
    const skip = Number(page ?? 0)
    const found = shop
      .filter(one => one.changed_at >= from)
      .toSorted((a, b) => a.changed_at.localeCompare(b.changed_at) || Number(a.external_id) - Number(b.external_id))
    const rows = found.slice(skip, skip + size)
    const next = skip + size < found.length ? String(skip + size) : null
    for (const one of unseen(cursor, rows))
      got.set(`${one.external_id}@${one.changed_at}`, (got.get(`${one.external_id}@${one.changed_at}`) ?? 0) + 1)
    cursor = cursorAfter(cursor, rows, next)
    // An order of a page that was read is changed while the next one is asked for.
    if (pages === 2) shop[1] = row(1, 60)
    // What slipped out of a page is in the overlap of the next reading.
    if (next === null && ++ends === 2) break
  }
  for (const one of shop) expect(got.get(`${one.external_id}@${one.changed_at}`), one.external_id).toBe(1)
})
