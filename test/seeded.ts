/** Before every test file: drawn inputs are the same in each run, so that red or green says something of the code alone. `SEED=7` draws others. */
import * as fc from 'fast-check'

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.SEED ?? 1) })
