/** Which company a host, a path and an address belong to. */
import { describe, expect, it } from 'vitest'
import { addressMatches, companyOfHost, companyOfPath, compileSafeRegExp, isLoopbackHost, normalizeAddress } from './tenant-host.ts'

const longest = 'a'.repeat(63)

describe('the company of a host', () => {
  it.each([
    ['acme.pakhus.test', 'acme'],
    ['ACME.Pakhus.Test', 'acme'],
    ['acme.pakhus.test:8080', 'acme'],
    ['acme.pakhus.test.', 'acme'],
    ['acme.pakhus.test.:443', 'acme'],
    ['a.pakhus.test', 'a'],
    ['4u-2.pakhus.test', '4u-2'],
    [`${longest}.pakhus.test`, longest],
    ['pakhus.test', ''],
    ['PAKHUS.test:80', ''],
  ])('%s is %j', (host, company) => {
    expect(companyOfHost(host, 'pakhus.test')).toBe(company)
  })

  it.each([
    undefined,
    '',
    '.',
    'acme.other.test',
    'acmepakhus.test',
    'acme.pakhus.test.evil.test',
    'a.b.pakhus.test',
    '.pakhus.test',
    '-acme.pakhus.test',
    'acme-.pakhus.test',
    `${longest}a.pakhus.test`,
    'acme.pakhus.test..',
    'acme.pakhus.test:',
    'acme.pakhus.test:123456',
    'acme.pakhus.test:80:80',
    'acme.pakhus.test, other.pakhus.test',
    'evil@acme.pakhus.test',
    'acme.pakhus.test/path',
    ' acme.pakhus.test',
    '[::1]:80',
  ])('%j is none', host => {
    expect(companyOfHost(host, 'pakhus.test')).toBe(null)
  })

  it('is none in a name of more than 255 characters', () => {
    const base = `${'b'.repeat(250)}.t`
    expect(companyOfHost(`ab.${base}`, base)).toBe('ab')
    expect(companyOfHost(`abc.${base}`, base)).toBe(null)
  })
})

it.each([
  ['127.0.0.1', true],
  ['127.0.0.1:8080', true],
  ['[::1]', true],
  ['[::1]:8080', true],
  ['LocalHost', true],
  ['localhost:1', true],
  ['acme.localhost', false],
  ['localhost.evil.test', false],
  ['127x0.0.1', false],
  ['127.0x0.1', false],
  ['127.0.0x1', false],
  ['127.0.0.1:', false],
  ['127.0.0.1:123456', false],
  ['', false],
  [undefined, false],
])('the host %j is this computer itself: %s', (host, own) => {
  expect(isLoopbackHost(host)).toBe(own)
})

it.each([
  ['acme', 'acme'],
  ['4u-2', '4u-2'],
  ['a', 'a'],
  [longest, longest],
  [`${longest}a`, ''],
  ['Acme', ''],
  ['-acme', ''],
  ['acme-', ''],
  ['acme/x', ''],
  ['', ''],
  [undefined, ''],
])('the path part %j names %j', (part, company) => {
  expect(companyOfPath(part)).toBe(company)
})

describe('a pattern of addresses', () => {
  it.each([
    ['10.0.0.1', '10.0.0.1', true],
    ['10.0.0.1', '110.0.0.12', false],
    ['10.0.0.1', '10.0.0.100', false],
    ['127\\.0\\.0\\.1|::1', '::1', true],
    ['10\\.0\\..*', '::ffff:10.0.3.4', true],
    ['10\\.0\\..*', '::FFFF:10.0.3.4', true],
    ['', '10.0.0.1', false],
    ['(', '10.0.0.1', false],
    ['(?=1).*', '10.0.0.1', false],
  ])('%j lets %s in: %s', (pattern, ip, allowed) => {
    // The second answer comes from what is remembered.
    expect([addressMatches(pattern, ip), addressMatches(pattern, ip)]).toEqual([allowed, allowed])
  })

  it('has at most 200 characters', () => {
    expect(compileSafeRegExp('a'.repeat(200))?.matches('a'.repeat(200))).toBe(true)
    expect(compileSafeRegExp('a'.repeat(201))).toBe(null)
  })

  it('is held against at most 4,096 characters', () => {
    const any = compileSafeRegExp('a*')
    expect(any?.matches('a'.repeat(4_096))).toBe(true)
    expect(any?.matches('a'.repeat(4_097))).toBe(false)
  })
})

it.each([
  ['::ffff:10.0.0.1', '10.0.0.1'],
  ['10.0.0.1', '10.0.0.1'],
  ['::1', '::1'],
  ['::ffff:1', '::ffff:1'],
  ['::ffff:123.45.67.89', '123.45.67.89'],
  ['x::ffff:10.0.0.1', 'x::ffff:10.0.0.1'],
  ['::ffff:10.0.0.1x', '::ffff:10.0.0.1x'],
])('the address %s is %s', (ip, plain) => {
  expect(normalizeAddress(ip)).toBe(plain)
})
