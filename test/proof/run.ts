/**
 * Proofs that take too long for every test run: `npm run proof` runs all of them, `npm run proof -- NAME…` some, `PROOF_AMOUNT` with
 * another amount, `PROOF_SEED` with another course. docs/proof.md keeps their figures.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'

const names = process.argv.slice(2)
const args = ['vitest', 'run', '--config', 'test/proof/vitest.config.ts', ...names.map(name => `test/proof/${name}`)]
const [code] = await once(spawn(process.execPath, ['node_modules/vitest/vitest.mjs', ...args.slice(1)], { stdio: 'inherit' }), 'exit')
process.exit(typeof code === 'number' ? code : 1)
