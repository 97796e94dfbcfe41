/** The returns of an order, and a new one. */
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Panel } from '#ui/kit/DetailPage.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useNavigate } from '#ui/kit/url-state.ts'
import { useCall } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import { NewReturn } from './NewReturn.tsx'
import { ReturnLines } from './ReturnLines.tsx'
import { returns } from './returns.contract.ts'

export default function OrderReturns({ order_id }: { order_id: number }) {
  const t = useT()
  const navigate = useNavigate()
  const works = useIsAllowed(returns.create.access)
  const [adding, setAdding] = useState(false)
  const { data } = useCall(returns.ofOrder, { order_id }, { live: [{ topic: 'order', id: order_id }] })
  const left = data?.lines.reduce((sum, line) => sum + line.left, 0) ?? 0
  if (!data || (data.returns.length === 0 && (left === 0 || !works))) return null
  return (
    <Panel
      title={t('Returns')}
      count={data.returns.length || null}
      flush
      place={3}
      actions={
        works && left > 0 ? (
          <Button size="compact-sm" variant="default" leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
            {t('New return')}
          </Button>
        ) : null
      }
    >
      <ReturnLines rows={data.returns} none={t('{{count}} items can be returned', { count: left })} />
      {adding ? <NewReturn order_id={order_id} close={() => setAdding(false)} done={id => navigate('/returns', { id })} /> : null}
    </Panel>
  )
}
