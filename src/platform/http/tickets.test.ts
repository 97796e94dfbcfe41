/** The cookie of a ticket: its name, and which address it opens. */
import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { expect, it } from 'vitest'
import { createVault } from '#platform/crypto/vault.ts'
import type { Services } from './feature-module.ts'
import { giveTicket, ticketIn } from './tickets.ts'

const vault = createVault(randomBytes(32).toString('hex'))
const now = () => new Date('2026-11-24T10:00:00Z')
const services = { vault, now } as Services
const holder = { kind: 'session', id: 7 } as const
const pathOf = (id: number) => `/api/north/dvr/video/${id}`

function given(path: string, secure: boolean): string {
  let set = ''
  giveTicket(
    {
      ...{ services, now, secure },
      setHeader: (_name, value) => {
        set = value
      },
    },
    path,
    holder,
  )
  return set
}
const asked = (url: string, cookie: string) => ticketIn(services, { url, headers: { cookie } } as FastifyRequest)

it('over HTTPS is for this host alone and for every path, as the prefix of its name promises', () => {
  const set = given(pathOf(1), true)
  expect(set).toMatch(/^__Host-pv\d{1,2}=/)
  expect(set.split('; ')).toEqual(expect.arrayContaining(['Path=/', 'Secure', 'HttpOnly', 'SameSite=Strict']))
  expect(set).not.toContain('Domain')
  // Without HTTPS no browser takes the prefix.
  expect(given(pathOf(1), false)).toMatch(/^pv\d{1,2}=/)
})

it('opens its own address alone, also where many films are open beside each other', () => {
  const names = new Map(Array.from({ length: 200 }, (_, id) => [given(pathOf(id), true).split('=')[0] ?? '', given(pathOf(id), true)]))
  expect(names.size).toBeGreaterThan(50)
  expect(names.size).toBeLessThanOrEqual(64)
  const cookies = [...names.values()].map(set => set.split(';')[0]).join('; ')
  expect(cookies.length).toBeLessThan(8_192)
  const opened = Array.from({ length: 200 }, (_, id) => asked(pathOf(id), cookies)).filter(one => one !== null)
  expect(opened).toHaveLength(names.size)
  expect(opened[0]).toEqual(holder)
  expect(asked(pathOf(1_000), cookies)).toBeNull()
})
