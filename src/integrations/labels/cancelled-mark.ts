/** Marks the PDF of a label as cancelled, so that its print cannot be mistaken for one that a courier takes. */
import { degrees, PDFDocument, rgb, StandardFonts } from '@cantoo/pdf-lib'

const word = 'CANCELLED'

/** The word stands across each page, from corner to corner, over everything that a person or a scanner reads. */
export async function markCancelled(label: Uint8Array): Promise<Uint8Array> {
  const document = await PDFDocument.load(label, { updateMetadata: false })
  const font = await document.embedFont(StandardFonts.HelveticaBold)
  for (const page of document.getPages()) {
    const { x, y, width, height } = page.getMediaBox()
    const angle = Math.atan2(height, width)
    const diagonal = Math.hypot(width, height)
    const size = (diagonal * 0.85) / font.widthOfTextAtSize(word, 1)
    const length = font.widthOfTextAtSize(word, size)
    const rise = font.heightAtSize(size, { descender: false })
    const middle = { x: x + width / 2, y: y + height / 2 }
    page.drawText(word, {
      x: middle.x - (Math.cos(angle) * length) / 2 + (Math.sin(angle) * rise) / 2,
      y: middle.y - (Math.sin(angle) * length) / 2 - (Math.cos(angle) * rise) / 2,
      size,
      font,
      rotate: degrees((angle * 180) / Math.PI),
      color: rgb(0, 0, 0),
    })
  }
  return document.save()
}
