/** What a device keeps across a reload: databases of the browser, opened at the first use. */
import { type IDBPDatabase, openDB } from 'idb'
import type { EntryStore } from './offline-queue.client.ts'

/** Object stores by name: the field of a record that is its key, or null where the key is given with each write. */
type Stores = Readonly<Record<string, string | null>>

interface OfflineDatabase {
  all<Value>(store: string): Promise<Value[]>
  get<Value>(store: string, key: string): Promise<Value | undefined>
  keys(store: string): Promise<string[]>
  put(store: string, value: unknown, key?: string): Promise<void>
  remove(store: string, keys: readonly string[]): Promise<void>
}

/**
 * Devices hold unsent entries under the database's name and version: both stay as they are, or a new version copies the entries in its upgrade.
 * Every operation fails in a browser that allows no storage (a private window); callers go on without it.
 */
export function openOfflineDatabase(name: string, stores: Stores): OfflineDatabase {
  let opened: Promise<IDBPDatabase> | undefined
  const database = () => {
    opened ??= openDB(name, 1, {
      upgrade(created) {
        for (const [store, keyPath] of Object.entries(stores)) created.createObjectStore(store, { keyPath })
      },
    })
    return opened
  }
  return {
    all: async store => (await database()).getAll(store),
    get: async (store, key) => (await database()).get(store, key),
    keys: async store => (await (await database()).getAllKeys(store)).map(String),
    put: async (store, value, key) => void (await (await database()).put(store, value, key)),
    async remove(store, keys) {
      const writing = (await database()).transaction(store, 'readwrite')
      await Promise.all([...keys.map(key => writing.store.delete(key)), writing.done])
    },
  }
}

/** The entries of a queue in one object store; `keyOf` where the store has no key field. */
export const entryStore = <Entry>(
  database: OfflineDatabase,
  store: string,
  keyOf: (entry: Entry) => string | undefined = () => undefined,
): EntryStore<Entry> => ({
  load: () => database.all<Entry>(store),
  put: entry => database.put(store, entry, keyOf(entry)),
  remove: ids => database.remove(store, ids),
})
