/** The server: hosts, sessions, rights and transactions around every call of every slice. */
import { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { sql } from 'kysely'
import * as z from 'zod'
import { type Access, may } from '#contract/access.ts'
import type { Call, FileAnswer, Upload } from '#contract/endpoint.ts'
import { badRequest, forbidden, notFound, Refusal, tooMany, unauthorized } from '#contract/errors.ts'
import { addOpenApi } from './api-docs.ts'
import type { Db } from '#platform/database/database.ts'
import { recordEvent } from '#platform/database/events.ts'
import { addressMatches, companyOfHost, plainAddress } from './tenant-host.ts'
import { issueWords } from './validation-messages.ts'
import type { Notice } from '#platform/notifications/change-notifier.ts'
import { nobody, type People, type Person, scopeOf } from '#platform/auth/identity.ts'
import type { Carried } from '#platform/jobs/job-queue.ts'
import { answerRefusal, BrokeOff, isConnectionTrouble, refusalOf } from './http-errors.ts'
import type { Scope } from '#platform/database/tenant-scope.ts'
import type { Context, House, OutsideContext, Slice } from './feature-module.ts'

declare module 'fastify' {
  interface FastifyRequest {
    person: Person | null
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

export function makeApp(house: House, people: People, slices: readonly Slice[], observe: Observe = () => undefined): FastifyInstance {
  const { config } = house
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
  z.config({ customError: issueWords })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.decorateRequest('person', null)
  addOpenApi(app, config.version)
  app.register(rateLimit, { global: false })
  app.register(multipart, { limits: { files: 1, fields: 20, fieldSize: 65_536 } })
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    // Where JSON is asked for, bytes of another kind must not pass for an object without fields.
    if (request.routeOptions.config.call?.upload) return done(null, body)
    if (body.length === 0) return done(null, undefined)
    done(new Refusal(415, 'This kind of content is not taken here; send JSON'))
  })
  // An empty body with the JSON type is what many clients send with a POST that needs none.
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (request.routeOptions.config.call?.upload) return done(null, body)
    if (body.length === 0) return done(null, undefined)
    try {
      done(null, parseJson(body))
    } catch {
      done(badRequest('The request is not understood: it is not valid JSON'))
    }
  })

  app.addHook('onRequest', async request => {
    const { config: route } = request.routeOptions
    if (route.anyHost) return
    if (request.raw.rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length > 1)
      throw notFound('One host name at a time')
    const code = companyOfHost(request.host, config.base_domain)
    if (code === null) throw new Refusal(421, 'This server does not answer for this host name')
    sameOrigin(request)
    if (!route.call) return
    request.person = await personOf(request, code, route.call)
  })
  app.addHook('onSend', async (_request, reply) => {
    reply.header('x-content-type-options', 'nosniff').header('referrer-policy', 'no-referrer')
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
  app.addHook('onResponse', async (request, reply) => {
    const { call } = request.routeOptions.config
    const line = call?.line ?? `${request.method} ${request.routeOptions.url ?? '(none)'}`
    observe(line, reply.statusCode, reply.elapsedTime / 1_000)
    house.log.info(
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
    const { refusal, unexpected } = refusalOf(error, request.id)
    if (unexpected)
      house.log.error(
        {
          id: request.id,
          line: request.routeOptions.config.call?.line,
          error: String((error instanceof BrokeOff ? (error.cause as Error) : (error as Error)).stack ?? error),
        },
        'failed',
      )
    return answerRefusal(request, reply, refusal)
  })
  app.setNotFoundHandler((request, reply) => answerRefusal(request, reply, notFound('There is nothing at this address')))

  /** Host label, company of the path and company of the token must agree; foreign things look absent. */
  async function personOf(request: FastifyRequest, code: string, call: Call): Promise<Person> {
    const path = (request.params as { company?: string }).company
    if (path !== code || code === '') throw notFound('There is no such company at this address')
    const token = tokenOf(request.headers.authorization)
    if (call.access === 'shop') {
      const shop = token ? await people.ofShopKey(token, request.ip, house.now()) : null
      if (!shop) throw unauthorized('This call needs a CMS key in the authorization header')
      if (shop.company.code !== code) throw notFound('There is no such company at this address')
      return shop
    }
    const company = await people.company(code)
    if (!company) throw notFound('There is no such company at this address')
    const person = token && call.access !== 'anyone' ? await people.ofToken(token, house.now()) : null
    if (call.access === 'anyone') return nobody(company)
    if (!person) throw unauthorized('You are not signed in, or no longer. Sign in again.')
    if (person.company.code !== code) throw notFound('There is no such company at this address')
    if (!may(person.permissions, call.access)) {
      house.log.warn({ user: person.id, line: call.line }, 'refused for missing rights')
      throw forbidden('This needs one of these rights: {{codes}}. Somebody with the right users_admin can grant it.', {
        codes: codesOf(call.access),
      })
    }
    if (call.ipLock && !addressMatches(person.company.packing_ip_pattern, request.ip))
      throw forbidden('This works only inside the warehouse network. Your address {{ip}} does not match the pattern {{pattern}}.', {
        ip: plainAddress(request.ip),
        pattern: person.company.packing_ip_pattern || '(none)',
      })
    return person
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
            ...(call.rate && {
              rateLimit: {
                max: call.rate.max,
                timeWindow: call.rate.seconds * 1_000,
                hook: 'preHandler' as const,
                keyGenerator: (request: FastifyRequest) =>
                  `${call.line} ${request.ip} ${request.person?.company.code} ${String((request.body as Record<string, unknown> | undefined)?.[call.rate?.by ?? ''] ?? '').toLowerCase()}`,
                errorResponseBuilder: (_request: FastifyRequest, { ttl }: { ttl: number }) =>
                  tooMany('Too many attempts. Wait {{seconds}} seconds.', { seconds: Math.ceil(ttl / 1_000) }),
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
            const person = request.person as Person
            const { company: _company, ...params } = request.params as Record<string, unknown>
            const input = {
              ...params,
              ...(call.query && (request.query as object)),
              ...(call.body && { body: request.body }),
              ...(call.upload && { upload: await uploadOf(request, call.upload) }),
            }
            const answer = await answerOf(call, handler, input, request, reply, person)
            if (call.media) return sendFile(reply, answer as FileAnswer)
            return call.reply ? answer : reply.code(204).send()
          },
        }),
      )
    }

  /** Ends with the answer, or with the house. A signal is dear: it is made when a handler first asks for it. */
  function goneOf(reply: FastifyReply): AbortSignal {
    const gone = new AbortController()
    // The answer's end, not the connection's: that one lives on for the next request and would gather listeners.
    reply.raw.once('close', () => gone.abort(answered))
    return AbortSignal.any([gone.signal, house.closing])
  }

  async function answerOf(
    call: Call,
    handler: (input: unknown, context: unknown) => Promise<unknown>,
    input: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
    person: Person,
  ): Promise<unknown> {
    let gone: AbortSignal | undefined
    const around = aroundOf(house, person, scopeOf(person, call.reach), {
      ip: plainAddress(request.ip),
      station: stationOf(request.headers['x-packing-station']),
      headers: request.headers as Record<string, string | undefined>,
      get signal() {
        gone ??= goneOf(reply)
        return gone
      },
    })
    if (call.outside) return inSteps(around, outside => handler(input, outside))
    if (call.method !== 'GET') return around.work(context => handler(input, context))
    const began = performance.now()
    for (let attempt = 1; ; attempt++)
      try {
        return await around.read(context => handler(input, context))
      } catch (error) {
        // Reading changes nothing, so it may be asked again when the database comes back.
        if (attempt >= 4 || !isConnectionTrouble(error) || performance.now() - began > readPatience) throw error
        await new Promise(resolve => setTimeout(resolve, 250 * attempt))
      }
  }
  return app
}

/** Milliseconds after which reading is not tried again: whoever asks waits for an answer, if only a no. */
const readPatience = 5_000

/** Runs steps that commit one by one; what fails unforeseen after the first of them must not be answered as if nothing had happened. */
async function inSteps<T>(around: OutsideContext, handle: (outside: OutsideContext) => Promise<T>): Promise<T> {
  let kept = false
  try {
    return await handle({
      ...around,
      async work(step) {
        let changed = false
        const noting =
          <G extends unknown[], A>(tool: (...given: G) => A) =>
          (...given: G): A => {
            changed = true
            return tool(...given)
          }
        const answer = await around.work(context =>
          step({ ...context, record: noting(context.record), tell: noting(context.tell), enqueue: noting(context.enqueue) }),
        )
        kept ||= changed
        return answer
      },
    })
  } catch (error) {
    if (!kept || error instanceof Refusal) throw error
    throw new BrokeOff(error)
  }
}

/** What a handler outside a transaction is given; the queue's tasks get the same. */
export function aroundOf(
  house: House,
  person: Person,
  scope: Scope,
  asked: { ip: string; station: string; headers: Record<string, string | undefined>; signal: AbortSignal },
): OutsideContext & { read<T>(step: (context: Context) => Promise<T>): Promise<T> } {
  const { ip, station, headers } = asked
  const around = { house, person, scope, ip, station, headers, now: house.now }
  const toolsOver = (db: Db, notices: Notice[]): Context => ({
    ...around,
    get signal() {
      return asked.signal
    },
    db,
    record: event => recordEvent(db, person, asked.station, event),
    tell: (topic, id, company_id = scope.company_id) =>
      void notices.push({ topic, ...(id === undefined ? {} : { id }), operator_id: scope.operator_id, company_id }),
    async enqueue(task, payload, { key, run_at, queue } = {}) {
      const carried: Carried = {
        ...scope,
        companies: [...scope.companies],
        user_id: person.id,
        user_name: person.name,
        station: asked.station,
      }
      await sql`select enqueue(${task}, ${JSON.stringify({ ...payload, carried })}::jsonb, ${key ?? null}, ${run_at?.toISOString() ?? null}, ${queue ?? null})`.execute(
        db,
      )
    },
  })
  return {
    ...around,
    get signal() {
      return asked.signal
    },
    async work(step) {
      const notices: Notice[] = []
      const answer = await house.database.within(scope, db => step(toolsOver(db, notices)))
      house.live.publish(notices)
      return answer
    },
    read: step => house.database.reading(scope, db => step(toolsOver(db, []))),
  }
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
    throw forbidden('Requests of other pages are not taken')
  }
  if (host.toLowerCase() !== request.host.toLowerCase()) throw forbidden('Requests of other pages are not taken')
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
  if (!file) throw badRequest('Choose a file first')
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
