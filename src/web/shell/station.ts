/** What the top bar says about this station's printers; the printers' part reports it, the shell only shows it. */
import { useSyncExternalStore } from 'react'

export interface PrinterReport {
  name: string
  state: 'ready' | 'away' | 'unknown'
}
export interface StationReport {
  label: PrinterReport | null
  a4: PrinterReport | null
}

let report: StationReport = { label: null, a4: null }
const watchers = new Set<() => void>()

/** Says how the chosen printers are: `reportPrinters({ label: { name: 'Zebra 2', state: 'away' } })`. */
export function reportPrinters(change: Partial<StationReport>): void {
  report = { ...report, ...change }
  for (const watcher of watchers) watcher()
}

export const useStationReport = (): StationReport =>
  useSyncExternalStore(
    watcher => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => report,
  )
