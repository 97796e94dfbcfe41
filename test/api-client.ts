/** Every mounted call, and a client that sends any input to it without the checks of `TestUser.send`. */
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { features } from '#app/features.ts'
import type { Call } from '#contract/endpoint.ts'
import type { ServedCall } from '#platform/http/served-calls.ts'

export const allCalls: readonly ServedCall[] = features.flatMap(slice => Object.values(slice.calls))

/** Names of a call's path parameters. */
export const namesIn = (call: Call): string[] => [...call.path.matchAll(/\{(\w+)\*?\}/g)].map(match => match[1] as string)

export interface CallRequest {
  /** The company in the path, and in the host unless `host` says otherwise. */
  company: string
  host?: string
  token?: string | undefined
  params?: Record<string, unknown>
  query?: Record<string, unknown> | undefined
  body?: unknown
  headers?: Record<string, string>
}

export function pathOf(call: Call, { company, params = {}, query = {} }: CallRequest): string {
  const path = call.path.replace(/\{(\w+)\*?\}/g, (_, name: string) => encodeURIComponent(String(params[name] ?? 'x').toWellFormed()))
  const asked = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== null) asked.set(name, String(value))
  return `/api/${company}/${path}${asked.size ? `?${asked}` : ''}`
}

export function callApi(app: FastifyInstance, call: Call, how: CallRequest): Promise<LightMyRequestResponse> {
  const { body } = how
  const bytes = body instanceof Uint8Array
  return app.inject({
    method: call.method,
    url: pathOf(call, how),
    headers: {
      host: how.host ?? `${how.company}.localhost`,
      accept: 'application/json',
      ...(how.token && { authorization: how.token }),
      ...(bytes && { 'content-type': 'application/octet-stream' }),
      ...how.headers,
    },
    ...(body === undefined ? {} : { payload: bytes ? Buffer.from(body) : (body as object) }),
  })
}

/** Runs `work` over all of `things`, a few at a time. */
export async function each<T>(things: readonly T[], work: (thing: T) => Promise<void>, atOnce = 8): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < things.length) await work(things[next++] as T)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, things.length) }, worker))
}
