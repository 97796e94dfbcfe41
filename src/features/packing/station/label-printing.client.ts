/** The papers of orders that were closed here: watched until they lie on the table, printed again, or saved as a file. */

import type { Closing } from '#features/packing/packing/packing.contract.ts'
import { labels } from '#features/shipping/labels/labels.contract.ts'
import { type BenchState, isFailed, type LastLabel, lacksLabel, type Print } from './packing-state.rules.ts'
import type { BenchCore } from './station-core.client.ts'

export type Printing = ReturnType<typeof createPrinting>

interface OrderName {
  order_id: number
  order_no: string
}

/** Older ones have come out, or stand in the list of prints. */
const mostWatched = 8

export function createPrinting(core: BenchCore) {
  const keep = (prints: readonly Print[], last = core.state.last) => change({ prints: prints.slice(-mostWatched), last })

  /** A label that arrives late makes the idle bench green from now on. */
  function change(next: Partial<Pick<BenchState, 'prints' | 'last'>>) {
    const lacked = lacksLabel(core.state)
    core.set(next)
    if (!lacked || lacksLabel(core.state) || core.state.view !== 'idle' || !core.state.last) return
    core.set({ last: { ...core.state.last, at: Date.now() }, heldBy: null, message: null })
    core.play('done')
  }

  /** The last order with what became of its label meanwhile, if it is this one and has lacked it until now. */
  const lastWith = (order_id: number, label: LastLabel): BenchState['last'] => {
    const { last } = core.state
    if (last?.order.order_id !== order_id) return last
    // A copy of a label that came out changes nothing, however its own print goes.
    return { ...last, label: lacksLabel(core.state) ? label : last.label === 'printing' ? 'printed' : last.label }
  }

  /** The papers of an order that was closed just now, in place of what was watched of it. */
  function watch({ order_id, order_no }: OrderName, jobs: Closing['print_jobs']) {
    const others = core.state.prints.filter(print => print.order_id !== order_id)
    keep([...others, ...jobs.map(job => ({ job_id: job.id, document: job.document, order_id, order_no, state: job.state }))])
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
      keep(
        [...others, ...print_jobs.map(job => ({ job_id: job.id, document: 'label', order_id, order_no, state: job.state }))],
        print_jobs.length > 0 ? lastWith(order_id, 'printing') : core.state.last,
      )
      if (print_jobs.every(job => job.state !== 'failed' && job.error === null))
        core.say('The label of {{order_no}} prints again', 'ok', { order_no })
      else if (print_jobs.some(isFailed)) core.play('error')
    } catch (error) {
      core.sayError(error)
    }
  }

  /** The labels of an order as a file; whether it was saved. */
  async function pdf(order_id: number): Promise<boolean> {
    try {
      core.doors.save(await core.doors.send(labels.download, { order_id, packing_station: core.doors.device().station || '-' }))
      change({ last: lastWith(order_id, 'file') })
      return true
    } catch (error) {
      core.sayError(error)
      return false
    }
  }

  /** How far a watched print has come. */
  function told(job_id: number, state: string) {
    const known = core.state.prints.find(print => print.job_id === job_id)
    if (!known || known.state === state) return
    keep(core.state.prints.map(print => (print.job_id === job_id ? { ...print, state } : print)))
    if (isFailed({ state }) && !isFailed(known)) core.play('error')
  }

  /** The label was scanned on its parcel: however its print went, nothing is waited for. */
  function checked(order_id: number) {
    keep(core.state.prints.filter(print => print.order_id !== order_id || print.document !== 'label'))
  }

  /** It lies on the table, or somebody has dealt with it another way. */
  function gone(job_id: number) {
    if (core.state.prints.some(print => print.job_id === job_id)) keep(core.state.prints.filter(print => print.job_id !== job_id))
  }

  return { watch, reprint, pdf, told, checked, gone }
}
