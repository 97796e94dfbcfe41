/** Who stands before the kiosk: by badge, PIN or ticket, with a wait that grows with each wrong PIN. */
import { AppError, forbidden, tooMany, unprocessable } from '#contract/errors.ts'
import { readCode } from '#domain/codes.ts'
import { checkPassword, hashToken } from '#platform/crypto/vault.ts'
import type { Db } from '#platform/database/database.ts'
import type { ExternalContext } from '#platform/http/feature-module.ts'
import { ticketSeconds } from './punch.codes.ts'
import type { Who } from './punch-clock.schemas.ts'
import type { Person } from './punches.commands.ts'

const purpose = 'punch ticket'
/** Guesses of one session a minute, over all numbers. */
const mostTries = 60

type Signing = Pick<ExternalContext, 'services' | 'principal' | 'now'>

const signed = ({ principal }: Signing, body: string): string => `${principal.company.id} ${principal.session_id} ${body}`

/** For a few minutes this session may act for the person. */
export function giveTicket(context: Signing, { user_id, way }: Pick<Person, 'user_id' | 'way'>): string {
  const until = Math.floor(context.now().getTime() / 1_000) + ticketSeconds
  const body = `${user_id}.${until}.${way}`
  return `${body}.${context.services.vault.sign(purpose, signed(context, body))}`
}

const ways = { badge: 'badge', pin: 'pin', picture_pin: 'picture_pin', session: 'session' } as const

/** The person of a ticket of this session. */
export function ticketHolder(context: Signing, ticket: string): Pick<Person, 'user_id' | 'way'> {
  const [, user, until, way, signature = ''] = /^(\d{1,15})\.(\d{1,12})\.(badge|pin|picture_pin|session)\.([\w-]{22})$/.exec(ticket) ?? []
  const known = way === 'badge' || way === 'pin' || way === 'picture_pin' || way === 'session' ? ways[way] : undefined
  const valid =
    known !== undefined &&
    Number(until) * 1_000 > context.now().getTime() &&
    context.services.vault.verify(purpose, signed(context, `${user}.${until}.${way}`), signature)
  if (!valid) throw forbidden('ticket_ended', 'Scan your badge or enter your PIN again.')
  return { user_id: Number(user), way: known }
}

const people = (db: Db, company_id: number) =>
  db
    .selectFrom('users as u')
    .leftJoin('user_pins as p', j => j.onRef('p.operator_id', '=', 'u.operator_id').onRef('p.user_id', '=', 'u.id'))
    .leftJoin('user_badges as b', j => j.onRef('b.operator_id', '=', 'u.operator_id').onRef('b.user_id', '=', 'u.id'))
    .select(['u.id', 'u.name', 'p.pin_hash', 'b.code_hash'])
    .where('u.company_id', '=', company_id)
    .where('u.removed_at', 'is', null)

/** The person; an unknown number answers as a wrong PIN does, after the same time. */
export async function identify(outside: ExternalContext, who: Who | undefined, { kept = false } = {}): Promise<Person> {
  const { principal, services, now, transaction } = outside
  if (who === undefined && principal.device) throw personNeeded()
  if (who === undefined) return { user_id: principal.id, name: principal.name, way: 'session' }
  const company_id = principal.company.id
  const find = (where: (rows: ReturnType<typeof people>) => ReturnType<typeof people>) =>
    transaction(({ db }) => where(people(db, company_id)).executeTakeFirst())
  if ('ticket' in who) {
    const holder = ticketHolder(outside, who.ticket)
    const found = await find(rows => rows.where('u.id', '=', holder.user_id))
    if (!found) throw forbidden('ticket_ended', 'Scan your badge or enter your PIN again.')
    return { ...holder, name: found.name }
  }
  // Taps that a device kept come all at once; wrong PINs of one number are counted there too.
  if (!kept) {
    const { current, ttl } = await services.limits.countCall(`punch ${company_id}/${principal.session_id}`, 60_000)
    if (current > mostTries) throw tries(Math.ceil(ttl / 1_000))
  }
  if ('badge' in who) {
    const badge = readCode(who.badge)
    const found = badge.kind === 'badge' ? await find(rows => rows.where('u.id', '=', badge.user_id)) : undefined
    if (badge.kind !== 'badge' || !found?.code_hash?.equals(hashToken(badge.token)))
      throw new AppError(404, 'unknown_badge', 'Unknown badge.')
    return { user_id: found.id, name: found.name, way: 'badge' }
  }
  const byNumber = 'employee_no' in who
  const key = `punch ${company_id}/${byNumber ? who.employee_no : `id ${who.user_id}`}`
  const seconds = await services.limits.beginPin(key, now().getTime())
  if (seconds > 0) throw tries(seconds)
  const found = await find(rows => (byNumber ? rows.where('u.employee_no', '=', who.employee_no) : rows.where('u.id', '=', who.user_id)))
  if (!(await checkPassword(who.pin, found?.pin_hash ?? null)) || !found)
    throw forbidden('wrong_pin', 'Wrong number or PIN.', {}, { fields: { pin: 'Wrong number or PIN.' } })
  await services.limits.succeedPin(key)
  return { user_id: found.id, name: found.name, way: byNumber ? 'pin' : 'picture_pin' }
}

export const personNeeded = () => unprocessable('person_needed', 'Scan a badge or enter your number and PIN.')

const tries = (seconds: number) => tooMany('too_many_tries', 'Too many tries. Wait {{seconds}} s.', { seconds })
