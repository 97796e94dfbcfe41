/** The interface of every printing provider: PrintNode, the `file` printer, and later ones. */

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
  /** Idempotency key: the same key never prints twice. */
  idempotency_key: string
  /** Seconds after which the job must not be printed any more. */
  expire_after_s: number
  paper: string | null
  copies: number
}

export type PrintState = 'sent' | 'accepted' | 'done' | 'failed' | 'expired' | 'cancelled'

export interface Printing {
  kind: 'printnode' | 'file'
  printers(signal: AbortSignal): Promise<RemotePrinter[]>
  /** Returns the provider's job id once the provider has accepted the job. Throws `PrinterRefused`, `PrinterUnavailable` or `PrintOutcomeUnknown`. */
  print(request: PrintRequest, signal: AbortSignal): Promise<{ remote_job_id: string }>
  /** Latest known state of a job. */
  state(remote_job_id: string, signal: AbortSignal): Promise<{ state: PrintState; message: string | null }>
  cancel(remote_job_id: string, signal: AbortSignal): Promise<boolean>
}

/** The provider rejects the job; the sentence gives the reason. */
export class PrinterRefused extends Error {
  override name = 'PrinterRefused'
}
/** Nothing was submitted; a retry with the same key is safe. */
export class PrinterUnavailable extends Error {
  override name = 'PrinterUnavailable'
}
/** The provider may have the job: retry only with the same key. */
export class PrintOutcomeUnknown extends Error {
  override name = 'PrintOutcomeUnknown'
}
