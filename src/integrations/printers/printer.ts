/** The interface of every printing provider: PrintNode, the `file` printer, CUPS, and label printers of the network. */

/** `agent` printers have no provider: their print agent asks for jobs. */
export type PrinterKind = 'printnode' | 'file' | 'cups' | 'raw9100' | 'agent'

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
  /** Idempotency key: the same key never prints twice, where the provider knows keys (`knowsKeys`). */
  idempotency_key: string
  /** Seconds after which the job must not be printed any more. */
  expire_after_s: number
  paper: string | null
  copies: number
}

export type PrintState = 'sent' | 'accepted' | 'done' | 'failed' | 'expired' | 'cancelled'

export interface Printing {
  kind: Exclude<PrinterKind, 'agent'>
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
/** The provider may have the job: retry only with the same key, and never where the provider knows no keys. */
export class PrintOutcomeUnknown extends Error {
  override name = 'PrintOutcomeUnknown'
}

/** Whether the provider prints a job once however often it is sent under the same key. */
export const knowsKeys = (kind: PrinterKind): boolean => kind === 'printnode' || kind === 'file'

/** What no provider can print. */
export function refuseUnprintable({ content, copies, expire_after_s }: PrintRequest): void {
  if (content.byteLength === 0) throw new PrinterRefused('The document is empty')
  if (!(copies >= 1 && copies <= 999)) throw new PrinterRefused('The number of copies must be between 1 and 999')
  if (!(expire_after_s > 0)) throw new PrinterRefused('The job had expired before it was sent')
}

/** A guess from the driver's name: no provider says which language a printer understands. A company can override it. */
export function takesZpl(driver: string): boolean {
  if (/\b(epl2?|cpcl|pdf|fax|xps|onenote)\b/i.test(driver)) return false
  return /\bzpl|zdesigner|zebra|\b(zd|zt|zq|zm|gk|gx|gc|qln)-?\d{2,4}|\braw\b|generic\b.*\btext|text only/i.test(driver)
}
