/**
 * `npm run pictures`: the pictures of the README, taken anew from the demo into `docs/pictures/`. Starts the product with a data folder of its
 * own, works with it in Chromium as its users do, and removes the folder. About three minutes.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import sharp from 'sharp'
import { demoPassword } from '../src/app/demo/demo.ts'
import { findOrInstallChromium } from '../test/chromium.ts'
import { root } from './check.ts'

const port = 18_099
const origin = `http://demo.localhost:${port}`
const folder = join(root, 'docs/pictures')
const desk = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }

const dataDir = mkdtempSync(join(tmpdir(), 'pakhus-pictures-'))
const server = spawn(process.execPath, ['scripts/start.ts'], {
  cwd: root,
  env: { ...process.env, DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'error' },
  stdio: ['ignore', 'pipe', 'inherit'],
})
let browser: Browser | undefined
try {
  await started()
  mkdirSync(folder, { recursive: true })
  browser = await chromium.launch({ executablePath: findOrInstallChromium(console.log), args: ['--no-sandbox', '--mute-audio'] })

  const owner = await signIn('admin', desk)
  await show(owner, '/dashboard', page => page.getByRole('list', { name: 'Needs action' }))
  await keep(owner, 'home')
  await show(owner, '/parcels/orders', page => page.locator('table[role="grid"] tbody a').nth(10))
  await keep(owner, 'orders')
  await owner.locator('table[role="grid"] tbody a').first().click()
  await owner.getByText('History').first().waitFor()
  await keep(owner, 'order')
  await show(owner, '/settings/shipping-config', page => page.getByRole('heading', { level: 1 }))
  await keep(owner, 'settings')
  const link = await trackingLink(owner)

  const packer = await signIn('packer', desk)
  await equip(packer)
  await show(packer, '/scan', page => page.getByRole('heading', { name: 'Scan an order code' }))
  await packer
    .getByText(/\d waiting$/)
    .first()
    .waitFor()
  await packer.keyboard.press('Enter')
  await packer.getByRole('heading', { name: 'Scan an order code' }).waitFor({ state: 'hidden' })
  await packer.getByRole('heading', { level: 1 }).first().waitFor()
  await keep(packer, 'packing-station')

  const picker = await signIn('picker', phone)
  await show(picker, '/pick', page => page.getByRole('article').first())
  await picker.getByRole('article').getByRole('button').first().click()
  await picker.locator('[data-enter]').click()
  await picker.locator('[data-step]').waitFor()
  await keep(picker, 'picking')

  const recipient = await (await browser.newContext({ viewport: phone, locale: 'en-GB' })).newPage()
  await recipient.goto(link)
  await recipient.getByRole('combobox').first().selectOption('en_GB')
  await recipient.getByRole('heading', { level: 1, name: /^Your parcel/ }).waitFor()
  await keep(recipient, 'tracking')
} finally {
  await browser?.close()
  server.kill('SIGINT')
  await new Promise(settle => server.once('exit', settle))
  rmSync(dataDir, { recursive: true, force: true })
}

/** Resolves when the demo is there; fails with the server. */
function started(): Promise<void> {
  return new Promise((settle, fail) => {
    server.once('exit', code => fail(new Error(`The server ended with exit code ${code}`)))
    server.stdout.on('data', (text: Buffer) => {
      if (text.includes('Stop with Ctrl-C')) settle()
    })
  })
}

async function signIn(login: string, viewport: { width: number; height: number }): Promise<Page> {
  const context = await browser!.newContext({ viewport, locale: 'en-GB', deviceScaleFactor: viewport === phone ? 2 : 1 })
  const page = await context.newPage()
  await page.goto(`${origin}/login`)
  await page.locator('input').first().fill(login)
  await page.locator('input[type="password"]').fill(demoPassword(login))
  await page.keyboard.press('Enter')
  await page.waitForURL(url => !url.pathname.startsWith('/login'))
  return page
}

async function show(page: Page, path: string, ready: (page: Page) => ReturnType<Page['locator']>): Promise<void> {
  await page.goto(origin + path)
  await ready(page).first().waitFor()
}

/** Gives this device a station and the first printer of each paper, as its user would choose them. */
async function equip(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const headers = { authorization: localStorage.getItem('user-token') ?? '' }
    const { printers } = (await (await fetch('/api/demo/print_node/printers/list', { headers })).json()) as {
      printers: { id: number; paper: string }[]
    }
    const idOf = (paper: string) => printers.find(printer => printer.paper === paper)?.id ?? null
    localStorage.setItem('printer', JSON.stringify({ labelPrinter: idOf('label'), A4Printer: idOf('a4') }))
    localStorage.setItem('packingStation', 'Bench 1')
  })
}

/** The public page of a parcel that is on its way. */
async function trackingLink(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const headers = { authorization: localStorage.getItem('user-token') ?? '' }
    const answer = await fetch('/api/demo/shipments?limit=50', { headers })
    const { rows } = (await answer.json()) as { rows: { tracking_url: string | null }[] }
    return rows.find(row => row.tracking_url !== null)?.tracking_url ?? ''
  })
}

/** Fonts and pictures have come, and nothing moves any more. */
async function keep(page: Page, name: string): Promise<void> {
  await page.waitForLoadState('load')
  await page.evaluate(async () => {
    await document.fonts.ready
    await Promise.all([...document.images].map(image => image.decode().catch(() => undefined)))
  })
  await page.mouse.move(0, 0)
  const file = join(folder, `${name}.webp`)
  await sharp(await page.screenshot({ animations: 'disabled' }))
    .webp({ quality: 82 })
    .toFile(file)
  console.log(file)
}
