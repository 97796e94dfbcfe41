/** Vitals: is it alive, is it ready, and how is it doing. They answer on any host and tell nothing of any tenant. */
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { Observe } from '#platform/http/http-server.ts'
import type { House } from '#platform/http/feature-module.ts'

export interface Vitals {
  registry: Registry
  observe: Observe
}

export function makeVitals(): Vitals {
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

export function addVitals(app: FastifyInstance, house: House, { registry }: Vitals): void {
  app.get('/healthz', { config: { anyHost: true } }, async () => 'alive')
  app.get('/readyz', { config: { anyHost: true } }, async (_request, reply) => {
    if (house.closing.aborted) return reply.code(503).send('closing')
    try {
      await house.database.ping()
      return 'ready'
    } catch {
      return reply.code(503).send('the database does not answer')
    }
  })
  app.get('/metrics', { config: { anyHost: true } }, async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  )
}
