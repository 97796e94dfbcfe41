/** Passwords that are too easy to guess. */
import { describe, expect, it } from 'vitest'
import { passwordFault } from './passwords.rules.ts'

const about = ['Kim Lund', 'kim', 'kim.lund@nordlys.example', '1003', 'Nordlys Outdoor', 'nordlys']

it.each([
  ['fourteen chars', 'A password has at least 15 characters. A few words in a row are easy to remember.'],
  ['a'.repeat(201), 'A password has at most 200 characters'],
  ['aaaaaaaaaaaaaaaaa', 'This password repeats the same few characters'],
  ['abc1abc1abc1abc1', 'This password repeats the same few characters'],
  ['tomato tomato tomato', 'This password repeats the same few characters'],
  ['banana salad salad', 'This password has fewer than 8 different characters; years, spaces and punctuation do not count'],
  ['2024 2025 2026!?', 'This password has fewer than 8 different characters; years, spaces and punctuation do not count'],
  ['qwertyuiop1234567890', 'This password runs along the keyboard or the alphabet'],
  ['zyxwvutsrqponmlkj', 'This password runs along the keyboard or the alphabet'],
  ['kimlundnordlys2026', 'Too little of this password remains without your names and those of your company'],
  ['Nordlys-Outdoor-1', 'Too little of this password remains without your names and those of your company'],
  ['P4ssw0rdPassword!', 'Too little of this password remains without common words, names and runs of keys'],
  ['Welcome-Admin-2026', 'Too little of this password remains without common words, names and runs of keys'],
  ['Sommer2026Winter2025', 'Too little of this password remains without common words, names and runs of keys'],
  ['velkommen-kodeord1', 'Too little of this password remains without common words, names and runs of keys'],
])('refuses %s', (password, sentence) => {
  expect(passwordFault(password, about)).toBe(sentence)
})

it.each([
  'correct horse battery staple',
  'blue herons fly over Amager',
  'k7fm-2qxt-9hra-mw4d',
  'Rødgrød med fløde!',
  'vJ8#qL2!xT5@mN9',
  '五月の雨を集めて早し最上川の水面',
])('takes %s', password => {
  expect(passwordFault(password, about)).toBeNull()
})

const common = 'Too little of this password remains without common words, names and runs of keys'
const named = 'Too little of this password remains without your names and those of your company'
const runs = 'This password runs along the keyboard or the alphabet'
const few = 'This password has fewer than 8 different characters; years, spaces and punctuation do not count'

describe('the length of a password', () => {
  const long = 'blue herons fly over Amager and back '.repeat(6)
  it('is at least 15 characters, however many bytes they have', () => {
    expect(passwordFault('k7fm2qxt9hramw', about)).toContain('at least 15')
    expect(passwordFault('k7fm2qxt9hramw4', about)).toBeNull()
    expect(passwordFault('🐢🐇🦊🐻🐼🐨🐯🦁🐮🐷🐸🐵🐔🐧', about)).toContain('at least 15')
    expect(passwordFault('🐢🐇🦊🐻🐼🐨🐯🦁🐮🐷🐸🐵🐔🐧🐦', about)).toBeNull()
  })
  it('is at most 200', () => {
    expect(passwordFault(long.slice(0, 200), about)).toBeNull()
    expect(passwordFault(long.slice(0, 201), about)).toBe('A password has at most 200 characters')
  })
})

