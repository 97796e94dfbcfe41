/** The drawer in which the items of an order are changed, sent as a part of their own, or sent once more. It is loaded when somebody asks for it. */

import { ActionIcon, Alert, Button, Checkbox, Group, Stack, Text, TextInput, Tooltip } from '@mantine/core'
import { IconArrowBackUp, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { orderEdits } from '#features/orders/orders/edits/order-edits.contract.ts'
import type { FoundProduct, LineEdit } from '#features/orders/orders/edits/order-edits.schemas.ts'
import { ProductPicker } from '#features/orders/orders/edits/ProductPicker.tsx'
import type { Order, OrderLine } from '#features/orders/orders/orders.schemas.ts'
import { confirm } from '#ui/kit/Confirm.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { errorSentence } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { useNavigate } from '#ui/kit/url-state.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import { useSend } from '#ui/query/calls.ts'
import style from './OrderPage.module.css'
import { orderRefreshes } from './order-undo.client.ts'

export type ItemsDeed = 'edit' | 'split' | 'copy'

interface OrderItemsFormProps {
  order: Order
  deed: ItemsDeed
  close: () => void
}

const goodsOf = (order: Order): OrderLine[] =>
  order.lines.filter(line => line.type === 'item' && line.requires_shipping && line.qty > line.cancelled_qty)
const toSend = (line: OrderLine): number => line.qty - line.cancelled_qty

/** What somebody else changed in the items meanwhile. */
function differencesOf(before: Order, now: Order, t: ReturnType<typeof useT>): string[] {
  const was = new Map(goodsOf(before).map(line => [line.order_item_id, line]))
  const is = new Map(goodsOf(now).map(line => [line.order_item_id, line]))
  return [...new Set([...was.keys(), ...is.keys()])].flatMap(id => {
    const [old, fresh] = [was.get(id), is.get(id)]
    const [from, to] = [old ? toSend(old) : 0, fresh ? toSend(fresh) : 0]
    return from === to ? [] : [t('{{name}}: {{before}}, now {{after}}', { name: (fresh ?? old)?.name ?? '', before: from, after: to })]
  })
}

export default function OrderItemsForm({ order, deed, close }: OrderItemsFormProps) {
  const t = useT()
  const go = useNavigate()
  const lines = goodsOf(order)
  const [client_id] = useState(() => crypto.randomUUID())
  const begun = (line: OrderLine) => (deed === 'split' ? 0 : toSend(line))
  const [counts, setCounts] = useState<Record<number, number>>(() =>
    Object.fromEntries(lines.map(line => [line.order_item_id, begun(line)])),
  )
  const [added, setAdded] = useState<{ product: FoundProduct; qty: number }[]>([])
  const [reason, setReason] = useState('')
  const [free, setFree] = useState(true)
  const [wrong, setWrong] = useState<string | null>(null)
  // The order as it was when the drawer opened: what somebody else changes meanwhile is shown before it is saved over.
  const [from, setFrom] = useState(order)
  const options = { refreshes: orderRefreshes, quiet: true }
  const opened = ({ id }: { id: number }) => go('/parcels/orders', { id: String(id) })
  const edit = useSend(orderEdits.lines, { ...options, said: t('The items are changed'), done: close })
  const split = useSend(orderEdits.split, { ...options, said: t('The part is made'), done: opened })
  const copy = useSend(orderEdits.copy, { ...options, said: t('The replacement is made'), done: opened })

  const failure = edit.error ?? split.error ?? copy.error
  const said = wrong ?? (failure ? errorSentence(failure) : null)
  const differences = from.version === order.version ? [] : differencesOf(from, order, t)

  const countOf = (line: OrderLine) => counts[line.order_item_id] ?? 0
  const again = () => {
    setWrong(null)
    edit.reset()
    split.reset()
    copy.reset()
  }
  const setCount = (line: OrderLine, count: number) => {
    again()
    setCounts({ ...counts, [line.order_item_id]: count })
  }
  const edits: LineEdit[] = [
    ...lines.flatMap((line): LineEdit[] => {
      const count = countOf(line)
      if (count === toSend(line)) return []
      return [
        count === 0
          ? { kind: 'remove', order_item_id: line.order_item_id }
          : { kind: 'qty', order_item_id: line.order_item_id, qty: count },
      ]
    }),
    ...added.map(({ product, qty }): LineEdit => ({ kind: 'add', product_id: product.product_id, qty })),
  ]
  const shares = lines.flatMap(line => (countOf(line) > 0 ? [{ order_item_id: line.order_item_id, qty: countOf(line) }] : []))
  const all = lines.reduce((sum, line) => sum + toSend(line), 0)
  const taken = shares.reduce((sum, share) => sum + share.qty, 0)
  const missing =
    deed === 'edit'
      ? edits.length === 0
        ? t('Change at least one item')
        : taken + added.length === 0
          ? t('Leave at least one item')
          : null
      : taken === 0
        ? t('Select at least one item')
        : deed === 'split' && taken === all
          ? t('Leave at least one item')
          : null
  const save = () => {
    if (missing) return setWrong(missing)
    if (deed === 'edit') edit.mutate({ id: order.id, body: { version: from.version, edits, reason } })
    else if (deed === 'split') split.mutate({ id: order.id, body: { version: from.version, client_id, lines: shares } })
    else copy.mutate({ id: order.id, body: { client_id, lines: shares, reason, free } })
  }
  const isDirty = deed === 'edit' ? edits.length > 0 : deed === 'split' ? taken > 0 : taken < all || reason !== ''
  const leave = async () => {
    const question = {
      title: t('Leave without saving?'),
      body: t('What you changed here is not saved.'),
      action: t('Leave without saving'),
      danger: true,
    }
    if (!isDirty || (await confirm(question))) close()
  }
  const titles = { edit: t('Edit items'), split: t('Split order'), copy: t('Copy as replacement') }
  const actions = { edit: t('Save items'), split: t('Split order'), copy: t('Create order') }
  const help = {
    edit:
      order.work_state === 'in_pick' || order.work_state === 'picked'
        ? t('The pick list follows: what is too much goes back to its bin.')
        : null,
    split: t('How many items go by themselves. The part has its own label and deadline.'),
    copy: t('What the customer gets once more. The recipient and the shipping method stay.'),
  }
  return (
    <Drawer opened size={640} onClose={() => void leave()} title={titles[deed]}>
      <form
        onSubmit={event => {
          event.preventDefault()
          save()
        }}
      >
        <Stack>
          {help[deed] ? <Text c="dimmed">{help[deed]}</Text> : null}
          {lines.map((line, at) => {
            const removed = deed === 'edit' && countOf(line) === 0
            return (
              <Group key={line.order_item_id} justify="space-between" wrap="nowrap">
                <div style={{ minWidth: 0 }}>
                  <Text fw={500} td={removed ? 'line-through' : undefined}>
                    {[line.name, line.variant].filter(Boolean).join(', ')}
                  </Text>
                  <Text size="sm" c="dimmed">
                    {[line.sku, line.bin].filter(Boolean).join(' · ')}
                    {line.shop_qty === null
                      ? ''
                      : ` · ${t('Shop: {{shop}} · Here: {{here}}', { shop: line.shop_qty, here: toSend(line) })}`}
                  </Text>
                </div>
                <Group gap="xs" wrap="nowrap">
                  <WholeNumberInput
                    w={96}
                    aria-label={t('Quantity of {{name}}', { name: line.name })}
                    min={deed === 'edit' ? line.packed_qty : 0}
                    max={deed === 'edit' ? 9_999 : toSend(line)}
                    clampBehavior="strict"
                    value={countOf(line)}
                    onChange={value => setCount(line, Number(value) || 0)}
                    data-autofocus={at === 0 || undefined}
                  />
                  {deed === 'edit' ? (
                    <Tooltip label={removed ? t('Keep it') : t('Remove')}>
                      <ActionIcon
                        aria-label={removed ? t('Keep {{name}}', { name: line.name }) : t('Remove {{name}}', { name: line.name })}
                        {...disabledBecause(line.packed_qty > 0 && t('It is packed already'))}
                        onClick={() => setCount(line, removed ? toSend(line) : 0)}
                      >
                        {removed ? <IconArrowBackUp size={16} /> : <IconTrash size={16} />}
                      </ActionIcon>
                    </Tooltip>
                  ) : (
                    <span className={style.by}>{t('of {{total}}', { total: toSend(line) })}</span>
                  )}
                </Group>
              </Group>
            )
          })}
          {added.map(({ product, qty }, at) => (
            <Group key={product.product_id} justify="space-between" wrap="nowrap">
              <div style={{ minWidth: 0 }}>
                <Text fw={500}>{[product.name, product.variant].filter(Boolean).join(', ')}</Text>
                <Text size="sm" c="dimmed">
                  {[product.sku, product.bin, t('new')].filter(Boolean).join(' · ')}
                </Text>
              </div>
              <Group gap="xs" wrap="nowrap">
                <WholeNumberInput
                  w={96}
                  aria-label={t('Quantity of {{name}}', { name: product.name })}
                  min={1}
                  max={9_999}
                  value={qty}
                  onChange={value => setAdded(added.with(at, { product, qty: Number(value) || 1 }))}
                />
                <ActionIcon aria-label={t('Remove {{name}}', { name: product.name })} onClick={() => setAdded(added.toSpliced(at, 1))}>
                  <IconTrash size={16} />
                </ActionIcon>
              </Group>
            </Group>
          ))}
          {deed === 'edit' ? (
            <ProductPicker
              label={t('Add product')}
              of={{ order: order.id }}
              choose={product => {
                again()
                if (!added.some(one => one.product.product_id === product.product_id)) setAdded([...added, { product, qty: 1 }])
              }}
            />
          ) : null}
          {deed === 'split' ? null : (
            <TextInput
              label={t('Reason')}
              description={t('Shown in the timeline of the order.')}
              maxLength={200}
              value={reason}
              onChange={event => setReason(event.currentTarget.value)}
            />
          )}
          {deed === 'copy' ? (
            <Checkbox
              label={t('Free of charge')}
              description={t('The prices stay for customs.')}
              checked={free}
              onChange={event => setFree(event.currentTarget.checked)}
            />
          ) : null}
          {from.version === order.version ? null : (
            <Alert color="amber" title={t('Someone else changed this order')}>
              <Stack gap="xs" align="flex-start">
                {differences.length === 0 ? <span>{t('Its items are as they were.')}</span> : null}
                {differences.map(one => (
                  <span key={one}>{one}</span>
                ))}
                <Button
                  size="compact-md"
                  variant="default"
                  onClick={() => {
                    setCounts(
                      Object.fromEntries(
                        lines.map(line => [line.order_item_id, line.order_item_id in counts ? countOf(line) : begun(line)]),
                      ),
                    )
                    setFrom(order)
                  }}
                >
                  {t('Use the new state')}
                </Button>
              </Stack>
            </Alert>
          )}
          {said ? (
            <Alert color="brick" role="alert">
              {said}
            </Alert>
          ) : null}
          <Group justify="flex-end">
            <Button variant="default" onClick={() => void leave()}>
              {t('Cancel')}
            </Button>
            <Button
              type="submit"
              {...disabledBecause(from.version !== order.version && t('Someone else changed this order'))}
              loading={edit.isPending || split.isPending || copy.isPending}
            >
              {actions[deed]}
            </Button>
          </Group>
        </Stack>
      </form>
    </Drawer>
  )
}
