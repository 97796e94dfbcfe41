/** The OpenAPI document, made from the declared calls alone. */
import type { OpenAPIV3_1 as OpenApi } from 'openapi-types'
import * as z from 'zod'
import { needsKey } from '#contract/access.ts'
import { areas } from '#contract/areas.ts'
import { errorCodes } from '#contract/error-codes.ts'
import { limits } from '#contract/limits.ts'
import { entriesOf } from '#domain/objects.ts'
import type { ServedCall } from './served-calls.ts'

/** What may be answered instead. */
const refusals = {
  400: 'The request itself is wrong; `fields` says where.',
  401: 'No valid token or key.',
  403: 'A right is missing, or the address lies outside of the warehouse.',
  404: 'It does not exist at this company.',
  409: 'Its state does not allow this now, or somebody changed it meanwhile; `current` is how it is.',
  413: 'Too large to take.',
  422: 'Understood, but something in it cannot be right; `fields` says where.',
  429: 'Too many requests; `retry-after` says how many seconds to wait.',
  502: 'The courier, the printer or another service outside failed.',
  503: 'Not now: the database or a file store does not answer. Nothing was changed; try again.',
} as const
const refusalStatuses = [400, 401, 403, 404, 409, 413, 422, 429, 502, 503] as const satisfies readonly (keyof typeof refusals)[]
type RefusalStatus = keyof typeof refusals

function refusalsOf(call: ServedCall): RefusalStatus[] {
  const changes = call.method !== 'GET'
  const sends = call.body !== undefined || call.upload !== undefined
  const open = call.access === 'anyone'
  const may: Record<RefusalStatus, boolean> = {
    400: sends || call.query !== undefined || call.path.includes('{'),
    401: !open,
    403: !open && call.access !== 'user' && !needsKey(call.access),
    404: true,
    409: changes,
    413: sends,
    422: changes && sends,
    429: call.rateLimit !== undefined || needsKey(call.access),
    502: call.external && changes,
    503: true,
  }
  return refusalStatuses.filter(status => may[status])
}

const Refusal: OpenApi.SchemaObject = {
  type: 'object',
  required: ['code', 'message', 'key', 'values', 'fields'],
  properties: {
    code: { $ref: '#/components/schemas/ErrorCode' },
    message: { type: 'string', description: 'One sentence for people.' },
    key: { type: 'string', description: 'The sentence with its places, such as {{field}}: the key of its translations.' },
    values: { type: 'object', description: 'What stands in the places.' },
    fields: { type: 'object', additionalProperties: { type: 'string' }, description: 'Field → what is wrong with it.' },
    current: { description: 'With 409: the thing as it is now.' },
  },
}

/** The same facts as problem details (RFC 9457). */
const Problem: OpenApi.SchemaObject = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code', 'key', 'values', 'fields'],
  properties: {
    type: { type: 'string', const: 'about:blank' },
    title: { type: 'string', description: 'The name of the status.' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'One sentence for people.' },
    ...Object.fromEntries(Object.entries(Refusal.properties ?? {}).filter(([name]) => name !== 'message')),
  },
}

const ErrorCode: OpenApi.SchemaObject = {
  type: 'string',
  description: 'The reason, for programs: a code keeps its meaning when its sentence changes. New codes may be added.',
  enum: [...errorCodes],
}

/** The components of refusals: their schemas and the responses that use them. */
const refusalSchemas = { Refusal, Problem, ErrorCode }
const refusalResponses: Record<string, OpenApi.ResponseObject> = Object.fromEntries(
  Object.entries(refusals).map(([status, description]) => [
    `Refusal${status}`,
    {
      description,
      ...(status === '429' && { headers: { 'retry-after': { description: 'Seconds to wait.', schema: { type: 'integer' } } } }),
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/Refusal' } },
        'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
        'text/plain': { schema: { type: 'string' } },
      },
    },
  ]),
)

/** An event that goes to systems outside, as a webhook of the document. */
export interface PublishedEvent {
  type: string
  summary: string
  /** Name of its body's schema. */
  name: string
  schema: z.ZodType
  example: object
}

type JsonSchema = z.core.JSONSchema.BaseSchema
type Direction = 'input' | 'output'

/**
 * Turns zod schemas into JSON schemas that refer to named components. A schema that reads differently as input and as output (a default
 * makes a field optional to send) is listed twice: `Name` and `NameInput`.
 */
