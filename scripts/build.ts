/**
 * `npm run build`: builds the screens, and puts everything that a server needs into the folder `build`. `npm run build -- --slim` leaves
 * out Node and the embedded PostgreSQL.
 */
import { join } from 'node:path'
import { writeArtefact } from './artefact.ts'
import { buildWeb } from './build-web.ts'

const folder = join(import.meta.dirname, '../build')
try {
  await buildWeb()
  writeArtefact(folder, { slim: process.argv.includes('--slim') })
  console.log(`The program lies in ${folder}`)
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
