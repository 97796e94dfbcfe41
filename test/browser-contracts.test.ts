/** What a browser gets of the contract: lines and words, and the shapes that screens name. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import { afterAll, expect, it } from 'vitest'
import { browserContracts } from '../scripts/browser-contracts.ts'

const folder = mkdtempSync(join(tmpdir(), 'browser-contracts-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A screen that imports `names` of the orders' contract, as it is built. */
async function screenWith(names: string, plugins = [browserContracts()]): Promise<string> {
  const entry = join(folder, `${names.replaceAll(/\W/g, '')}.ts`)
  const contract = join(import.meta.dirname, '../src/features/orders/orders/orders.contract.ts')
  writeFileSync(entry, `import { ${names} } from '${contract}'\nglobalThis.kept = [${names}]`)
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    plugins,
    build: { write: false, minify: false, rolldownOptions: { input: entry, external: ['zod'] } },
  })
  const [output] = Array.isArray(built) ? built : [built]
  return (output as unknown as { output: [{ code: string }] }).output[0].code
}

it('keeps the calls and leaves the shapes of their questions and answers to the server', async () => {
  const code = await screenWith('orders')
  expect(code).toContain('POST orders/{id}/set_state/{state}')
  expect(code).not.toContain('shipping_address:')
  expect(code.length).toBeLessThan((await screenWith('orders', [])).length / 1.5)
})

it('makes a schema that a screen reads by its name', async () => {
  const code = await screenWith('Phase')
  expect(code).toMatch(/enum\(/)
  expect(code).not.toContain('set_state')
})
