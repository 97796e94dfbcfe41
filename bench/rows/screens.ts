/** Seven screens on an old computer, the processor slowed four times: largest paint, time until usable, answer to input, JavaScript. */
import type { BrowserContext, Locator, Page } from 'playwright-core'
import type { BenchApp } from '../bench-app.ts'
import { median, ms, type Row } from '../measure.ts'
import { scriptSizes, signIn, withBrowser } from './browser.ts'

interface SlowScreen {
  what: string
  path: string
  usable: (page: Page) => Locator
  /** What a person does there first. */
  act: (page: Page) => Promise<void>
  /** Kilobytes of JavaScript, gzip. */
  scripts: number
  phone?: true
  /** Works without signing in. */
  open?: true
}

const typing = (page: Page) => page.keyboard.type('24112', { delay: 40 })
const moving = async (page: Page) => {
  for (let i = 0; i < 5; i++) await page.keyboard.press('Tab', { delay: 20 })
}
const heading = (page: Page) => page.getByRole('heading', { level: 1 }).first()

const screensOf = (order: number): readonly SlowScreen[] => [
  {
    what: 'sign-in',
    path: '/login',
    usable: page => page.getByRole('button', { name: 'Sign in', exact: true }),
    act: typing,
    scripts: 180,
    open: true,
  },
  { what: 'Home', path: '/dashboard', usable: heading, act: moving, scripts: 260 },
  {
    what: 'list of orders',
    path: '/parcels/orders',
    usable: page => page.locator('table[role="grid"] tbody a').first(),
    act: async page => {
      await page.locator('table[role="grid"]').focus()
      for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowDown', { delay: 20 })
    },
    scripts: 260,
  },
  { what: 'order', path: `/parcels/orders?id=${order}`, usable: page => page.getByText('History').first(), act: moving, scripts: 260 },
  {
    what: 'packing station',
    path: '/scan',
    usable: page => page.getByText(/Scan an order code|Select a label printer/).first(),
    act: typing,
    scripts: 260,
  },
  { what: 'picker’s phone', path: '/pick', usable: page => page.getByRole('heading').first(), act: moving, scripts: 260, phone: true },
  { what: 'tracking page', path: '/tracking', usable: heading, act: typing, scripts: 10, phone: true, open: true },
]

/** The limit of an interaction at full speed is 50 ms; the processor has a quarter of it. */
const limits = { usable: 2_500, answer: 200 }

declare global {
  interface Window {
    slowest: { paint: number; answer: number }
  }
}

export async function slowScreens(testApp: BenchApp): Promise<Row[]> {
  await testApp.fill(10_000)
  return withBrowser(testApp, async (browser, server, tenant) => {
    const origin = `http://${tenant.main.code}.localhost:${server.port}`
    const { rows: found } = await testApp.plain.query<{ id: string }>('select min(id) id from orders where operator_id = $1', [
      tenant.operator_id,
    ])
    const sizes = scriptSizes()
    const rows: Row[] = []
    for (const screen of screensOf(Number(found[0]?.id))) {
      const seen: Awaited<ReturnType<typeof visitSlowly>>[] = []
      for (let i = 0; i < 3; i++) {
        const context = await browser.newContext({
          serviceWorkers: 'block',
          viewport: screen.phone ? { width: 390, height: 844 } : { width: 1440, height: 900 },
        })
        if (!screen.open) await signIn(context, testApp, server, tenant)
        seen.push(await visitSlowly(context, origin, screen, sizes))
        await context.close()
      }
      const row = (what: string, value: number, goal: number, unit: (value: number) => string): Row => ({
        name: 'screens',
        what: `${screen.what}, ${what}`,
        ours: unit(value),
        limit: '',
        ratio: '',
        goal: `≤ ${unit(goal)}`,
        ok: value <= goal,
      })
      const middle = (of: keyof (typeof seen)[number]) => median(seen.map(one => one[of]))
      rows.push(
        row('largest paint', middle('paint'), limits.usable, ms),
        row('usable', middle('usable'), limits.usable, ms),
        row('slowest answer to input', middle('answer'), limits.answer, ms),
        row('JavaScript until usable, gzip', middle('script') / 1_000, screen.scripts, kilobytes => `${kilobytes.toFixed(0)} kB`),
      )
    }
    return rows
  })
}

async function visitSlowly(context: BrowserContext, origin: string, screen: SlowScreen, sizes: Map<string, number>) {
  const page = await context.newPage()
  let script = 0
  page.on('response', answer => {
    script += sizes.get(new URL(answer.url()).pathname) ?? 0
  })
  await page.addInitScript(() => {
    window.slowest = { paint: 0, answer: 0 }
    new PerformanceObserver(list => {
      for (const { startTime } of list.getEntries()) window.slowest.paint = startTime
    }).observe({ type: 'largest-contentful-paint', buffered: true })
    // Chromium reports an answer from 16 ms; the type of the options lacks the threshold.
    const threshold: PerformanceObserverInit & { durationThreshold: number } = { type: 'event', durationThreshold: 16 }
    new PerformanceObserver(list => {
      for (const { duration } of list.getEntries()) window.slowest.answer = Math.max(window.slowest.answer, duration)
    }).observe(threshold)
  })
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.goto(origin + screen.path, { waitUntil: 'commit' })
  await screen.usable(page).waitFor({ state: 'visible', timeout: 60_000 })
  const usable = await page.evaluate(() => performance.now())
  // What loads afterwards, on demand or in idle time, keeps no one waiting.
  const firstScript = script
  await page.evaluate(() => new Promise<void>(resolve => requestIdleCallback(() => resolve(), { timeout: 5_000 })))
  await page.waitForTimeout(500)
  const { paint } = await page.evaluate(() => window.slowest)
  await screen.act(page)
  await page.waitForTimeout(500)
  const { answer } = await page.evaluate(() => window.slowest)
  return { script: firstScript, paint, usable, answer }
}
