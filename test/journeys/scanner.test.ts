/** The scanner in a real Chromium: wherever the focus is, at the speeds of real scanners, on a busy machine. */

import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join, normalize } from 'node:path'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import react from '@vitejs/plugin-react'
import { code128, drawingSVG } from 'bwip-js/node'
import { type Browser, chromium, type Page } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { calibrationSentences, testCode } from '#ui/scanner/calibration.ts'
import { findChromium } from '../chromium.ts'
import { scan } from './scan.ts'

let folder: string
let server: Server
let origin: string
let browser: Browser
let page: Page
let faults: string[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scanner-page-'))
  await build({
    configFile: false,
    logLevel: 'error',
    root: join(import.meta.dirname, 'scanner-page'),
    plugins: [react()],
    define: { __VERSION__: '"0"', __BUILD__: '"test"', __WORDS__: '{}' },
    build: { outDir: folder, emptyOutDir: true, minify: false, target: 'esnext' },
  })
  const camera = join(folder, 'camera.y4m')
  await writeFile(camera, await film(await picture('1:1023')))
  server = await serveFolder(folder)
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  browser = await chromium.launch({
    executablePath: findChromium() ?? '',
    args: [
      '--no-sandbox',
      '--autoplay-policy=user-gesture-required',
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      `--use-file-for-fake-video-capture=${camera}`,
    ],
  })
})

afterAll(async () => {
  await browser?.close()
  server?.close()
  if (folder) await rm(folder, { recursive: true, force: true })
})

beforeEach(async () => {
  await page?.context().close()
  faults = []
  page = await open('')
})

async function open(query: string, options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
  const context = await browser.newContext(options)
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  page.on('pageerror', error => faults.push(String(error)))
  page.on('console', message => {
    if (message.type() === 'error') faults.push(message.text())
  })
  await page.goto(`${origin}/${query}`)
  await ready(page)
  return page
}

/** Effects have run, so the scanner is listened to. */
async function ready(page: Page) {
  await page.locator('#root *').first().waitFor({ state: 'attached' })
  await page.evaluate(() => new Promise(painted => requestAnimationFrame(() => setTimeout(painted))))
}

interface Log {
  scans: string[]
  clicks: string[]
  changes: string[]
  shortcuts: string[]
}
const log = () => page.evaluate(() => (window as unknown as { log: Log }).log)
const scans = async () => (await log()).scans

