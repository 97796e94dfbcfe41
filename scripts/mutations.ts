/**
 * `npm run mutations`: changes the rules of sign-in, tenancy, outbox, money and time one place at a time with Stryker, and counts how many of
 * the changes their unit and table tests notice. `npm run mutations -- money dates` does some files, one after the other. Stryker is installed
 * from npm into a scratch folder. Ends with 1 when a file is below the goal, and with 2 when Stryker cannot be installed.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

const root = join(import.meta.dirname, '..')
/** From 10.1 on it finds the tests of vitest 5: before, it ran none and every change survived; stryker-js issue 6210. */
const version = '10.1.1'
/** Percent of the changes that tests notice, in each file. */
const goal = 85

/** Files without a database, with the tests that say what they must do: by default the one beside them. */
const subjects: readonly { file: string; tests?: readonly string[] }[] = [
  // Sign-in and rights.
  { file: 'src/features/company/users/passwords.rules.ts' },
  { file: 'src/features/company/users/second-factors.rules.ts' },
  { file: 'src/features/company/users/permissions.rules.ts' },
  { file: 'src/platform/auth/login-limits.ts' },
  { file: 'src/platform/auth/networks.ts' },
  { file: 'src/platform/limits/shared-limits.ts' },
  // Tenancy.
  { file: 'src/platform/http/tenant-host.ts' },
  { file: 'src/platform/database/tenant-filter.plugin.ts' },
  // Outbox.
  { file: 'src/features/deliveries/outbox/deliveries.rules.ts' },
  // Money.
  { file: 'src/domain/money.ts' },
  { file: 'src/domain/decimals.ts' },
  {
    file: 'src/features/invoicing/invoices/invoice-calculation.rules.ts',
    tests: ['src/features/invoicing/invoices/invoice-calculation.test.ts'],
  },
  { file: 'src/features/people/salary/pay.rules.ts' },
  // Time.
  { file: 'src/domain/dates.ts' },
  { file: 'src/domain/local-time.ts' },
  { file: 'src/features/people/punch-clock/punch.rules.ts' },
]
const nameOf = ({ file }: { file: string }) => basename(file, '.ts').replace(/\.(rules|plugin)$/, '')

interface Mutant {
  status: 'Killed' | 'Timeout' | 'Survived' | 'NoCoverage' | 'RuntimeError' | 'CompileError' | 'Ignored' | 'Pending'
  location: { start: { line: number } }
  replacement?: string
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter(name => !subjects.some(subject => nameOf(subject) === name))
if (unknown.length > 0) {
  console.error(`There is no file ${unknown.join(', ')}. The files: ${subjects.map(nameOf).join(', ')}`)
  process.exit(1)
}

const scratch = mkdtempSync(join(tmpdir(), 'pakhus-mutations-'))
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }))
let running: ReturnType<typeof spawn> | undefined
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    running?.kill(signal)
    process.exit(1)
  })

writeFileSync(join(scratch, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
const packages = [`@stryker-mutator/core@${version}`, `@stryker-mutator/vitest-runner@${version}`]
// Its peer is the vitest that is here.
const install = ['install', '--no-audit', '--no-fund', '--loglevel=error', '--legacy-peer-deps', '--prefer-offline', ...packages]
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
if ((await run(npm, install, scratch)) !== 0) {
  console.error('Stryker cannot be installed')
  process.exit(2)
}
symlinkSync(join(root, 'node_modules/vitest'), join(scratch, 'node_modules/vitest'))
// The changes are made in a copy.
const project = join(scratch, 'project')
mkdirSync(project)
for (const name of ['src', 'test', 'translations', 'package.json', 'tsconfig.json'])
  cpSync(join(root, name), join(project, name), { recursive: true })
symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'))

let below = 0
for (const subject of subjects) {
  if (wanted.length > 0 && !wanted.includes(nameOf(subject))) continue
  const { file, tests = [file.replace(/\.ts$/, '.test.ts')] } = subject
  const mutants = await mutate(file, tests)
  const count = (...states: Mutant['status'][]) => mutants.filter(({ status }) => states.includes(status)).length
  const noticed = count('Killed', 'Timeout')
  const counted = noticed + count('Survived', 'NoCoverage')
  const score = counted === 0 ? 0 : (noticed / counted) * 100
  if (score < goal) below++
  console.log(`${file}: ${score.toFixed(1)} %, ${noticed} of ${counted}${score < goal ? ` ← below ${goal} %` : ''}`)
  for (const { status, location, replacement } of mutants)
    if (status === 'Survived' || status === 'NoCoverage')
      console.log(
        `    line ${location.start.line}: ${replacement?.replace(/\s+/g, ' ').slice(0, 100)}${status === 'NoCoverage' ? ' (no test)' : ''}`,
      )
}
process.exit(below > 0 ? 1 : 0)

/** All changes of a file with what became of them. */
async function mutate(file: string, tests: readonly string[]): Promise<Mutant[]> {
  const config = { include: tests, setupFiles: ['test/seeded.ts'], testTimeout: 30_000, watch: false }
  writeFileSync(
    join(project, 'vitest.mutations.config.ts'),
    `import { defineConfig } from 'vitest/config'\nexport default defineConfig({ test: ${JSON.stringify(config)} })\n`,
  )
  const report = join(project, 'report.json')
  rmSync(report, { force: true })
  writeFileSync(
    join(project, 'stryker.config.json'),
    JSON.stringify({
      ...{ testRunner: 'vitest', vitest: { configFile: 'vitest.mutations.config.ts', related: false } },
      plugins: [join(scratch, 'node_modules/@stryker-mutator/vitest-runner/dist/src/index.js')],
      ...{ mutate: [file], coverageAnalysis: 'perTest', concurrency: 1, inPlace: true, tempDirName: join(scratch, 'before') },
      ...{ reporters: ['json'], jsonReporter: { fileName: report }, allowConsoleColors: false, logLevel: 'error' },
    }),
  )
  const program = join(scratch, 'node_modules/@stryker-mutator/core/bin/stryker.js')
  await run(process.execPath, [program, 'run', 'stryker.config.json'], project)
  if (!existsSync(report)) throw new Error(`${file}: Stryker made no report`)
  const { files } = JSON.parse(readFileSync(report, 'utf8')) as { files: Record<string, { mutants: Mutant[] }> }
  return Object.values(files).flatMap(({ mutants }) => mutants)
}

/** Runs a program without its output; answers its exit code. */
async function run(program: string, words: readonly string[], folder: string): Promise<unknown> {
  running = spawn(program, words, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = await once(running, 'exit')
  return code
}
