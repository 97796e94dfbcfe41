/** One shipment beside the list: where it is, its label, and what can be done about it. */

import { Alert, Anchor, Button, Group, Menu, Stack, Text, TextInput } from '@mantine/core'
import { IconBan, IconChevronDown, IconDownload, IconPrinter } from '@tabler/icons-react'
import { useEffect, useMemo, useState } from 'react'
import { access } from '#contract/access.ts'
import { OrderCustomer } from '#features/customers/customers/OrderCustomer.tsx'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { useDevicePrinter } from '#ui/device/device-storage.ts'
import { confirm } from '#ui/kit/Confirm.tsx'
import { CopyButton } from '#ui/kit/CopyButton.tsx'
import { DescriptionItem, DescriptionList } from '#ui/kit/DescriptionList.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { country, money, weight } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { Slot } from '#ui/kit/Slot.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { toastError } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { saveFile, send, useCall, useSend } from '#ui/query/calls.ts'
import { useIsAllowed, useSignedIn } from '#ui/query/session.ts'
import { labels } from './labels.contract.ts'
import type { ShipmentStory } from './labels.schemas.ts'
import { OrderLink } from './OrderLink.tsx'
import { ShipmentDocuments } from './ShipmentDocuments.tsx'
import style from './Shipments.module.css'
import { ShipmentBadge, shipmentWord } from './shipment.labels.tsx'
import { ShownShipment } from './shown-shipment.client.ts'

const refreshes = [labels.get, labels.search, orders.get, orders.timeline]

export function ShipmentDrawer({ id, close }: { id: number; close: () => void }) {
  const t = useT()
  const story = useCall(labels.get, { id }, { enabled: id > 0, live: ['shipment'] })
  const number = story.data?.tracking_no
  return (
    <Drawer opened={id > 0} onClose={close} position="right" size={640} title={number ?? t('Shipment')}>
      {id > 0 ? <QueryState of={story}>{shipment => <Story key={shipment.shipment_id} shipment={shipment} />}</QueryState> : null}
    </Drawer>
  )
}

