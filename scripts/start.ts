/** `npm start`: the screens, built anew if they have changed, and the server. A built folder holds its screens, and nothing to build them from. */
import { existsSync } from 'node:fs'

if (existsSync(new URL('../vite.config.ts', import.meta.url)))
  try {
    const { buildWebIfChanged } = await import('./build-web.ts')
    await buildWebIfChanged()
  } catch (error) {
    console.error((error as Error).message)
    process.exit(1)
  }
await import('../src/app/main.ts')
