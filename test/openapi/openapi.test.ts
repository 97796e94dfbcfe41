/** The description of the API breaks no rule of two linters, and a client that a stock generator makes of it does the main job. */
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sender } from '../sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '../test-app.ts'

const root = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)

let testApp: TestApp
let operator: TestOperator
let admin: TestUser
let packer: TestUser
let base: string
let linters: string
let client: string

/**
 * Copies a folder of the repository to a scratch folder and installs its packages there: generators and linters need another TypeScript
 * and other versions than Pakhus has. Packages of the last run are kept while their lock file is the same.
 */
async function scratchCopy(folder: string): Promise<string> {
  const copy = join(root, '.cache/openapi', folder.replaceAll('/', '-'))
  mkdirSync(copy, { recursive: true })
  cpSync(join(root, folder), copy, { recursive: true, filter: path => !path.includes('node_modules') })
  const lock = readFileSync(join(copy, 'package-lock.json'), 'utf8')
  const installed = join(copy, 'node_modules/.installed-lock')
  if (!existsSync(installed) || readFileSync(installed, 'utf8') !== lock) {
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: copy, shell: process.platform === 'win32' })
    writeFileSync(installed, lock)
  }
  return copy
}

/** Runs a program of a scratch folder; what it printed becomes the error when it fails. */
async function runIn(folder: string, script: string, args: string[], env: Record<string, string> = {}): Promise<string> {
  try {
    const { stdout } = await run(process.execPath, [join('node_modules', script), ...args], {
      cwd: folder,
      env: { ...process.env, NODE_OPTIONS: '', ...env },
      maxBuffer: 64 * 1024 * 1024,
    })
    return stdout
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(`${script} failed\n${(stdout + stderr).slice(-4000)}`)
  }
}

beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({
    settings: {
      gs1_prefix: '5790001',
      sender,
    },
  })
  admin = await operator.hire(['admin'])
  packer = await operator.hire(['scan', 'scan_admin', 'parcels'])
  await testApp.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = testApp.app.server.address() as AddressInfo
  base = `http://127.0.0.1:${port}/api/${operator.main.code}`
  linters = await scratchCopy('test/openapi/linters')
  client = await scratchCopy('samples/typescript')
  const description = await fetch(`http://127.0.0.1:${port}/openapi.json`)
  for (const folder of [linters, client]) writeFileSync(join(folder, 'openapi.json'), await description.clone().text())
}, 600_000)
afterAll(() => testApp?.close())

it('has no error by the recommended rules of Redocly', () =>
  runIn(linters, '@redocly/cli/bin/cli.js', ['lint', 'openapi.json', '--max-problems=50'], {
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  }))

// A hundred seconds on a machine without other work.
it('has no error by the rules of Spectral', { timeout: 600_000 }, () =>
  runIn(linters, '@stoplight/spectral-cli/dist/index.js', ['lint', 'openapi.json', '--fail-severity=error', '--quiet']),
)

it('gives a generated client that compiles and does the main job', async () => {
  await runIn(client, 'openapi-typescript/bin/cli.js', ['openapi.json', '--default-non-nullable=false', '-o', 'pakhus.ts'])
  await runIn(client, 'typescript/bin/tsc', ['-p', '.'])
  const { stdout } = await run(process.execPath, ['main-job.ts'], {
    cwd: client,
    env: { ...process.env, PAKHUS_URL: base, PAKHUS_ADMIN_TOKEN: admin.token, PAKHUS_PACKER_TOKEN: packer.token },
  })
  expect(stdout).toMatch(/Done: labelled, printed and on the tracking page\.\n$/)
})
