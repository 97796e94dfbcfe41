/**
 * `npm start`: the screens and the server, made anew if they have changed. A built folder holds its screens, and nothing to build them from; what
 * Node compiles of its sources lies in the data folder.
 */
import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'

try {
  const compiled = existsSync(new URL('../vite.config.ts', import.meta.url)) ? await whatChanged() : await compiledBefore()
  if (compiled !== undefined) {
    enableCompileCache(compiled)
    // For the processes that the server starts.
    process.env.NODE_COMPILE_CACHE = compiled
  }
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}
await import('../src/app/main.ts')

async function whatChanged(): Promise<string> {
  const [{ buildWebIfChanged }, { compileServerIfChanged }] = await Promise.all([import('./build-web.ts'), import('./compile-server.ts')])
  const [compiled] = await Promise.all([compileServerIfChanged(), buildWebIfChanged()])
  return compiled
}

/** The folder in which the processes of a built folder keep what they have compiled. */
async function compiledBefore(): Promise<string | undefined> {
  const { compiledFolder } = await import('../src/platform/processes/compile-cache.ts')
  return compiledFolder(process.env)
}
