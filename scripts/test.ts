/**
 * `npm test`: every check and every test. `npm test -- unit | http | journeys | openapi` runs one part, `npm test -- PATH…` the test files
 * whose path contains a PATH. Prints the ten slowest files, then again what failed, since a log often keeps only its end; the last line
 * counts the tests.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { findOrInstallChromium } from '../test/chromium.ts'
import { buildWebIfChanged } from './build-web.ts'
import { type Count, checkByTests, root, runChecks } from './check.ts'
import { compileServer } from './compile-server.ts'

const reports = mkdtempSync(join(tmpdir(), 'pakhus-reports-'))
let interrupted = false
// The signal reaches the running tests too, which then clean up after themselves: wait for them.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => (interrupted = true))

const parts = { unit: unitTests, http: httpTests, journeys, openapi }
const total: Count = { passed: 0, failed: 0 }
const failures: string[] = []
/** Tests that failed once and then passed, with the first cause: each is a defect of the product or of the test. */
const secondTries: string[] = []
const durations: { file: string; seconds: number }[] = []
const words = process.argv.slice(2)
let stopDatabase = async () => {}
try {
  for (const step of stepsFor(words)) {
    if (interrupted) break
    const count: Count = await step().catch(error => ({ passed: 0, failed: 1, failures: [(error as Error).message] }))
    total.passed += count.passed
    total.failed += count.failed
    failures.push(...(count.failures ?? []))
  }
} finally {
  await stopDatabase()
  rmSync(reports, { recursive: true, force: true })
}
if (interrupted) {
  const { removeAbandoned } = await import('../test/postgres.ts')
  await removeAbandoned()
  console.log('Interrupted: not everything was run.')
}
if (durations.length > 1) {
  console.log('\nThe slowest files')
  for (const { file, seconds } of durations.sort((a, b) => b.seconds - a.seconds).slice(0, 10))
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${file}`)
}
if (secondTries.length) {
  console.log('\nWhat passed only at the second try')
  for (const cause of secondTries.slice(0, 20)) console.log(`\n${cause.slice(0, 800)}`)
}
if (failures.length) {
  console.log('\nWhat failed')
  for (const failure of failures.slice(0, 20)) console.log(`\n${failure.slice(0, 1500)}`)
}
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = interrupted || total.failed || !total.passed ? 1 : 0

function stepsFor(words: string[]): (() => Promise<Count>)[] {
  const [first] = words
  if (!first) return [checksAndPreparation, testsAlone, testsOfFeatures, journeys]
  if (words.length === 1 && first in parts) return [parts[first as keyof typeof parts]]
  const isJourney = (word: string) => /(^|\/)test\/journeys(\/|$)/.test(word)
  const steps: (() => Promise<Count>)[] = []
  if (words.some(word => !isJourney(word)))
    steps.push(() =>
      runVitest(
        'tests',
        'vitest.config.ts',
        words.filter(word => !isJourney(word)),
      ),
    )
  if (words.some(isJourney)) steps.push(() => journeys(words.filter(isJourney)))
  return steps
}

/** The checks, and beside them what the tests need: one after another they would leave a processor idle for most of that time. */
async function checksAndPreparation(): Promise<Count> {
  // What fails here fails again, and says why, in the part that needs it.
  const prepare = async () => {
    await startDatabase().catch(() => undefined)
    await buildWebIfChanged().catch(() => undefined)
    // Servers of tests find it compiled.
    process.env.TEST_COMPILE_CACHE = join(reports, 'compiled')
    await compileServer(process.env.TEST_COMPILE_CACHE)
  }
  const [count] = await Promise.all([runChecks([checkByTests]), prepare()])
  return count
}

/** One database for all parts, since each would migrate its own from nothing. */
async function startDatabase(): Promise<void> {
  const { startedDatabase, startTestDatabase } = await import('../test/postgres.ts')
  const { url, stop } = await startTestDatabase()
  stopDatabase = stop
  process.env[startedDatabase] = url
}

/** Each file in a process of its own: unit tests, those of the app and the platform, and OpenAPI, in one run without idle ends between them. */
function testsAlone(): Promise<Count> {
  return runVitest(
    'tests of rules, of the app and of the platform',
    'vitest.config.ts',
    testFiles(file => !opensApp(file) || changesProcess(file)),
  )
}

function unitTests(): Promise<Count> {
  return runVitest(
    'unit tests',
    'vitest.config.ts',
    testFiles(file => !opensApp(file)),
  )
}

/** They share their two processes: to load the whole server anew for each of them takes a quarter of their time. */
function testsOfFeatures(): Promise<Count> {
  return runVitest(
    'HTTP tests of features',
    'vitest.config.ts',
    testFiles(file => opensApp(file) && !changesProcess(file)),
    ['--no-isolate'],
  )
}

async function httpTests(): Promise<Count> {
  const shared = await testsOfFeatures()
  const alone = await runVitest(
    'HTTP tests of the app and the platform',
    'vitest.config.ts',
    testFiles(file => opensApp(file) && changesProcess(file) && !isOpenapi(file)),
  )
  return {
    passed: shared.passed + alone.passed,
    failed: shared.failed + alone.failed,
    failures: [...(shared.failures ?? []), ...(alone.failures ?? [])],
  }
}

/** Opens an app or a database of its own. */
function opensApp(file: string): boolean {
  return /openTestApp|inject\('database'\)|startPostgres/.test(readFileSync(join(root, file), 'utf8'))
}

/** Sets parsers, starts servers or fills several databases with the demo: nothing that another file may find. */
function changesProcess(file: string): boolean {
  return file.startsWith(join('src', 'app')) || file.startsWith(join('src', 'platform')) || isOpenapi(file)
}

function isOpenapi(file: string): boolean {
  return file.startsWith(join('test', 'openapi'))
}

function testFiles(wanted: (file: string) => boolean): string[] {
  return ['src', 'test']
    .flatMap(folder => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(file => join(folder, file)))
    .filter(file => /\.test\.tsx?$/.test(file) && !file.startsWith(join('test', 'journeys')))
    .filter(wanted)
}

/** Linters and a generated client read the description of the API; their packages are installed in a folder of their own. */
function openapi(): Promise<Count> {
  return runVitest('OpenAPI', 'vitest.config.ts', testFiles(isOpenapi))
}

async function journeys(paths: string[] = []): Promise<Count> {
  await buildWebIfChanged()
  // The journeys find the browser by the same name.
  process.env.CHROMIUM = findOrInstallChromium(console.log)
  return runVitest('journeys', 'test/journeys/vitest.config.ts', paths, ['--no-isolate'])
}

interface TestResult {
  status: string
  fullName: string
  failureMessages?: string[]
}

interface Report {
  numPassedTests: number
  numFailedTests: number
  testResults: { name: string; startTime: number; endTime: number; status: string; message?: string; assertionResults: TestResult[] }[]
}

/** A run that dies, finds no test, or fails outside of any test counts as one failure, never as none. */
async function runVitest(name: string, config: string, paths: string[] = [], flags: string[] = []): Promise<Count> {
  console.log(`\n${name}`)
  const file = join(reports, `${name.replaceAll(' ', '-')}.json`)
  const command = [
    'node_modules/vitest/vitest.mjs',
    'run',
    ...paths,
    ...flags,
    '--config',
    config,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ]
  const child = spawn(process.execPath, command, { cwd: root, stdio: 'inherit' })
  const code = await new Promise((settle, fail) => child.once('exit', settle).once('error', fail))
  if (!existsSync(file)) return { passed: 0, failed: 1, failures: [`${name}: the run ended with exit code ${code} and without a report`] }

  const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(file, 'utf8')) as Report
  const failures: string[] = []
  let brokenFiles = 0
  for (const { name, startTime, endTime, status, message, assertionResults } of testResults) {
    const file = relative(root, name)
    durations.push({ file, seconds: (endTime - startTime) / 1000 })
    const failedTests = assertionResults.filter(test => test.status === 'failed')
    for (const test of assertionResults)
      if (test.status === 'passed' && test.failureMessages?.length)
        secondTries.push(`${file} > ${test.fullName}\n${test.failureMessages.join('\n')}`)
    for (const test of failedTests) failures.push(`${file} > ${test.fullName}\n${test.failureMessages?.join('\n') ?? ''}`)
    if (status !== 'failed' || failedTests.length) continue
    brokenFiles++
    failures.push(`${file}\n${message ?? ''}`)
  }
  let failed = numFailedTests + brokenFiles
  if (!failed && (code !== 0 || !numPassedTests)) {
    failed = 1
    failures.push(`${name}: ${numPassedTests} tests passed, but the run ended with exit code ${code}`)
  }
  return { passed: numPassedTests, failed, failures }
}
