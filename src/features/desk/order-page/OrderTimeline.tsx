/** The timeline: everything that happened to the order by day, the newest first, with what stood there before each change. */
import { Button, Menu } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconChevronDown, IconCircleCheck, IconFilter, IconInfoCircle } from '@tabler/icons-react'
import { useState } from 'react'
import { phaseWord } from '#features/orders/orders/order.labels.tsx'
import { timelineKinds } from '#features/orders/orders/orders.codes.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { phases } from '#features/orders/orders/orders.rules.ts'
import type { Order, TimelineEntry, TimelineKind } from '#features/orders/orders/orders.schemas.ts'
import { Panel } from '#ui/kit/DetailPage.tsx'
import { country, dateIn, day, instant, weight } from '#ui/kit/format.ts'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall } from '#ui/query/calls.ts'
import style from './OrderPage.module.css'

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
        {answer => (
          <>
            {byDay(answer.rows).map(([date, entries]) => (
              <section key={date} aria-label={day(date)}>
                <h3 className={style.day}>{day(date)}</h3>
                <ol className={style.timeline}>
                  {entries.map(entry => (
                    <Entry key={entry.key} entry={entry} />
                  ))}
                </ol>
              </section>
            ))}
            {answer.total > answer.rows.length ? (
              <div className={style.earlier}>
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
    </Panel>
  )
}

/** The entries by the day of the company's calendar; they come sorted. */
const byDay = (entries: readonly TimelineEntry[]): [string, TimelineEntry[]][] => [
  ...Map.groupBy(entries, entry => dateIn(entry.at)).entries(),
]

const icons = { ok: IconCircleCheck, attention: IconInfoCircle, wrong: IconAlertTriangle }
const colours = { ok: 'var(--done)', attention: 'var(--soon)', wrong: 'var(--stop)' }

function Entry({ entry }: { entry: TimelineEntry }) {
  const t = useT()
  const Icon = entry.good ? icons[entry.good] : null
  const fieldWord = useFieldWord()
  return (
    <li>
      <RelativeTime at={entry.at} as="time" />
      <div>
        <div>
          {Icon && entry.good ? <Icon size={16} className={style.entryIcon} style={{ color: colours[entry.good] }} /> : null}
          {t(entry.text, entry.values)}
        </div>
        {entry.changes.map(({ field, before, after }) => (
          <div key={field} className={style.change}>
            <span>{fieldWord(field)}:</span> <del>{valueWord(field, before)}</del> → <ins>{valueWord(field, after)}</ins>
          </div>
        ))}
        <div className={style.by}>
          {[entry.actor === 'system' ? t('Automatically') : entry.actor === 'Warehouse' ? t('Warehouse') : entry.actor, entry.station]
            .filter(Boolean)
            .join(', ')}
        </div>
      </div>
    </li>
  )
}

function useFieldWord(): (field: string) => string {
  const t = useT()
  const words: Record<string, string> = {
    phase: t('Status'),
    method: t('Shipping method'),
    ship_by: t('Ship by'),
    weight_g: t('Weight'),
    hs_code: t('Tariff code'),
    origin: t('Country of origin'),
    name: t('Name'),
    attention: t('Attention'),
    company: t('Company'),
    address1: t('Street and number'),
    address2: t('Floor, door'),
    postcode: t('Postcode'),
    city: t('City'),
    region: t('Region'),
    phone: t('Phone'),
    email: t('E-mail'),
    instruction: t('Instruction'),
    door_code: t('Door code'),
  }
  return field => words[field] ?? field
}

function valueWord(field: string, value: string | null): string {
  if (value === null) return '–'
  if (field === 'phase') {
    const phase = phases.find(one => one === value)
    return phase ? phaseWord(phase) : value
  }
  if (field === 'ship_by') return instant(value)
  if (field === 'origin') return country(value)
  return field === 'weight_g' ? weight(Number(value)) : value
}
