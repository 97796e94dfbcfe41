/** Pakhus: the primary process, and those that it starts with this same file. */
import cluster from 'node:cluster'
import { fileURLToPath } from 'node:url'
import { keepCompiled, removeOtherCompiled } from '#platform/processes/compile-cache.ts'

// Each process loads only what it needs.
if (cluster.isPrimary) (await import('./primary-process.ts')).runPrimaryProcess(fileURLToPath(import.meta.url))
else (await import('./server-process.ts')).runServerProcess()

keepCompiled()
if (cluster.isPrimary) removeOtherCompiled()
