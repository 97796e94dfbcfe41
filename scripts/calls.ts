/** Prints every mounted call as `METHOD<TAB>path`, as in the specification; `--own` those beyond it. */
import { slices } from '../src/app/features.ts'

const own = process.argv.includes('--own')
for (const { calls } of slices) for (const call of Object.values(calls)) if (!own || call.own) console.log(`${call.method}\t${call.path}`)