function Story({ shipment }: { shipment: ShipmentStory }) {
  const t = useT()
  const { init, user } = useSignedIn()
  const courier = t(init.ParcelAgentCode.find(agent => agent.agent_code === shipment.agent_code)?.name ?? shipment.agent_code)
  const taken = shipment.state === 'cancelled' || shipment.state === 'blocked'
  const office = useIsAllowed(access.parcels)
  const lists = useIsAllowed(access.lists) && user.is_main_company
  const { order_id, parcel_no, operation_code } = shipment
  const parcel = useMemo(
    () => (order_id === null || operation_code !== 'outbound' ? null : { order_id, parcel_no }),
    [order_id, parcel_no, operation_code],
  )
  return (
    <Stack gap="md">
      <Group gap="sm">
        <ShipmentBadge state={shipment.state} />
        {shipment.operation_code === 'return' ? <Text span>{t('Return label')}</Text> : null}
      </Group>
      {shipment.error && !shipment.can_settle ? (
        <Alert color="brick" title={shipmentWord(shipment.state)}>
          {t(shipment.error)}
        </Alert>
      ) : null}
      {shipment.can_settle ? <Settle shipment={shipment} /> : null}
      {shipment.order_id === null ? null : <OrderCustomer order_id={shipment.order_id} warnings />}
      <Deeds shipment={shipment} />
      <DescriptionList>
        <DescriptionItem name={shipment.order_id === null ? t('Reference') : t('Order')}>
          <OrderLink shipment={shipment} />
        </DescriptionItem>
        <DescriptionItem name={t('Tracking number')}>
          {shipment.tracking_no ? (
            <span className={style.pair}>
              {shipment.tracking_no}
              <CopyButton text={shipment.tracking_no} label={t('Copy tracking number')} />
            </span>
          ) : (
            t('No number yet')
          )}
        </DescriptionItem>
        <DescriptionItem name={t('Recipient')}>
          {[shipment.receiver, shipment.city, shipment.country && country(shipment.country)].filter(Boolean).join(', ')}
        </DescriptionItem>
        <DescriptionItem name={t('Courier')}>{`${courier}, ${shipment.shipping_method}`}</DescriptionItem>
        <DescriptionItem name={t('Parcel')}>{shipment.parcel_no}</DescriptionItem>
        {shipment.weight_g > 0 ? <DescriptionItem name={t('Weight')}>{weight(shipment.weight_g)}</DescriptionItem> : null}
        {shipment.price ? (
          <DescriptionItem name={t('Courier price')}>
            <Price of={shipment.price} />
          </DescriptionItem>
        ) : null}
        {shipment.crate ? (
          <DescriptionItem name={t('Box')}>
            {`${shipment.crate.name}, ${money(shipment.crate.cost, shipment.crate.currency)}`}
          </DescriptionItem>
        ) : null}
        {shipment.collect_list ? (
          <DescriptionItem name={t('Collect list')}>
            {lists ? (
              <Link to="/lists/collect" search={{ tab: 'lists', id: shipment.collect_list.id }}>
                {`CL${shipment.collect_list.id}, ${shipment.collect_list.cage}`}
              </Link>
            ) : (
              `CL${shipment.collect_list.id}, ${shipment.collect_list.cage}`
            )}
          </DescriptionItem>
        ) : null}
        {shipment.tracking_url && !taken ? (
          <DescriptionItem name={t('Tracking page')}>
            <span className={style.pair}>
              <Anchor href={shipment.tracking_url} target="_blank" rel="noopener">
                {t('Open')}
              </Anchor>
              <CopyButton text={shipment.tracking_url} label={t('Copy link for the customer')} />
            </span>
          </DescriptionItem>
        ) : null}
      </DescriptionList>
      {shipment.documents.length > 0 ? (
        <section aria-label={t('Other documents')}>
          <h3 className={style.heading}>{t('Other documents')}</h3>
          <ShipmentDocuments shipment={shipment} />
        </section>
      ) : null}
      {parcel ? (
        <ShownShipment value={parcel}>
          <Slot name="shipment" />
        </ShownShipment>
      ) : null}
      {shipment.siblings.length > 1 ? <Siblings shipment={shipment} /> : null}
      {taken ? <Answers shipment={shipment} /> : null}
      {shipment.handed_over_at && office ? (
        <div>
          <Button
            component={Link}
            to="/parcels/shipments/claims"
            search={{ shipment: shipment.shipment_id }}
            variant="default"
            size="compact-md"
          >
            {t('Open claim')}
          </Button>
        </div>
      ) : null}
      <section aria-label={t('What happened')}>
        <h3 className={style.heading}>{t('What happened')}</h3>
        {shipment.events.length === 0 ? (
          <Text c="dimmed">{t('Nothing yet.')}</Text>
        ) : (
          <ol className={style.events}>
            {shipment.events.map(event => (
              <li key={event.id}>
                <span className={style.when}>
                  <RelativeTime at={event.at} />
                </span>
                <span>
                  {t(event.text)}
                  <span className={style.dim}>{[event.place, event.user].filter(Boolean).map(part => ` · ${part}`)}</span>
                </span>
              </li>
            ))}
          </ol>
        )}
      </section>
      {!taken && shipment.label_formats.length > 0 ? <Preview shipment={shipment} /> : null}
    </Stack>
  )
}

/** The sum, and what it is made of where that is more than one thing. */
function Price({ of: { amount, currency, charged_g, zone, parts } }: { of: NonNullable<ShipmentStory['price']> }) {
  const t = useT()
  return (
    <>
      {money(amount, currency)}
      <Text size="sm" c="dimmed">
        {[
          t('charged {{weight}}', { weight: weight(charged_g) }),
          zone,
          ...(parts.length > 1 ? parts.map(part => `${part.name || t('Price step')} ${money(part.amount, currency)}`) : []),
        ]
          .filter(Boolean)
          .join(' · ')}
      </Text>
    </>
  )
}

