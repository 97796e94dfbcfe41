/** Metrics of the primary process: how many of its processes work, and how often they were started again. */
import { Counter, Gauge, Registry } from 'prom-client'
import type { KeptProcess } from '#platform/processes/kept-process.ts'
import type { ProcessMetrics } from './metrics.ts'

export function createPrimaryMetrics(processes: () => Record<string, readonly KeptProcess[]>): () => Promise<ProcessMetrics> {
  const registry = new Registry()
  new Gauge({
    name: 'pakhus_processes',
    help: 'Processes of the server that work',
    labelNames: ['role'],
    registers: [registry],
    collect() {
      for (const [role, some] of Object.entries(processes())) this.set({ role }, some.filter(one => one.running).length)
    },
  })
  new Counter({
    name: 'pakhus_process_restarts_total',
    help: 'Processes of the server that ended and were started again',
    labelNames: ['role'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [role, some] of Object.entries(processes()))
        this.inc(
          { role },
          some.reduce((sum, one) => sum + one.restarts, 0),
        )
    },
  })
  return () => registry.getMetricsAsJSON()
}
