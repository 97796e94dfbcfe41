/**
 * The app of a journey: server, queue and schedules on its own database, the built screens, and users at
 * their browsers. Whatever a page complains about fails the test.
 *
 *     const testApp = await openJourneyApp()
 *     const operator = await testApp.operator({ shops: 1 })
 *     const kim = await operator.hire(['scan'], undefined, 'Kim')
 *     const page = await testApp.open(kim, '/', { station: 'Bench 4' })
 */
import { existsSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import type { Locale } from '#contract/limits.ts'
import { session } from '#contract/session.ts'
import { printers } from '#features/printing/printers/printers.contract.ts'
import { findChromium } from '../chromium.ts'
import { openTestApp, type Template, type TestApp, type TestUser } from '../test-app.ts'
import { recordCalls } from './page-assertions.ts'

/** `JOURNEY_DELAY=400` delays each call by up to so many milliseconds: steps that do not wait for an answer fail then. */
const delay = Number(process.env.JOURNEY_DELAY ?? 0)

export interface BrowserOptions extends BrowserContextOptions {
  /** The packing station of this device; `null` for a device that has none yet. */
  station?: string | null
  /** Printer ids of this device. */
  labelPrinter?: number | null
  A4Printer?: number | null
  language?: Locale
  /** More of what the device remembers: storage key → text. */
  remembers?: Record<string, string>
  /** The page stays open until the app closes: a later test `revisit`s it and finds the scripts compiled. */
  lasting?: boolean
}

export interface JourneyApp extends TestApp {
  port: number
  browser: Browser
  /** `http://{company}.localhost:{port}` */
  origin(company: string): string
  /** Opens a browser context for one test, signed in or not. Resolves when the page is loaded; closes with the test. */
  open(worker: TestUser | { company: { code: string } }, path?: string, desk?: BrowserOptions): Promise<Page>
  /** Loads another path of the same company in a lasting page. */
  revisit(page: Page, path: string): Promise<void>
  /** A built-in file printer of this worker's company, which writes what it prints into a folder. */
  filePrinter(worker: TestUser, paper?: 'label' | 'a4'): Promise<number>
  /** Everything that pages complained about since the last time this was asked. */
  faults(): string[]
  /** Pages may lose the network from here on without that being a fault. */
  expectOutages(): void
}

/**
 * Opens an app and watches its pages: after each test no page may have logged an error. `env` adds settings; `camera` a made-up camera.
 * With `serviceWorker` each new page stores the whole product on its device, which takes a sixth of the time of a journey: for what goes on
 * without a network.
 */
export async function openJourneyApp(
  env: Record<string, string> = {},
  { camera = false, serviceWorker = false, template }: { camera?: boolean; serviceWorker?: boolean; template?: Template } = {},
): Promise<JourneyApp> {
  // While screens are being written, the development server may serve the screens.
  const screens = process.env.JOURNEY_SCREENS
  if (!screens && !existsSync(join(import.meta.dirname, '../../dist/web/index.html')))
    throw new Error('The screens are not built: run `npm run build` first')
  const executablePath = findChromium()
  if (!executablePath) throw new Error('The journeys need a Chromium: set CHROMIUM to the path of its program')

  const testApp = await openTestApp({ LOG_LEVEL: process.env.LOG_LEVEL ?? 'error', ...env }, undefined, template)
  await testApp.app.listen({ port: 0, host: '127.0.0.1' })
  await testApp.startWorkers()
  const { port } = testApp.app.server.address() as AddressInfo
  const front = screens ? await screensBefore(port) : undefined
  const browser = await chromium.launch({
    executablePath,
    args: [
      // Words are as wide as in a window.
      ...[
        '--no-sandbox',
        '--font-render-hinting=none',
        '--disable-dev-shm-usage',
        '--autoplay-policy=no-user-gesture-required',
        '--mute-audio',
      ],
      ...(camera ? ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'] : []),
    ],
  })
  let complaints: string[] = []
  let outages = false
  const contexts = new Set<BrowserContext>()
  const lastingContexts = new Set<BrowserContext>()
  const origin = (company: string): string => `http://${company}.localhost:${front?.port ?? port}`

  const witness = recordCalls()
  let ending = false
  /** At the end of the running test its pages close, and none of them may have complained. */
  function atTheEnd(): void {
    if (ending) return
    ending = true
    onTestFinished(async ({ task }) => {
      ending = false
      if (task.result?.state === 'fail' || complaints.length > 0) await witness.report(task.name)
      // A page that is being loaded now and then never answers; the browser ends it at the end of the file.
      for (const context of contexts) await Promise.race([context.close(), sleep(20_000)])
      contexts.clear()
      const found = complaints
      complaints = []
      outages = false
      expect(found, 'A page complained').toEqual([])
    })
  }

  function watch(page: Page): void {
    witness.watch(page)
    page.on('pageerror', error => complaints.push(`${page.url()}: ${error.stack ?? error.message}`))
    page.on('console', message => {
      const text = message.text()
      if (message.type() !== 'error') return
      // The browser itself reports every refusal; the page has its own answer to it.
      if (/Failed to load resource: the server responded with a status of 4\d\d/.test(text)) return
      if (outages && /net::ERR_|Failed to load resource/.test(text)) return
      complaints.push(`${page.url()}: ${text}`)
    })
  }

  async function visit(page: Page, url: string): Promise<void> {
    await page.goto(url)
    await page.locator('#root > *').first().waitFor({ state: 'attached' })
  }

  return {
    ...testApp,
    port,
    browser,
    origin,
    faults() {
      const found = complaints
      complaints = []
      return found
    },
    expectOutages() {
      outages = true
    },

    async open(
      worker,
      path = '/',
      { station = 'Bench 1', labelPrinter = null, A4Printer = null, language = 'en_GB', remembers = {}, lasting = false, ...options } = {},
    ) {
      atTheEnd()
      const context = await browser.newContext({
        viewport: { width: 1440, height: 900 },
        reducedMotion: 'reduce',
        serviceWorkers: serviceWorker ? 'allow' : 'block',
        ...options,
      })
      ;(lasting ? lastingContexts : contexts).add(context)
      // The machine that runs all journeys is slower than a desk, and some share it with others.
      context.setDefaultTimeout(60_000)
      const stored: Record<string, string> = { locale: language, printer: JSON.stringify({ labelPrinter, A4Printer }), ...remembers }
      if (station !== null) stored.packingStation = station
      if ('token' in worker && worker.token !== '') {
        const { user } = await worker.send(session.current, {})
        stored['user-token'] = worker.token
        stored.user = JSON.stringify(user)
      }
      // Once for each tab: what the page itself changes or forgets later must stay so.
      await context.addInitScript(items => {
        if (window !== window.top || location.protocol === 'about:' || sessionStorage.getItem('journey')) return
        sessionStorage.setItem('journey', 'begun')
        for (const [key, text] of Object.entries(items)) localStorage.setItem(key, text)
      }, stored)
      if (delay > 0)
        await context.route(/\/api\//, async route => {
          await sleep(Math.random() * delay)
          await route.fallback()
        })
      const page = await context.newPage()
      watch(page)
      context.on('page', watch)
      await visit(page, origin(worker.company.code) + path)
      return page
    },

    async revisit(page, path) {
      atTheEnd()
      await visit(page, new URL(path, page.url()).href)
    },

    async filePrinter(worker, paper = 'label') {
      const { printers: known } = await worker.send(printers.list, { refresh: true })
      const file = known.find(printer => printer.kind === 'file' && printer.paper === paper)
      if (!file) throw new Error('This company has no file printer')
      return file.id
    },

    async close() {
      // A page that is being loaded now and then never answers; the browser ends it at the end of the file.
      for (const context of [...contexts, ...lastingContexts]) await Promise.race([context.close(), sleep(20_000)])
      await browser.close()
      await front?.close()
      await testApp.close()
    },
  }
}

/** The development server of the screens, passing the calls on. */
async function screensBefore(port: number): Promise<{ port: number; close: () => Promise<void> }> {
  process.env.API_ORIGIN = `http://127.0.0.1:${port}`
  const { createServer } = await import('vite')
  const root = join(import.meta.dirname, '../..')
  const cacheDir = process.env.JOURNEY_SCREENS as string
  const server = await createServer({
    root,
    cacheDir,
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'error',
    server: { port: 0, host: '127.0.0.1', hmr: false, watch: null },
  })
  await server.listen()
  const address = server.httpServer?.address() as AddressInfo
  return { port: address.port, close: () => server.close() }
}
