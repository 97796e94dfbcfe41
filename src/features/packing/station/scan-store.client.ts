/** Where scans survive a reload: the browser's own database on this device. */
import type { EntryStore } from '#ui/offline/offline-queue.client.ts'
import { entryStore, openOfflineDatabase } from '#ui/offline/offline-store.client.ts'
import type { QueuedScan } from './scan-format.rules.ts'

/** The name is that of version 0.1.0: scans of its devices are still sent. */
export const openScanStore = (): EntryStore<QueuedScan> => entryStore(openOfflineDatabase('pakhus-bench', { scans: 'scan_id' }), 'scans')
