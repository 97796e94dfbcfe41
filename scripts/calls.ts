/** Prints every mounted call as `METHOD<TAB>path`, as in the specification; `--own` those beyond it. */
import { features } from '../src/app/features.ts'

const own = process.argv.includes('--own')
for (const { calls } of features)
  for (const call of Object.values(calls)) if (!own || call.internal) console.log(`${call.method}\t${call.path}`)