describe('a scan', () => {
  describe.each([2, 8, 16, 25])('at %i ms a key', gap => {
    it('is heard with the focus in a text box, which keeps its text, selection and what React knows of it', async () => {
      const name = page.getByLabel('Name')
      await name.focus()
      await name.evaluate((input: HTMLInputElement) => input.setSelectionRange(1, 2))
      await scan(page, '1:1023', { gap })
      expect(await scans()).toEqual(['order 1 1023'])
      expect(await name.inputValue()).toBe('abc')
      expect(await name.evaluate((input: HTMLInputElement) => [input.selectionStart, input.selectionEnd])).toEqual([1, 2])
      expect((await log()).changes.at(-1)).toBe('abc')
      expect((await log()).clicks).toEqual([])
      await page.keyboard.press('End')
      await page.keyboard.type('d')
      expect(await name.inputValue()).toBe('abcd')
      expect(faults).toEqual([])
    })

    it.each(['Note', 'Amount', 'Secret', 'Colour', 'Editor'])('is heard with the focus in %s, which stays as it was', async label => {
      const field = page.getByLabel(label)
      await field.focus()
      const before = await field.evaluate(element => (element as HTMLInputElement).value ?? element.textContent)
      await scan(page, '1:5701', { gap })
      expect(await scans()).toEqual(['order 1 5701'])
      expect(await field.evaluate(element => (element as HTMLInputElement).value ?? element.textContent)).toBe(before)
      expect((await log()).clicks).toEqual([])
    })

    it('is heard with the focus on a button, which is not pressed, and on a box, which is not ticked', async () => {
      await page.getByRole('button', { name: 'Print label' }).focus()
      await scan(page, 'A1 B2 C3', { gap })
      await page.getByRole('button', { name: 'Save' }).focus()
      await scan(page, '1:1023', { gap })
      await page.getByLabel('Agree').focus()
      await scan(page, 'A1 B2 C3', { gap, end: 'Tab' })
      expect(await scans()).toEqual(['unknown A1 B2 C3', 'order 1 1023', 'unknown A1 B2 C3'])
      expect((await log()).clicks).toEqual([])
      expect(await page.getByLabel('Agree').isChecked()).toBe(false)
      expect(await page.getByLabel('Agree').evaluate(element => element === document.activeElement)).toBe(true)
    })

    it('is received in a dialog, first by the dialog, and on the bare page', async () => {
      await page.getByRole('button', { name: 'Open' }).click()
      const grams = page.getByLabel('Grams')
      await grams.focus()
      await scan(page, '5701234567899', { gap })
      await scan(page, '1:1023', { gap })
      await page.getByRole('button', { name: 'Weigh' }).focus()
      await scan(page, '85123A', { gap })
      expect(await scans()).toEqual(['dialog 5701234567899', 'order 1 1023', 'dialog 85123A'])
      expect(await grams.inputValue()).toBe('500')
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      await page.evaluate(() => (document.activeElement as HTMLElement).blur())
      await scan(page, '85123A', { gap })
      expect((await scans()).at(-1)).toBe('unknown 85123A')
      expect((await log()).clicks).toEqual([])
    })
  })

  it('is received right after another, and ignored when it is the same within 100 ms', async () => {
    await scan(page, '1:1023', { gap: 2 })
    await scan(page, '1:1024', { gap: 2, after: 30 })
    await scan(page, '1:1024', { gap: 2, after: 30 })
    await scan(page, '1:1024', { gap: 2, after: 110 })
    expect(await scans()).toEqual(['order 1 1023', 'order 1 1024', 'order 1 1024'])
  })

  it('is judged by when its keys were struck, not by when a slow page sees them', async () => {
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: 6 })
    await page.getByLabel('Name').focus()
    await page.evaluate(() =>
      setInterval(() => {
        const until = performance.now() + 70
        while (performance.now() < until);
      }, 90),
    )
    for (const gap of [2, 8, 16, 25]) await scan(page, `1:10${gap}`, { gap })
    await expect.poll(scans).toEqual(['order 1 102', 'order 1 108', 'order 1 1016', 'order 1 1025'])
    expect(await page.getByLabel('Name').inputValue()).toBe('abc')
  })

  it('from a US scanner on a Danish or German PC is read as it was printed', async () => {
    await scan(page, '1:1023', { pc: 'da' })
    await scan(page, '2:77', { pc: 'de' })
    await page.evaluate(() => localStorage.setItem('scanner', JSON.stringify({ layout: 'us' })))
    await page.reload()
    await ready(page)
    await scan(page, 'zyx-1/B', { pc: 'de' })
    expect(await scans()).toEqual(['unknown zyx-1/B'])
  })

  it('that comes in pieces is refused, and leaves the text box as it was', async () => {
    await page.getByLabel('Name').focus()
    await scan(page, '1:10', { end: '' })
    await scan(page, '23456', { after: 140 })
    expect(await scans()).toEqual(['refused: The scan came in pieces. Scan again.'])
    expect(await page.getByLabel('Name').inputValue()).toBe('abc')
  })

  it('of control characters is refused with a sentence', async () => {
    await page.evaluate(() => localStorage.setItem('scanner', JSON.stringify({ layout: 'pc' })))
    await page.reload()
    await ready(page)
    const session = await page.context().newCDPSession(page)
    const at = Date.now()
    const press = (code: string, key: string, after: number, modifiers = 0) =>
      session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', code, key, modifiers, timestamp: (at + after) / 1000 })
    for (const [place, digit] of [...'1234'].entries()) await press(`Digit${digit}`, digit, place * 8)
    await press('KeyB', 'b', 32, 2)
    await press('Enter', 'Enter', 40)
    expect((await scans())[0]).toContain('refused: The code holds characters')
  })

  it('without Enter ends by silence where the profile says so', async () => {
    await page.evaluate(() => localStorage.setItem('scanner', JSON.stringify({ suffix: 'none' })))
    await page.reload()
    await ready(page)
    await page.getByLabel('Name').focus()
    await scan(page, '1:1023', { end: '' })
    await expect.poll(scans).toEqual(['order 1 1023'])
    expect(await page.getByLabel('Name').inputValue()).toBe('abc')
  })

  it('stays in a field that wants it', async () => {
    await page.getByLabel('Serial').focus()
    await scan(page, 'a1234567890', { end: '' })
    expect(await page.getByLabel('Serial').inputValue()).toBe('a1234567890')
    expect(await scans()).toEqual([])
  })

  it('sets off no shortcut of the page after its first keys', async () => {
    await scan(page, 'ABCDEFGH')
    const { shortcuts } = await log()
    expect(shortcuts.filter(key => key.length === 1)).toEqual(['A', 'B'])
    expect(shortcuts).not.toContain('Enter')
  })

  it('that is pasted is received when no field wants the text', async () => {
    const paste = (target: string, text: string) =>
      page.evaluate(
        ([selector, text]) => {
          const clipboardData = new DataTransfer()
          clipboardData.setData('text/plain', text!)
          const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
          return !document.querySelector(selector!)!.dispatchEvent(event)
        },
        [target, text],
      )
    expect(await paste('body', '1:1023\r\n')).toBe(true)
    expect(await paste('textarea', '1:1024\r\n')).toBe(false)
    expect(await scans()).toEqual(['order 1 1023'])
  })
})

