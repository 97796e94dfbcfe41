/**
 * Declaration of HTTP calls: written once, used by the server, the browser and the tests. Of the schemas a contract has the types
 * only, since making them takes a slow tablet longer than drawing a screen; `implement` joins both on the server.
 */
import type * as z from 'zod'
import type { Access } from './access.ts'
import type { Area } from './areas.ts'
import type { WorkClass } from './work-classes.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
type RouteLine = `${Method} ${string}`
type NamesIn<L extends string> = L extends `${string}{${infer N}}${infer Rest}` ? Name<N> | NamesIn<Rest> : never
/** `{ids*}` matches the rest of the path, slashes included. */
type Name<N extends string> = N extends `${infer Plain}*` ? Plain : N
type Flat<T> = { [K in keyof T]: T[K] } & {}
/** Type of a caller's input: the parsed shape, where a default makes a field optional. */
type Written<S> = S extends z.ZodType
  ? { [K in keyof z.output<S> as {} extends Pick<z.input<S>, K & keyof z.input<S>> ? never : K]: z.output<S>[K] } & {
      [K in keyof z.output<S> as {} extends Pick<z.input<S>, K & keyof z.input<S>> ? K : never]?: z.output<S>[K]
    }
  : {}
type Parsed<S> = S extends z.ZodType ? z.output<S> : {}
type Params<L extends string, P> = {
  [N in NamesIn<L>]: N extends keyof P
    ? P[N] extends z.ZodType
      ? z.output<P[N]>
      : never
    : N extends 'id' | `${string}_id`
      ? number
      : string
}
type BodyIn<S> = S extends z.ZodType ? { body: z.input<S> } : {}
type BodyOut<S> = S extends z.ZodType ? { body: z.output<S> } : {}
type UploadIn<U> = U extends number ? { upload: Blob } : {}
type UploadOut<U> = U extends number ? { upload: Upload } : {}

/** Schemas of one call, and what the API documentation says of it. */
export interface CallSchemas {
  /** Of names in the path: a `{…_id}` is a positive integer and any other name is text, unless a schema stands here. */
  params?: Record<string, z.ZodType>
  query?: z.ZodType
  body?: z.ZodType
  /** Without it the call answers 204, or a file where it has a media type. */
  reply?: z.ZodType
  /** One sentence for readers of the API documentation. */
  summary?: string
  /** Schema of the documented body, where `body` accepts more: each part of the body is validated alone. */
  itemSchema?: z.ZodType
  /** A valid input, as the API documentation shows it. */
  example?: Record<string, unknown>
}

/** The schemas of a contract, under the names of its calls. */
export interface ContractSchemas {
  /** Schemas that the OpenAPI document lists by name. */
  components?: Record<string, z.ZodType>
  calls: Record<string, CallSchemas>
}

/**
 * Tenant scope of a call: `company` sees the rows of the company in its path, `operator` the rows of every company that the
 * warehouse packs for (main-company staff only; others still see their own company).
 */
type TenantScope = 'company' | 'operator'

/** Media types of an answer that is not JSON, for the OpenAPI document and the client. */
export type MediaType =
  | 'application/pdf'
  | 'application/zip'
  | 'image/*'
  | 'video/*'
  | 'text/calendar'
  | 'text/csv'
  | 'application/octet-stream'
  | 'text/event-stream'
  | 'text/html'

export interface Call<Sent = unknown, Given = unknown, Answer = unknown, External extends boolean = boolean, Schemas = unknown> {
  line: RouteLine
  /** The operation id of the OpenAPI document: `<name of the calls>_<name of the call>`. It names the function in generated clients and stays. */
  id: string
  area: Area
  method: Method
  path: string
  access: Access
  /** Set when the key of a recorder opens the call too. */
  orKey: 'recorder' | undefined
  /** True when a ticket for exactly this address opens the call too: a cookie, for elements of a page that send no header. */
  ticket: boolean
  /** True when a call for anyone learns who asks, where a session is sent along. */
  readsSession: boolean
  /** Status of the answer: 202 where the work goes on after it, 302 where it leads on to the `location` that the handler sets. */
  status: 200 | 202 | 302
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
  /** What goes first when the server has too much to do; undefined for a stream without end and a long poll, which take no turn. */
  workClass: WorkClass | undefined
  /** Bytes of a body up to which a `bulk` call counts as a `change`: one order that a shop sends is no import. */
  changeUpTo: number | undefined
  /** True when the call also answers for a company that is closed: what recipients of its parcels still see. */
  whileClosed: boolean
  /** Rate limit: at most `max` per `seconds` for one address, or `handler` where the handler limits by what it knows. */
  rateLimit: RateLimit | 'handler' | undefined
  /** Types only, never a value: input of the caller, input of the handler, output, schemas. */
  readonly types: { sent: Sent; given: Given; answer: Answer; external: External; schemas: Schemas }
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
  /** Names this state of bytes that are made for each answer: who has it already gets no body. A stored file has its own. */
  etag?: string
}

