/** Minor units and a currency, as the reader writes money. */
import { money } from './format.ts'
import { useT } from './translate.ts'

export function Money({ minor, currency }: { minor: number; currency: string }) {
  useT()
  return <span style={{ whiteSpace: 'nowrap' }}>{money(minor, currency)}</span>
}
