/** The two decisions about a customer that a person confirms: merging with another one, and erasing the person. */

import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { customers } from '#features/customers/customers/customers.contract.ts'
import { FlagBadge } from '#features/customers/customers/customers.labels.tsx'
import type { Customer, CustomerRow } from '#features/customers/customers/customers.schemas.ts'
import { useCompanyName } from '#features/orders/orders/order.labels.tsx'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { number } from '#ui/kit/format.ts'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { toastWithUndo } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import style from './CustomerPage.module.css'
import { customerPage } from './customer-page.contract.ts'

const refreshes = [customers.get, customers.search, customers.ofOrder, customerPage.orders]

export function MergeDialog({ root_id, member_id, close }: { root_id: number; member_id: number; close: () => void }) {
  const t = useT()
  const { user } = useSignedIn()
  const preview = useCall(customers.mergePreview, { root_id, member_id }, { fresh: 0, enabled: user.is_main_company })
  const undo = useSend(customers.undoMerge, { refreshes, said: t('The merge is undone') })
  const merge = useSend(customers.merge, {
    refreshes,
    done: customer => {
      close()
      const [made] = customer.merges
      if (made) toastWithUndo(t('The customers are merged'), () => undo.mutate({ id: made.id }))
    },
  })
  return (
    <Dialog opened onClose={close} size={640} title={t('Merge these customers?')}>
      <QueryState of={preview}>
        {({ root, member }) => (
          <Stack>
            <div className={style.two}>
              <Side title={t('Stays')} row={root} />
              <Side title={t('Is added')} row={member} />
            </div>
            <Text>
              {t('{{count}} orders, all contacts, notes and flags stand together afterwards. It can be undone at any time.', {
                count: root.order_count + member.order_count,
              })}
            </Text>
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={close}>
                {t('Cancel')}
              </Button>
              <Button loading={merge.isPending} onClick={() => merge.mutate({ body: { root_id, member_id } })}>
                {t('Merge customers')}
              </Button>
            </Group>
          </Stack>
        )}
      </QueryState>
    </Dialog>
  )
}

function Side({ title, row }: { title: string; row: CustomerRow }) {
  const t = useT()
  const companyName = useCompanyName()
  return (
    <section className={style.side} aria-label={title}>
      <div className={style.by}>{title}</div>
      <Text fw={600}>{row.name || t('Without a name')}</Text>
      <div className={style.text}>{row.email ?? '–'}</div>
      <div className={style.text}>{row.phone ?? '–'}</div>
      <div className={style.by}>
        {t('{{count}} orders', { count: row.order_count })} · <RelativeTime at={row.last_order_at} />
      </div>
      <div className={style.by}>{row.company_ids.map(companyName).join(', ')}</div>
      {row.flags.map(flag => (
        <FlagBadge key={flag} flag={flag} />
      ))}
    </section>
  )
}

/** Erasing cannot be undone: what would go is shown, and the person's name is typed first. */
export function EraseDialog({ customer, close }: { customer: Customer; close: () => void }) {
  const t = useT()
  const [typed, setTyped] = useState('')
  const preview = useCall(customerPage.erasePreview, { id: customer.customer_id }, { fresh: 0 })
  const erase = useSend(customerPage.erase, {
    refreshes: [customerPage.requests],
    said: answer => (answer.waiting ? t('The data is erased when the last order is closed') : t('The erasure begins')),
    done: close,
  })
  const name = customer.name || t('Without a name')
  const same = typed.trim().toLocaleLowerCase() === name.trim().toLocaleLowerCase()
  return (
    <Dialog opened onClose={close} size={640} title={t('Erase {{name}}?', { name })}>
      <QueryState of={preview}>
        {({ orders, open, rows }) => (
          <form
            onSubmit={event => {
              event.preventDefault()
              if (same) erase.mutate({ id: customer.customer_id })
            }}
          >
            <Stack>
              <Text>
                {t(
                  'Names, addresses, notes, messages, labels and files of {{count}} orders are erased for good. Orders and figures stay.',
                  {
                    count: orders,
                  },
                )}
              </Text>
              {open > 0 ? (
                <Alert color="yellow">
                  {t('{{count}} orders are still open. The data is erased when they are closed.', { count: open })}
                </Alert>
              ) : null}
              <Text size="sm" c="dimmed">
                {t('{{count}} rows are touched', { count: Object.values(rows).reduce((sum, one) => sum + one, 0) })} ·{' '}
                {Object.entries(rows)
                  .map(([table, count]) => `${table} ${number(count)}`)
                  .join(', ')}
              </Text>
              <TextInput
                label={t('Type {{name}} to confirm', { name })}
                value={typed}
                autoComplete="off"
                data-autofocus
                onChange={event => setTyped(event.currentTarget.value)}
              />
              <Group justify="flex-end" gap="xs">
                <Button variant="default" onClick={close}>
                  {t('Cancel')}
                </Button>
                <Button
                  type="submit"
                  color="brick"
                  {...disabledBecause(!same && t('Type {{name}} to confirm', { name }))}
                  loading={erase.isPending}
                >
                  {t('Erase person')}
                </Button>
              </Group>
            </Stack>
          </form>
        )}
      </QueryState>
    </Dialog>
  )
}
