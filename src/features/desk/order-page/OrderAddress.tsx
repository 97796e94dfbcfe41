/** Customer and address: ready to be read out and copied, and checked. */

import { Button, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconPencil } from '@tabler/icons-react'
import { OrderCustomer } from '#features/customers/customers/OrderCustomer.tsx'
import { actionOf, badgeSentence } from '#features/orders/orders/order.labels.tsx'
import type { Order, ShipTo } from '#features/orders/orders/orders.schemas.ts'
import { OrderParcelShop } from '#features/shipping/shop-replacement/OrderParcelShop.tsx'
import { CopyButton } from '#ui/kit/CopyButton.tsx'
import { Panel } from '#ui/kit/DetailPage.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { useDraft } from '#ui/kit/drafts.ts'
import { country } from '#ui/kit/format.ts'
import { useT } from '#ui/kit/translate.ts'
import { addressDraft } from './address-draft.client.ts'
import { OrderMap } from './OrderMap.tsx'
import style from './OrderPage.module.css'
import { whyNot } from './why-not.client.ts'

const linesOf = (to: ShipTo): string[] =>
  [
    to.name,
    to.company,
    to.attention,
    to.address1,
    to.address2,
    [to.postcode, to.city].filter(Boolean).join(' '),
    to.region,
    country(to.country),
  ].filter((line): line is string => Boolean(line))

export function OrderAddress({ order, editAddress }: { order: Order; editAddress: () => void }) {
  const t = useT()
  const edit = actionOf(order, 'edit_address')
  const method = actionOf(order, 'set_method')
  const unsaved = useDraft(`order ${order.id} address`, addressDraft).value.values !== null
  const { ship_to, customer } = order
  const lines = linesOf(ship_to)
  return (
    <>
      <Panel
        title={t('Shipping address')}
        count={unsaved ? t('Not saved yet') : null}
        place={4}
        actions={
          <>
            <CopyButton text={lines.join('\n')} label={t('Copy address')} />
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconPencil size={16} />}
              {...disabledBecause(whyNot(edit))}
              onClick={editAddress}
            >
              {t('Edit')}
            </Button>
          </>
        }
      >
        <address className={style.address}>
          {lines.map((line, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of an address have no other name
            <span key={place}>{line}</span>
          ))}
        </address>
        <div className={style.address}>
          <Pair text={ship_to.phone ?? ship_to.phone_raw} label={t('Copy phone number')} href="tel:" />
          <Pair text={ship_to.email} label={t('Copy e-mail address')} href="mailto:" />
        </div>
        {ship_to.instruction ? (
          <Text size="sm">
            {t('Instruction')}: {ship_to.instruction}
          </Text>
        ) : null}
        {ship_to.door_code ? (
          <Text size="sm">
            {t('Door code')}: {ship_to.door_code}
          </Text>
        ) : null}
        {order.service_point ? (
          <OrderParcelShop order_id={order.id} reason={method.reason ? t(method.reason, method.values) : null} />
        ) : null}
        <OrderMap order={order} />
        <Checks order={order} />
      </Panel>
      <OrderCustomer order_id={order.id} place={5} name={customer.name}>
        <div className={style.address}>
          <Pair text={customer.phone} label={t('Copy phone number')} href="tel:" />
          <Pair text={customer.email} label={t('Copy e-mail address')} href="mailto:" />
          {customer.external_id ? (
            <Text size="sm" c="dimmed">
              {t('Customer number {{number}}', { number: customer.external_id })}
            </Text>
          ) : null}
        </div>
      </OrderCustomer>
    </>
  )
}

function Pair({ text, label, href }: { text: string | null; label: string; href?: 'tel:' | 'mailto:' }) {
  if (!text) return null
  return (
    <span className={style.pair}>
      <span>{href ? <a href={`${href}${text}`}>{text}</a> : text}</span>
      <CopyButton text={text} label={label} />
    </span>
  )
}

/** What the checks found: the findings in words, or one word that all is well. */
function Checks({ order }: { order: Order }) {
  const t = useT()
  const found = order.badges.filter(badge => badge.severity !== 'ok')
  if (found.length === 0)
    return (
      <span className={style.mark} style={{ whiteSpace: 'normal' }}>
        <IconCircleCheck size={16} style={{ color: 'var(--done)' }} />
        <span>{t('Address, phone, weight and customs data are in order')}</span>
      </span>
    )
  return (
    <div className={style.address}>
      {found.map(badge => (
        <span
          key={badge.kind}
          className={`${style.mark} ${badge.severity === 'error' ? style.stop : style.soon}`}
          style={{ whiteSpace: 'normal', alignItems: 'start' }}
        >
          <IconAlertTriangle size={16} style={{ marginTop: 'var(--s-0)' }} />
          <span>{badgeSentence(badge)}</span>
        </span>
      ))}
    </div>
  )
}
