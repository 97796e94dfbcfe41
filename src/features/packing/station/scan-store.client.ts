/** Where scans survive a reload: the browser's own database on this device. */
import { type IDBPDatabase, openDB } from 'idb'
import type { QueuedScan, ScanShelf } from './scan-queue.rules.ts'

const name = 'pakhus-bench'
const scans = 'scans'

/** Opened at the first use; a browser that refuses (a private window) makes every operation fail, which the queue survives. */
export function openScanShelf(): ScanShelf {
  let opened: Promise<IDBPDatabase> | undefined
  const db = () => {
    opened ??= openDB(name, 1, { upgrade: fresh => void fresh.createObjectStore(scans, { keyPath: 'scan_id' }) })
    return opened
  }
  return {
    load: async () => (await (await db()).getAll(scans)) as QueuedScan[],
    put: async scan => void (await (await db()).put(scans, scan)),
    remove: async scan_id => (await db()).delete(scans, scan_id),
  }
}
