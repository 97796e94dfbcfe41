/** `npm run check`: every check of the source that runs no product code. Build information is kept in .cache, so a second run is faster. */
import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

export interface Count {
  passed: number
  failed: number
}

export const root = join(import.meta.dirname, '..')

const tsc = (name: string, config: string): Check => [
  name,
  'node_modules/typescript/bin/tsc',
  '-p',
  config,
  // Each checker infers shared types again: two use two cores, four would double the work.
  '--checkers',
  '2',
  '--incremental',
  '--tsBuildInfoFile',
  `.cache/${config.replaceAll('/', '-')}.buildinfo`,
]

type Check = [name: string, ...words: string[]]

/** The longest first. Two run at once, since the smallest machine has two cores. */
const checks: Check[] = [
  tsc('types of the tests', 'test/tsconfig.json'),
  tsc('types of the server', 'tsconfig.json'),
  tsc('types of the screens', 'src/tsconfig.browser.json'),
  [
    'format and lint',
    'node_modules/@biomejs/biome/bin/biome',
    'ci',
    '.',
    '--max-diagnostics=none',
    `--colors=${process.stdout.isTTY ? 'force' : 'off'}`,
  ],
  ['unused code', 'node_modules/knip/bin/knip.js', '--no-progress'],
  ['architecture and vocabulary', 'node_modules/vitest/vitest.mjs', 'run', '--config', 'test/architecture.vitest.config.ts'],
  ['translations', 'scripts/translations.ts', '--check'],
]

export async function runChecks(): Promise<Count> {
  mkdirSync(join(root, '.cache'), { recursive: true })
  const count = { passed: 0, failed: 0 }
  const waiting = [...checks]
  const runWaiting = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) count[(await runCheck(...check)) ? 'passed' : 'failed']++
  }
  await Promise.all([runWaiting(), runWaiting()])
  return count
}

async function runCheck(name: string, ...words: string[]): Promise<boolean> {
  const started = performance.now()
  const child = spawn(process.execPath, words, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk))
  const code = await new Promise((settle, fail) => child.once('close', settle).once('error', fail))
  console.log(`${code === 0 ? '✓' : '✗'} ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`)
  if (code !== 0) console.log(output)
  return code === 0
}

if (import.meta.main) {
  const { passed, failed } = await runChecks()
  console.log(`${passed} passed, ${failed} failed`)
  process.exitCode = failed ? 1 : 0
}
