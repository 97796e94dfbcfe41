/** The returns of a customer. */
import { Panel } from '#ui/kit/DetailPage.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall } from '#ui/query/calls.ts'
import { ReturnLines } from './ReturnLines.tsx'
import { returns } from './returns.contract.ts'

export default function CustomerReturns({ customer_id }: { customer_id: number }) {
  const t = useT()
  const { data } = useCall(returns.ofCustomer, { customer_id }, { live: ['return'] })
  if (!data || data.length === 0) return null
  return (
    <Panel title={t('Returns')} count={data.length} flush place={4}>
      <ReturnLines rows={data} none="" />
    </Panel>
  )
}
