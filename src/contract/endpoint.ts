/** Declaration of an HTTP call: written once, used by the server, the browser and the tests. */
import * as z from 'zod'
import type { Access } from './access.ts'
import type { Area } from './areas.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
type RouteLine = `${Method} ${string}`
type NamesIn<L extends string> = L extends `${string}{${infer N}}${infer Rest}` ? Name<N> | NamesIn<Rest> : never
/** `{ids*}` matches the rest of the path, slashes included. */
type Name<N extends string> = N extends `${infer Plain}*` ? Plain : N
type Schema = z.ZodType | undefined
type Flat<T> = { [K in keyof T]: T[K] } & {}
/** Type of a caller's input: the parsed shape, where a default makes a field optional. */
type Written<S extends Schema> = S extends z.ZodType
  ? { [K in keyof z.output<S> as {} extends Pick<z.input<S>, K & keyof z.input<S>> ? never : K]: z.output<S>[K] } & {
      [K in keyof z.output<S> as {} extends Pick<z.input<S>, K & keyof z.input<S>> ? K : never]?: z.output<S>[K]
    }
  : {}
type Parsed<S extends Schema> = S extends z.ZodType ? z.output<S> : {}
type Params<L extends string, P> = {
  [N in NamesIn<L>]: N extends keyof P
    ? P[N] extends z.ZodType
      ? z.output<P[N]>
      : never
    : N extends 'id' | `${string}_id`
      ? number
      : string
}
type BodyIn<S extends Schema> = S extends z.ZodType ? { body: z.input<S> } : {}
type BodyOut<S extends Schema> = S extends z.ZodType ? { body: z.output<S> } : {}
type UploadIn<U> = U extends number ? { upload: Blob } : {}
type UploadOut<U> = U extends number ? { upload: Upload } : {}

/**
 * Tenant scope of a call: `company` sees the rows of the company in its path, `operator` the rows of every company that the
 * warehouse packs for (main-company staff only; others still see their own company).
 */
type TenantScope = 'company' | 'operator'

/** Media types of an answer that is not JSON, for the OpenAPI document and the client. */
export type MediaType = 'application/pdf' | 'image/*' | 'text/csv' | 'application/octet-stream' | 'text/event-stream' | 'text/html'

export interface Call<Sent = unknown, Given = unknown, Answer = unknown, External extends boolean = boolean> {
  line: RouteLine
  /** The operation id of the OpenAPI document: `<name of the calls>_<name of the call>`. It names the function in generated clients and stays. */
  id: string
  area: Area | undefined
  /** Schemas of the contract that the OpenAPI document lists by name, as components. */
  schemas: Record<string, z.ZodType>
  method: Method
  path: string
  params: z.ZodType
  query: Schema
  body: Schema
  reply: Schema
  access: Access
  tenantScope: TenantScope
  /** `long` calls print or compute: the browser waits 15 minutes instead of 5. */
  timeout: 'normal' | 'long'
  /** True when the handler calls an outside system and must not hold a transaction meanwhile. */
  external: External
  /** Set when the answer is a file or a stream. */
  media: MediaType | undefined
  /** Size limit in bytes, set when the body is bytes instead of JSON (a file, or a signed delivery that is verified as received). */
  upload: number | undefined
  /** Size limit of a JSON body in bytes. */
  bodyLimit: number
  /** `main`: only users of the operator's main company may make this call. */
  company: 'any' | 'main'
  /** True when the caller must be in the warehouse's network: the address must match the company's packing pattern. */
  ipLock: boolean
  /** True for calls that the specification does not list. */
  internal: boolean
  /** Rate limit: at most `max` per `seconds` for one address, or `handler` where the handler limits by what it knows. */
  rateLimit: RateLimit | 'handler' | undefined
  /** One sentence for readers of the API documentation. */
  summary: string | undefined
  /** Schema of the documented body, where `body` accepts more: each part of the body is validated alone. */
  itemSchema: z.ZodType | undefined
  /** A valid input, as the API documentation shows it. */
  example: Record<string, unknown> | undefined
  /** Types only, never a value: input of the caller, input of the handler, output. */
  readonly types: { sent: Sent; given: Given; answer: Answer; external: External }
}
interface RateLimit {
  max: number
  seconds: number
}
export type Calls = Record<string, Call>
export type RequestInput<C extends Call> = C['types']['sent']
export type HandlerInput<C extends Call> = C['types']['given']
export type ResponseOutput<C extends Call> = C['types']['answer']

/** A body of bytes: one file of a form, or the raw body. It is read once, either way. */
export interface Upload {
  /** The bytes while they arrive. It fails where they exceed the limit of the call, do not arrive whole, or differ from the `Content-Digest` header. */
  content: AsyncIterable<Uint8Array>
  /** All of them in memory, for what has a small limit and is needed whole. */
  bytes(): Promise<Uint8Array>
  media_type: string
  name: string
}