describe('a person', () => {
  it('types, submits and presses buttons as without a scanner', async () => {
    const name = page.getByLabel('Name')
    await name.focus()
    await scan(page, '1:77 Hello', { gap: 60 })
    expect(await name.inputValue()).toBe('abc1:77 Hello')
    expect((await log()).clicks).toEqual(['submit'])
    await scan(page, 'xyz', { gap: 90, end: '' })
    expect(await name.inputValue()).toBe('abc1:77 Helloxyz')
    await page.getByRole('button', { name: 'Print label' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Space')
    expect((await log()).clicks).toEqual(['submit', 'button', 'button'])
    expect(await scans()).toEqual([])
  })

  it('may hold a key down', async () => {
    const session = await page.context().newCDPSession(page)
    await page.getByLabel('Name').focus()
    const at = Date.now()
    const press = (key: string, after: number, autoRepeat: boolean) =>
      session.send('Input.dispatchKeyEvent', { type: 'keyDown', code: 'KeyX', key, text: key, autoRepeat, timestamp: (at + after) / 1000 })
    for (let count = 0; count < 20; count++) await press('x', count * 15, count > 0)
    await page.keyboard.press('Enter')
    expect(await page.getByLabel('Name').inputValue()).toBe(`abc${'x'.repeat(20)}`)
    expect((await log()).clicks).toEqual(['submit'])
    expect(await scans()).toEqual([])
  })
})

describe('a phone', () => {
  it('gives text without keys to the hidden field, which never opens the keyboard', async () => {
    page = await open('', { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })
    const scannerInput = page.getByLabel('Scanner input')
    await expect.poll(() => scannerInput.evaluate(element => element === document.activeElement)).toBe(true)
    expect(await scannerInput.getAttribute('inputmode')).toBe('none')
    const session = await page.context().newCDPSession(page)
    await session.send('Input.insertText', { text: '1:1023' })
    await expect.poll(scans).toEqual(['order 1 1023'])
    expect(await scannerInput.inputValue()).toBe('')
    await scan(page, '2:55')
    expect(await scans()).toEqual(['order 1 1023', 'order 2 55'])
    expect(await scannerInput.inputValue()).toBe('')
  })
})

describe('calibration', () => {
  const calibrate = async () => {
    await page.getByRole('button', { name: 'Start calibration' }).click()
    await page.getByText('Scan the code above now').waitFor()
  }
  const profile = () => page.evaluate(() => JSON.parse(localStorage.getItem('scanner') ?? '{}') as Record<string, unknown>)

  it.each([
    ['us', 'da', 'Enter', { layout: 'us', suffix: 'enter' }],
    ['de', 'us', 'Tab', { layout: 'de', suffix: 'tab' }],
    ['da', 'da', '', { layout: 'da', suffix: 'none' }],
  ] as const)('finds a %s scanner on a %s PC that ends with "%s"', async (layout, pc, end, expected) => {
    page = await open('?view=calibration')
    await page.getByAltText('Test code for the scanner').waitFor()
    await calibrate()
    await scan(page, testCode, { layout, pc, end })
    await page.getByText('The scanner is calibrated').waitFor()
    expect(await profile()).toMatchObject(expected)
    if (end !== '') {
      await scan(page, 'z:y-1', { layout, pc, end })
      await page.getByText('Read: z:y-1').waitFor()
    }
    expect(faults).toEqual([])
  })

  it('says what is wrong, and can be left', async () => {
    page = await open('?view=calibration')
    await calibrate()
    await scan(page, '5701234567899')
    await page.getByText(calibrationSentences.otherCode.replace('{{text}}', '5701234567899')).waitFor()
    expect(await profile()).toEqual({})
    await calibrate()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Start calibration' }).waitFor()
  })

  it('shows a code that a reader reads, and sounds that can be tried', async () => {
    page = await open('?view=calibration')
    const image = page.getByAltText('Test code for the scanner')
    await image.waitFor()
    expect(await read(await image.screenshot())).toBe(testCode)
    for (const name of ['Correct scan', 'Wrong scan', 'Order finished']) await page.getByRole('button', { name, exact: true }).click()
    expect(faults).toEqual([])
  })
})

describe('the camera', () => {
  it('reads a code with the reader that we serve ourselves, once', async () => {
    const requests: string[] = []
    page = await open('')
    page.on('request', request => requests.push(request.url()))
    await page.goto(`${origin}/?view=camera`)
    await page.getByText('Read: 1:1023').waitFor()
    await page.waitForTimeout(1500)
    expect(await scans()).toEqual(['1:1023'])
    expect(requests.filter(url => !url.startsWith(origin) && !url.startsWith('data:') && !url.startsWith('blob:'))).toEqual([])
    expect(faults).toEqual([])
  })

  it.each([
    ['NotAllowedError', 'The camera is not allowed.'],
    ['NotFoundError', 'This device has no camera that can be used.'],
    ['NotReadableError', 'Another program uses the camera.'],
  ])('says what %s means and can be tried again', async (name, sentence) => {
    page = await open('')
    await page.addInitScript(name => {
      navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', name))
    }, name)
    await page.goto(`${origin}/?view=camera`)
    await page.getByText(sentence).waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText(sentence).waitFor()
    expect(faults).toEqual([])
  })

  it('says that it needs HTTPS', async () => {
    page = await open('')
    await page.addInitScript(() => Object.defineProperty(window, 'isSecureContext', { value: false }))
    await page.goto(`${origin}/?view=camera`)
    await page.getByText('The camera works only over HTTPS.').waitFor()
  })
})

const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm' }

async function serveFolder(folder: string): Promise<Server> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://page').pathname
    const file = join(folder, normalize(path === '/' ? 'index.html' : path))
    readFile(file).then(
      body => response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' }).end(body),
      () => response.writeHead(path === '/favicon.ico' ? 204 : 404).end(),
    )
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  return server
}

/** A Code 128 as a camera sees it, 640 by 480. */
async function picture(text: string) {
  const svg = code128({ bcid: 'code128', text, height: 20, scale: 4, padding: 10, backgroundcolor: 'FFFFFF' }, drawingSVG())
  const image = await loadImage(Buffer.from(svg))
  const canvas = createCanvas(640, 480)
  const context = canvas.getContext('2d')
  context.fillStyle = 'white'
  context.fillRect(0, 0, 640, 480)
  context.drawImage(image, 40, 140, 560, 200)
  return context.getImageData(0, 0, 640, 480)
}

/** The picture as a film of a few frames, uncompressed (YUV4MPEG2), which Chromium takes for a camera. */
async function film({ data, width, height }: { data: Uint8ClampedArray; width: number; height: number }): Promise<Buffer> {
  const luminance = Buffer.alloc(width * height)
  for (let at = 0; at < luminance.length; at++) luminance[at] = 16 + Math.round((data[at * 4]! * 219) / 255)
  const colourless = Buffer.alloc((width * height) / 2, 128)
  const frame = Buffer.concat([Buffer.from('FRAME\n'), luminance, colourless])
  return Buffer.concat([Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\n`), frame, frame, frame])
}

const wasm = readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'))

async function read(png: Buffer): Promise<string | undefined> {
  prepareZXingModule({ overrides: { wasmBinary: Uint8Array.from(wasm).buffer } })
  const found = await readBarcodes(png, { formats: ['Code128'], tryHarder: true })
  return found[0]?.text
}
