/** One route for each declared call: validation, rate limit, the handler in its transaction, and the answer. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { FileAnswer } from '#contract/endpoint.ts'
import { tooMany } from '#contract/errors.ts'
import type { WorkClass } from '#contract/work-classes.ts'
import { errorOf } from '#domain/thrown.ts'
import { type Principal, scopeOfPrincipal } from '#platform/auth/identity.ts'
import { countedAs } from '#platform/limits/call-counts.ts'
import { schemeOf } from './authenticate.ts'
import { createContext, withPartialCommitGuard } from './context.ts'
import type { FeatureModule, Handler, Services } from './feature-module.ts'
import { sendFile } from './file-answers.ts'
import { isConnectionError } from './http-errors.ts'
import type { ServedCall } from './served-calls.ts'
import { normalizeAddress } from './tenant-host.ts'
import { acceptUploads, openUpload } from './uploads.ts'

export function addRoutes(app: FastifyInstance, services: Services, features: readonly FeatureModule[]): void {
  const routes = features.flatMap(({ calls, handlers }) =>
    Object.entries(calls).map(([name, call]) => {
      const handler = handlers[name]
      if (!handler) throw new Error(`The call ${call.line} has no handler`)
      return { call, handler }
    }),
  )
  app.after(() => {
    for (const { call, handler } of routes) if (!call.upload) addRoute(app, services, call, handler)
  })
  app.register(async server => {
    acceptUploads(server)
    for (const { call, handler } of routes) if (call.upload) addRoute(server, services, call, handler)
  })
}

function addRoute(server: FastifyInstance, services: Services, call: ServedCall, handler: Handler): void {
  const rest = /\{(\w+)\*\}/.exec(call.path)?.[1]
  server.route<{ Params: Record<string, string>; Querystring: Record<string, unknown> }>({
    // A stream of changes has no end whose size could be known.
    method: call.media && call.media !== 'text/event-stream' && call.method === 'GET' ? ['GET', 'HEAD'] : call.method,
    url: `/api/:company/${call.path.replace(/\{\w+\*\}/, '*').replace(/\{(\w+)\}/g, ':$1')}`,
    config: {
      call,
      ...(typeof call.rateLimit === 'object' && {
        rateLimit: {
          max: call.rateLimit.max,
          timeWindow: call.rateLimit.seconds * 1_000,
          hook: 'preHandler' as const,
          keyGenerator: (request: FastifyRequest) => countedAs(call.line, normalizeAddress(request.ip), request.person?.company.code),
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
      ...(call.reply && !call.media && { response: { [call.status]: call.reply } }),
    },
    preValidation(request, reply, done) {
      if (rest) request.params[rest] = request.params['*'] ?? ''
      awaitTurn(services, call, request, reply, done)
    },
    async handler(request, reply) {
      const principal = principalOf(request)
      const { company: _company, ...params } = request.params
      const input = {
        ...params,
        ...(call.query && request.query),
        ...(call.body && { body: request.body }),
        ...(call.upload && { upload: await openUpload(request, call.upload) }),
      }
      // The place is free for another call while the answer is sent.
      const answer = await runHandler(services, call, handler, input, request, reply, principal).finally(() => request.endTurn?.())
      if (call.media) return sendFile(request, reply, answer as FileAnswer, services, principal.company.operator_id)
      return call.reply ? reply.code(call.status).send(answer) : reply.code(204).send()
    },
  })
}

/**
 * Goes on when the call has its turn. The body is read before and checked after it: a slow sender must not keep a place, and checking
 * costs processor time. A client that goes away while it waits leaves the queue.
 */
function awaitTurn(
  { admission }: Services,
  call: ServedCall,
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  const workClass = workClassOf(call, request)
  if (!workClass) {
    done()
    return
  }
  let begun = false
  const leave = () => {
    request.endTurn?.()
    // An answer would have no reader.
    reply.hijack()
  }
  try {
    request.endTurn = admission.enter(principalOf(request), { workClass, external: call.external }, end => {
      begun = true
      request.endTurn = end
      reply.raw.off('close', leave)
      done()
    })
  } catch (error) {
    done(errorOf(error))
    return
  }
  if (!begun) reply.raw.once('close', leave)
}

/** A body without a stated length is taken for a large one. */
function workClassOf({ workClass, changeUpTo = 0 }: ServedCall, request: FastifyRequest): WorkClass | undefined {
  const length = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY)
  return workClass === 'bulk' && length <= changeUpTo ? 'change' : workClass
}

function principalOf(request: FastifyRequest): Principal {
  if (!request.person) throw new Error('The request has no principal')
  return request.person
}

/** Milliseconds after which a failed read is not repeated. */
const readPatience = 5_000

async function runHandler(
  services: Services,
  call: ServedCall,
  handler: Handler,
  input: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  principal: Principal,
): Promise<unknown> {
  let gone: AbortSignal | undefined
  const workClass = workClassOf(call, request)
  const context = createContext(services, principal, scopeOfPrincipal(principal, call.tenantScope), {
    ip: normalizeAddress(request.ip),
    station: stationOf(request.headers['x-packing-station']),
    headers: request.headers,
    host: request.host.toLowerCase(),
    secure: schemeOf(request, services.config) === 'https',
    setHeader: (name, value) => void reply.header(name, value),
    ...(call.external && workClass && { inTurn: transaction => services.admission.step(principal, workClass, transaction) }),
    get signal() {
      gone ??= abortedWithResponse(services, reply)
      return gone
    },
  })
  if (call.external) return withPartialCommitGuard(context, outside => handler(input, outside))
  if (call.method !== 'GET') return context.transaction(context => handler(input, context))
  const began = performance.now()
  for (let attempt = 1; ; attempt++)
    try {
      return await context.read(context => handler(input, context))
    } catch (error) {
      // A read changes nothing, so it can be repeated when the database is reachable again.
      if (attempt >= 4 || !isConnectionError(error) || performance.now() - began > readPatience) throw error
      await new Promise(resolve => setTimeout(resolve, 250 * attempt))
    }
}
/** Aborted when the response closes or the server shuts down. */
function abortedWithResponse(services: Services, reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  // Listen to the response, not to the connection: a kept-alive connection would collect listeners.
  reply.raw.once('close', () => gone.abort(answered))
  return AbortSignal.any([gone.signal, services.closing])
}

/** The reason of the abort; created once, because collecting a stack is expensive. */
const answered = new Error('The request is over')

function stationOf(header: string | string[] | undefined): string {
  const text = Array.isArray(header) ? header[0] : header
  if (!text) return ''
  try {
    return decodeURIComponent(text).trim().slice(0, 20)
  } catch {
    return ''
  }
}
