/** Labels that a courier answers as the pages of one file. */
import { PDFDocument } from '@cantoo/pdf-lib'

/** Each page as a file of its own; empty where the file cannot be read. One page is the file as it came. */
export async function labelPages(bytes: Uint8Array): Promise<Uint8Array[]> {
  try {
    const file = await PDFDocument.load(bytes, { updateMetadata: false })
    const pages = file.getPageIndices()
    if (pages.length === 1) return [bytes]
    return await Promise.all(
      pages.map(async page => {
        const one = await PDFDocument.create({ updateMetadata: false })
        const [copied] = await one.copyPages(file, [page])
        if (copied) one.addPage(copied)
        return one.save()
      }),
    )
  } catch {
    return []
  }
}
