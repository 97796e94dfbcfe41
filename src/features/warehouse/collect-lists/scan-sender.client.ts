/** Scans of collect lists on their way to the server: kept while there is no network and through a reload, sent one by one. */
import { type OfflineQueue, openOfflineQueue } from '#ui/offline/offline-queue.client.ts'
import type { Outcome } from '#ui/offline/offline-queue.rules.ts'
import { entryStore, openOfflineDatabase } from '#ui/offline/offline-store.client.ts'
import { retryOf } from '#ui/offline/retry.rules.ts'
import { send } from '#ui/query/calls.ts'
import { onReconnect } from '#ui/query/change-stream.ts'
import { currentSession } from '#ui/query/session.ts'
import { collectListsOwn } from './collect-lists.contract.ts'
import type { ScanAnswer } from './collect-lists.schemas.ts'

type Action = { kind: 'scan'; code: string; method: 'scan' | 'camera' } | { kind: 'undo' }
/** As the device stores it. */
type QueuedScan = Action & {
  scan_id: string
  /** The collect list, under the name that version 0.1.0 stored it by. */
  order_id: number
  user_id: number
  /** Milliseconds since 1970. */
  at: number
}

interface Listener {
  answered: (list_id: number, answer: ScanAnswer) => void
  refused: (list_id: number, error: unknown) => void
  changed: () => void
}
const listeners = new Set<Listener>()
export const onScanResult = (listener: Listener): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

async function sendScan(scan: QueuedScan): Promise<Outcome<ScanAnswer>> {
  const { scan_id, order_id: id } = scan
  try {
    const answer =
      scan.kind === 'scan'
        ? await send(collectListsOwn.scan, { id, body: { scan_id, code: scan.code, method: scan.method } })
        : await send(collectListsOwn.undo, { id, body: { scan_id } })
    return { kind: 'answered', answers: new Map([[scan_id, answer]]) }
  } catch (error) {
    const { again, reachable } = retryOf(error)
    return again ? { kind: 'again', reachable } : { kind: 'refused', error }
  }
}

let queue: OfflineQueue<QueuedScan> | undefined

/** The queue of this page, opened at the first use. */
export function scanQueue(): OfflineQueue<QueuedScan> {
  if (queue) return queue
  queue = openOfflineQueue<QueuedScan, ScanAnswer>({
    format: {
      id: scan => scan.scan_id,
      key: scan => scan.order_id,
      user_id: scan => scan.user_id,
      at: scan => scan.at,
      withTime: (scan, at) => ({ ...scan, at }),
    },
    // The name is that of version 0.1.0: scans of its devices are still sent.
    store: entryStore(openOfflineDatabase('pakhus-collect', { scans: 'scan_id' }), 'scans'),
    expiresAfter: 24 * 3_600_000,
    send: async ([scan]) => (scan ? sendScan(scan) : { kind: 'answered', answers: new Map() }),
    onAnswer: (scan, answer) => {
      for (const { answered } of listeners) answered(scan.order_id, answer)
    },
    onRefused: (scans, error) => {
      for (const scan of scans) for (const { refused } of listeners) refused(scan.order_id, error)
    },
    onChange: () => {
      for (const { changed } of listeners) changed()
    },
    user_id: () => currentSession()?.user.user_id,
  })
  const { retryNow, restore } = queue
  onReconnect(retryNow)
  window.addEventListener('online', retryNow)
  void restore()
  return queue
}

/** Queues a scan, or an undo of the last one. */
export function enqueueScan(list_id: number, action: Action): void {
  const user_id = currentSession()?.user.user_id ?? 0
  scanQueue().add({ ...action, scan_id: crypto.randomUUID(), order_id: list_id, user_id, at: Date.now() })
}