interface Options {
  access?: Access
  orKey?: 'recorder'
  ticket?: true
  readsSession?: true
  status?: 202 | 302
  tenantScope?: TenantScope
  timeout?: 'long'
  company?: 'main'
  ipLock?: boolean
  rateLimit?: RateLimit | 'handler'
  bodyLimit?: number
  internal?: true
  whileClosed?: true
  /** It waits for something to happen, and takes no turn meanwhile. */
  longPoll?: true
  /** Without it a GET is a `read`, a CSV file `bulk`, and everything else a `change`. */
  workClass?: WorkClass
  changeUpTo?: number
}

/** A call before its contract gives it an id, the defaults and the types of its schemas. */
interface Declaration<
  L extends RouteLine = RouteLine,
  M extends MediaType | undefined = MediaType | undefined,
  U extends number | undefined = number | undefined,
  O extends true | undefined = true | undefined,
> extends Options {
  line: L
  media?: M
  upload?: U
  external?: O
}

/**
 * Declares a call by its line in the specification; with `media` it answers a file.
 *
 *     setState: call('POST orders/{id}/set_state/{state}')
 */
export function call<
  const L extends RouteLine,
  M extends MediaType | undefined = undefined,
  U extends number | undefined = undefined,
  O extends true | undefined = undefined,
>(line: L, options: Options & { media?: M; upload?: U; external?: O } = {}): Declaration<L, M, U, O> {
  return { line, ...options }
}

interface Defaults {
  /** The first part of every operation id, in camelCase. */
  name: string
  area: Area
  access: Access
  tenantScope?: TenantScope
  company?: 'main'
  ipLock?: boolean
  internal?: true
  whileClosed?: true
  workClass?: WorkClass
}

type PropertyOf<T, K extends PropertyKey> = T extends { [N in K]: infer V } ? V : undefined

type TypedCall<D, S> =
  D extends Declaration<infer L, infer M, infer U, infer O>
    ? Call<
        Flat<Params<L, PropertyOf<S, 'params'>> & Written<PropertyOf<S, 'query'>> & BodyIn<PropertyOf<S, 'body'>> & UploadIn<U>>,
        Flat<Params<L, PropertyOf<S, 'params'>> & Parsed<PropertyOf<S, 'query'>> & BodyOut<PropertyOf<S, 'body'>> & UploadOut<U>>,
        M extends MediaType ? FileAnswer : PropertyOf<S, 'reply'> extends infer R extends z.ZodType ? z.output<R> : void,
        O extends true ? true : false,
        S
      >
    : never

type TypedCalls<D, S extends ContractSchemas> = { [K in keyof D]: TypedCall<D[K], PropertyOf<S['calls'], K>> }

/**
 * The calls of one feature, with their default access and tenant scope and the types of their schemas.
 *
 *     export const orders = contract<typeof ordersSchemas>({ name: 'orders', area: 'orders', access: access.orders }).calls({ … })
 */
export function contract<S extends ContractSchemas>(defaults: Defaults) {
  return {
    calls<const D extends { [K in keyof S['calls']]: { line: RouteLine } }>(declared: D): TypedCalls<D, S> {
      const entries = Object.entries<Declaration>(declared)
      return Object.fromEntries(entries.map(([name, one]) => [name, withDefaults(defaults, name, one)])) as never
    },
  }
}

function withDefaults(defaults: Defaults, name: string, { line, ...own }: Declaration): Omit<Call, 'types'> {
  const [method, path] = line.split(' ') as [Method, string]
  const access = own.access ?? defaults.access
  return {
    line,
    id: `${defaults.name}_${name}`,
    area: defaults.area,
    method,
    path,
    access,
    orKey: own.orKey,
    ticket: own.ticket ?? false,
    readsSession: own.readsSession ?? false,
    status: own.status ?? 200,
    tenantScope: defaults.tenantScope ?? own.tenantScope ?? 'company',
    timeout: own.timeout ?? 'normal',
    external: own.external === true,
    media: own.media,
    upload: own.upload,
    bodyLimit: own.bodyLimit ?? 1_048_576,
    // A call for anyone has no principal whose company could be checked.
    company: own.company ?? (access === 'anyone' ? 'any' : (defaults.company ?? 'any')),
    ipLock: own.ipLock ?? defaults.ipLock ?? false,
    internal: own.internal ?? defaults.internal ?? false,
    whileClosed: own.whileClosed ?? defaults.whileClosed ?? false,
    workClass:
      own.media === 'text/event-stream' || own.longPoll
        ? undefined
        : (own.workClass ?? defaults.workClass ?? usualWorkClass(method, own.media)),
    changeUpTo: own.changeUpTo,
    rateLimit: own.rateLimit,
  }
}

const usualWorkClass = (method: Method, media: MediaType | undefined): WorkClass =>
  method !== 'GET' ? 'change' : media === 'text/csv' ? 'bulk' : 'read'
