/** UPS draws labels as pictures and not as PDF: this makes a page of 4 × 6 inches of one. */
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import { concatTransformationMatrix, drawObject, PDFDocument, PDFName, popGraphicsState, pushGraphicsState } from '@cantoo/pdf-lib'
import sharp from 'sharp'

const pageWidth = 4 * 72
const pageHeight = 6 * 72
const mostPixels = 20_000_000
const deflated = promisify(deflate)

/**
 * The picture lies on its side: its left edge becomes the top of the page. A label is 4 × 6 inches; what is drawn below it, the
 * conditions of carriage, is cut off, so that the bars keep their size. Null where it is no picture.
 */
export async function labelPage(picture: Uint8Array): Promise<Uint8Array | null> {
  try {
    const open = () => sharp(picture, { limitInputPixels: mostPixels, failOn: 'error', animated: false })
    const { format, width, height } = await open().metadata()
    if (format !== 'gif' && format !== 'png') return null
    const lies = width > height
    const [wide, long] = lies ? [height, width] : [width, height]
    const kept = Math.min(long, Math.round((wide * pageHeight) / pageWidth))
    const { data, info } = await open()
      .timeout({ seconds: 10 })
      .extract(lies ? { left: 0, top: 0, width: kept, height: wide } : { left: 0, top: 0, width: wide, height: kept })
      .rotate(lies ? 90 : 0)
      .flatten({ background: '#ffffff' })
      .toColourspace('b-w')
      .raw()
      .toBuffer({ resolveWithObject: true })
    if (info.channels !== 1) return null
    return await onePage(await deflated(data), info.width, info.height)
  } catch {
    return null
  }
}

/** `grey` is one byte for each pixel, deflated. It fills the width of the page, from its top. */
async function onePage(grey: Uint8Array, width: number, height: number): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false })
  const image = document.context.stream(grey, {
    Type: 'XObject',
    Subtype: 'Image',
    Width: width,
    Height: height,
    ColorSpace: 'DeviceGray',
    BitsPerComponent: 8,
    Filter: 'FlateDecode',
  })
  const page = document.addPage([pageWidth, pageHeight])
  const shown = (height / width) * pageWidth
  page.node.setXObject(PDFName.of('Label'), document.context.register(image))
  page.pushOperators(
    pushGraphicsState(),
    concatTransformationMatrix(pageWidth, 0, 0, shown, 0, pageHeight - shown),
    drawObject('Label'),
    popGraphicsState(),
  )
  return document.save()
}