/** What the file store has: its key and its size, as a row of `files` holds them. */
export interface StoredContent {
  /** In hexadecimal. */
  sha256: string
  bytes: number
}

/** Result of the handler of a file call. */
export interface FileAnswer {
  /** Bytes, a stream where the answer is endless or made while it is sent, or a stored file, of which clients may ask for a range. */
  bytes: Uint8Array | AsyncIterable<Uint8Array | string> | StoredContent
  media_type: string
  name?: string
  /** Show it in the browser instead of saving it. */
  inline?: boolean
}

interface Options<P, Q extends Schema, B extends Schema, R extends Schema> {
  params?: P
  query?: Q
  body?: B
  reply?: R
  access?: Access
  tenantScope?: TenantScope
  timeout?: 'long'
  company?: 'main'
  ipLock?: boolean
  rateLimit?: RateLimit | 'handler'
  bodyLimit?: number
  internal?: true
  summary?: string
  itemSchema?: z.ZodType
  example?: Record<string, unknown>
}

/**
 * Declares a call by its line in the specification.
 * A `{…_id}` is a positive integer and any other name is text, unless `params` says otherwise.
 * Without a `reply` the call answers 204; with `media` it answers a file.
 *
 *     setState: call('POST orders/{id}/set_state/{state}', { params: { state: OrderState } })
 */
export function call<
  const L extends RouteLine,
  P extends { [N in NamesIn<L>]?: z.ZodType } = {},
  Q extends Schema = undefined,
  B extends Schema = undefined,
  R extends Schema = undefined,
  M extends MediaType | undefined = undefined,
  U extends number | undefined = undefined,
  O extends true | undefined = undefined,
>(
  line: L,
  options: Options<P, Q, B, R> & { media?: M; upload?: U; external?: O } = {},
): Call<
  Flat<Params<L, P> & Written<Q> & BodyIn<B> & UploadIn<U>>,
  Flat<Params<L, P> & Parsed<Q> & BodyOut<B> & UploadOut<U>>,
  M extends MediaType ? FileAnswer : R extends z.ZodType ? z.output<R> : void,
  O extends true ? true : false
> {
  const [method, path] = line.split(' ') as [Method, string]
  const given = (options.params ?? {}) as Record<string, z.ZodType>
  const names = [...path.matchAll(/\{(\w+)\*?\}/g)].map(match => match[1] as string)
  let params: z.ZodType | undefined
  return {
    line,
    id: line,
    area: undefined,
    schemas: {},
    method,
    path,
    // Compiled at first use: a browser never validates.
    get params() {
      params ??= z.object(Object.fromEntries(names.map(name => [name, given[name] ?? byName(name)])))
      return params
    },
    query: options.query,
    body: options.body,
    reply: options.reply,
    access: options.access ?? [],
    tenantScope: options.tenantScope ?? 'company',
    timeout: options.timeout ?? 'normal',
    external: options.external ?? false,
    media: options.media,
    upload: options.upload,
    bodyLimit: options.bodyLimit ?? 1_048_576,
    company: options.company ?? 'any',
    ipLock: options.ipLock ?? false,
    rateLimit: options.rateLimit,
    internal: options.internal ?? false,
    summary: options.summary,
    itemSchema: options.itemSchema,
    example: options.example,
  } as never
}

const text = z
  .string()
  .max(512)
  .refine(value => !value.includes('\u0000'), 'It holds a character that cannot be stored')
const id = z.coerce.number<unknown>().int().positive().max(Number.MAX_SAFE_INTEGER)
const byName = (name: string): z.ZodType => (/(^|_)id$/.test(name) ? id : text)

interface Defaults {
  /** The first part of every operation id, in camelCase. */
  name: string
  area: Area
  access: Access
  tenantScope?: TenantScope
  company?: 'main'
  ipLock?: boolean
  internal?: true
  schemas?: Record<string, z.ZodType>
}

/** The calls of one feature with their default access and tenant scope. */
export function calls<const T extends Calls>(defaults: Defaults, declared: T): T {
  for (const [name, one] of Object.entries(declared)) {
    one.id = `${defaults.name}_${name}`
    one.area = defaults.area
    if (defaults.schemas) one.schemas = defaults.schemas
    if (one.access.length === 0) one.access = defaults.access
    if (defaults.tenantScope) one.tenantScope = defaults.tenantScope
    // A call for anyone has no principal whose company could be checked.
    if (defaults.company && one.access !== 'anyone') one.company = defaults.company
    if (defaults.ipLock) one.ipLock = true
    if (defaults.internal) one.internal = true
  }
  return declared
}
