/** `npm start`: the screens and the server, made anew if they have changed. A built folder holds its screens, and nothing to build them from. */
import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'

if (existsSync(new URL('../vite.config.ts', import.meta.url)))
  try {
    const [{ buildWebIfChanged }, { compileServerIfChanged }] = await Promise.all([import('./build-web.ts'), import('./compile-server.ts')])
    const [compiled] = await Promise.all([compileServerIfChanged(), buildWebIfChanged()])
    enableCompileCache(compiled)
    // For the processes that the server starts.
    process.env.NODE_COMPILE_CACHE = compiled
  } catch (error) {
    console.error((error as Error).message)
    process.exit(1)
  }
await import('../src/app/main.ts')
