/** On the order's page: the totes in which it lies, and naming one where it lies in none, as after it was unpacked. */
import { Button, Group, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { access } from '#contract/access.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import type { Order } from '#features/orders/orders/orders.schemas.ts'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { errorSentence } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { useCall } from '#ui/query/calls.ts'
import { useIsAllowed, useSignedIn } from '#ui/query/session.ts'
import { useBind } from './code-actions.tsx'
import { paperless, workInTotes } from './paperless.contract.ts'

/** Whether this person may say in which tote the order lies: pieces of it are out of their bins, no tote carries them, and there are totes. */
export function useMayNameTote(order: Order): boolean {
  const may = useIsAllowed(access.picks)
  const { user } = useSignedIn()
  const touched = order.work_state !== 'ready' || order.lines.some(line => line.picked_qty > line.packed_qty)
  const lacking =
    order.paperless.length === 0 && order.cancelled_at === null && touched && workInTotes.some(state => state === order.work_state)
  const enabled = may && user.is_main_company && lacking
  const pool = useCall(paperless.mapping, { limit: 1 }, { enabled, fresh: 600_000 })
  return enabled && Object.values(pool.data?.counts ?? {}).some(count => count > 0)
}

export function OrderTote({ order, mayName }: { order: Order; mayName: boolean }) {
  const t = useT()
  const [asking, setAsking] = useState(false)
  return (
    <>
      {order.paperless.map(digits => `PP${digits}`).join(', ')}
      {mayName ? (
        <Button size="compact-sm" variant="default" onClick={() => setAsking(true)}>
          {t('Name a tote')}
        </Button>
      ) : null}
      {asking ? <NameTote order={order} close={() => setAsking(false)} /> : null}
    </>
  )
}

function NameTote({ order, close }: { order: Order; close: () => void }) {
  const t = useT()
  const [code, setCode] = useState('')
  const bind = useBind({ refreshes: [orders.get, orders.timeline], quiet: true, done: close })
  const text = code.trim()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text !== '') bind.mutate({ id: text, body: { order: order.order_code } })
  }
  return (
    <Dialog opened onClose={close} title={t('In which tote does order {{number}} lie?', { number: order.order_no })}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <TextInput
            label={t('Code of the tote')}
            description={t('Scan an empty tote, or type what stands on it, as PP17.')}
            value={code}
            maxLength={22}
            autoCapitalize="characters"
            autoComplete="off"
            error={bind.error ? (bind.error.fields.id ? t(bind.error.fields.id) : errorSentence(bind.error)) : null}
            onChange={event => {
              bind.reset()
              setCode(event.currentTarget.value)
            }}
            data-autofocus
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={bind.isPending} {...disabledBecause(text === '' && t('Enter a code first'))}>
              {t('Name the tote')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
