/** What Node has compiled outlives a process that is killed, and other versions of Node. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { compiledFolder } from './compile-cache.ts'

let data: string
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'pakhus-compiled-'))
})
afterEach(() => rmSync(data, { recursive: true, force: true }))

const file = join(import.meta.dirname, 'compile-cache.ts')
/** Runs this with the cache in the data folder, until it has written `done` and is killed. */
async function runKilled(text: string): Promise<void> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', `const cache = await import(${JSON.stringify(file)});${text}`], {
    env: { ...process.env, NODE_COMPILE_CACHE: join(data, 'compiled') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
}
const compiled = () => globSync('compiled/*/*', { cwd: data })

it('lies in the data folder, unless the deployment names another one', () => {
  expect(compiledFolder({ DATA_DIR: data })).toBe(join(data, 'compiled'))
  expect(compiledFolder({ DATA_DIR: data, NODE_COMPILE_CACHE: '/var/cache/pakhus' })).toBeUndefined()
})

it('is written down by a process that works, so that its death loses nothing', async () => {
  await runKilled(`cache.keepCompiled(0); setTimeout(() => console.log('done'), 500); setInterval(() => {}, 1000)`)
  expect(compiled().length).toBeGreaterThan(0)
})

it('of another version of Node is removed, and nothing else', async () => {
  const [old, flags, other] = ['compiled/v20.1.0-x64-12345678-0', `compiled/${process.version}-${process.arch}-12345678-0`, 'files'].map(
    name => join(data, name),
  ) as [string, string, string]
  for (const folder of [old, flags, other]) mkdirSync(folder, { recursive: true })
  await runKilled(
    `cache.keepCompiled(0); cache.removeOtherCompiled(); setTimeout(() => console.log('done'), 500); setInterval(() => {}, 1000)`,
  )
  expect([existsSync(old), existsSync(flags), existsSync(other)]).toEqual([false, true, true])
  expect(compiled().length).toBeGreaterThan(0)
})
