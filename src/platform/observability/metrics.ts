/** Metrics in Prometheus' format: the process, the time of each call, and what waits. They answer on any host, with a token, and contain no tenant's data. */
import type { FastifyInstance } from 'fastify'
import {
  AggregatorRegistry,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client'
import { notFound, unauthorized } from '#contract/errors.ts'
import { type WorkClass, workClasses } from '#contract/work-classes.ts'
import type { Admission } from '#platform/admission/admission.ts'
import { equalConstantTime } from '#platform/crypto/vault.ts'
import type { Services } from '#platform/http/feature-module.ts'
import type { RequestObserver } from '#platform/http/http-server.ts'
import type { ProcessRole } from '#platform/processes/process-share.ts'

/** The metrics of one process, to be added up with those of others. */
export type ProcessMetrics = MetricObjectWithValues<MetricValue<string>>[]

interface Metrics {
  /** Of this process. */
  registry: Registry
  /** Of the whole server, whichever process is asked. */
  systemRegistry: Registry
  observe: RequestObserver
  /** Gets the milliseconds that something has waited for its turn. */
  observeWait(work: WorkClass, waited: number): void
  /** Shows how much runs and waits. */
  watch(admission: Admission): void
  /** Adds figures of this process, or of the whole server, that are read when they are asked for. */
  addGauges(of: 'process' | 'system', gauges: readonly ServerGauge[], services: Services): void
}

/** A figure over all tenants. */
export interface ServerGauge {
  name: `pakhus_${string}`
  help: string
  read(services: Services): number | Promise<number>
}

export function createMetrics(role: ProcessRole): Metrics {
  const registry = new Registry()
  const systemRegistry = new Registry()
  if (role !== 'both') registry.setDefaultLabels({ role })
  collectDefaultMetrics({ register: registry })
  // Gauges with the name of a counter, which checkers of metrics refuse; the same numbers are there by type.
  for (const name of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${name}_total`)
  const seconds = new Histogram({
    name: 'pakhus_call_seconds',
    help: 'Time to answer a call',
    labelNames: ['call', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60],
    registers: [registry],
  })
  const waits = new Histogram({
    name: 'pakhus_queue_wait_seconds',
    help: 'Time that calls and steps of tasks wait for their turn',
    labelNames: ['class'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30],
    registers: [registry],
  })
  return {
    registry,
    systemRegistry,
    observe: (call, status, took) => seconds.observe({ call, status }, took),
    observeWait: (work, waited) => waits.observe({ class: work }, waited / 1_000),
    watch({ queue, external }) {
      const show = (metric: { name: string; help: string }, count: (work: WorkClass) => number) =>
        new Gauge({
          ...metric,
          labelNames: ['class'],
          registers: [registry],
          collect() {
            for (const work of workClasses) this.set({ class: work }, count(work))
          },
        })
      show(
        { name: 'pakhus_queue_waiting', help: 'Calls and steps of tasks that wait for their turn' },
        work => queue.waiting(work) + external.waiting(work),
      )
      show(
        { name: 'pakhus_queue_running', help: 'Calls and steps of tasks that run' },
        work => queue.running(work) + external.running(work),
      )
    },
    addGauges(of, gauges, services) {
      for (const { name, help, read } of gauges)
        new Gauge({
          name,
          help,
          registers: [of === 'process' ? registry : systemRegistry],
          async collect() {
            try {
              this.set(await read(services))
            } catch {
              // The others are needed most when the database does not answer: this one is left out.
              this.remove()
            }
          },
        })
    },
  }
}

/** Without a token in the settings the address does not exist: the metrics show how much each call is used. */
export function addMetricsRoute(
  app: FastifyInstance,
  { systemRegistry }: Pick<Metrics, 'systemRegistry'>,
  allMetrics: () => Promise<ProcessMetrics[]>,
  token: string | undefined,
): void {
  app.get('/metrics', { config: { anyHost: true } }, async (request, reply) => {
    if (token === undefined) throw notFound('address_not_found', 'There is nothing at this address')
    const sent = request.headers.authorization?.replace(/^Bearer /i, '') ?? ''
    if (!equalConstantTime(sent, token)) throw unauthorized('metrics_token_missing', 'This needs the token of METRICS_TOKEN')
    const ofProcesses = AggregatorRegistry.aggregate(await allMetrics())
    return reply.type(systemRegistry.contentType).send(`${await ofProcesses.metrics()}\n${await systemRegistry.metrics()}`)
  })
}
