/** Password strength: rejects passwords that are easy to guess. Source of the length: NIST SP 800-63B-4, section 3.1.1. */
import { elementAt } from '#domain/objects.ts'

export const shortestPassword = 15
export const longestPassword = 200

/** The most frequent words in published lists of leaked passwords; fifteen characters made of these are easy to guess. */
const wellKnown = (
  'password passwort passord adgangskode kodeord losenord lozenord kennwort geheim hemmelig hemligt secret welcome velkommen willkommen valkommen ' +
  'letmein iloveyou jegelskerdig ichliebedich admin administrator root login user guest test testing demo example changeme default master superman batman ' +
  'spiderman pokemon starwars dragon monkey shadow sunshine princess football fussball fodbold fotboll soccer baseball basketball hockey handball liverpool ' +
  'arsenal chelsea barcelona brondby bayern ferrari mercedes porsche yamaha suzuki harley mustang corvette charlie michael jennifer jessica ashley daniel ' +
  'thomas andrew joshua matthew robert jordan george nicole amanda samantha summer winter spring autumn sommer vinter forar herbst january february march ' +
  'april june july august september october november december monday tuesday wednesday thursday friday saturday sunday flower cookie cheese chocolate pepper ' +
  'ginger banana orange purple silver golden diamond freedom whatever trustno computer internet google facebook instagram twitter linkedin windows microsoft ' +
  'samsung apple iphone android qwerty qwertz azerty asdfgh zxcvbn qazwsx wsxedc qweasd abcdef abcabc killer hunter ranger tigger buster maggie cowboy matrix ' +
  'secure access system server warehouse lager pakhus parcel pakke paket shipping packing package order company firma shop store copenhagen kobenhavn ' +
  'stockholm berlin hamburg norway sweden denmark danmark germany deutschland norge sverige love hello hallo hejhej sesame open please'
)
  .split(' ')
  .toSorted((one, other) => other.length - one.length)

/** Keyboard rows, alphabets and digits: runs along them add no strength. */
const rows = [
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'yxcvbnm',
  '01234567890',
  '1qaz2wsx3edc4rfv5tgb',
]

const plainLetters: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
  ø: 'o',
  ö: 'o',
  å: 'a',
  ä: 'a',
  ü: 'u',
}

/** Characters that must remain after everything guessable is removed. */
const enough = 8

/**
 * The sentence that says what is wrong with a password, or null for a good one. `about` is public knowledge about the person:
 * names, logins, the company's name and code.
 */
export function passwordFault(password: string, about: readonly string[]): string | null {
  if ([...password].length < shortestPassword) return 'A password has at least 15 characters. A few words in a row are easy to remember.'
  if (password.length > longestPassword) return 'A password has at most 200 characters'
  const small = password.normalize('NFKC').toLowerCase()
  if (repeats(small)) return 'This password repeats the same few characters'
  if (left(small) < enough) return 'This password has fewer than 8 different characters; years, spaces and punctuation do not count'
  if (withoutRuns(small).length < enough) return 'This password runs along the keyboard or the alphabet'
  const known = about
    .flatMap(text => [text, ...text.split(/[\s@._-]+/)])
    .map(text => text.toLowerCase().trim())
    .filter(text => text.length >= 3)
    .toSorted((one, other) => other.length - one.length)
  const unnamed = without(small, known)
  if (left(unnamed) < enough) return 'Too little of this password remains without your names and those of your company'
  if (left(withoutRuns(without(unnamed, wellKnown))) < enough)
    return 'Too little of this password remains without common words, names and runs of keys'
  return null
}

/** One to five characters repeated, or very few different ones. */
function repeats(text: string): boolean {
  if (new Set(text).size < 5) return true
  for (let length = 1; length <= 7; length++) {
    const piece = text.slice(0, length)
    if (piece.repeat(Math.ceil(text.length / length)).startsWith(text)) return true
  }
  return false
}

/** Removes four or more neighbours of a row, in either direction. */
function withoutRuns(text: string): string {
  let rest = ''
  for (let i = 0; i < text.length; ) {
    const length = Math.max(...rows.flatMap(row => [runAt(text, i, row), runAt(text, i, [...row].reverse().join(''))]))
    if (length >= 4) i += length
    else rest += text[i++]
  }
  return rest
}

function runAt(text: string, at: number, row: string): number {
  const start = row.indexOf(elementAt(text, at))
  if (start < 0) return 0
  let length = 1
  while (row[start + length] !== undefined && text[at + length] === row[start + length]) length++
  return length
}

/** Removes words as written and with digits for letters; a gap remains, so that the rest does not form new words. */
function without(text: string, words: readonly string[]): string {
  let rest = text
  for (const word of words) {
    rest = rest.replaceAll(word, ' ')
    const asLetters = [...rest].map(letter => plainLetters[letter] ?? letter).join('')
    for (let at = asLetters.indexOf(word); at >= 0 && asLetters.length === rest.length; at = asLetters.indexOf(word, at + word.length))
      rest = rest.slice(0, at) + ' '.repeat(word.length) + rest.slice(at + word.length)
  }
  return rest
}

/** Number of different characters that add strength: spaces, punctuation at the ends and years do not. */
const left = (text: string): number => new Set(text.replace(/(19|20)\d\d/g, ' ').replace(/[\s!?.,:;*#_+-]/g, '')).size
