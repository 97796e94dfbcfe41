/** The timeline: everything that happened to the order by day, the newest first, with what stood there before each change. */
import { Button, Menu } from '@mantine/core'
import { IconCheck, IconChevronDown, IconFilter } from '@tabler/icons-react'
import { useState } from 'react'
import { timelineKinds } from '#features/orders/orders/orders.codes.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import type { Order, TimelineKind } from '#features/orders/orders/orders.schemas.ts'
import { Timeline } from '#features/orders/orders/Timeline.tsx'
import { Panel } from '#ui/kit/DetailPage.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall } from '#ui/query/calls.ts'

const step = 30

export function OrderTimeline({ order }: { order: Order }) {
  const t = useT()
  const [kind, setKind] = useState<TimelineKind | null>(null)
  const [limit, setLimit] = useState(step)
  const asked = { id: order.id, limit, ...(kind && { kind: [kind] }) }
  const happened = useCall(orders.timeline, asked, { live: ['order', 'packing', 'shipment', 'print'], keep: true })
  const words: Record<TimelineKind, string> = {
    order: t('Order'),
    packing: t('Packing'),
    label: t('Label'),
    parcel: t('Parcel'),
    print: t('Printing'),
    comment: t('Comments'),
    stop: t('Locks and holds'),
    other: t('Other'),
  }
  const choose = (chosen: TimelineKind | null) => {
    setKind(chosen)
    setLimit(step)
  }
  const choice = (chosen: TimelineKind | null, word: string) => (
    <Menu.Item
      key={word}
      role="menuitemradio"
      aria-checked={kind === chosen}
      rightSection={kind === chosen ? <IconCheck size={16} /> : null}
      onClick={() => choose(chosen)}
    >
      {word}
    </Menu.Item>
  )
  return (
    <Panel
      title={t('History')}
      flush
      place={7}
      actions={
        <Menu position="bottom-end" width={220}>
          <Menu.Target>
            <Button size="compact-sm" variant="default" leftSection={<IconFilter size={16} />} rightSection={<IconChevronDown size={16} />}>
              {kind ? words[kind] : t('Everything')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {choice(null, t('Everything'))}
            {timelineKinds.map(one => choice(one, words[one]))}
          </Menu.Dropdown>
        </Menu>
      }
    >
      <QueryState of={happened} shape="rows">
        {answer => <Timeline answer={answer} loading={happened.isFetching} showEarlier={() => setLimit(Math.min(500, limit + 100))} />}
      </QueryState>
    </Panel>
  )
}
