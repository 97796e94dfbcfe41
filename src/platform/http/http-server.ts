/** The HTTP server: body parsers, hooks and error answers around the routes of all features. */
import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import rateLimit from '@fastify/rate-limit'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import * as z from 'zod'
import { needsKey } from '#contract/access.ts'
import type { Call } from '#contract/endpoint.ts'
import { AppError, badRequest, notFound, tooMany, unavailable } from '#contract/errors.ts'
import { errorOf } from '#domain/thrown.ts'
import type { IdentityResolver, Principal } from '#platform/auth/identity.ts'
import { callCounts } from '#platform/limits/call-counts.ts'
import { requestSpan, requestsKey } from '#platform/limits/company-limits.ts'
import { authenticate, companyInPath, requireSameOrigin } from './authenticate.ts'
import type { FeatureModule, Services } from './feature-module.ts'
import { PartialFailureError, sendError, toAppError } from './http-errors.ts'
import { parseJson } from './json-body.ts'
import { addRoutes } from './routes.ts'
import { companyOfHost, companyOfPath, isLoopbackHost } from './tenant-host.ts'
import { followAnswers } from './unread-answers.ts'
import { dropRest } from './unread-body.ts'
import { validationMessage } from './validation-messages.ts'

declare module 'fastify' {
  interface FastifyRequest {
    person: Principal | null
    /** Gives the place of this request to the next one that waits. */
    endTurn: (() => void) | null
    /** Code of the refusal that this request was answered with, for the log. */
    refused: string | null
  }
  interface FastifyContextConfig {
    call?: Call
    /** Answers on any host: health, readiness, metrics. */
    anyHost?: boolean
    /** Answers under the bare base domain too. */
    bareHost?: boolean
  }
}

/** Of every answer that sets no policy of its own: it is no page, loads nothing, and stands in no frame. */
const answerPolicy = "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"

/** Gets the call, the status and the seconds of each response. */
export type RequestObserver = (line: string, status: number, seconds: number) => void

export function createHttpServer(
  services: Services,
  identities: IdentityResolver,
  features: readonly FeatureModule[],
  observe: RequestObserver = () => undefined,
): FastifyInstance {
  const { config } = services
  const app = Fastify({
    loggerInstance: undefined,
    logger: false,
    trustProxy: config.trusted_proxies.length > 0 ? config.trusted_proxies : false,
    bodyLimit: 1_048_576,
    // Limits the time in which a client sends the request, not the time of the answer.
    requestTimeout: 120_000,
    connectionTimeout: 0,
    keepAliveTimeout: 30_000,
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 1_000 },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 600 },
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    // The first hook refuses in the shape and the words of every other refusal.
    return503OnClosing: false,
    genReqId: () => Math.random().toString(36).slice(2, 10),
  })
  const answers = followAnswers(app.server)
  const looks = setInterval(() => answers.closeUnread(performance.now()), 15_000).unref()
  app.addHook('onClose', async () => clearInterval(looks))
  z.config({ customError: validationMessage })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.decorateRequest('person', null)
  app.decorateRequest('endTurn', null)
  app.decorateRequest('refused', null)
  app.register(rateLimit, { global: false, store: callCounts(services.limits) })
  // Only JSON: files are packed already or change nothing by it, and a stream of events must not wait for a full block.
  app.register(compress, {
    threshold: 1_024,
    customTypes: /^application\/json/,
    encodings: ['br', 'gzip'],
    // The usual quality of brotli is for files that are packed once.
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
    globalDecompression: false,
  })
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    // Another content type must not be accepted as an object without fields.
    if (body.length === 0) return done(null, undefined)
    done(new AppError(415, 'media_type_not_supported', 'This kind of content is not taken here; send JSON'))
  })
  // Many clients send the JSON content type with an empty body.
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body: Buffer, done) => {
    if (body.length === 0) return done(null, undefined)
    try {
      done(null, parseJson(body))
    } catch {
      done(badRequest('request_not_json', 'The request is not understood: it is not valid JSON'))
    }
  })

  app.addHook('onRequest', async (request, reply) => {
    const { config: route } = request.routeOptions
    if (route.anyHost) return
    if (services.closing.aborted) {
      reply.header('connection', 'close')
      throw unavailable('server_stopping', 'The server is being restarted. Nothing was changed. Try again.')
    }
    if (request.raw.rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length > 1)
      throw notFound('host_name_ambiguous', 'One host name at a time')
    const code = await companyOf(request)
    if (code === null) throw new AppError(421, 'host_unknown', 'This server does not answer for this host name')
    requireSameOrigin(request, config)
    if (!route.call) return
    request.person = await authenticate(services, identities, request, code, route.call)
    const byKey = request.person.kind === 'recorder' || (request.person.kind === 'user' && request.person.key_id > 0)
    if (needsKey(route.call.access) || byKey) await limitKeyCalls(request)
  })
  app.addHook('onSend', async (request, reply) => {
    // Ended by the handler, unless the request was refused before it.
    request.endTurn?.()
    await dropRest(request.raw)
    reply.header('x-content-type-options', 'nosniff').header('referrer-policy', 'no-referrer')
    if (request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains')
    // The page of the API runs in a sandbox without an origin. What it reads needs the token that somebody pasted into it.
    if (request.headers.origin === 'null' && request.headers.authorization) reply.header('access-control-allow-origin', 'null')
    if (!reply.hasHeader('content-security-policy')) reply.header('content-security-policy', answerPolicy)
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
        refused: request.refused ?? undefined,
        company: request.person?.company.code,
        user: request.person?.id,
        ip: request.ip,
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
          company: request.person?.company.code,
          user: request.person?.id,
          ip: request.ip,
          error: String(errorOf(error instanceof PartialFailureError ? error.cause : error).stack ?? error),
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
    if (!(await identities.hasOneOperator(services.now()))) return code
    return call ? companyOfPath(companyInPath(request)) : ''
  }

  let countKeyCall: ReturnType<FastifyInstance['createRateLimit']>
  app.after(() => {
    // One count for all calls.
    countKeyCall = app.createRateLimit({
      max: config.api_key_calls_per_minute,
      timeWindow: 60_000,
      keyGenerator: ({ person }) => `key ${person?.kind === 'recorder' ? 'recorder ' : ''}${person?.company.operator_id} ${person?.key_id}`,
    })
  })
  async function limitKeyCalls(request: FastifyRequest): Promise<void> {
    const count = await countKeyCall(request)
    if (!count.isAllowed && count.isExceeded)
      throw tooMany('too_many_requests', 'This key has sent too many requests. Wait {{seconds}} seconds.', { seconds: count.ttlInSeconds })
    if (request.person) await limitCompanyCalls(request.person)
  }
  /** Not for print agents and recorders: a company's programs must not stop its packing. */
  async function limitCompanyCalls({ kind, company }: Principal): Promise<void> {
    if (kind !== 'shop' && kind !== 'user') return
    const { current, ttl } = await services.limits.countCall(requestsKey(company), requestSpan)
    const most = company.most_requests
    if (typeof most === 'number' && current > most)
      throw tooMany('limit_requests', 'Programs of your company may send {{count}} requests a minute. Wait {{seconds}} seconds.', {
        count: most,
        seconds: Math.ceil(ttl / 1_000),
      })
  }

  addRoutes(app, services, features)
  return app
}
