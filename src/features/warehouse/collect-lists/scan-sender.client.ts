/** The scans of this device on their way to the server: kept through a dead spot and a reload, sent one by one, each once. */
import { type IDBPDatabase, openDB } from 'idb'
import { openScanQueue, type QueuedScan, type ScanQueue } from '#features/packing/station/scan-queue.rules.ts'
import { CallError } from '#ui/query/call-error.ts'
import { send } from '#ui/query/calls.ts'
import { onReconnect } from '#ui/query/change-stream.ts'
import { currentSession } from '#ui/query/session.ts'
import { collectListsOwn, type ScanAnswer } from './collect-lists.contract.ts'

/** Who is shown what comes of a scan. */
interface Listener {
  answered: (list_id: number, answer: ScanAnswer) => void
  refused: (list_id: number, error: unknown) => void
  changed: () => void
}
const listeners = new Set<Listener>()
export const hearLine = (listener: Listener): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const store = 'scans'
let opened: Promise<IDBPDatabase> | undefined
const db = () => {
  opened ??= openDB('pakhus-collect', 1, { upgrade: fresh => void fresh.createObjectStore(store, { keyPath: 'scan_id' }) })
  return opened
}

async function ask(scan: QueuedScan) {
  try {
    const { scan_id } = scan
    // The bench's queue keeps what belongs together under one number: here that is the list.
    const id = scan.order_id
    const answer =
      scan.kind === 'scan'
        ? await send(collectListsOwn.scan, { id, body: { scan_id, code: scan.code, method: scan.method } })
        : await send(collectListsOwn.undo, { id, body: { scan_id } })
    return { kind: 'answered', answer } as const
  } catch (error) {
    const status = error instanceof CallError ? error.status : 0
    // No answer, an overloaded house, or a person signed out: the scan waits. Every other answer is one.
    const again = status === 0 || status === 401 || status === 408 || status === 429 || status === 444 || status >= 500
    return again
      ? ({ kind: 'again', reachable: status !== 0 && status !== 444 && status !== 408 } as const)
      : ({ kind: 'refused', error } as const)
  }
}

let line: ScanQueue | undefined

/** The one line of this page. */
export function theLine(): ScanQueue {
  if (line) return line
  line = openScanQueue<ScanAnswer>({
    shelf: {
      load: async () => (await (await db()).getAll(store)) as QueuedScan[],
      put: async scan => void (await (await db()).put(store, scan)),
      remove: async scan_id => (await db()).delete(store, scan_id),
    },
    send: ask,
    onAnswer: (scan, answer) => {
      for (const { answered } of listeners) answered(scan.order_id, answer)
    },
    onRefused: (scan, error) => {
      for (const { refused } of listeners) refused(scan.order_id, error)
    },
    onChange: () => {
      for (const { changed } of listeners) changed()
    },
    asksSerialOf: () => undefined,
    user_id: () => currentSession()?.user.user_id,
  })
  const { hurry, restore } = line
  onReconnect(hurry)
  window.addEventListener('online', hurry)
  void restore()
  return line
}

/** Puts a scan, or the taking back of the last one, into the line. */
export function put(list_id: number, what: { kind: 'scan'; code: string; method: 'scan' | 'camera' } | { kind: 'undo' }): void {
  const user_id = currentSession()?.user.user_id ?? 0
  theLine().add({ ...what, scan_id: crypto.randomUUID(), order_id: list_id, user_id, at: Date.now() })
}
