/** Passwords that are too easy to guess. */
import { expect, it } from 'vitest'
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
