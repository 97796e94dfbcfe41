/** Reads labels as a printer and a scanner would: renders the PDF and decodes every barcode in the picture, without a network. */

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type Canvas, createCanvas } from '@napi-rs/canvas'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'

const require = createRequire(import.meta.url)
const fonts = `${join(dirname(require.resolve('pdfjs-dist/package.json')), 'standard_fonts')}/`
const wasm = readFileSync(require.resolve('zxing-wasm/reader/zxing_reader.wasm'))
prepareZXingModule({ overrides: { wasmBinary: wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength) as ArrayBuffer } })

export interface ReadCode {
  /** The content as it is encoded: a separator (ASCII 29) for FNC1 inside, nothing for FNC1 at the start, no brackets. */
  text: string
  /** `Code128` or `QRCode`. */
  format: string
  /** The AIM identifier that a scanner would send, `]C1` for GS1-128. */
  symbology: string
}

/** Every barcode on every page, from a picture of so many dots per inch. */
export async function readLabel(pdf: Uint8Array, dpi = 203): Promise<ReadCode[]> {
  const codes: ReadCode[] = []
  for (const canvas of await pages(pdf, dpi)) {
    const { data, width, height } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    const picture = { data: new Uint8ClampedArray(data), width, height, colorSpace: 'srgb' } as ImageData
    for (const found of await readBarcodes(picture, {
      formats: ['Code128', 'QRCode'],
      textMode: 'Plain',
      tryHarder: true,
      maxNumberOfSymbols: 20,
    })) {
      codes.push({ text: found.text, format: found.format, symbology: found.symbologyIdentifier })
    }
  }
  return codes
}

/** The words on every page, in drawing order. */
export async function readText(pdf: Uint8Array): Promise<string[]> {
  const task = open(pdf)
  const document = await task.promise
  const words: string[] = []
  for (let number = 1; number <= document.numPages; number++) {
    const { items } = await (await document.getPage(number)).getTextContent()
    for (const item of items) if ('str' in item && item.str.trim() !== '') words.push(item.str)
  }
  await task.destroy()
  return words
}

async function pages(pdf: Uint8Array, dpi: number): Promise<Canvas[]> {
  const task = open(pdf)
  const document = await task.promise
  const drawn: Canvas[] = []
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number)
    const viewport = page.getViewport({ scale: dpi / 72 })
    const canvas = createCanvas(Math.round(viewport.width), Math.round(viewport.height))
    await page.render({ canvas: canvas as unknown as HTMLCanvasElement, viewport, background: 'white' }).promise
    drawn.push(canvas)
  }
  await task.destroy()
  return drawn
}

/** The reader takes the bytes away from their owner, so it gets a copy. */
function open(pdf: Uint8Array) {
  return getDocument({ data: new Uint8Array(pdf), standardFontDataUrl: fonts, verbosity: 0 })
}
