/** Health checks for load balancers: is the process alive, and can it answer calls. They answer on any host. */
import { statfs } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import type { Services } from '#platform/http/feature-module.ts'

/** Before the disk is full: the database needs space to stop cleanly. */
async function hasFreeDisk({ data_dir, min_free_disk_mb }: Services['config']): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(data_dir)
    return bavail * bsize >= min_free_disk_mb * 1_000_000
  } catch {
    return false
  }
}

export function addHealthRoutes(app: FastifyInstance, services: Services): void {
  app.get('/healthz', { config: { anyHost: true } }, async () => 'alive')
  app.get('/readyz', { config: { anyHost: true } }, async (_request, reply) => {
    if (services.closing.aborted) return reply.code(503).send('closing')
    try {
      await services.database.ping()
    } catch {
      return reply.code(503).send('the database does not answer')
    }
    return (await hasFreeDisk(services.config)) ? 'ready' : reply.code(503).send('the disk is full')
  })
}
