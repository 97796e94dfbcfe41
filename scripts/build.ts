/** `npm run build`: builds the browser's side, whether it has changed or not. */
import { buildWeb } from './build-web.ts'

await buildWeb().catch(stopWith)

function stopWith(error: Error) {
  console.error(error.message)
  process.exitCode = 1
}
