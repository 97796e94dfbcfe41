/** Pictures of products on the device, fetched ahead, and photos of shorts that wait to be sent. */
import { products } from '#features/catalog/products/products.contract.ts'
import { retryOf } from '#ui/offline/retry.rules.ts'
import { CallError } from '#ui/query/call-error.ts'
import type { PickerServices } from './picker-services.client.ts'
import { picking } from './picking.contract.ts'
import type { Line } from './picking.rules.ts'
import type { Wagon } from './picking.schemas.ts'

const pictureKey = (line: Pick<Line, 'product_id' | 'picture_version'>): string => `${line.product_id}:${line.picture_version ?? ''}`

export function createPictures(services: PickerServices) {
  const urls = new Map<string, Promise<string | null>>()

  async function preload(wagon: Wagon): Promise<void> {
    const wanted = new Map(
      wagon.pick_lines.filter(line => line.has_picture && line.product_id !== null).map(line => [pictureKey(line), line]),
    )
    for (const line of wanted.values()) await pictureOf(line)
    await services.store.keepPictures(new Set(wanted.keys())).catch(() => undefined)
  }

  /** The picture's address on this device; null while there is none. */
  function pictureOf(line: Pick<Line, 'product_id' | 'picture_version' | 'has_picture'>): Promise<string | null> {
    if (!line.has_picture || line.product_id === null) return Promise.resolve(null)
    const key = pictureKey(line)
    const known = urls.get(key)
    if (known) return known
    const found = (async () => {
      const kept = await services.store.picture(key).catch(() => undefined)
      if (kept) return URL.createObjectURL(kept)
      const file = await services.send(products.picture, { id: line.product_id as number })
      await services.store.putPicture(key, file).catch(() => undefined)
      return URL.createObjectURL(file)
    })().catch(() => {
      // Asked again when the line is shown again.
      urls.delete(key)
      return null
    })
    urls.set(key, found)
    return found
  }

  return { preload, pictureOf }
}

/** `waiting`: events that the server has not acknowledged; the photo of such a short comes after it. */
export function createPhotos(services: PickerServices, waiting: () => ReadonlySet<string>) {
  let sendingPhotos = false
  async function sendPhotos(): Promise<void> {
    if (sendingPhotos) return
    sendingPhotos = true
    try {
      const unsent = waiting()
      for (const photo of await services.store.photos().catch(() => [])) {
        if (photo.user_id !== services.user_id() || unsent.has(photo.event)) continue
        const { event, pick_list_id, wagon_no, blob } = photo
        try {
          await services.send(picking.photo, { event, pick_list_id, wagon_no, upload: blob })
        } catch (error) {
          if (error instanceof CallError && retryOf(error).again) break
          // The short was refused or taken back: its photo shows nothing any more.
        }
        await services.store.removePhoto(event).catch(() => undefined)
      }
    } finally {
      sendingPhotos = false
    }
  }

  return { sendPhotos }
}
