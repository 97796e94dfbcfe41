/** Health checks for load balancers: is the process alive, and can it answer calls. They answer on any host. */
import type { FastifyInstance } from 'fastify'
import type { Services } from '#platform/http/feature-module.ts'

export function addHealthRoutes(app: FastifyInstance, services: Services): void {
  app.get('/healthz', { config: { anyHost: true } }, async () => 'alive')
  app.get('/readyz', { config: { anyHost: true } }, async (_request, reply) => {
    if (services.closing.aborted) return reply.code(503).send('closing')
    try {
      await services.database.ping()
      return 'ready'
    } catch {
      return reply.code(503).send('the database does not answer')
    }
  })
}
