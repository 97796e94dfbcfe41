/** Passwords that are too easy to guess. */
import { expect, it } from 'vitest'
import { passwordFault } from './passwords.rules.ts'

const about = ['Kim Lund', 'kim', 'kim.lund@nordlys.example', '1003', 'Nordlys Outdoor', 'nordlys']

it.each([
  ['fourteen chars', 'A password has at least 15 characters. A few words in a row are easy to remember.'],
  ['a'.repeat(201), 'A password has at most 200 characters'],
  ['aaaaaaaaaaaaaaaaa', 'This password repeats the same few characters'],
  ['abc1abc1abc1abc1', 'This password repeats the same few characters'],
  ['qwertyuiop1234567890', 'This password runs along the keyboard or the alphabet'],
  ['zyxwvutsrqponmlkj', 'This password runs along the keyboard or the alphabet'],
  ['kimlundnordlys2026', 'This password is made of names that others know'],
  ['Nordlys-Outdoor-1', 'This password is made of names that others know'],
  ['P4ssw0rdPassword!', 'This password is on the lists that attackers try first'],
  ['Welcome-Admin-2026', 'This password is on the lists that attackers try first'],
  ['Sommer2026Winter2025', 'This password is on the lists that attackers try first'],
  ['velkommen-kodeord1', 'This password is on the lists that attackers try first'],
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
