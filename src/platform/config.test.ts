/** Settings of the environment. */
import { expect, it } from 'vitest'
import { readConfig } from './config.ts'

it.each([
  ['ECB_URL', 'ecb_url', 'https://www.ecb.europa.eu/stats/eurofxref'],
  ['BREACHED_PASSWORDS_URL', 'breached_passwords_url', 'https://api.pwnedpasswords.com/range'],
] as const)('%s is on by default and where it is empty, and off by a word', (name, field, usual) => {
  expect(readConfig({})[field]).toBe(usual)
  expect(readConfig({ [name]: '' })[field]).toBe(usual)
  expect(readConfig({ [name]: 'off' })[field]).toBeUndefined()
  expect(readConfig({ [name]: 'http://10.1.0.9/x/' })[field]).toBe('http://10.1.0.9/x')
})
