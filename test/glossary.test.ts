/** The trade's words in every language: one thing has one word, and two things never share one. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { locales } from '#contract/limits.ts'
import { captions } from '#integrations/couriers/own/captions.ts'

type Locale = (typeof locales)[number]
const bookOf = (locale: Locale): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`../translations/${locale}.json`, import.meta.url), 'utf8'))

/** Other words for the same thing, which crept in before and would again. */
const strays: [locale: Locale, thing: string, words: RegExp][] = [
  ['en_GB', 'courier', /\bcarriers?\b/i],
  ['de_DE', 'bin: Lagerplatz', /Lagerort/],
  ['de_DE', 'packing station: Packplatz', /Packtisch/],
  ['de_DE', 'product: Artikel', /produkt(?!ion)/i],
  ['de_DE', 'barcode: Barcode', /Strichcode/],
  ['da_DK', 'courier: transportør', /fragtfirma|fragtfører/i],
  ['da_DK', 'shipping method: fragtmetode', /forsendelsesm/i],
  ['da_DK', 'product: vare', /produkt(?!ion)/i],
  ['da_DK', 'tracking page: trackingside', /sporing/i],
  ['no_NO', 'bin: lokasjon', /plassering/i],
  ['no_NO', 'to cancel: kanseller', /avbestill|avbestilt/i],
  ['no_NO', 'product: vare', /produkt(?!ion|sjon)/i],
  ['no_NO', 'tracking number: sporingsnummer', /pakkenummer/i],
  ['no_NO', 'to sign in: logg inn', /logg på|pålogg/i],
  ['sv_SE', 'product: artikel', /produkt(?!ion)/i],
  ['sv_SE', 'collect list: upphämtningslista', /\b[Hh]ämtlist/],
  ['de_DE', 'own delivery: Eigene Zustellung', /Eigener Wagen|Lieferwagen|Fahrdienst/],
  ['de_DE', 'company: Firma', /Unternehmen|Mandant/],
  ['de_DE', 'map: Plan', /Lagerkarte|auf der Karte/],
  ['de_DE', 'parcel number: Sendungsnummer', /Paketnummer/],
  ['de_DE', 'label: Etikett', /\bLabels?\b/],
  ['de_DE', 'secret: geheimer Schlüssel', /Geheimnis/],
  ['de_DE', 'the reader: Sie', /\b([Dd]u|[Dd]ich|[Dd]ir|[Dd]einen?)\b/],
  ['da_DK', 'company: firma', /virksomhed(?!spræfiks)/i],
  ['da_DK', 'shop: butik', /\bshop(pen)?\b/i],
  ['da_DK', 'pick list: plukliste', /plukkelist/i],
  ['da_DK', 'label: label', /mærkat|etiket/i],
  ['da_DK', 'to cancel: annullér', /\bannuller\b/i],
  ['no_NO', 'company: firma', /bedrift(?!sprefiks)/i],
  ['no_NO', 'courier: transportør', /fraktfirma|fraktfører/i],
  ['no_NO', 'shipping method: fraktmåte', /fraktmetode|forsendelsesm/i],
  ['no_NO', 'tote: plukkasse', /plukkekasse/i],
  ['sv_SE', 'right: behörighet', /rättighet/i],
  ['sv_SE', 'orders: ordrar', /\b(alla|nya|inga|andra|flera|stoppade) order\b/i],
  ['sv_SE', 'shipping method: fraktsätt', /fraktmetod/i],
  ['en_GB', 'quotes: “…”', /[„«»]/],
  ['de_DE', 'quotes: „…“', /[”«»]/],
  ['da_DK', 'quotes: »…«', /[“”„]|(?<!\S)«/],
  ['no_NO', 'quotes: «…»', /[“”„]|(?<!\S)»/],
  ['sv_SE', 'quotes: ”…”', /[“„«»]/],
]

/** Things that stand side by side on one screen. */
const apart: readonly (readonly string[])[] = [
  ['Bin', 'Slot', 'Cage', 'Station', 'Tote'],
  ['Order', 'Shipment', 'Parcel'],
  ['Lock', 'Hold'],
  ['Wagon', 'Own delivery'],
  ['Pick list', 'Collect list'],
]

describe('a language', () => {
  it.each(locales)('%s calls the own van on labels as it does on screens', locale => {
    expect(new Map(Object.entries(captions)).get(locale.slice(0, 2))?.van).toBe(bookOf(locale)['Own delivery'])
  })

  it.each(strays)('%s says %s', (locale, _thing, words) => {
    const found = Object.entries(bookOf(locale)).filter(([, text]) => words.test(text.replace(/\{\{\w+\}\}/g, '')))
    expect(found.map(([, text]) => text)).toEqual([])
  })

  it.each(locales)('%s has two words for two things', locale => {
    const book = bookOf(locale)
    for (const things of apart) {
      const words = things.flatMap(thing => book[thing] ?? [])
      expect(new Set(words).size, words.join(', ')).toBe(words.length)
    }
  })
})
