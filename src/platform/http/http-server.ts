/** The server: hosts, sessions, rights and transactions around every call of every slice. */
import { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { sql } from 'kysely'
import * as z from 'zod'
import { type Access, isAllowed } from '#contract/access.ts'
import type { Call, FileAnswer, Upload } from '#contract/endpoint.ts'
import { AppError, badRequest, forbidden, notFound, tooMany, unauthorized } from '#contract/errors.ts'
import type { NewEvent } from '#contract/events.ts'
import { anonymous, type IdentityResolver, type Principal, scopeOfPrincipal } from '#platform/auth/identity.ts'
import type { Db } from '#platform/database/database.ts'
import { actorOf, insertEvent, insertEvents } from '#platform/database/events.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import type { JobOrigin } from '#platform/jobs/job-queue.ts'
import type { Notice } from '#platform/notifications/change-notifier.ts'
import { runSubscribers } from './event-subscriptions.ts'
import type { Context, ExternalContext, FeatureModule, Services } from './feature-module.ts'
import { isConnectionError, PartialFailureError, sendError, toAppError } from './http-errors.ts'
import { addressMatches, companyOfHost, companyOfPath, isLoopbackHost, normalizeAddress } from './tenant-host.ts'
import { validationMessage } from './validation-messages.ts'

declare module 'fastify' {
  interface FastifyRequest {
    person: Principal | null
  }
  interface FastifyContextConfig {
    call?: Call
    /** Answers on any host: health, readiness, metrics. */
    anyHost?: boolean
    /** Answers under the bare base domain too. */
    bareHost?: boolean
  }
}

export type Observe = (line: string, status: number, seconds: number) => void

export function createHttpServer(
  services: Services,
  people: IdentityResolver,
  slices: readonly FeatureModule[],
  observe: Observe = () => undefined,
): FastifyInstance {
  const { config } = services
  const app = Fastify({
    loggerInstance: undefined,
    logger: false,
    trustProxy: config.trusted_proxies.length > 0 ? config.trusted_proxies : false,
    bodyLimit: 1_048_576,
    // Long enough for 15 minutes of printing, short for slow-sending clients.
    requestTimeout: 120_000,
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 600 },
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    genReqId: () => Math.random().toString(36).slice(2, 10),
  })
  z.config({ customError: validationMessage })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.decorateRequest('person', null)
  app.register(rateLimit, { global: false })
  app.register(multipart, { limits: { files: 1, fields: 20, fieldSize: 65_536 } })
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    // Where JSON is asked for, bytes of another kind must not pass for an object without fields.
    if (request.routeOptions.config.call?.upload) return done(null, body)
    if (body.length === 0) return done(null, undefined)
    done(new AppError(415, 'media_type_not_supported', 'This kind of content is not taken here; send JSON'))
  })
  // An empty body with the JSON type is what many clients send with a POST that needs none.
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (request.routeOptions.config.call?.upload) return done(null, body)
    if (body.length === 0) return done(null, undefined)
    try {
      done(null, parseJson(body))
    } catch {
      done(badRequest('request_not_json', 'The request is not understood: it is not valid JSON'))
    }
  })

  app.addHook('onRequest', async request => {
    const { config: route } = request.routeOptions
    if (route.anyHost) return
    if (request.raw.rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length > 1)
      throw notFound('host_name_ambiguous', 'One host name at a time')
    const code = await companyOf(request)
    if (code === null) throw new AppError(421, 'host_unknown', 'This server does not answer for this host name')
    sameOrigin(request)
    if (!route.call) return
    request.person = await authenticate(request, code, route.call)
    if (route.call.access === 'shop') await limitKeyCalls(request)
  })
  app.addHook('onSend', async (_request, reply) => {
    reply.header('x-content-type-options', 'nosniff').header('referrer-policy', 'no-referrer')
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
  app.addHook('onResponse', async (request, reply) => {
    const { call } = request.routeOptions.config
    const line = call?.line ?? `${request.method} ${request.routeOptions.url ?? '(none)'}`
    observe(line, reply.statusCode, reply.elapsedTime / 1_000)
    services.log.info(
      {
        id: request.id,
        line,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        company: request.person?.company.code,
        user: request.person?.id,
      },
      'answered',
    )
  })
  app.setErrorHandler((error, request, reply) => {
    const { refusal, unexpected } = toAppError(error, request.id)
    if (unexpected)
      services.log.error(
        {
          id: request.id,
          line: request.routeOptions.config.call?.line,
          error: String((error instanceof PartialFailureError ? (error.cause as Error) : (error as Error)).stack ?? error),
        },
        'failed',
      )
    return sendError(request, reply, refusal)
  })
  app.setNotFoundHandler((request, reply) => sendError(request, reply, notFound('address_not_found', 'There is nothing at this address')))

  /**
   * The company that a request is for: by its host, or by its path at this computer's own names. The second only while the base domain is
   * this computer and all companies are of one operator: only then do they share no secrets with another operator.
   */
  async function companyOf(request: FastifyRequest): Promise<string | null> {
    const code = companyOfHost(request.host, config.base_domain)
    const { call, bareHost } = request.routeOptions.config
    if (code || config.base_domain !== 'localhost' || !isLoopbackHost(request.host)) return code
    // The screens read the company from the host name: an address cannot show them.
    if (!call && !bareHost && !request.url.startsWith('/api/')) return code
    if (!(await people.hasOneOperator(services.now()))) return code
    return call ? companyOfPath((request.params as { company?: string }).company) : ''
  }

  /** Host label, company of the path and company of the token must agree; foreign things look absent. */
  async function authenticate(request: FastifyRequest, code: string, call: Call): Promise<Principal> {
    const path = (request.params as { company?: string }).company
    if (path !== code || code === '') throw notFound('company_not_at_address', 'There is no such company at this address')
    const token = tokenOf(request.headers.authorization)
    if (call.access === 'shop') {
      const shop = token ? await people.byShopKey(token, request.ip, services.now()) : null
      if (!shop) throw unauthorized('cms_key_required', 'This call needs a CMS key in the authorization header')
      if (shop.company.code !== code) throw notFound('company_not_at_address', 'There is no such company at this address')
      return shop
    }
    const company = await people.company(code)
    if (!company) throw notFound('company_not_at_address', 'There is no such company at this address')
    const principal = token && call.access !== 'anyone' ? await people.byToken(token, services.now()) : null
    if (call.access === 'anyone') return anonymous(company)
    if (!principal) throw unauthorized('not_signed_in', 'You are not signed in, or no longer. Sign in again.')
    if (principal.company.code !== code) throw notFound('company_not_at_address', 'There is no such company at this address')
    if (!isAllowed(principal.permissions, call.access)) {
      services.log.warn({ user: principal.id, line: call.line }, 'refused for missing rights')
      throw forbidden(
        'permission_missing',
        'This needs one of these rights: {{codes}}. Somebody with the right users_admin can grant it.',
        {
          codes: codesOf(call.access),
        },
      )
    }
    if (call.company === 'main' && !principal.company.is_main)
      throw forbidden('main_company_only', 'Only the main company of an operator can do this')
    if (call.ipLock && !addressMatches(principal.company.packing_ip_pattern, request.ip))
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

  let countKeyCall: ReturnType<FastifyInstance['createRateLimit']>
  app.after(() => {
    // One count for all calls, in this server's memory.
    countKeyCall = app.createRateLimit({
      max: config.api_key_calls_per_minute,
      timeWindow: 60_000,
      keyGenerator: ({ person }) => `${person?.company.operator_id} ${person?.key_id}`,
    })
  })
  async function limitKeyCalls(request: FastifyRequest): Promise<void> {
    const count = await countKeyCall(request)
    if (!count.isAllowed && count.isExceeded)
      throw tooMany('too_many_requests', 'This key has sent too many requests. Wait {{seconds}} seconds.', { seconds: count.ttlInSeconds })
  }

  for (const { calls, handlers } of slices)
    for (const [name, call] of Object.entries(calls)) {
      const handler = handlers[name] as unknown as (input: unknown, context: unknown) => Promise<unknown>
      const rest = /\{(\w+)\*\}/.exec(call.path)?.[1]
      app.after(() =>
        app.route({
          method: call.method,
          url: `/api/:company/${call.path.replace(/\{\w+\*\}/, '*').replace(/\{(\w+)\}/g, ':$1')}`,
          config: {
            call,
            ...(call.rateLimit && {
              rateLimit: {
                max: call.rateLimit.max,
                timeWindow: call.rateLimit.seconds * 1_000,
                hook: 'preHandler' as const,
                keyGenerator: (request: FastifyRequest) =>
                  `${call.line} ${request.ip} ${request.person?.company.code} ${String((request.body as Record<string, unknown> | undefined)?.[call.rateLimit?.by ?? ''] ?? '').toLowerCase()}`,
                errorResponseBuilder: (_request: FastifyRequest, { ttl }: { ttl: number }) =>
                  tooMany('too_many_attempts', 'Too many attempts. Wait {{seconds}} seconds.', { seconds: Math.ceil(ttl / 1_000) }),
              },
            }),
          },
          bodyLimit: call.upload ?? call.bodyLimit,
          schema: {
            params: call.params,
            ...(call.query && { querystring: call.query }),
            ...(call.body && { body: call.body }),
            ...(call.reply && !call.media && { response: { 200: call.reply } }),
          },
          ...(rest && {
            preValidation: async (request: FastifyRequest) => {
              const params = request.params as Record<string, string>
              params[rest] = params['*'] ?? ''
            },
          }),
          async handler(request, reply) {
            const principal = request.person as Principal
            const { company: _company, ...params } = request.params as Record<string, unknown>
            const input = {
              ...params,
              ...(call.query && (request.query as object)),
              ...(call.body && { body: request.body }),
              ...(call.upload && { upload: await uploadOf(request, call.upload) }),
            }
            const answer = await runHandler(call, handler, input, request, reply, principal)
            if (call.media) return sendFile(reply, answer as FileAnswer)
            return call.reply ? answer : reply.code(204).send()
          },
        }),
      )
    }

  /** Ends with the answer, or with the house. A signal is dear: it is made when a handler first asks for it. */
  function abortedWithResponse(reply: FastifyReply): AbortSignal {
    const gone = new AbortController()
    // The answer's end, not the connection's: that one lives on for the next request and would gather listeners.
    reply.raw.once('close', () => gone.abort(answered))
    return AbortSignal.any([gone.signal, services.closing])
  }

  async function runHandler(
    call: Call,
    handler: (input: unknown, context: unknown) => Promise<unknown>,
    input: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
    principal: Principal,
  ): Promise<unknown> {
    let gone: AbortSignal | undefined
    const around = createContext(services, principal, scopeOfPrincipal(principal, call.tenantScope), {
      ip: normalizeAddress(request.ip),
      station: stationOf(request.headers['x-packing-station']),
      headers: request.headers as Record<string, string | undefined>,
      get signal() {
        gone ??= abortedWithResponse(reply)
        return gone
      },
    })
    if (call.external) return withPartialCommitGuard(around, outside => handler(input, outside))
    if (call.method !== 'GET') return around.transaction(context => handler(input, context))
    const began = performance.now()
    for (let attempt = 1; ; attempt++)
      try {
        return await around.read(context => handler(input, context))
      } catch (error) {
        // Reading changes nothing, so it may be asked again when the database comes back.
        if (attempt >= 4 || !isConnectionError(error) || performance.now() - began > readPatience) throw error
        await new Promise(resolve => setTimeout(resolve, 250 * attempt))
      }
  }
  return app
}

/** Milliseconds after which reading is not tried again: whoever asks waits for an answer, if only a no. */
const readPatience = 5_000

/** Runs steps that commit one by one; what fails unforeseen after the first of them must not be answered as if nothing had happened. */
async function withPartialCommitGuard<T>(around: ExternalContext, handle: (outside: ExternalContext) => Promise<T>): Promise<T> {
  let kept = false
  try {
    return await handle({
      ...around,
      async transaction(step) {
        let changed = false
        const noting =
          <G extends unknown[], A>(tool: (...given: G) => A) =>
          (...given: G): A => {
            changed = true
            return tool(...given)
          }
        const answer = await around.transaction(context =>
          step({
            ...context,
            recordEvent: noting(context.recordEvent),
            recordEvents: noting(context.recordEvents),
            notify: noting(context.notify),
            enqueue: noting(context.enqueue),
          }),
        )
        kept ||= changed
        return answer
      },
    })
  } catch (error) {
    if (!kept || error instanceof AppError) throw error
    throw new PartialFailureError(error)
  }
}

/** What a handler outside a transaction is given; the queue's tasks get the same. */
export function createContext(
  services: Services,
  principal: Principal,
  scope: TenantScope,
  asked: { ip: string; station: string; headers: Record<string, string | undefined>; signal: AbortSignal },
): ExternalContext & { read<T>(step: (context: Context) => Promise<T>): Promise<T> } {
  const { ip, station, headers } = asked
  const around = { services, principal, scope, ip, station, headers, now: services.now }
  const actor = actorOf(principal, station)
  const contextOver = (db: Db, notices: Notice[]): Context => {
    const runAll = (events: readonly NewEvent[]) => runSubscribers(services.subscribers, events, context)
    const context: Context = {
      ...around,
      get signal() {
        return asked.signal
      },
      db,
      async recordEvent(event) {
        await insertEvent(db, actor, event)
        await runAll([event])
      },
      async recordEvents(events, { actor: name = actor.name } = {}) {
        await insertEvents(db, { ...actor, name }, events)
        await runAll(events)
      },
      runSubscribers: runAll,
      notify: (topic, id, company_id = scope.company_id) =>
        void notices.push({ topic, ...(id === undefined ? {} : { id }), operator_id: scope.operator_id, company_id }),
      async enqueue(task, payload, { key, run_at, queue } = {}) {
        const origin: JobOrigin = {
          ...scope,
          companies: [...scope.companies],
          user_id: principal.id,
          user_name: principal.name,
          station: asked.station,
        }
        await sql`select enqueue(${task}, ${JSON.stringify({ ...payload, carried: origin })}::jsonb, ${key ?? null}, ${run_at?.toISOString() ?? null}, ${queue ?? null})`.execute(
          db,
        )
      },
    }
    return context
  }
  return {
    ...around,
    get signal() {
      return asked.signal
    },
    async transaction(step) {
      const notices: Notice[] = []
      const answer = await services.database.transaction(scope, db => step(contextOver(db, notices)))
      services.notifier.publish(notices)
      return answer
    },
    read: step => services.database.readOnly(scope, db => step(contextOver(db, []))),
  }
}

/** A context for the scheduler: nobody's request, within one tenant. */
export function createSystemContext(services: Services, scope: TenantScope): ReturnType<typeof createContext> {
  const company = {
    operator_id: scope.operator_id,
    id: scope.company_id,
    code: '',
    name: '',
    is_main: scope.companies.length > 1,
    packing_ip_pattern: '',
  }
  return createContext(services, anonymous(company), scope, { ip: '', station: '', headers: {}, signal: services.closing })
}

/** Why a request's signal ends; made once, for an error with its stack is dearer than all else here. */
const answered = new Error('The request is over')

/** The token raw or after `Bearer`. */
function tokenOf(header: string | undefined): string | undefined {
  const token = header?.replace(/^Bearer\s+/i, '').trim()
  return token && token.length <= 256 ? token : undefined
}

function stationOf(header: string | string[] | undefined): string {
  const text = Array.isArray(header) ? header[0] : header
  if (!text) return ''
  try {
    return decodeURIComponent(text).trim().slice(0, 20)
  } catch {
    return ''
  }
}

const codesOf = (access: Access): string => (typeof access === 'string' ? access : access.join(', '))

/** A page of another company's host must not act with this one's session: sibling hosts count as the same site for browsers. */
function sameOrigin(request: FastifyRequest): void {
  const { origin } = request.headers
  if (!origin || request.method === 'GET' || request.method === 'HEAD') return
  let host: string
  try {
    ;({ host } = new URL(origin))
  } catch {
    throw forbidden('cross_site_request', 'Requests of other pages are not taken')
  }
  if (host.toLowerCase() !== request.host.toLowerCase()) throw forbidden('cross_site_request', 'Requests of other pages are not taken')
}

/** JSON without keys that could reach a prototype, and without numbers that lose digits silently. */
function parseJson(body: Buffer): unknown {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(body)
  // Looking at every key costs four times the reading itself: only a text that could name one of these is looked at so.
  if (!/__proto__|constructor|\\u/.test(text)) return JSON.parse(text)
  return JSON.parse(text, (key, value: unknown) => {
    if (key === '__proto__' || key === 'constructor') throw new SyntaxError('forbidden key')
    return value
  })
}

async function uploadOf(request: FastifyRequest, most: number): Promise<Upload> {
  if (!request.isMultipart()) {
    const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    return {
      bytes,
      media_type: request.headers['content-type'] ?? 'application/octet-stream',
      name: nameOf(request.headers['x-file-name']),
    }
  }
  const file = await request.file({ limits: { fileSize: most, files: 1 } })
  if (!file) throw badRequest('file_missing', 'Choose a file first')
  const bytes = await file.toBuffer()
  return { bytes, media_type: file.mimetype, name: nameOf(file.filename) }
}

/** A file's name is shown, never used as a path. */
function nameOf(given: string | string[] | undefined): string {
  const text = Array.isArray(given) ? given[0] : given
  let name = text ?? 'file'
  try {
    name = decodeURIComponent(name)
  } catch {
    // It was no percent-encoding: take it as it is.
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these must not stand in a name
  return name.replace(/[\u0000-\u001f\u007f"\\/]/g, '_').slice(0, 200) || 'file'
}

function sendFile(reply: FastifyReply, { bytes, media_type, name, inline }: FileAnswer): FastifyReply {
  reply.type(media_type)
  if (media_type === 'text/event-stream') reply.header('x-accel-buffering', 'no')
  else reply.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
  if (name) {
    const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
    reply.header(
      'content-disposition',
      `${inline ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name)}`,
    )
  }
  return reply.send(bytes instanceof Uint8Array ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) : Readable.from(bytes))
}