describe('what is easy to guess', () => {
  it.each([
    ['abcdeabcdeabcdeab', 'This password repeats the same few characters'],
    ['abcdefgabcdefgabc', 'This password repeats the same few characters'],
    ['abcdabcdabcdabcdx', few],
    ['19871990200420101999', few],
    ['asdfghjklpoiuytrewq', runs],
    ['mnbvcxzlkjhgfdsa12', runs],
    ['k7f4321qwert5678jhgf', runs],
    // Seven characters remain of it.
    ['abcdefghij k7fm2q', runs],
    ['kim.lund@nordlys.example 26', named],
    ['Outdoor Nordlys Lund', named],
  ])('is refused: %s', (password, sentence) => expect(passwordFault(password, about)).toBe(sentence))

  // With digits for letters they are the same words.
  it.each([
    'v3lk0mm3n-5upp0rt1',
    'v@lk0mm3nh3mm3l1gt',
    '$up3rm4n b4tm4n p0k3m0n',
    '!l0v3y0u 5t4rw4r5 h0ck3y',
    'lösenord hemligt välkommen',
    'Fußball Kennwort Geheim',
  ])('is a common word in other letters: %s', password => {
    expect([common, few]).toContain(passwordFault(password, about))
  })

  it.each(['k7fm2qxt password', 'password k7fm2qxt9', 'sommer k7fm2qxt 2026'])('is not what has enough beside it: %s', password => {
    expect(passwordFault(password, about)).toBeNull()
  })

  it('is no run of three keys', () => {
    expect(passwordFault('abc wer sdf 456 zxc uio', about)).toBeNull()
  })

  it('is none of what is not known of the person', () => {
    expect(passwordFault('Nordlys-Outdoor-Lund', [])).toBeNull()
    // Names of two letters stand in too many words.
    expect(passwordFault('blue herons fly over', ['bl', 'he', 'ro', 'fl', 'ov'])).toBeNull()
  })
})

describe('each list of what is easy to guess', () => {
  it.each([
    'letmein iloveyou demo 7',
    'spiderman pokemon dragon',
    'liverpool arsenal 72',
    'thomas andrew joshua',
    'april june september',
    'ginger banana orange',
    'samsung apple iphone',
    'secure access system',
    'stockholm berlin 72',
    // The longer of two words counts: `admin` alone would leave much of it.
    'administrator 7f2',
  ])('refuses %s', password => expect(passwordFault(password, about)).toBe(common))

  it.each([
    'wertyuiwertyuik7fm2x',
    'ertzuioertzuiok7fm2x',
    'azertazertazertk7fm2x',
    'zxcvzxcvzxcvk7fq2w',
    'yxcvyxcvyxcvk7fq2w',
    '1qaz2wsx3edck7m9p',
  ])('refuses keys beside each other: %s', password => expect(passwordFault(password, about)).toBe(runs))

  it.each(['foo7ball foo7ball k2', 'løsenørd løsenørd k2x', 'vålkommen vålkommen k2', 'süperman süperman k2', 'p4ssw0rd-p4ssw0rd-k7'])(
    'refuses words in other letters, as often as they come: %s',
    password => expect(passwordFault(password, about)).toBe(common),
  )

  it('refuses years, whichever they are', () => expect(passwordFault('1987 2036 2045 ok', about)).toBe(few))

  it('refuses four characters in any order', () =>
    expect(passwordFault('abcdabdcabacdbdca', about)).toBe('This password repeats the same few characters'))

  it('takes eight characters beside a run, and three keys after another character', () => {
    expect(passwordFault('qwertyuik7fm2xt9', about)).toBeNull()
    expect(passwordFault('!qwe?asd!zxc?k7m', about)).toBeNull()
  })

  it('makes no new words of what stands around a word', () => expect(passwordFault('sumsummermer k7fm2', about)).toBeNull())
})

describe('names', () => {
  it('count in their parts, whatever separates these', () => {
    expect(passwordFault('hansen lund 1 2 3 4', ['Kim-Lund_Hansen@firma.example'])).toBe(named)
  })

  it('count from three letters on', () => {
    expect(passwordFault('kim 7f2 kim x9q w', ['Kim'])).toBe(named)
    expect(passwordFault('ki 7f2 ki x9q wvb', ['Ki'])).toBeNull()
  })

  it('count as the longest that fits', () => {
    expect(passwordFault('annabella annabella 7f2x', ['Ann', 'Annabella'])).toBe(named)
  })
})
