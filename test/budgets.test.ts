/** Size budgets: the build fails when a page grows beyond what a slow connection loads. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import { afterAll, expect, it } from 'vitest'
import { budgets } from '../scripts/budgets.ts'

const folder = mkdtempSync(join(tmpdir(), 'budgets-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A text that comes to so many kilobytes, however it is packed. */
const ballast = (kilobytes: number) => `'${randomBytes(kilobytes * 1_000).toString('base64')}'`

/** A page whose beginning may come to 20 kB, and to 40 kB with whatever opens in it. */
async function page(kilobytes: { first?: number; shared?: number; screen?: number; part?: number }): Promise<string> {
  const { first = 10, shared = 1, screen = 1, part = 1 } = kilobytes
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  write('index.html', '<script type="module" src="./main.js"></script>')
  write('main.js', `globalThis.main = ${ballast(first)}; globalThis.open = () => import('./Screen.js')`)
  write('shared.js', `export const shared = ${ballast(shared)}`)
  write('Screen.js', `import { shared } from './shared.js'; globalThis.screen = [shared, ${ballast(screen)}, () => import('./Part.js')]`)
  write('Part.js', `import { shared } from './shared.js'; globalThis.part = [shared, ${ballast(part)}]`)
  const limits = { 'index.html': { first: 20, opened: 40 } }
  await build({ configFile: false, root: folder, logLevel: 'silent', plugins: [budgets(limits)], build: { write: false } })
  return 'built'
}

it('is built while it keeps within its budgets', async () => {
  expect(await page({ first: 15, screen: 18 })).toBe('built')
})

it('is refused when what it needs at once is too much', async () => {
  await expect(page({ first: 25 })).rejects.toThrow(/index\.html comes to 2\d\.\d kB of JavaScript, packed: at most 20 kB/)
})

it('is refused when a screen is too much', async () => {
  await expect(page({ screen: 35 })).rejects.toThrow(/index\.html with Screen comes to 4\d\.\d kB/)
})

it('is refused when a screen is too much with what it shares with others', async () => {
  await expect(page({ shared: 15, screen: 20 })).rejects.toThrow(/index\.html with Screen comes to 4\d\.\d kB/)
})

it('is refused when a part that opens in a screen is too much', async () => {
  await expect(page({ part: 35 })).rejects.toThrow(/index\.html with Part comes to 4\d\.\d kB/)
})
