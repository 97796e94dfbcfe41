/** `npm run check`: all that can be said of the source without running it. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

export interface Count {
  passed: number
  failed: number
}

export const root = join(import.meta.dirname, '..')

/** Checks of one row run side by side; two at most, since the smallest machine has two cores. */
const rows: [name: string, ...words: string[]][][] = [
  [
    [
      'format and lint',
      'node_modules/@biomejs/biome/bin/biome',
      'ci',
      '.',
      '--max-diagnostics=none',
      `--colors=${process.stdout.isTTY ? 'force' : 'off'}`,
    ],
    ['translations', 'scripts/translations.ts', '--check'],
  ],
  [
    ['types of the server', 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.json'],
    ['types of the screens', 'node_modules/typescript/bin/tsc', '-p', 'src/tsconfig.browser.json'],
  ],
  [['types of the tests', 'node_modules/typescript/bin/tsc', '-p', 'test/tsconfig.json']],
]

export async function runChecks(): Promise<Count> {
  const count = { passed: 0, failed: 0 }
  for (const row of rows)
    for (const passed of await Promise.all(row.filter(([, script]) => existsSync(join(root, script!))).map(check => runCheck(...check))))
      count[passed ? 'passed' : 'failed']++
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
