/** The API as OpenAPI at /openapi.json, and as a page people can read at /docs: both follow from the contract alone. */
import swagger from '@fastify/swagger'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createJsonSchemaTransform } from 'fastify-type-provider-zod'
import type { OpenAPIV3_1 as OpenApi } from 'openapi-types'
import type { Call } from '#contract/endpoint.ts'
import { errorCodes } from '#contract/error-codes.ts'
import { companyOfHost } from './tenant-host.ts'

const areas: Record<string, string> = {
  user: 'users',
  res_user_group: 'groups',
  orders: 'orders',
  packing: 'packing',
  print_node: 'printers',
  cms: 'shops',
}

/** What may be answered instead. */
const refusals = {
  400: 'The request itself is wrong; `fields` says where.',
  401: 'No valid token or key.',
  403: 'A right is missing, or the address lies outside of the warehouse.',
  404: 'It does not exist at this company.',
  409: 'Its state does not allow this now, or somebody changed it meanwhile; `current` is how it is.',
  413: 'Too large to take.',
  422: 'Understood, but something in it cannot be right; `fields` says where.',
  429: 'Too many attempts; `retry-after` says how many seconds to wait.',
  502: 'The courier, the printer or another service outside failed.',
  503: 'Not now: the database or a file store does not answer. Nothing was changed; try again.',
} as const

function refusalsOf(call: Call): (keyof typeof refusals)[] {
  const changes = call.method !== 'GET'
  const sends = call.body !== undefined || call.upload !== undefined
  const open = call.access === 'anyone'
  const may: Record<keyof typeof refusals, boolean> = {
    400: sends || call.query !== undefined || call.path.includes('{'),
    401: !open,
    403: !open && call.access !== 'user' && call.access !== 'shop',
    404: true,
    409: changes,
    413: sends,
    422: changes && sends,
    429: call.rateLimit !== undefined,
    502: call.external && changes,
    503: true,
  }
  return (Object.keys(refusals).map(Number) as (keyof typeof refusals)[]).filter(status => may[status])
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

/** Register before any route, so that it sees them all. */
export function addOpenApi(app: FastifyInstance, version: string): void {
  const plain = createJsonSchemaTransform({ skipList: [], zodToJsonConfig: { target: 'draft-2020-12', unrepresentable: 'any' } })
  const calls = new Map<string, Call>()
  app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Pakhus', version },
      components: {
        securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'authorization' } },
        schemas: { Refusal, Problem, ErrorCode } as never,
        responses: Object.fromEntries(
          Object.entries(refusals).map(([status, description]) => [
            status,
            {
              description,
              content: {
                'application/json': { schema: { $ref: '#/components/schemas/Refusal' } },
                'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
                'text/plain': { schema: { type: 'string' } },
              },
            },
          ]),
        ) as never,
      },
      security: [{ token: [] }],
    },
    transform(given) {
      const { call } = (given.route.config ?? {}) as { call?: Call }
      // What is no call – pages, files, health – is not the API.
      if (!call) return { schema: { hide: true }, url: given.url }
      calls.set(call.line, call)
      const { schema, url } = plain({ ...given, ...(call.itemSchema && { schema: { ...given.schema, body: call.itemSchema } }) } as never)
      const rights = typeof call.access === 'string' ? call.access : call.access.join(', ')
      return {
        // The company stands in the address of the server.
        url: url.replace(/^\/api\/:company/, ''),
        schema: {
          ...schema,
          tags: [areas[call.path.split('/')[0] as string] ?? (call.path.split('/')[0] as string)],
          summary: call.line,
          description: [call.summary, `Rights: ${rights}.`, call.internal ? 'Beyond the specification.' : ''].filter(Boolean).join('\n\n'),
          ...(call.access === 'anyone' && { security: [] }),
        },
      }
    },
    transformObject(given) {
      const { openapiObject } = given as { openapiObject: OpenApi.Document }
      for (const path of Object.values(openapiObject.paths ?? {}))
        for (const operation of Object.values(path ?? {}) as OpenApi.OperationObject[]) {
          const call = calls.get(operation.summary ?? '')
          if (call) complete(operation, call)
        }
      return openapiObject as never
    },
  })
}

/** What Fastify does not know of a call: its files, its refusals and its example. */
function complete(operation: OpenApi.OperationObject, call: Call): void {
  const { upload, media, reply, example = {} } = call
  const answer = operation.responses?.[200] as OpenApi.ResponseObject | undefined
  operation.responses = {
    ...(media
      ? { 200: { description: 'The file.', content: { [media]: {} } } }
      : reply
        ? { 200: { ...answer, description: 'What was asked for, or how it is now.' } }
        : { 204: { description: 'Done; there is nothing to tell.' } }),
    ...Object.fromEntries(refusalsOf(call).map(status => [status, { $ref: `#/components/responses/${status}` }])),
  }
  if (upload !== undefined) operation.requestBody = { required: true, content: { 'application/octet-stream': {} } }
  for (const parameter of (operation.parameters ?? []) as OpenApi.ParameterObject[])
    if (example[parameter.name] !== undefined) parameter.example = example[parameter.name]
  const written = (operation.requestBody as OpenApi.RequestBodyObject | undefined)?.content?.['application/json']
  if (written && example.body !== undefined) written.example = example.body
}

