/** Pictures that people upload: decoded and drawn anew, so that nothing but pixels comes in. */
import sharp, { type Sharp } from 'sharp'
import { badRequest } from '#contract/errors.ts'
import { checkStart, collect } from './content.ts'

/** What a browser may hand over (`heif` is AVIF: what cameras put into the same frame cannot be read); everything leaves as PNG or WebP. */
const accepted = new Set(['png', 'jpeg', 'webp', 'heif', 'gif', 'svg'])
/** 50 megapixels: more than any camera in a warehouse, less than a picture made to fill the memory. */
const mostPixels = 50_000_000

/** How a picture of these kinds begins, as Latin-1; `svg` is text. What begins otherwise is refused before the rest of it is read. */
const beginnings = /^(?:\x89PNG|\xff\xd8\xff|RIFF.{4}WEBP|.{4}ftyp|GIF8|(?:\xef\xbb\xbf)?\s*<|\xff\xfe|\xfe\xff)/s
const beginningLength = 64

export interface SanitizedImage {
  bytes: Buffer
  media_type: 'image/png' | 'image/webp' | 'image/jpeg'
}

/**
 * The picture at most `longest` pixels wide and high, upright, without metadata. SVG is drawn as pixels too: its
 * scripts and links do not survive. PNG where sharp edges matter (logos), WebP where size does (photographs), JPEG where others read it (claims).
 * @throws {Refusal} 400 when it is no picture of a known kind
 */
export async function sanitizeImage(
  content: Uint8Array | AsyncIterable<Uint8Array>,
  { longest, as }: { longest: number; as: 'png' | 'webp' | 'jpeg' },
): Promise<SanitizedImage> {
  return decode(content, async open => {
    const drawn = open().resize({ width: longest, height: longest, fit: 'inside', withoutEnlargement: true })
    const bytes =
      as === 'png'
        ? await drawn.png({ compressionLevel: 9, palette: false }).toBuffer()
        : as === 'webp'
          ? await drawn.webp({ quality: 82 }).toBuffer()
          : await drawn.flatten({ background: '#fff' }).jpeg({ quality: 80, mozjpeg: true }).toBuffer()
    return { bytes, media_type: `image/${as}` }
  })
}

export interface CroppedImage {
  width: number
  as: 'webp' | 'jpeg'
  bytes: Buffer
}

/**
 * The picture in each of the sizes, as WebP and as JPEG: cropped around its middle, upright, without metadata, on white, and none of them
 * larger than `mostBytes`.
 * @throws {Refusal} 400 when it is no picture of a known kind
 */
export async function cropImage(
  content: Uint8Array | AsyncIterable<Uint8Array>,
  { sizes, mostBytes }: { sizes: readonly (readonly [width: number, height: number])[]; mostBytes: number },
): Promise<CroppedImage[]> {
  return decode(content, async open => {
    const images: CroppedImage[] = []
    for (const [width, height] of sizes) {
      const pixels = await open()
        .resize({ width, height, fit: 'cover' })
        .flatten({ background: '#fff' })
        .png({ compressionLevel: 1 })
        .toBuffer()
      for (const as of ['webp', 'jpeg'] as const) images.push({ width, as, bytes: await encode(pixels, as, mostBytes) })
    }
    return images
  })
}

/** Coarser until it fits; the coarsest is taken in any case, and fits sizes of a page. */
async function encode(pixels: Buffer, as: CroppedImage['as'], mostBytes: number): Promise<Buffer> {
  for (const quality of [82, 70, 55, 40, 25]) {
    const drawn = sharp(pixels)
    const bytes = await (as === 'webp' ? drawn.webp({ quality }) : drawn.jpeg({ quality, mozjpeg: true })).toBuffer()
    if (bytes.length <= mostBytes) return bytes
  }
  return sharp(pixels).blur(2)[as]({ quality: 10 }).toBuffer()
}

async function decode<T>(content: Uint8Array | AsyncIterable<Uint8Array>, draw: (open: () => Sharp) => Promise<T>): Promise<T> {
  // The decoder needs the whole picture in memory; the call's limit bounds it.
  const given = content instanceof Uint8Array ? content : await collect(checkStart(content, beginningLength, mustBePicture))
  if (given.length === 0) throw badRequest('file_missing', 'Select a file first')
  try {
    const open = () => sharp(given, { limitInputPixels: mostPixels, failOn: 'error', density: 144, animated: false })
    const { format } = await open().metadata()
    if (!format || !accepted.has(format)) throw new Error(`${format} is not accepted`)
    return await draw(() => open().timeout({ seconds: 15 }).autoOrient())
  } catch {
    throw unreadable()
  }
}

function mustBePicture(start: Uint8Array): void {
  if (start.length > 0 && !beginnings.test(Buffer.from(start).toString('latin1'))) throw unreadable()
}

const unreadable = () =>
  badRequest(
    'picture_unreadable',
    'This is no picture that can be shown. Select a PNG, JPEG, WebP, AVIF, GIF or SVG file of at most 50 megapixels.',
  )
