/** Rules of the timeline: what stood there before a change. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { eventKinds } from '#contract/events.ts'
import { locales } from '#contract/limits.ts'
import { keysOf } from '#domain/objects.ts'
import { asEntry } from './timeline.rules.ts'

const changes = (kind: string, data: Record<string, unknown>) => asEntry('event', kind, data).changes

describe('an entry says what stood there before and after it', () => {
  it('for each field of an address', () => {
    const data = { address: '…', before: { city: 'Odense C', phone: null }, after: { city: 'Svendborg', phone: '+4560000000' } }
    expect(changes('order.address_changed', data)).toEqual([
      { field: 'city', before: 'Odense C', after: 'Svendborg' },
      { field: 'phone', before: null, after: '+4560000000' },
    ])
  })

  it('for the method, weight, tariff code and origin', () => {
    expect(changes('order.shipping_set', { method: 'Our van', before: 'Our bike' })).toEqual([
      { field: 'method', before: 'Our bike', after: 'Our van' },
    ])
    expect(changes('order.weight_set', { grams: 250, before: 100 })).toEqual([{ field: 'weight_g', before: '100', after: '250' }])
    expect(changes('order.tariff_set', { tariff: '691110', before: null })).toEqual([{ field: 'hs_code', before: null, after: '691110' }])
    expect(changes('order.origin_set', { country: 'DK', before: 'SE' })).toEqual([{ field: 'origin', before: 'SE', after: 'DK' }])
  })

  it('for the state, where the change moved it', () => {
    expect(changes('order.held', { note: '', from: 'ready', to: 'held' })).toEqual([{ field: 'phase', before: 'ready', after: 'held' }])
    expect(changes('order.pinned', {})).toEqual([])
  })

  it('and nothing for events that were recorded without it', () => {
    expect(changes('order.shipping_set', { method: 'Our van' })).toEqual([])
    expect(asEntry('print', 'done', { title: 'Label', before: 'x' }).changes).toEqual([])
  })
})

describe('every kind of event has a label', () => {
  const book = (locale: string) =>
    z
      .record(z.string(), z.string())
      .parse(JSON.parse(readFileSync(new URL(`../../../../translations/${locale}.json`, import.meta.url), 'utf8')))

  it.each(locales)('in the language %s', locale => {
    const sentences = book(locale)
    const texts = keysOf(eventKinds).map(kind => ({ kind, text: asEntry('event', kind, {}).text }))
    expect(texts.filter(({ kind, text }) => text === kind || !sentences[text])).toEqual([])
  })
})
