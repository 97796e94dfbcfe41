/** The history of a return by day, the newest first. */
import { useState } from 'react'
import { Timeline } from '#features/orders/orders/Timeline.tsx'
import { Panel } from '#ui/kit/DetailPage.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall } from '#ui/query/calls.ts'
import { returnPage } from './return-page.contract.ts'

const step = 30

export function ReturnHistory({ id }: { id: number }) {
  const t = useT()
  const [limit, setLimit] = useState(step)
  const happened = useCall(returnPage.timeline, { id, limit }, { live: [{ topic: 'return', id }, 'pick_task'], keep: true })
  return (
    <Panel title={t('History')} flush place={7}>
      <QueryState of={happened} shape="rows">
        {answer => <Timeline answer={answer} loading={happened.isFetching} showEarlier={() => setLimit(Math.min(500, limit + 100))} />}
      </QueryState>
    </Panel>
  )
}
