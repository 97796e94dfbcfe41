/**
 * Tickets: a video element sends no authorization header, so a call exchanges the session for a cookie that opens one address for ten
 * minutes. It is signed with that address, its holder and its end, and only calls that are declared so take it.
 */
import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { ExternalContext, Services } from './feature-module.ts'

/** Whose rights the ticket has: those of a session while it lives, or of something shared. */
export interface TicketHolder {
  kind: 'session' | 'share'
  id: number
}

export const ticketSeconds = 600
const purpose = 'ticket'
/**
 * A browser takes a name with this prefix over HTTPS only, for the path `/` and this host alone. One name for each of 64 parts of the
 * addresses, so that films beside each other keep their tickets and the headers stay short.
 */
const nameOf = (path: string, secure: boolean): string =>
  `${secure ? '__Host-' : ''}pv${createHash('sha256').update(path).digest().readUInt8(0) % 64}`

const signedText = (path: string, { kind, id }: TicketHolder, until: string): string => `${path} ${kind} ${id} ${until}`

/** Gives the caller a ticket for a path such as `/api/north/dvr/video/1`. */
export function giveTicket(
  { services, now, secure, setHeader }: Pick<ExternalContext, 'services' | 'now' | 'secure' | 'setHeader'>,
  path: string,
  holder: TicketHolder,
): void {
  const until = Math.floor(now().getTime() / 1_000 + ticketSeconds).toString(36)
  const signature = services.vault.sign(purpose, signedText(path, holder, until))
  const value = `${holder.kind}.${holder.id}.${until}.${signature}`
  setHeader(
    'set-cookie',
    `${nameOf(path, secure)}=${value}; Path=/; Max-Age=${ticketSeconds}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`,
  )
}

/** The holder of a valid ticket for the address of this request. */
export function ticketIn({ vault, now }: Pick<Services, 'vault' | 'now'>, { headers, url }: FastifyRequest): TicketHolder | null {
  const path = (url.split('?')[0] ?? '').replace(/\/$/, '')
  for (const cookie of (headers.cookie ?? '').slice(0, 8_192).split(';')) {
    const [, kind, id, until = '', signature = ''] =
      /^\s*(?:__Host-)?pv\d{1,2}=(session|share)\.(\d{1,15})\.([0-9a-z]{1,12})\.([\w-]{22})$/.exec(cookie) ?? []
    if (kind !== 'session' && kind !== 'share') continue
    const holder: TicketHolder = { kind, id: Number(id) }
    if (Number.parseInt(until, 36) * 1_000 > now().getTime() && vault.verify(purpose, signedText(path, holder, until), signature))
      return holder
  }
  return null
}
