/** The parcels of an order: where each is, its number, its label and what was printed. */

import { Anchor, Button, Menu, Text } from '@mantine/core'
import { IconChevronDown, IconDownload, IconPrinter } from '@tabler/icons-react'
import { access } from '#contract/access.ts'
import { isOneOf } from '#domain/objects.ts'
import { useMethodWord } from '#features/orders/orders/order.labels.tsx'
import { orders } from '#features/orders/orders/orders.contract.ts'
import type { Order, OrderParcel } from '#features/orders/orders/orders.schemas.ts'
import { packing } from '#features/packing/packing/packing.contract.ts'
import { labels } from '#features/shipping/labels/labels.contract.ts'
import type { Shipment } from '#features/shipping/labels/labels.schemas.ts'
import { ShipmentDocuments } from '#features/shipping/labels/ShipmentDocuments.tsx'
import { ShipmentBadge } from '#features/shipping/labels/shipment.labels.tsx'
import { confirm } from '#ui/kit/Confirm.tsx'
import { CopyButton } from '#ui/kit/CopyButton.tsx'
import { Panel } from '#ui/kit/DetailPage.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { weight } from '#ui/kit/format.ts'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { StateBadge, type Tone } from '#ui/kit/StateBadge.tsx'
import { t as say, useT } from '#ui/kit/translate.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import style from './OrderPage.module.css'
import { useOrderLabel } from './order-label.client.ts'
import { mainActionOf } from './order-status.rules.ts'

const refreshes = [orders.get, orders.search, orders.timeline]

export function OrderParcels({ order }: { order: Order }) {
  const t = useT()
  const { hasPrinter, print, printing, save } = useOrderLabel(order)
  const live = order.parcels.some(parcel => parcel.has_label && parcel.state !== 'cancelled' && parcel.state !== 'blocked')
  const shipments = useCall(
    labels.ofOrders,
    { ids: String(order.id) },
    { enabled: order.parcels.some(parcel => parcel.tracking_no !== null), fresh: 300_000, live: ['shipment'] },
  )
  const shipmentOf = (parcel: OrderParcel) => shipments.data?.find(one => one.shipment_id === parcel.shipment_id)
  const parcels = order.parcels.filter((parcel, place) => !isSuperseded(parcel, order.parcels.slice(place + 1)))
  const several = new Set(parcels.filter(one => one.operation_code === 'outbound').map(one => one.parcel_no)).size > 1
  return (
    <Panel
      title={t('Parcels')}
      flush
      place={2}
      actions={
        live ? (
          <>
            {mainActionOf(order) === 'print' ? null : (
              <Button
                size="compact-sm"
                variant="default"
                leftSection={<IconPrinter size={16} />}
                {...disabledBecause(!hasPrinter && t('Select a label printer for this device in the settings first'))}
                loading={printing}
                onClick={print}
              >
                {t('Print label again')}
              </Button>
            )}
            <Menu position="bottom-end">
              <Menu.Target>
                <Button
                  size="compact-sm"
                  variant="default"
                  leftSection={<IconDownload size={16} />}
                  rightSection={<IconChevronDown size={16} />}
                >
                  {t('Save label')}
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item onClick={() => save('pdf')}>PDF</Menu.Item>
                <Menu.Item onClick={() => save('a4')}>PDF A4</Menu.Item>
                <Menu.Item onClick={() => save('zpl')}>ZPL</Menu.Item>
              </Menu.Dropdown>
            </Menu>
          </>
        ) : null
      }
    >
      {parcels.length === 0 ? (
        <div className={style.inset}>
          <Text c="dimmed" size="sm">
            {t('No parcel yet: the label is made when the last product is packed.')}
          </Text>
        </div>
      ) : null}
      {parcels.map((parcel, place) => (
        <Parcel
          key={parcel.shipment_id}
          parcel={parcel}
          order={order}
          shipment={shipmentOf(parcel)}
          unpacks={
            several && !parcels.slice(place + 1).some(one => one.parcel_no === parcel.parcel_no && one.operation_code === 'outbound')
          }
        />
      ))}
      <TrackingLink order={order} shipments={shipments.data} />
      {order.prints.slice(0, 5).map(job => (
        <div key={job.print_job_id} className={style.row}>
          <div className={style.rowHead}>
            <IconPrinter size={16} />
            <span>
              {[job.title, job.copy_no > 0 ? t('copy {{number}}', { number: job.copy_no }) : '', job.printer].filter(Boolean).join(', ')}
            </span>
            <StateBadge tone={printTones[job.state] ?? 'busy'}>{printWord(job.state)}</StateBadge>
            <span className={style.by}>
              <RelativeTime at={job.created_at} />
            </span>
          </div>
          {job.error ? <div className={style.stop}>{t(job.error)}</div> : null}
        </div>
      ))}
    </Panel>
  )
}

/** A booking that failed is old news once the same parcel was booked again; the timeline keeps it. */
const isSuperseded = (parcel: OrderParcel, later: readonly OrderParcel[]): boolean =>
  parcel.state === 'error' && later.some(one => one.parcel_no === parcel.parcel_no && one.operation_code === parcel.operation_code)

