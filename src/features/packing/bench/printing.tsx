/** The papers of orders that were closed here: watched until they lie on the table, printed again, or saved as a file. */
import { labels } from '../../shipping/labels/labels.contract.ts'
import type { Closing } from '../packing/packing.contract.ts'
import type { BenchCore } from './bench-core.tsx'
import type { Print } from './bench-state.rules.ts'

export type Printing = ReturnType<typeof createPrinting>

interface OrderName {
  order_id: number
  order_no: string
}

/** Older ones have come out, or stand in the list of prints. */
const mostWatched = 8

export function createPrinting(core: BenchCore) {
  const keep = (prints: readonly Print[]) => core.set({ prints: prints.slice(-mostWatched) })

  /** The papers of an order that was closed just now, in place of what was watched of it. */
  function watch({ order_id, order_no }: OrderName, jobs: Closing['print_jobs']) {
    const others = core.state.prints.filter(print => print.order_id !== order_id)
    keep([...others, ...jobs.map(job => ({ job_id: job.id, document: job.document, order_id, order_no, failed: false }))])
  }

  async function reprint({ order_id, order_no }: OrderName) {
    const { station, label_printer_id } = core.doors.device()
    if (label_printer_id === null) {
      if (await pdf(order_id))
        core.say('No label printer is chosen here: the label of {{order_no}} is saved as a PDF file', 'attention', { order_no })
      return
    }
    try {
      const { print_jobs } = await core.doors.send(labels.print, {
        order_id,
        printer_id: label_printer_id,
        packing_station: station || '-',
      })
      // The print that failed is no longer waited for: trying it again would make a second label.
      const others = core.state.prints.filter(print => print.order_id !== order_id || print.document !== 'label')
      keep([...others, ...print_jobs.map(job => ({ job_id: job.id, document: 'label', order_id, order_no, failed: false }))])
      if (print_jobs.every(job => job.state !== 'failed' && job.error === null))
        core.say('The label of {{order_no}} prints again', 'ok', { order_no })
    } catch (error) {
      core.sayError(error)
    }
  }

  /** The labels of an order as a file; whether it was saved. */
  async function pdf(order_id: number): Promise<boolean> {
    try {
      core.doors.save(await core.doors.send(labels.download, { order_id, packing_station: core.doors.device().station || '-' }))
      return true
    } catch (error) {
      core.sayError(error)
      return false
    }
  }

  /** A watched print has failed, or goes on after all. */
  function told(job_id: number, failed: boolean) {
    const known = core.state.prints.find(print => print.job_id === job_id)
    if (!known || known.failed === failed) return
    core.set({ prints: core.state.prints.map(print => (print.job_id === job_id ? { ...print, failed } : print)) })
    if (failed) core.play('error')
  }

  /** It lies on the table, or somebody has dealt with it another way. */
  function gone(job_id: number) {
    if (core.state.prints.some(print => print.job_id === job_id)) keep(core.state.prints.filter(print => print.job_id !== job_id))
  }

  return { watch, reprint, pdf, told, gone }
}