/** Where this company answers; under the bare base domain, where any company would. */
function serverOf(request: FastifyRequest, baseDomain: string): OpenApi.ServerObject {
  const code = companyOfHost(request.host, baseDomain)
  return code
    ? { url: `${request.protocol}://${request.host}/api/${code}` }
    : {
        url: `${request.protocol}://{company}.${request.host}/api/{company}`,
        variables: { company: { default: 'demo', description: 'The company’s code.' } },
      }
}

const beginning = (server: string) => `Every call of Pakhus. The company is the first label of the host name and stands in the path.

## The first order

A shop's own program has a **CMS key**: somebody makes it under *Settings → API keys*. People's programs sign in with \`POST session\` and
use the token of its answer. Either goes into the \`authorization\` header.

\`\`\`sh
KEY=…   # from Settings → API keys
PAKHUS=${server}
curl -sS $PAKHUS/cms/orders \\
  -H "authorization: $KEY" \\
  -H 'content-type: application/json' --data '{
    "order_no": "1001", "currency": "DKK",
    "ship_to": {
      "name": "Lene Holm", "address1": "Skibhusvej 52",
      "postcode": "5000", "city": "Odense C", "country": "DK"
    },
    "lines": [{
      "sku": "MUG-BLUE", "barcode": "5701234567899",
      "name": "Enamel mug, blue", "qty": 2
    }]
  }'
curl -sS $PAKHUS/cms/orders/1001 -H "authorization: $KEY"
\`\`\`

The first answers \`created\`, sent again \`unchanged\`. The second says how far the order is, with the link
under which its recipient follows it, and the tracking numbers of its parcels once it is packed.

## Web hooks

WooCommerce and Shopify send their orders by themselves: *Settings → API keys* tells the address and keeps the secret with which they sign.
Without a shop, a delivery can be signed by hand:

\`\`\`sh
SECRET=…   # as kept for the shop main
BODY='{
  "id": 77, "number": "77", "status": "processing", "currency": "DKK",
  "billing": {
    "first_name": "Lene", "last_name": "Holm", "address_1": "Skibhusvej 52",
    "postcode": "5000", "city": "Odense C", "country": "DK"
  },
  "line_items": [{
    "id": 1, "sku": "MUG-BLUE", "name": "Enamel mug, blue",
    "quantity": 2, "subtotal": "120.00", "total": "120.00", "total_tax": "30.00"
  }]
}'
SIGN=$(printf '%s' "$BODY" | openssl dgst -sha256 -hmac "$SECRET" -binary | base64)
curl -sS $PAKHUS/cms/webhook/woocommerce/main \\
  -H "x-wc-webhook-signature: $SIGN" \\
  -H 'x-wc-webhook-topic: order.updated' \\
  -H 'content-type: application/json' --data "$BODY"
\`\`\`

It answers 204. *Settings → API keys* and \`GET cms/webhooks\` tell what the last delivery did.

## Refusals

A refusal is one sentence of plain text. With \`accept: application/json\` it is JSON with a stable \`code\` and the wrong fields, with
\`accept: application/problem+json\` the same as problem details (RFC 9457). Programs branch on \`code\` (schema \`ErrorCode\`), never on the
sentence. What is sent in lists is
judged one by one: the answer is 200 and says for each what became of it.`

/** The readable page; its scripts come from this server and run under a policy of its own. */
export async function addApiDocs(app: FastifyInstance, baseDomain: string): Promise<void> {
  app.get('/openapi.json', { config: { bareHost: true } }, async request => {
    const { info, ...document } = app.swagger()
    const server = serverOf(request, baseDomain)
    return { ...document, info: { ...info, description: beginning(server.url) }, servers: [server] }
  })
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  await app.register(async scope => {
    scope.addHook('onSend', async (_request, reply) => {
      reply.header(
        'content-security-policy',
        "default-src 'none'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; frame-ancestors 'none'; base-uri 'none'",
      )
    })
    await scope.register(
      scalar as never,
      {
        routePrefix: '/docs',
        configuration: {
          url: '/openapi.json',
          withDefaultFonts: false,
          telemetry: false,
          showDeveloperTools: 'never',
          mcp: { disabled: true },
          hideClientButton: true,
          agent: { disabled: true },
        },
      } as never,
    )
  })
}
