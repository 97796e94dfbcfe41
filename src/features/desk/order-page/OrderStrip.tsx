/** The strip of an order's page: the one thing that blocks the order or comes next, with its button. */
import { Button } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { badgeSentence } from '#features/orders/orders/order.labels.tsx'
import type { Order } from '#features/orders/orders/orders.schemas.ts'
import { shipmentWord } from '#features/shipping/labels/shipment.labels.tsx'
import { StatusStrip, type StripTone } from '#ui/kit/DetailPage.tsx'
import { instant } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useIsOffered } from '#ui/navigation/menu.ts'
import { LockSentence, ReleaseButton } from './OrderHolds.tsx'
import style from './OrderPage.module.css'
import { stripOf } from './order-status.rules.ts'

interface OrderStripProps {
  order: Order
  editAddress: () => void
  release: () => void
}

export function OrderStrip({ order, editAddress, release }: OrderStripProps) {
  const t = useT()
  const mayPack = useIsOffered('/')
  const seesShortages = useIsOffered('/lists/pick/tasks')
  const strip = stripOf(order, Date.now())
  if (!strip) return null
  const pack = mayPack ? (
    <Button component={Link} to="/" search={{ order: order.id }} size="compact-md" variant="default">
      {t('Open at station')}
    </Button>
  ) : null
  const say = (tone: StripTone, sentence: ReactNode, action: ReactNode = null) => (
    <StatusStrip tone={tone} action={action}>
      {sentence}
    </StatusStrip>
  )
  const [lock] = order.locks
  switch (strip.says) {
    case 'held':
      return lock
        ? say(
            'soon',
            <>
              <LockSentence lock={lock} />
              {order.locks.length > 1 ? (
                <span className={style.by}>{t('and {{count}} more', { count: order.locks.length - 1 })}</span>
              ) : null}
            </>,
            <ReleaseButton order={order} lock={lock} />,
          )
        : say(
            'soon',
            order.combined?.held_no
              ? t('Combined with {{order_no}}, which is on hold', { order_no: order.combined.held_no })
              : t('On hold'),
          )
    case 'cancelled_return':
      return say(
        'stop',
        order.goods_at
          ? t('Cancelled: the items at {{station}} go back to their bins', { station: order.goods_at })
          : t('Cancelled: the picked items go back to their bins'),
      )
    case 'parcel':
      return say('stop', t('Parcel {{number}}: {{state}}', { number: strip.parcel.parcel_no, state: shipmentWord(strip.parcel.state) }))
    case 'delivered':
      return say(
        'done',
        <>
          {t('Delivered')} <RelativeTime at={order.delivered_at} />
        </>,
      )
    case 'label_failed':
      return say('stop', strip.sentence ? t('No label: {{reason}}', { reason: t(strip.sentence) }) : t('The label failed'), pack)
    case 'short':
      return say(
        'stop',
        t('Items are missing: a decision is needed'),
        seesShortages ? (
          <Button component={Link} to="/lists/pick/tasks" size="compact-md" variant="default">
            {t('Shortages & tasks')}
          </Button>
        ) : null,
      )
    case 'no_label':
      return say('soon', t('Packed without a label: reopen the order for a new one'))
    case 'warning':
      return say(
        'stop',
        badgeSentence(strip.badge),
        strip.mayEdit ? (
          <Button size="compact-md" variant="default" leftSection={<IconPencil size={16} />} onClick={editAddress}>
            {t('Edit address')}
          </Button>
        ) : null,
      )
    case 'packing':
      return say(
        'busy',
        order.packing
          ? t('{{name}} is packing it at {{station}}', { name: order.packing.user_name, station: order.packing.station })
          : t('It is being packed'),
      )
    case 'not_released':
      return say(
        'busy',
        t('Not released: it is not picked or packed yet'),
        strip.mayRelease ? (
          <Button size="compact-md" variant="default" onClick={release}>
            {t('Release order')}
          </Button>
        ) : null,
      )
    case 'overdue':
      return say('stop', t('Overdue: ship by {{when}}', { when: order.ship_by === null ? '–' : instant(order.ship_by) }), pack)
  }
}
