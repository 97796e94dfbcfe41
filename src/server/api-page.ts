/** The API as OpenAPI at /openapi.json, and as a page people can read at /docs: both follow from the contract alone. */
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { createJsonSchemaTransform } from 'fastify-type-provider-zod'
import type { Call } from '#contract/call.ts'

const areas: Record<string, string> = {
  user: 'users',
  res_user_group: 'groups',
  orders: 'orders',
  packing: 'packing',
  print_node: 'printers',
  cms: 'shops',
}

/** Register before any route, so that it sees them all. */
export function addOpenApi(app: FastifyInstance, version: string): void {
  const plain = createJsonSchemaTransform({ skipList: [], zodToJsonConfig: { target: 'draft-2020-12', unrepresentable: 'any' } })
  app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Pakhus',
        version,
        description:
          'Every call of the product. The company is the first label of the host name and the second part of the path. Sign in with POST session and send its token in the authorization header. Refusals are one plain sentence, or JSON with the accept header application/json.',
      },
      components: { securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'authorization' } } },
      security: [{ token: [] }],
    },
    transform(given) {
      const { call } = (given.route.config ?? {}) as { call?: Call }
      // What is no call – pages, files, health – is not the API.
      if (!call) return { schema: { hide: true }, url: given.url }
      const { schema, url } = plain(given as never)
      const rights = typeof call.access === 'string' ? call.access : call.access.join(', ')
      return {
        url,
        schema: {
          ...schema,
          tags: [areas[call.path.split('/')[0] as string] ?? (call.path.split('/')[0] as string)],
          summary: call.line,
          description: [call.summary, `Rights: ${rights}.`, call.own ? 'Beyond the specification.' : ''].filter(Boolean).join('\n\n'),
          ...(call.access === 'anyone' && { security: [] }),
          ...(call.media && { produces: [call.media] }),
        },
      }
    },
  })
}

/** The readable page; its scripts come from this server and run under a policy of its own. */
export async function addApiPage(app: FastifyInstance): Promise<void> {
  app.get('/openapi.json', { config: { bareHost: true } }, async () => app.swagger())
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
          hideClientButton: true,
          agent: { disabled: true },
        },
      } as never,
    )
  })
}
