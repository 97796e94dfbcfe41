/** How an order is sent, and choosing another way while it can still be chosen. */

import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import type { MethodWhy } from '#domain/rules/rule-schemas.ts'
import { reasonsSentence } from '#domain/rules/rule-sentence.ts'
import { actionOf, useMethodWord } from '#features/orders/orders/order.labels.tsx'
import { orders } from '#features/orders/orders/orders.contract.ts'
import type { Order } from '#features/orders/orders/orders.schemas.ts'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { toastSuccess } from '#ui/kit/toasts.ts'
import { t as translate, useT } from '#ui/kit/translate.ts'
import { send, useCall, useCommand } from '#ui/query/calls.ts'
import { ruleWords } from '#ui/rules/rule.labels.ts'
import style from './OrderPage.module.css'
import { orderRefreshes, useUndoToast } from './order-undo.client.ts'
import type { OrderChange } from './order-undo.rules.ts'
import { whyNot } from './why-not.client.ts'

type Method = Extract<OrderChange, { did: 'method' }>['now']

export function OrderMethod({ order }: { order: Order }) {
  const t = useT()
  const methodWord = useMethodWord()
  const [open, setOpen] = useState(false)
  const options = useCall(orders.shippingOptions, { company: order.company_id }, { fresh: 600_000 })
  const undoToast = useUndoToast(order.id)
  const may = actionOf(order, 'set_method')
  const own = (options.data ?? []).filter(option => option.company_id === order.company_id)
  const now = own.find(option => option.agent_code === order.agent_code && option.shipping_method === order.shipping_method)
  const set = useCommand(
    ({ option }: { option: Method & { method: string }; before: string | undefined }) =>
      send(orders.setShipping, { method: option.method, id: order.id }),
    {
      refreshes: orderRefreshes,
      done: (_answer, { option, before }) => {
        if (before === undefined) toastSuccess(t('Shipping method changed'))
        else undoToast(t('Shipping method changed'), { did: 'method', now: option, before })
      },
    },
  )
  return (
    <span className={style.pair}>
      <span>{now ? t(now.name) : methodWord(order)}</span>
      <Menu opened={open} onChange={setOpen} position="bottom-start">
        <Menu.Target>
          <Tooltip label={t('Select another way of sending')} disabled={!may.allowed}>
            <ActionIcon
              size="sm"
              variant="subtle"
              aria-label={t('Select another way of sending')}
              {...disabledBecause(whyNot(may))}
              loading={set.isPending}
            >
              <IconPencil size={16} />
            </ActionIcon>
          </Tooltip>
        </Menu.Target>
        <Menu.Dropdown>
          {own.map(option => (
            <Menu.Item
              key={option.method}
              {...disabledBecause(option === now && t('It goes this way already'))}
              onClick={() => set.mutate({ option, before: now?.method })}
            >
              {t(option.name)}
            </Menu.Item>
          ))}
          {options.data && own.length === 0 ? <Menu.Label>{t('There is no other')}</Menu.Label> : null}
        </Menu.Dropdown>
      </Menu>
    </span>
  )
}

/** Why the order goes by its method, in one line. */
export function whyOf({ source, position, reasons }: MethodWhy): string {
  if (source === 'person') return translate('Chosen by hand')
  if (source === 'rule')
    return translate('Chosen by rule {{position}}: {{reasons}}', { position, reasons: reasonsSentence(reasons, ruleWords) })
  return source === 'only_active' ? translate('The only active method') : translate('Chosen by the shop code')
}
