/** What an order needs at the borders that it crosses, why, and what is missing. */
import { ActionIcon, Button, Group, Select, Stack, Text, Tooltip } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import type { CustomsPaper, Regime } from '#domain/customs/decision.ts'
import type { Order } from '#features/orders/orders/orders.schemas.ts'
import { type OrderReason, orderReasons, orderTerms } from '#features/shipping/customs/customs.codes.ts'
import { customs } from '#features/shipping/customs/customs.contract.ts'
import type { OrderCustoms as Customs } from '#features/shipping/customs/customs.schemas.ts'
import { Panel } from '#ui/kit/DetailPage.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { day } from '#ui/kit/format.ts'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import style from './OrderPage.module.css'
import { orderRefreshes } from './order-undo.client.ts'

const regimeWords: Record<Regime, string> = {
  none: 'No papers',
  special_area: 'Outside the VAT area',
  ordinary: 'Ordinary clearance',
  voec: 'VOEC',
  bulk: 'Bulk invoicing',
  ioss: 'IOSS',
  seller_vat: 'VAT charged at the sale',
}
const paperWords: Record<CustomsPaper, string> = {
  cn22: 'CN22',
  cn23: 'CN23',
  invoice: 'Commercial invoice',
  proforma: 'Proforma invoice',
}
const reasonWords: Record<OrderReason, string> = {
  sale_of_goods: 'Sale of goods',
  gift: 'Gift',
  documents: 'Documents',
  commercial_sample: 'Commercial sample',
  returned_goods: 'Returned goods',
  other: 'Other reason',
}

export default function OrderCustoms({ order }: { order: Order }) {
  const t = useT()
  const [editing, setEditing] = useState(false)
  const mayEdit = useIsAllowed(customs.set.access)
  const found = useCall(customs.ofOrder, { id: order.id }, { live: [{ topic: 'order', id: order.id }, 'product', 'customs_number'] })
  const gone = order.cancelled_at !== null || order.work_state === 'handed_over' || order.work_state === 'closed'
  if (found.data === undefined || (found.data.regime === 'none' && found.data.why.length === 0)) return null
  const { regime, papers, why, findings, reason, terms } = found.data
  const reasons = new Set(why.map(one => one.text))
  const wrong = findings.filter(one => one.severity === 'error').length
  return (
    <Panel
      title={t('Customs')}
      flush
      place={2}
      actions={
        mayEdit && !gone ? (
          <Tooltip label={t('Change reason and terms')}>
            <ActionIcon size="sm" variant="subtle" aria-label={t('Change reason and terms')} onClick={() => setEditing(true)}>
              <IconPencil size={16} />
            </ActionIcon>
          </Tooltip>
        ) : undefined
      }
    >
      <div className={style.row}>
        <div className={style.rowHead}>
          {wrong > 0 ? (
            <StateBadge tone="stop">{t('{{count}} missing', { count: wrong })}</StateBadge>
          ) : (
            <StateBadge tone="done">{regime === 'none' ? t('No papers') : t('Ready')}</StateBadge>
          )}
          <span>{t(regimeWords[regime])}</span>
          <span className={style.by}>
            {[...papers.map(paper => t(paperWords[paper])), regime === 'none' ? '' : t(reasonWords[reason]), terms ?? '']
              .filter(Boolean)
              .join(' · ')}
          </span>
        </div>
      </div>
      {findings
        .filter(one => !reasons.has(one.text))
        .map(one => (
          <div key={`${one.code} ${one.order_item_id ?? ''}`} className={style.row}>
            <div className={one.severity === 'error' ? style.stop : style.by}>{t(one.text, one.values)}</div>
          </div>
        ))}
      {why.map(one => (
        <div key={`${one.rule} ${one.text}`} className={style.row}>
          <div>{t(one.text, one.values)}</div>
          <div className={style.by}>
            {[one.rule, one.from === null ? '' : t('since {{day}}', { day: day(one.from) }), one.source].filter(Boolean).join(' · ')}
          </div>
        </div>
      ))}
      {editing ? <ReasonForm order_id={order.id} customs={found.data} close={() => setEditing(false)} /> : null}
    </Panel>
  )
}

function ReasonForm({ order_id, customs: now, close }: { order_id: number; customs: Customs; close: () => void }) {
  const t = useT()
  const [reason, setReason] = useState<OrderReason>(now.reason)
  const [terms, setTerms] = useState<(typeof orderTerms)[number] | null>(orderTerms.find(one => one === now.terms) ?? null)
  const set = useSend(customs.set, { refreshes: [...orderRefreshes, customs.ofOrder], said: t('Customs saved'), done: close })
  return (
    <Drawer opened onClose={close} size={480} title={t('Customs')}>
      <form
        onSubmit={event => {
          event.preventDefault()
          set.mutate({ id: order_id, body: { reason, terms, version: now.version } })
        }}
      >
        <Stack>
          <Select
            label={t('Reason for sending')}
            data={orderReasons.map(one => ({ value: one, label: t(reasonWords[one]) }))}
            value={reason}
            onChange={chosen => setReason(orderReasons.find(one => one === chosen) ?? reason)}
            data-autofocus
          />
          <Select
            label={t('Terms of delivery')}
            description={t('With DAP the recipient pays the VAT on delivery, also under VOEC or IOSS.')}
            data={[...orderTerms]}
            value={terms}
            clearable
            onChange={chosen => setTerms(orderTerms.find(one => one === chosen) ?? null)}
          />
          <Text size="sm" c="dimmed">
            {t('Tariff code, origin and weight are corrected at each product.')}
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={set.isPending}>
              {t('Save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Drawer>
  )
}
