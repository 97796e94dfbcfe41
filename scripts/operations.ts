/**
 * `npm run test:operations`: executes docs/operating.md with real parts: Debian's PostgreSQL, pgbouncer, nginx and Prometheus. `-- PART…` runs
 * some parts. Needs root and apt for what is missing. The last line counts the steps.
 */
import { blocks } from '../test/operations/document.ts'
import { NotTried, type Part, Run } from '../test/operations/harness.ts'
import { parts } from '../test/operations/parts.ts'

const wanted = process.argv.slice(2)
const unknown = wanted.filter(name => !parts.some(part => part.name === name))
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}. The parts: ${parts.map(part => part.name).join(', ')}`)
  process.exit(1)
}

let current: Run | undefined
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void (current?.end() ?? Promise.resolve()).finally(() => process.exit(1)))

const lines: string[] = []
let passed = 0
let failed = 0
for (const part of parts.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  const { counts } = await runPart(part)
  passed += counts.passed
  failed += counts.failed
  lines.push(
    `${part.name.padEnd(12)} ${counts.passed} passed, ${counts.failed} failed${counts.notTried.map(why => `; not tried: ${why}`).join('')}`,
  )
}
if (wanted.length === 0) {
  const unused = blocks.filter(({ used }) => !used)
  if (unused.length === 0) passed++
  else failed++
  lines.push(
    `${'document'.padEnd(12)} ${
      unused.length === 0
        ? `1 passed, 0 failed: every block was executed`
        : `0 passed, 1 failed: not executed: ${unused.map(({ heading, language }) => `${heading} (${language})`).join(', ')}`
    }`,
  )
}
console.log(`\n${lines.join('\n')}\n${passed} passed, ${failed} failed`)
process.exit(failed || !passed ? 1 : 0)

async function runPart(part: Part): Promise<Run> {
  console.log(`\n${part.name}`)
  const run = new Run()
  current = run
  try {
    await part.run(run)
  } catch (error) {
    if (error instanceof NotTried) {
      run.counts.notTried.push(error.message)
      console.log(`  – not tried: ${error.message}`)
    } else {
      // A failure between two steps counts too.
      if (run.counts.failed === 0) run.counts.failed++
      console.log(`    ${(error as Error).stack?.replaceAll('\n', '\n    ')}`)
    }
  } finally {
    await run.end()
  }
  return run
}
