/**
 * Proofs that take too long for every test run: `npm run proof` runs all of them, `npm run proof -- NAME…` some, `--seed 17` with another
 * course, `--amount 1000` with another amount, `--minutes 15` for no longer, `--revision v1.2.0` beside another older
 * version (`two-versions`). `npm run proof -- faults --check` looks through the table of
 * faults alone. docs/proof.md keeps their figures.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { compileServerIfChanged } from '../../scripts/compile-server.ts'

const { values, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    amount: { type: 'string' },
    minutes: { type: 'string' },
    revision: { type: 'string' },
    check: { type: 'boolean' },
  },
})
const settings = {
  PROOF_SEED: values.seed,
  PROOF_AMOUNT: values.amount,
  PROOF_MINUTES: values.minutes,
  PROOF_REVISION: values.revision,
  ...(values.check && { PROOF_CHECK: '1' }),
}
// As `npm start` does it.
const TEST_COMPILE_CACHE = await compileServerIfChanged()
const env = {
  ...process.env,
  TEST_COMPILE_CACHE,
  ...Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)),
}
const files = names.length > 0 ? names.map(name => `test/proof/${name}.proof.ts`) : []
const args = ['run', '--config', 'test/proof/vitest.config.ts', ...files]
const [code] = await once(spawn(process.execPath, ['node_modules/vitest/vitest.mjs', ...args], { stdio: 'inherit', env }), 'exit')
process.exit(typeof code === 'number' ? code : 1)