function createComponents(calls: readonly ServedCall[], events: readonly PublishedEvent[]) {
  const names = z.registry<{ id: string }>()
  const named: Record<string, z.ZodType> = Object.assign(
    {},
    ...calls.map(call => call.components),
    ...events.map(({ name, schema }) => ({ [name]: schema })),
  )
  for (const [id, schema] of Object.entries(named)) names.add(schema, { id })
  const found: Record<Direction, Record<string, JsonSchema>> = { input: {}, output: {} }

  function convert(schema: z.ZodType, io: Direction): JsonSchema {
    const { properties, $defs = {} } = z.toJSONSchema(z.object({ it: schema }), {
      metadata: names,
      io,
      unrepresentable: 'any',
      override({ jsonSchema }) {
        // Clients must accept answers with fields that they do not know: new ones are added without notice.
        if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
        // A tuple: linters ask for `items` beside `prefixItems`, so its length is said in numbers.
        if (jsonSchema.prefixItems)
          Object.assign(jsonSchema, { items: {}, minItems: jsonSchema.prefixItems.length, maxItems: jsonSchema.prefixItems.length })
      },
    })
    const { it = {}, ...named } = withoutRecursion({ ...$defs, it: plainSchema(properties?.it) })
    Object.assign(found[io], named)
    return it
  }

  /** The names whose schema, or a schema within it, differs by direction. */
  function differing(): Set<string> {
    const both = Object.keys(found.input).filter(name => found.output[name])
    const different = new Set(both.filter(name => JSON.stringify(found.input[name]) !== JSON.stringify(found.output[name])))
    for (let size = -1; size !== different.size; ) {
      size = different.size
      for (const name of both)
        if ([...JSON.stringify(found.input[name]).matchAll(reference)].some(([, other = '']) => different.has(other))) different.add(name)
    }
    return different
  }

  return {
    convert,
    /** The document's text with its references resolved, and the components they lead to. */
    finish(): { schemas: Record<string, JsonSchema>; resolve<T>(value: T, io: Direction): T } {
      const different = differing()
      const resolve = <T>(value: T, io: Direction): T =>
        JSON.parse(
          JSON.stringify(value).replace(
            reference,
            (_all, name: string) => `"#/components/schemas/${name}${io === 'input' && different.has(name) ? 'Input' : ''}"`,
          ),
        )
      const schemas = Object.fromEntries([
        ...Object.entries(found.output).map(([name, schema]) => [name, resolve(schema, 'output')] as const),
        ...Object.entries(found.input)
          .filter(([name]) => !found.output[name] || different.has(name))
          .map(([name, schema]) => [different.has(name) ? `${name}Input` : name, resolve(schema, 'input')] as const),
      ])
      return { schemas, resolve }
    },
  }
}

/** A schema as an object: JSON Schema also knows `true`, which takes any value. */
const plainSchema = (schema: JsonSchema | boolean | undefined): JsonSchema => (typeof schema === 'object' ? schema : {})
const propertiesOf = (schema: JsonSchema | undefined): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(schema?.properties ?? {}).map(([name, property]) => [name, plainSchema(property)]))
/** OpenAPI 3.1 takes JSON Schema as it is; both packages declare its type. */
const inDocument = (schema: JsonSchema) => schema as OpenApi.SchemaObject

/** A schema without a name that contains itself is any JSON value: generators cannot declare a type of that kind. */
function withoutRecursion(schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const named = Object.fromEntries(Object.entries(schemas).filter(([name]) => !name.startsWith('__schema')))
  return JSON.parse(JSON.stringify(named).replaceAll(/\{"\$ref":"#\/\$defs\/__schema\d+"\}/g, '{}'))
}

const reference = /"#\/\$defs\/(\w+)"/g

/** Those of the schemas that the paths refer to, directly or through one another. */
function referredTo(paths: object, schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const namesIn = (value: unknown) => [...JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name)
  const met = new Set(namesIn(paths))
  // A set is walked to its end, also when it grows meanwhile.
  for (const name of met) for (const other of namesIn(schemas[name] ?? {})) met.add(other)
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => met.has(name)))
}

/** What a call sends and what it answers, as JSON schemas. */
interface Shapes {
  params: Record<string, JsonSchema>
  query: JsonSchema | undefined
  body: JsonSchema | undefined
  reply: JsonSchema | undefined
}

