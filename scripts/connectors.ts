/**
 * `npm run connectors`: installs Vendure and Medusa from npm into a scratch folder each, starts them, and tries their connectors with them.
 * Ends with 1 when a step fails, and with 2 when the shop cannot be installed.
 */
import { openMedusa } from '../test/connectors/medusa-shop.ts'
import { NotInstalled, type ScratchShop } from '../test/connectors/scratch-shop.ts'
import { trySteps } from '../test/connectors/steps.ts'
import { openVendure } from '../test/connectors/vendure-shop.ts'

const shops: Record<string, () => Promise<ScratchShop>> = { vendure: openVendure, medusa: openMedusa }
const wanted = process.argv.slice(2)
const unknown = wanted.filter(name => !shops[name])
if (unknown.length > 0) {
  console.error(`There is no shop ${unknown.join(', ')}. The shops: ${Object.keys(shops).join(', ')}`)
  process.exit(1)
}

let open: ScratchShop | undefined
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void (open?.close() ?? Promise.resolve()).finally(() => process.exit(1)))

let failed = 0
let notRun = 0
for (const name of wanted.length > 0 ? wanted : Object.keys(shops)) {
  console.log(name)
  try {
    open = await shops[name]!()
    failed += await trySteps(open, console.log)
  } catch (error) {
    if (error instanceof NotInstalled) {
      notRun++
      console.log(`  – not run: ${error.message}`)
    } else {
      failed++
      console.log(`  ✗ ${error instanceof Error ? error.message : String(error)}`)
    }
  } finally {
    await open?.close()
    open = undefined
  }
}
console.log(failed > 0 ? `${failed} failed` : notRun > 0 ? 'not run' : 'all passed')
process.exit(failed > 0 ? 1 : notRun > 0 ? 2 : 0)
