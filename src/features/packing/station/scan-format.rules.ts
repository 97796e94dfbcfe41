/** How the offline queue reads the station's scans: one order of scans for each packing order. */

import type { MissingPhotoReason } from '#features/packing/packing-photos/packing-photos.codes.ts'

export type ScanMethod = 'scan' | 'camera' | 'typed'

interface Queued {
  /** Made here once: a repeat after a lost answer is the same scan. */
  scan_id: string
  order_id: number
  /** Who scanned it: another person at this device never sends it. */
  user_id: number
  /** Milliseconds since 1970; scans of one order go in this order. */
  at: number
}
/** As the device stores it. */
export type QueuedScan = Queued &
  (
    | { kind: 'scan'; code: string; method: ScanMethod; serial_for?: number | undefined; line_id?: number | undefined }
    | { kind: 'count'; order_line_id: number; quantity: number }
    /** With `pack`, everything of the outer pack to which the last piece belongs. */
    | { kind: 'undo'; pack?: boolean | undefined }
    /** Another parcel begins. */
    | { kind: 'next'; without_photo?: MissingPhotoReason | undefined }
    /** Of the open box, or the answer to an approval rule. */
    | { kind: 'photo'; picture: Blob; approves?: boolean | undefined }
    | {
        kind: 'weight'
        weight_g: number
        source: 'scale' | 'typed' | 'scanned'
        confirmed?: boolean | undefined
        approval?: string | undefined
      }
  )

export const scanFormat = {
  id: (scan: QueuedScan) => scan.scan_id,
  key: (scan: QueuedScan) => scan.order_id,
  user_id: (scan: QueuedScan) => scan.user_id,
  at: (scan: QueuedScan) => scan.at,
  withTime: (scan: QueuedScan, at: number): QueuedScan => ({ ...scan, at }),
}

/** Milliseconds: an order whose scans wait longer was packed another way. */
export const expiresAfter = 24 * 3_600_000