/** The document without servers and description, which depend on the host that is asked. */
export function openApiDocument(calls: readonly ServedCall[], version: string, events: readonly PublishedEvent[] = []): OpenApi.Document {
  const components = createComponents(calls, events)
  const bodies = new Map(events.map(event => [event, components.convert(event.schema, 'output')]))
  const shapes = new Map<ServedCall, Shapes>()
  for (const call of calls)
    shapes.set(call, {
      params: propertiesOf(components.convert(call.params, 'input')),
      query: call.query && components.convert(call.query, 'input'),
      body: call.body && components.convert(call.itemSchema ?? call.body, 'input'),
      reply: call.reply && !call.media ? components.convert(call.reply, 'output') : undefined,
    })
  const { schemas, resolve } = components.finish()
  const paths: Record<string, Record<string, OpenApi.OperationObject>> = {}
  for (const [call, { params, query, body, reply }] of shapes) {
    const path = `/${call.path.replace(/\*\}/g, '}').replace(/\/$/, '')}`
    paths[path] ??= {}
    paths[path][call.method.toLowerCase()] = operation(call, {
      params: resolve(params, 'input'),
      query: query && resolve(query, 'input'),
      body: body && resolve(body, 'input'),
      reply: reply && resolve(reply, 'output'),
    })
  }
  const webhooks: Record<string, Record<string, OpenApi.OperationObject>> = Object.fromEntries(
    [...bodies].map(([event, body]) => [event.type, { post: received(event, resolve(body, 'output')) }]),
  )
  const usedAreas = new Set(calls.map(call => call.area))
  return {
    openapi: '3.1.0',
    info: { title: 'Pakhus', version, license: { name: 'Proprietary', identifier: 'LicenseRef-Pakhus' } },
    security: [{ session: [] }],
    tags: entriesOf(areas)
      .filter(([name]) => usedAreas.has(name))
      .map(([name, description]) => ({ name, description })),
    paths: paths,
    webhooks,
    components: {
      securitySchemes: {
        session: { type: 'http', scheme: 'bearer', description: 'The token of `POST session`; `Bearer` may be left out.' },
        cmsKey: {
          type: 'apiKey',
          in: 'header',
          name: 'authorization',
          description: `A CMS key from Settings → API keys. A key may make ${limits.apiKeyCallsPerMinute} calls a minute, unless the server is set up otherwise.`,
        },
        recorderKey: {
          type: 'apiKey',
          in: 'header',
          name: 'authorization',
          description: 'The key of a video recorder, from Settings → Packing video.',
        },
      },
      schemas: { ...referredTo({ paths, webhooks }, schemas), ...refusalSchemas },
      responses: refusalResponses,
    },
  }
}

/** One POST to the address of a company's own system. */
const received = ({ type, summary, example }: PublishedEvent, body: JsonSchema): OpenApi.OperationObject => ({
  operationId: `webhook_${type.replaceAll('.', '_')}`,
  tags: ['company'],
  summary,
  description: `\`${type}\`. The header \`Pakhus-Signature\` is \`t=<unix seconds>,v1=<hex>\`: the HMAC with SHA-256 of \`t.body\` under the secret.`,
  security: [],
  requestBody: { required: true, content: { 'application/json': { schema: inDocument(body), example } } },
  responses: {
    '2XX': { description: 'Taken. Every other answer is a failure, and the event is sent again for three days.' },
    410: { description: 'The receiver wants no more events: the webhook is paused.' },
  },
})

function securityOf({ access, orKey }: ServedCall): { security?: Record<string, string[]>[] } {
  if (access === 'anyone') return { security: [] }
  if (access === 'recorder') return { security: [{ recorderKey: [] }] }
  if (needsKey(access)) return { security: [{ cmsKey: [] }] }
  return orKey ? { security: [{ session: [] }, { recorderKey: [] }] } : {}
}

function operation(call: ServedCall, { params, query, body, reply }: Shapes): OpenApi.OperationObject {
  const { upload, media, example = {} } = call
  const codes = typeof call.access === 'string' ? call.access : call.access.join(', ')
  const parameter = (place: 'path' | 'query', name: string, schema: JsonSchema, required: boolean): OpenApi.ParameterObject => ({
    name,
    in: place,
    required,
    schema: schema as OpenApi.ParameterObject['schema'],
    ...(example[name] !== undefined && { example: example[name] }),
  })
  const parameters = [
    ...Object.entries(params).map(([name, schema]) => parameter('path', name, schema, true)),
    ...Object.entries(propertiesOf(query)).map(([name, schema]) =>
      parameter('query', name, schema, query?.required?.includes(name) ?? false),
    ),
  ]
  const bytes = (type: string) => ({ [type]: { schema: { type: 'string' as const, contentMediaType: type } } })
  return {
    operationId: call.id,
    tags: call.area ? [call.area] : [],
    summary: call.summary,
    description: `\`${call.line}\`\n\nRights: ${codes}.`,
    ...securityOf(call),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: inDocument(body), ...(example.body !== undefined && { example: example.body }) },
        },
      },
    }),
    ...(upload !== undefined && { requestBody: { required: true, content: bytes('application/octet-stream') } }),
    responses: {
      ...(media
        ? { 200: { description: 'The file.', content: bytes(media) } }
        : reply
          ? {
              [call.status]: {
                description: 'What was asked for, or how it is now.',
                content: { 'application/json': { schema: inDocument(reply) } },
              },
            }
          : { 204: { description: 'Done.' } }),
      ...Object.fromEntries(refusalsOf(call).map(status => [status, { $ref: `#/components/responses/Refusal${status}` }])),
    },
  }
}
