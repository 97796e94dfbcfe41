/** What the address of the invoices screen holds. */
import { type UrlValues, urlChoice, urlNumber, urlText } from '#ui/kit/url-fields.ts'
import type { SetUrl, UrlWith } from '#ui/kit/url-state.ts'
import { invoiceSorts, invoiceStates } from './invoices.codes.ts'

export const InvoicesUrl = {
  /** Courier and country whose parcels are shown, `own-NO`; empty for all invoices. */
  way: urlText(),
  show: urlChoice(['all', 'missing', 'skipped'], 'all'),
  query: urlText(),
  state: urlChoice(['', 'open', ...invoiceStates], ''),
  country: urlText(),
  company: urlText(),
  from: urlText(),
  to: urlText(),
  sort: urlChoice(invoiceSorts, '-id'),
  page: urlNumber(1),
  /** The open invoice. */
  id: urlNumber(0),
}
export type InvoicesUrl = UrlValues<typeof InvoicesUrl>
export interface InvoicesProps {
  url: InvoicesUrl
  setUrl: SetUrl<typeof InvoicesUrl>
  urlWith: UrlWith<typeof InvoicesUrl>
}

export const wayOf = ({ agent_code, country }: { agent_code: string; country: string }): string => `${agent_code}-${country}`