/** What the caller on the telephone is sent: the page on which the recipient follows the parcel. */
function TrackingLink({ order, shipments }: { order: Order; shipments: readonly Shipment[] | undefined }) {
  const t = useT()
  const followed = order.parcels.some(parcel => parcel.tracking_no !== null && parcel.operation_code === 'outbound')
  const url = shipments?.find(shipment => shipment.tracking_url !== null)?.tracking_url
  if (!followed || !url) return null
  return (
    <div className={style.row}>
      <span className={style.pair}>
        <Anchor href={url} target="_blank" rel="noreferrer" size="sm">
          {t('Tracking page of the recipient')}
        </Anchor>
        <CopyButton text={url} label={t('Copy tracking link')} />
      </span>
    </div>
  )
}

const printTones: Record<string, Tone> = { accepted: 'done', done: 'done', failed: 'stop', expired: 'stop', cancelled: 'quiet' }
const printWord = (state: string): string => {
  const words: Record<string, string> = {
    queued: say('Waiting'),
    sending: say('Waiting'),
    sent: say('Sent'),
    accepted: say('Printed'),
    done: say('Printed'),
    failed: say('Failed'),
    expired: say('Expired'),
    cancelled: say('Cancelled'),
  }
  return words[state] ?? state
}

/** States of a parcel that is still here. */
const unpackable = ['booked', 'cancelled', 'blocked', 'error'] as const

function Parcel({
  parcel,
  order,
  shipment,
  unpacks,
}: {
  parcel: OrderParcel
  order: Order
  shipment: Shipment | undefined
  /** A single parcel is unpacked by reopening its order, and one with a newer label is that parcel. */
  unpacks: boolean
}) {
  const t = useT()
  const methodWord = useMethodWord()
  const cancel = useSend(labels.cancel, { refreshes, said: t('The label is taken back') })
  const ask = async () => {
    if (!parcel.tracking_no) return
    const sure = await confirm({
      title: t('Cancel label {{number}}?', { number: parcel.tracking_no }),
      body: t('The courier is told where possible; otherwise the label is blocked. The parcel then needs a new one.'),
      action: t('Cancel label'),
      keep: t('Keep label'),
      danger: true,
    })
    if (sure) cancel.mutate({ agent_code: parcel.agent_code, barcode: parcel.barcode ?? parcel.tracking_no })
  }
  const mayUnpack = useIsAllowed([...access.scanAdmin, ...access.parcelsAdmin])
  const canUnpack =
    mayUnpack && unpacks && isOneOf(unpackable, parcel.state) && parcel.operation_code === 'outbound' && parcel.lines.length > 0
  const unpack = useSend(packing.unpack, { refreshes, said: t('Parcel {{number}} is unpacked', { number: parcel.parcel_no }) })
  const askToUnpack = async () => {
    const sure = await confirm({
      title: t('Unpack parcel {{number}}?', { number: parcel.parcel_no }),
      body: t('Its label is cancelled, and its items wait to be packed again. Other parcels of the order stay as they are.'),
      action: t('Unpack parcel'),
      keep: t('Keep parcel'),
      danger: true,
    })
    if (sure) unpack.mutate({ id: order.id, body: { shipment_id: parcel.shipment_id } })
  }
  const names = parcel.lines.flatMap(({ order_item_id, qty, serials }) => {
    const line = order.lines.find(one => one.order_item_id === order_item_id)
    return line ? [`${qty} × ${line.name}${serials.length > 0 ? ` (${serials.join(', ')})` : ''}`] : []
  })
  const last = parcel.delivered_at ?? parcel.handed_over_at ?? parcel.cancelled_at ?? parcel.booked_at ?? parcel.created_at
  return (
    <div className={style.row}>
      <div className={style.rowHead}>
        <Text fw={600} span>
          {parcel.operation_code === 'return' ? t('Return label') : t('Parcel {{number}}', { number: parcel.parcel_no })}
        </Text>
        <ShipmentBadge state={parcel.state} />
        {parcel.tracking_no ? (
          <span className={style.pair}>
            <span>{parcel.tracking_no}</span>
            <CopyButton text={parcel.tracking_no} label={t('Copy tracking number')} />
          </span>
        ) : null}
        {parcel.state === 'booked' || canUnpack ? (
          <span className={style.pair}>
            {parcel.state === 'booked' ? (
              <Button size="compact-sm" variant="subtle" color="brick" loading={cancel.isPending} onClick={() => void ask()}>
                {t('Cancel label')}
              </Button>
            ) : null}
            {canUnpack ? (
              <Button size="compact-sm" variant="subtle" color="gray" loading={unpack.isPending} onClick={() => void askToUnpack()}>
                {t('Unpack parcel')}
              </Button>
            ) : null}
          </span>
        ) : null}
      </div>
      <div className={style.lineMore}>
        <span>{methodWord({ ...parcel, shipping_title: null })}</span>
        {parcel.weight_g > 0 ? <span>{weight(parcel.weight_g)}</span> : null}
        {parcel.station ? <span>{parcel.station}</span> : null}
        <span>
          <RelativeTime at={last} />
        </span>
        {names.length > 0 ? <span>{names.join(', ')}</span> : null}
      </div>
      {parcel.error ? <div className={style.stop}>{t(parcel.error)}</div> : null}
      {shipment && shipment.documents.length > 0 ? <ShipmentDocuments shipment={shipment} /> : null}
    </div>
  )
}
