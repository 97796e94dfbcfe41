/** How an order is sent, and choosing another way while it can still be chosen. */
import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import type { MethodWhy } from '#domain/rules/rule-schemas.ts'
import { reasonsSentence } from '#domain/rules/rule-sentence.ts'
import { actionOf, useMethodWord } from '#features/orders/orders/order.labels.tsx'
import { orders } from '#features/orders/orders/orders.contract.ts'
import type { Order } from '#features/orders/orders/orders.schemas.ts'
import { t as translate, useT } from '#ui/kit/translate.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { ruleWords } from '#ui/rules/rule.labels.ts'
import style from './OrderPage.module.css'

export function OrderMethod({ order }: { order: Order }) {
  const t = useT()
  const methodWord = useMethodWord()
  const [open, setOpen] = useState(false)
  const options = useCall(orders.shippingOptions, { company: order.company_id }, { fresh: 600_000 })
  const set = useSend(orders.setShipping, {
    refreshes: [orders.get, orders.search, orders.timeline],
    said: t('Shipping method changed'),
  })
  const may = actionOf(order, 'set_method')
  const own = (options.data ?? []).filter(option => option.company_id === order.company_id)
  const now = own.find(option => option.agent_code === order.agent_code && option.shipping_method === order.shipping_method)
  return (
    <span className={style.pair}>
      <span>
        {now ? t(now.name) : methodWord(order)}
        {order.method_why ? <small className={style.why}>{whyOf(order.method_why)}</small> : null}
      </span>
      <Menu opened={open} onChange={setOpen} position="bottom-start">
        <Menu.Target>
          <Tooltip label={may.reason ? t(may.reason, may.values) : t('Select another way of sending')}>
            <ActionIcon
              size="sm"
              variant="subtle"
              aria-label={t('Select another way of sending')}
              disabled={!may.allowed}
              loading={set.isPending}
            >
              <IconPencil size={16} />
            </ActionIcon>
          </Tooltip>
        </Menu.Target>
        <Menu.Dropdown>
          {own.map(option => (
            <Menu.Item key={option.method} disabled={option === now} onClick={() => set.mutate({ method: option.method, id: order.id })}>
              {t(option.name)}
            </Menu.Item>
          ))}
          {options.data && own.length === 0 ? <Menu.Item disabled>{t('There is no other')}</Menu.Item> : null}
        </Menu.Dropdown>
      </Menu>
    </span>
  )
}

/** Why the order goes by its method, in one line. */
function whyOf({ source, position, reasons }: MethodWhy): string {
  if (source === 'person') return translate('Chosen by hand')
  if (source === 'rule')
    return translate('Chosen by rule {{position}}: {{reasons}}', { position, reasons: reasonsSentence(reasons, ruleWords) })
  return source === 'only_active' ? translate('The only active method') : translate('Chosen by the shop code')
}
