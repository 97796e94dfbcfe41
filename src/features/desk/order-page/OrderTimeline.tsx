/** The timeline: everything that happened to the order, the newest first, by kind where somebody looks for something. */
import { Button, Chip, Group } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react'
import { useState } from 'react'
import { timelineKinds } from '#features/orders/orders/orders.codes.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import type { Order, TimelineEntry, TimelineKind } from '#features/orders/orders/orders.schemas.ts'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall } from '#ui/query/calls.ts'
import style from './OrderPage.module.css'

const step = 30

export function OrderTimeline({ order }: { order: Order }) {
  const t = useT()
  const [kinds, setKinds] = useState<string[]>([])
  const [limit, setLimit] = useState(step)
  const asked = { id: order.id, limit, ...(kinds.length > 0 ? { kind: kinds as TimelineKind[] } : {}) }
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
  return (
    <section className={`${style.panel} ${style.history}`} aria-label={t('Timeline')}>
      <div className={style.panelHead}>
        <h2>{t('Timeline')}</h2>
      </div>
      <div className={style.panelBody} style={{ paddingBottom: 0 }}>
        <Chip.Group
          multiple
          value={kinds}
          onChange={chosen => {
            setKinds(chosen)
            setLimit(step)
          }}
        >
          <Group gap={8}>
            {timelineKinds.map(kind => (
              <Chip key={kind} value={kind} size="xs" variant="outline">
                {words[kind]}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
      </div>
      <QueryState of={happened} shape="rows">
        {answer => (
          <>
            <ol className={style.timeline}>
              {answer.rows.map(entry => (
                <Entry key={entry.key} entry={entry} />
              ))}
            </ol>
            {answer.total > answer.rows.length ? (
              <div style={{ padding: '0 var(--s-4) var(--s-3)' }}>
                <Button
                  variant="default"
                  size="compact-md"
                  loading={happened.isFetching}
                  onClick={() => setLimit(Math.min(500, limit + 100))}
                >
                  {t('Show earlier')}
                </Button>
              </div>
            ) : null}
          </>
        )}
      </QueryState>
    </section>
  )
}

const icons = { ok: IconCircleCheck, attention: IconInfoCircle, wrong: IconAlertTriangle }
const colours = { ok: 'var(--done)', attention: 'var(--soon)', wrong: 'var(--stop)' }

function Entry({ entry }: { entry: TimelineEntry }) {
  const t = useT()
  const Icon = entry.good ? icons[entry.good] : null
  return (
    <li>
      <RelativeTime at={entry.at} />
      <div>
        <div>
          {Icon && entry.good ? (
            <Icon size={16} style={{ color: colours[entry.good], verticalAlign: '-2px', marginInlineEnd: 'var(--s-2)' }} />
          ) : null}
          {t(entry.text, entry.values)}
        </div>
        <div className={style.by}>
          {[entry.actor === 'system' ? t('Automatically') : entry.actor === 'Warehouse' ? t('Warehouse') : entry.actor, entry.station]
            .filter(Boolean)
            .join(', ')}
        </div>
      </div>
    </li>
  )
}
