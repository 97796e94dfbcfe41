/** `npm run check`: every check of the source that runs no product code. Build information is kept in .cache, so a second run is faster. */
import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

export interface Count {
  passed: number
  failed: number
  /** Name and message of what failed, where there is more to say than its number. */
  failures?: string[]
}

export const root = join(import.meta.dirname, '..')

type Check = [name: string, ...words: string[]]

/** The check whose files `npm test` runs among its tests. */
export const checkByTests = 'architecture, globals and vocabulary'

/** The longest first. Two run at once, since the smallest machine has two cores. */
const checks: Check[] = [
  // One program for all sources: with one for each side, types that both share are inferred twice. Two checkers use two cores.
  ['types', 'node_modules/typescript/bin/tsc', '--checkers', '2', '--incremental', '--tsBuildInfoFile', '.cache/types.buildinfo'],
  [
    'format and lint',
    'node_modules/@biomejs/biome/bin/biome',
    'ci',
    '.',
    '--max-diagnostics=none',
    `--colors=${process.stdout.isTTY ? 'force' : 'off'}`,
  ],
  ['unused code', 'node_modules/knip/bin/knip.js', '--no-progress'],
  [checkByTests, 'node_modules/vitest/vitest.mjs', 'run', '--config', 'test/architecture.vitest.config.ts'],
  ['translations', 'scripts/translations.ts', '--check'],
]

/** All checks but those with a name of `except`. */
export async function runChecks(except: readonly string[] = []): Promise<Count> {
  mkdirSync(join(root, '.cache'), { recursive: true })
  const count = { passed: 0, failed: 0, failures: [] as string[] }
  const waiting = checks.filter(([name]) => !except.includes(name))
  const runWaiting = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const output = await runCheck(...check)
      count[output === undefined ? 'passed' : 'failed']++
      if (output !== undefined) count.failures.push(`${check[0]}\n${output}`)
    }
  }
  await Promise.all([runWaiting(), runWaiting()])
  return count
}

/** The output of a check that failed, or undefined. */
async function runCheck(name: string, ...words: string[]): Promise<string | undefined> {
  const started = performance.now()
  // The compiler is a Go program. It ends within seconds, so most of the work of its garbage collector is in vain.
  const child = spawn(process.execPath, words, { cwd: root, env: { GOGC: '400', ...process.env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk))
  const code = await new Promise((settle, fail) => child.once('close', settle).once('error', fail))
  console.log(`${code === 0 ? '✓' : '✗'} ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`)
  if (code !== 0) console.log(output)
  return code === 0 ? undefined : output
}

if (import.meta.main) {
  const { passed, failed } = await runChecks()
  console.log(`${passed} passed, ${failed} failed`)
  process.exitCode = failed ? 1 : 0
}
