/** Vitals: is it alive, is it ready, and how is it doing. They answer on any host and tell nothing of any tenant. */
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { Services } from '#platform/http/feature-module.ts'
import type { Observe } from '#platform/http/http-server.ts'

export interface Metrics {
  registry: Registry
  observe: Observe
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const seconds = new Histogram({
    name: 'pakhus_call_seconds',
    help: 'Time to answer a call',
    labelNames: ['call', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60],
    registers: [registry],
  })
  return { registry, observe: (call, status, took) => seconds.observe({ call, status }, took) }
}

export function addHealthRoutes(app: FastifyInstance, services: Services, { registry }: Metrics): void {
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
  app.get('/metrics', { config: { anyHost: true } }, async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  )
}
