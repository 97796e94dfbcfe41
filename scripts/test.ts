/** `npm test`: every check and every test there is; its last line counts them. */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findOrInstallChromium } from '../test/chromium.ts'
import { buildWebIfChanged } from './build-web.ts'
import { type Count, root, runChecks } from './check.ts'

const reports = mkdtempSync(join(tmpdir(), 'pakhus-reports-'))
let interrupted = false
// The signal reaches the running tests too, which then clean up after themselves: wait for them.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => (interrupted = true))

const total: Count = { passed: 0, failed: 0 }
try {
  for (const step of [runChecks, unitTests, journeys]) {
    if (interrupted) break
    const { passed, failed } = await step().catch(error => {
      console.error((error as Error).message)
      return { passed: 0, failed: 1 }
    })
    total.passed += passed
    total.failed += failed
  }
} finally {
  rmSync(reports, { recursive: true, force: true })
}
if (interrupted) {
  const { removeAbandoned } = await import('../test/postgres.ts')
  await removeAbandoned()
  console.log('Interrupted: not everything was run.')
}
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = interrupted || total.failed || !total.passed ? 1 : 0

function unitTests(): Promise<Count> {
  return runVitest('unit and HTTP tests', 'vitest.config.ts')
}

async function journeys(): Promise<Count> {
  await buildWebIfChanged()
  // The journeys find the browser by the same name.
  process.env.CHROMIUM = findOrInstallChromium(console.log)
  const { passed, failed } = await runVitest('journeys', 'test/journeys/vitest.config.ts')
  return { passed, failed }
}

interface Report {
  numPassedTests: number
  numFailedTests: number
  testResults: { status: string; assertionResults: { status: string }[] }[]
}

/** A run that dies, finds no test, or fails outside of any test counts as one failure, never as none. */
async function runVitest(name: string, config: string): Promise<Count> {
  console.log(`\n${name}`)
  const file = join(reports, `${name.replaceAll(' ', '-')}.json`)
  const words = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--config',
    config,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ]
  const child = spawn(process.execPath, words, { cwd: root, stdio: 'inherit' })
  const code = await new Promise((settle, fail) => child.once('exit', settle).once('error', fail))
  if (!existsSync(file)) return { passed: 0, failed: 1 }

  const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(file, 'utf8')) as Report
  const brokenFiles = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some(test => test.status === 'failed'),
  ).length
  const failed = numFailedTests + brokenFiles
  return { passed: numPassedTests, failed: failed || (code === 0 && numPassedTests > 0 ? 0 : 1) }
}
