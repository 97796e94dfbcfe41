/** Who sends a request: the company of the host and of the path, the token, and the permission for the call. */
import type { FastifyRequest } from 'fastify'
import { type Access, isAllowed, type KeyHolder, needsKey } from '#contract/access.ts'
import type { Call } from '#contract/endpoint.ts'
import { forbidden, notFound, unauthorized } from '#contract/errors.ts'
import { isRecord } from '#domain/objects.ts'
import { anonymous, type Company, type IdentityResolver, type Principal } from '#platform/auth/identity.ts'
import { isRecorderKey } from '#platform/auth/recorder-key-store.ts'
import type { Config } from '#platform/config.ts'
import type { Services } from './feature-module.ts'
import { addressMatches, normalizeAddress } from './tenant-host.ts'
import { ticketIn } from './tickets.ts'

/**
 * The principal of a request. The companies of the host, the path and the token must agree; a mismatch answers 404, so that
 * other companies are not revealed.
 */
/** The company that the path of a request names. */
export const companyInPath = ({ params }: FastifyRequest): string | undefined =>
  isRecord(params) && typeof params.company === 'string' ? params.company : undefined

export async function authenticate(
  services: Services,
  identities: IdentityResolver,
  request: FastifyRequest,
  code: string,
  call: Call,
): Promise<Principal> {
  const path = companyInPath(request)
  if (path !== code || code === '') throw notFound('company_not_at_address', 'There is no such company at this address')
  const token = tokenOf(request.headers.authorization)
  const key = needsKey(call.access) ? call.access : token && isRecorderKey(token) ? call.orKey : undefined
  if (key) {
    const now = services.now()
    const holder = !token
      ? null
      : isRecorderKey(token)
        ? await identities.byRecorderKey(token, now)
        : await identities.byKey(token, normalizeAddress(request.ip), now)
    if (holder?.kind !== key) throw keyRequired[key]()
    if (holder.company.code !== code) throw notFound('company_not_at_address', 'There is no such company at this address')
    refuseClosed(holder.company, call)
    return holder
  }
  const company = await identities.company(code)
  if (!company) throw notFound('company_not_at_address', 'There is no such company at this address')
  refuseClosed(company, call)
  if (call.access === 'anyone') {
    const known = call.readsSession && token ? await identities.byToken(token, services.now()) : null
    return known?.company.code === code && !(known.device && !isInside(known, request)) ? known : anonymous(company)
  }
  const principal = token
    ? isProgramKey(token)
      ? await byProgramKey(services, identities, token, request.ip)
      : await identities.byToken(token, services.now())
    : call.ticket
      ? await byTicket(services, identities, request, company)
      : null
  if (!principal) throw unauthorized('not_signed_in', 'Your session has ended. Sign in again.')
  if (principal.company.code !== code) throw notFound('company_not_at_address', 'There is no such company at this address')
  // What is shared, and until when, the handler checks.
  if (principal.kind === 'visitor') return principal
  const byKey = principal.key_id > 0
  if (principal.readOnly && call.method !== 'GET') throw forbidden('key_read_only', 'This key may only read')
  if (principal.device && call.access === 'person')
    throw forbidden('device_account', 'This is for people: a device has no account of a person.')
  // What every person may do with the own user is not for a key.
  if ((byKey && (call.access === 'user' || call.access === 'person')) || !isAllowed(principal.permissions, call.access)) {
    services.log.warn({ user: principal.id, line: call.line }, 'refused for missing rights')
    throw forbidden('permission_missing', 'You do not have permission for this. Ask an administrator.', {
      codes: codesOf(call.access),
    })
  }
  if (call.company === 'main' && !principal.company.is_main)
    throw forbidden('main_company_only', 'Only the main company of an operator can do this')
  if ((call.ipLock || principal.device) && !isInside(principal, request))
    throw forbidden(
      'outside_warehouse_network',
      'This works only inside the warehouse network. Your address {{ip}} does not match the pattern {{pattern}}.',
      {
        ip: normalizeAddress(request.ip),
        pattern: principal.company.packing_ip_pattern || '(none)',
      },
    )
  return principal
}

const isInside = ({ company }: Principal, { ip }: FastifyRequest): boolean => addressMatches(company.packing_ip_pattern, ip)

function refuseClosed({ closed }: Company, { whileClosed }: Call): void {
  if (closed && !whileClosed) throw forbidden('company_closed', 'This company is closed. Nothing new is taken for it.')
}

/** The person, or the visitor of something shared, for whom a cookie with a ticket for this address was made. */
async function byTicket(
  services: Services,
  identities: IdentityResolver,
  request: FastifyRequest,
  company: Company,
): Promise<Principal | null> {
  const holder = ticketIn(services, request)
  if (holder?.kind === 'share') return { ...anonymous(company), kind: 'visitor', name: 'visitor', key_id: holder.id }
  return holder ? identities.bySession(company.operator_id, holder.id, services.now()) : null
}

const keyRequired: Record<KeyHolder, () => Error> = {
  shop: () => unauthorized('cms_key_required', 'This call needs a CMS key in the authorization header'),
  print_agent: () => unauthorized('print_agent_key_required', 'This call needs the key of a print agent in the authorization header'),
  recorder: () => unauthorized('recorder_key_required', 'This call needs the key of a recorder in the authorization header'),
}

/** Keys are longer than tokens of sessions. */
const isProgramKey = (token: string): boolean => /^pk_[\w-]{43}$/.test(token)

/** The person for whom a program with this key works. Keys of shops and print agents open calls of their own. */
async function byProgramKey(services: Services, identities: IdentityResolver, key: string, ip: string): Promise<Principal | null> {
  const holder = await identities.byKey(key, normalizeAddress(ip), services.now())
  return holder?.kind === 'user' ? holder : null
}

/** The token raw or after `Bearer`. */
function tokenOf(header: string | undefined): string | undefined {
  const token = header?.replace(/^Bearer\s+/i, '').trim()
  return token && token.length <= 256 ? token : undefined
}

const codesOf = (access: Access): string => (typeof access === 'string' ? access : access.join(', '))

/**
 * Rejects changes sent by pages of another origin: browsers count the hosts of other companies as the same site, and a page that
 * came over HTTP may have been changed on its way. The page of the API has no origin; what it sends needs a key, which no browser keeps.
 */
export function requireSameOrigin(request: FastifyRequest, config: Config): void {
  const { origin } = request.headers
  if (!origin || ['GET', 'HEAD', 'OPTIONS'].includes(request.method)) return
  if (origin === 'null' && request.routeOptions.config.call?.access === 'shop') return
  const page = URL.parse(origin)
  if (page?.protocol !== `${schemeOf(request, config)}:` || page.host !== request.host.toLowerCase())
    throw forbidden('cross_site_request', 'Requests of other pages are not taken')
}

/** A proxy that is not trusted cannot say that HTTPS was used; the settings can. */
export const schemeOf = (request: FastifyRequest, config: Config): string =>
  config.trusted_proxies.length === 0 && config.public_url?.startsWith('https:') ? 'https' : request.protocol
