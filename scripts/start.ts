/** `npm start`: the screens, built anew if they have changed, and the server. */
import { buildWebIfChanged } from './build-web.ts'

try {
  await buildWebIfChanged()
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}
await import('../src/app/main.ts')
