/** What a picker's phone keeps on the device: events that are not sent, photos, the wagon, and the pictures of its products. */
import type { EntryStore } from '#ui/offline/offline-queue.client.ts'
import { entryStore, openOfflineDatabase } from '#ui/offline/offline-store.client.ts'
import type { QueuedEvent } from './event-format.rules.ts'
import type { StoredWagon } from './picker-model.rules.ts'

interface StoredPhoto {
  event: string
  pick_list_id: number
  wagon_no: number
  user_id: number
  blob: Blob
}

export interface PickStore {
  events: EntryStore<QueuedEvent>
  wagon(): Promise<StoredWagon | undefined>
  keepWagon(stored: StoredWagon | undefined): Promise<void>
  photos(): Promise<StoredPhoto[]>
  putPhoto(photo: StoredPhoto): Promise<void>
  removePhoto(event: string): Promise<void>
  picture(key: string): Promise<Blob | undefined>
  putPicture(key: string, blob: Blob): Promise<void>
  /** Removes pictures that no wagon here needs. */
  keepPictures(keys: ReadonlySet<string>): Promise<void>
}

/** The name is that of version 0.1.0: events of its devices are still sent. */
export function openPickStore(): PickStore {
  const database = openOfflineDatabase('pakhus-pick', { events: null, kept: null, photos: null, pictures: null })
  return {
    events: entryStore<QueuedEvent>(database, 'events', one => one.event.id),
    wagon: () => database.get<StoredWagon>('kept', 'wagon'),
    keepWagon: stored => (stored ? database.put('kept', stored, 'wagon') : database.remove('kept', ['wagon'])),
    photos: () => database.all<StoredPhoto>('photos'),
    putPhoto: photo => database.put('photos', photo, photo.event),
    removePhoto: event => database.remove('photos', [event]),
    picture: key => database.get<Blob>('pictures', key),
    putPicture: (key, blob) => database.put('pictures', blob, key),
    async keepPictures(keys) {
      await database.remove(
        'pictures',
        (await database.keys('pictures')).filter(key => !keys.has(key)),
      )
    },
  }
}
