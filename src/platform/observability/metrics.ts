/** Metrics in Prometheus' format: the process and the time of each call. They answer on any host, with a token, and contain no tenant's data. */
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { notFound, unauthorized } from '#contract/errors.ts'
import { equalConstantTime } from '#platform/crypto/vault.ts'
import type { Observe } from '#platform/http/http-server.ts'

interface Metrics {
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

/** Without a token in the settings the address does not exist: the metrics show how much each call is used. */
export function addMetricsRoute(app: FastifyInstance, { registry }: Metrics, token: string | undefined): void {
  app.get('/metrics', { config: { anyHost: true } }, async (request, reply) => {
    if (token === undefined) throw notFound('address_not_found', 'There is nothing at this address')
    const sent = request.headers.authorization?.replace(/^Bearer /i, '') ?? ''
    if (!equalConstantTime(sent, token)) throw unauthorized('metrics_token_missing', 'This needs the token of METRICS_TOKEN')
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}
