/** What a picker's phone keeps on the device: events that are not sent, photos, the wagon, and the pictures of its products. */
import { type IDBPDatabase, openDB } from 'idb'
import type { EventShelf, QueuedEvent } from './event-queue.rules.ts'
import type { PickEvent, Wagon } from './picking.contract.ts'
import type { Hand } from './picking.rules.ts'

/** Enough to go on where the page was: after a lock, a reload, or a battery change. */
interface Kept {
  user_id: number
  wagon: Wagon
  hand: Hand | null
  begun: boolean
  /** Own events that can be taken back, the latest last. */
  done: PickEvent[]
  /** Those that were, too: what is taken back must be known until the server has heard of it. */
  journal: PickEvent[]
}
interface KeptPhoto {
  event: string
  pick_list_id: number
  wagon_no: number
  user_id: number
  blob: Blob
}

export interface PickShelf extends EventShelf {
  wagon(): Promise<Kept | undefined>
  keepWagon(kept: Kept | undefined): Promise<void>
  photos(): Promise<KeptPhoto[]>
  putPhoto(photo: KeptPhoto): Promise<void>
  removePhoto(event: string): Promise<void>
  picture(key: string): Promise<Blob | undefined>
  putPicture(key: string, blob: Blob): Promise<void>
  /** Forgets pictures that no wagon here needs. */
  keepPictures(keys: ReadonlySet<string>): Promise<void>
}

/** Opened at the first use; a browser that refuses (a private window) makes every operation fail, which the phone survives. */
export function openPickShelf(): PickShelf {
  let opened: Promise<IDBPDatabase> | undefined
  const db = () => {
    opened ??= openDB('pakhus-pick', 1, {
      upgrade(fresh) {
        fresh.createObjectStore('events')
        fresh.createObjectStore('kept')
        fresh.createObjectStore('photos')
        fresh.createObjectStore('pictures')
      },
    })
    return opened
  }
  return {
    load: async () => (await (await db()).getAll('events')) as QueuedEvent[],
    put: async event => void (await (await db()).put('events', event, event.event.id)),
    async remove(ids) {
      const writing = (await db()).transaction('events', 'readwrite')
      await Promise.all([...ids.map(id => writing.store.delete(id)), writing.done])
    },
    wagon: async () => (await (await db()).get('kept', 'wagon')) as Kept | undefined,
    async keepWagon(kept) {
      if (kept) await (await db()).put('kept', kept, 'wagon')
      else await (await db()).delete('kept', 'wagon')
    },
    photos: async () => (await (await db()).getAll('photos')) as KeptPhoto[],
    putPhoto: async photo => void (await (await db()).put('photos', photo, photo.event)),
    removePhoto: async event => (await db()).delete('photos', event),
    picture: async key => (await (await db()).get('pictures', key)) as Blob | undefined,
    putPicture: async (key, blob) => void (await (await db()).put('pictures', blob, key)),
    async keepPictures(keys) {
      const store = await db()
      for (const key of await store.getAllKeys('pictures')) if (!keys.has(String(key))) await store.delete('pictures', key)
    },
  }
}
