/** The words under which a customer is found, and the words that a typed text asks for. */
import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { elementAt } from '#domain/objects.ts'
import { foldings } from '#domain/order/search-terms.ts'
import type { Lookup } from './customers.rules.ts'

const mostWords = 200
const longestWord = 100

const partsOf = (text: string): string[] => text.split(/[^\p{L}\p{M}\p{N}]+/u).filter(part => part.length > 1)

/** The words of what one company knows of a customer, in lower case and without double ones. */
export function customerWordsOf(names: readonly string[], postcodes: readonly string[], lookups: readonly Lookup[]): string[] {
  const words = new Set<string>()
  const add = (word: string) => {
    for (const folding of foldings(word)) words.add(folding.slice(0, longestWord))
  }
  for (const name of names) for (const part of partsOf(name)) add(part)
  for (const { type, value } of lookups) {
    if (type === 'email') {
      add(value)
      for (const part of partsOf(value)) add(part)
    } else if (type === 'phone') {
      const digits = value.slice(1)
      words.add(digits)
      words.add(digits.slice(-8))
      const national = parsePhoneNumberFromString(value)?.nationalNumber
      if (national) words.add(String(national))
    } else add(value.split(':').slice(2).join(':'))
  }
  for (const postcode of postcodes) add(postcode)
  words.delete('')
  return [...words].slice(0, mostWords)
}

/** `DK 5000 lene holm` names the postcode in its second place. */
export const postcodeOf = (name_postcode: string | null): string | null => name_postcode?.split(' ')[1] ?? null

const mostAsked = 6
const shortestPrefix = 2

/** A telephone number in any spelling, as the digits under which it may be stored; null for anything else. */
function digitsOf(text: string): string[] | null {
  if (!/^\+?[\d\s().\-/]+$/.test(text)) return null
  const digits = text.replace(/\D/g, '')
  if (digits.length < 5 || digits.length > 20) return null
  return [...new Set([digits, digits.replace(/^00/, ''), digits.replace(/^0/, '')])].filter(one => one.length >= 4)
}

/** One lexeme of a tsquery; each begins with its company, so that a common name of one company costs another nothing. */
const lexeme = (company_id: number, word: string, prefix: boolean): string =>
  `'${`${company_id}/${word.slice(0, longestWord)}`.replaceAll('\\', '\\\\').replaceAll("'", "''")}'${prefix ? ':*' : ''}`

/** One typed word: whole in each folding, or all the parts that punctuation makes of it. */
function spellingsOf(token: string): string[][] {
  const whole = foldings(token).map(word => [word])
  const parts = partsOf(token)
  if (parts.length === 0) return token.length > 1 ? whole : []
  if (parts.length === 1 && parts[0] === token) return whole
  return [...whole, parts.map(part => elementAt(foldings(part), 0))]
}

/** What a text asks for as a tsquery over the words of these companies; null where it asks for nothing that can be found. */
export function askedWords(text: string, companies: readonly number[]): string | null {
  const written = text.normalize('NFC').trim().toLowerCase()
  const numbers = digitsOf(written)
  const tokens = written.split(/\s+/).filter(Boolean).slice(0, mostAsked)
  const asked: string[][][] = numbers
    ? [numbers.map(number => [number])]
    : tokens.flatMap(token => {
        const spellings = spellingsOf(token.replace(/^#+/, ''))
        return spellings.length === 0 ? [] : [spellings]
      })
  if (asked.length === 0) return null
  const ofCompany = (company: number) =>
    asked
      .map((spellings, place) => {
        const isLast = place === asked.length - 1
        const any = spellings.map(
          parts =>
            `(${parts
              .map((part, at) => lexeme(company, part, isLast && at === parts.length - 1 && part.length >= shortestPrefix))
              .join(' & ')})`,
        )
        return `(${any.join(' | ')})`
      })
      .join(' & ')
  return companies.map(company => `(${ofCompany(company)})`).join(' | ')
}
