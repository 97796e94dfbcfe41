/** The messages of a customer on its page, of all its orders. */
import { Panel } from '#ui/kit/DetailPage.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall } from '#ui/query/calls.ts'
import { messages } from './messages.contract.ts'
import { AnsweredThread } from './ReplyForm.tsx'

export default function CustomerMessages({ customer_id, place }: { customer_id: number; place: number }) {
  const t = useT()
  const thread = useCall(messages.customerThread, { id: customer_id }, { live: ['message'] })
  const rows = thread.data?.rows ?? []
  if (rows.length === 0) return null
  return (
    <Panel title={t('Messages')} count={rows.length} place={place}>
      <AnsweredThread rows={rows} withOrders />
    </Panel>
  )
}
