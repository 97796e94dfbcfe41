/** What every way to print is: PrintNode, the `file` printer, and whatever comes later. */

export type Paper = 'a4' | 'label'

export interface RemotePrinter {
  /** The provider's own id. */
  remote_id: string
  name: string
  description: string
  computer: string
  state: 'online' | 'offline'
  /** Name of the paper → width and height in millimetres. */
  papers: Record<string, readonly [number, number]>
  /** True when raw ZPL reaches the device. */
  raw: boolean
}

export interface PrintRequest {
  remote_id: string
  title: string
  content: Uint8Array
  /** `zpl` is sent raw. */
  format: 'pdf' | 'zpl'
  /** The same key never prints twice. */
  idempotency_key: string
  /** Seconds after which the job must not come out any more. */
  expire_after_s: number
  paper: string | null
  copies: number
}

export type PrintState = 'sent' | 'accepted' | 'done' | 'failed' | 'expired' | 'cancelled'

export interface Printing {
  kind: 'printnode' | 'file'
  printers(signal: AbortSignal): Promise<RemotePrinter[]>
  /** Answers the provider's job id once the provider has accepted the job. Throws `PrinterRefused`, `PrinterUnavailable` or `PrintOutcomeUnknown`. */
  print(request: PrintRequest, signal: AbortSignal): Promise<{ remote_job_id: string }>
  /** Newest known state of a job. */
  state(remote_job_id: string, signal: AbortSignal): Promise<{ state: PrintState; message: string | null }>
  cancel(remote_job_id: string, signal: AbortSignal): Promise<boolean>
}

/** The provider says no; the sentence says why. */
export class PrinterRefused extends Error {
  override name = 'PrinterRefused'
}
/** Nothing was submitted; the same request with the same key may be tried again. */
export class PrinterUnavailable extends Error {
  override name = 'PrinterUnavailable'
}
/** The provider may have it: repeat only with the same key. */
export class PrintOutcomeUnknown extends Error {
  override name = 'PrintOutcomeUnknown'
}