/** The parcels that the courier took with this one. */
function Siblings({ shipment: { shipment_id, siblings } }: { shipment: ShipmentStory }) {
  const t = useT()
  return (
    <section aria-label={t('Booked together')}>
      <h3 className={style.heading}>{t('Booked together')}</h3>
      <ul className={style.siblings}>
        {siblings.map(one => (
          <li key={one.shipment_id} aria-current={one.shipment_id === shipment_id || undefined}>
            <span>{t('Parcel {{number}}', { number: one.parcel_no })}</span>
            <Link to="/parcels/shipments" search={{ id: one.shipment_id }} className={style.number}>
              {one.tracking_no ?? t('No number yet')}
            </Link>
            <span className={style.dim}>{one.weight_g > 0 ? weight(one.weight_g) : ''}</span>
            <span className={style.dim}>{one.on_collect_list ? t('On a collect list') : ''}</span>
            <ShipmentBadge state={one.state} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Print, save, take back. */
function Deeds({ shipment }: { shipment: ShipmentStory }) {
  const t = useT()
  const may = useIsAllowed(access.bench)
  const printer = useDevicePrinter('label')
  const print = useSend(labels.logPrint, { said: t('A marked copy is sent to the printer') })
  const cancel = useSend(labels.cancel, { refreshes, said: t('The label is taken back') })
  const taken = shipment.state === 'cancelled' || shipment.state === 'blocked'
  if (!may || taken || shipment.label_formats.length === 0) return null
  const save = async (format: 'pdf' | 'a4' | 'zpl') => {
    try {
      saveFile(await send(labels.file, { id: shipment.shipment_id, format }))
    } catch (error) {
      toastError(error)
    }
  }
  const open = shipment.siblings.filter(one => one.state === 'booked').length
  const takeBack = async (all: boolean) => {
    const sure = await confirm({
      title: all ? t('Cancel {{count}} labels?', { count: open }) : t('Cancel label {{number}}?', { number: shipment.tracking_no }),
      body: all
        ? t('The courier is told where possible; otherwise the labels are blocked. The parcels then need new ones.')
        : shipment.cancels_together && open > 1
          ? t(
              'This courier cancels the parcels of one booking only together. The label is blocked; the courier is told with the last of them.',
            )
          : t('The courier is told where possible; otherwise the label is blocked. The parcel then needs a new one.'),
      action: all ? t('Cancel {{count}} labels', { count: open }) : t('Cancel label'),
      keep: t('Keep label'),
      danger: true,
    })
    const barcode = shipment.barcode ?? shipment.tracking_no ?? ''
    if (sure) cancel.mutate({ agent_code: shipment.agent_code, barcode, ...(all && { all }) })
  }
  return (
    <Group gap="xs">
      <Button
        variant="default"
        leftSection={<IconPrinter size={16} />}
        loading={print.isPending}
        {...disabledBecause(printer === null && t('Select a label printer in the settings first'))}
        onClick={() => {
          if (printer !== null) print.mutate({ shipment_id: shipment.shipment_id, printer_id: printer, client_id: crypto.randomUUID() })
        }}
      >
        {t('Print again')}
      </Button>
      <Menu>
        <Menu.Target>
          <Button variant="default" leftSection={<IconDownload size={16} />} rightSection={<IconChevronDown size={16} />}>
            {t('Save label')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {shipment.label_formats.map(format => (
            <Menu.Item key={format} onClick={() => void save(format)}>
              {{ pdf: 'PDF', a4: 'PDF A4', zpl: 'ZPL' }[format]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {shipment.state === 'booked' ? (
        <Button
          variant="subtle"
          color="brick"
          leftSection={<IconBan size={16} />}
          loading={cancel.isPending}
          onClick={() => void takeBack(false)}
        >
          {t('Cancel label')}
        </Button>
      ) : null}
      {open > 1 ? (
        <Button
          variant="subtle"
          color="brick"
          leftSection={<IconBan size={16} />}
          loading={cancel.isPending}
          onClick={() => void takeBack(true)}
        >
          {t('Cancel {{count}} labels', { count: open })}
        </Button>
      ) : null}
    </Group>
  )
}

/** The three answers of a cancelling, apart: one yes does not make the others. */
function Answers({ shipment: { cancel_answers, cancelled_at } }: { shipment: ShipmentStory }) {
  const t = useT()
  const rows = [
    [t('Cancelled here'), true],
    [t('Cancelled at the courier'), cancel_answers?.cancelled_at_carrier],
    [t('Refunded'), cancel_answers?.refunded],
  ] as const
  return (
    <section aria-label={t('Taken back')}>
      <h3 className={style.heading}>
        {t('Taken back')} <RelativeTime at={cancelled_at} />
      </h3>
      <DescriptionList>
        {rows.map(([name, answer]) => (
          <DescriptionItem key={name} name={name}>
            {answer === undefined ? (
              <StateBadge tone="busy">{t('Being asked')}</StateBadge>
            ) : (
              <StateBadge tone={answer ? 'done' : 'stop'}>{answer ? t('Yes') : t('No')}</StateBadge>
            )}
          </DescriptionItem>
        ))}
      </DescriptionList>
      {cancel_answers?.cancelled_at_carrier ? null : (
        <Text size="sm" c="dimmed">
          {t('Take this label off the parcel: scanning it raises an alarm.')}
        </Text>
      )}
    </section>
  )
}

/** The courier cannot be asked any more, so a person asks it and says what it said. */
function Settle({ shipment }: { shipment: ShipmentStory }) {
  const t = useT()
  const may = useIsAllowed(access.parcelsAdmin)
  const [number, setNumber] = useState('')
  const settle = useSend(labels.settle, { refreshes, said: t('Recorded') })
  const fault = settle.error?.fields.tracking_no
  if (!may) return <Alert color="amber">{t('Customer service asks the courier and decides.')}</Alert>
  return (
    <Alert color="amber" title={t('Ask the courier whether it has this parcel')}>
      <Stack gap="sm">
        <Text size="sm">{t('Until someone says so, no second label is made: it could be paid twice.')}</Text>
        {shipment.siblings.length > 1 ? (
          <Text size="sm">{t('The answer holds for all {{count}} parcels of this booking.', { count: shipment.siblings.length })}</Text>
        ) : null}
        <Button
          variant="default"
          loading={settle.isPending}
          onClick={() => settle.mutate({ id: shipment.shipment_id, body: { booked: false } })}
        >
          {t('Not at the courier')}
        </Button>
        <Group gap="xs" align="end">
          <TextInput
            label={t('Tracking number')}
            value={number}
            onChange={event => setNumber(event.currentTarget.value)}
            error={fault && t(fault)}
            style={{ flex: 1 }}
          />
          <Button
            variant="default"
            loading={settle.isPending}
            onClick={() =>
              settle.mutate({ id: shipment.shipment_id, body: { booked: true, ...(number.trim() && { tracking_no: number.trim() }) } })
            }
          >
            {t('The courier has it')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}

/** The label as it came out: fetched with the header, shown from memory. */
function Preview({ shipment }: { shipment: ShipmentStory }) {
  const t = useT()
  const format = shipment.label_formats.includes('pdf') ? 'pdf' : 'a4'
  const [url, setUrl] = useState<string>()
  const file = useCall(labels.file, { id: shipment.shipment_id, format }, { fresh: Number.POSITIVE_INFINITY })
  // The outside system is the browser's store of blobs.
  useEffect(() => {
    if (!file.data) return
    const address = URL.createObjectURL(file.data)
    setUrl(address)
    return () => URL.revokeObjectURL(address)
  }, [file.data])
  return (
    <section aria-label={t('Label')}>
      <h3 className={style.heading}>{t('Label')}</h3>
      <QueryState of={file}>
        {() => (url ? <iframe className={style.label} title={t('Label')} src={`${url}#toolbar=0&view=FitH`} /> : null)}
      </QueryState>
    </section>
  )
}
