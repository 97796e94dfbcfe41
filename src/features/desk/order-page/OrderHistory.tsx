/** What is said to the shop about an order: a status, a text or both, and whether the shop has it. It is loaded with the page's end. */
import { Button, Checkbox, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Order } from '#features/orders/orders/orders.schemas.ts'
import { statusHistories } from '#features/orders/orders/status-histories/status-histories.contract.ts'
import { actorName } from '#ui/kit/actor.ts'
import { Panel } from '#ui/kit/DetailPage.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import style from './OrderPage.module.css'
import { orderRefreshes } from './order-undo.client.ts'

const empty = { status: '', comment: '', visible_to_customer: false, notify_customer: false }

export default function OrderHistory({ order }: { order: Order }) {
  const t = useT()
  const said = useCall(statusHistories.list, { id: order.id }, { live: [{ topic: 'order', id: order.id }] })
  const [draft, setDraft] = useState(empty)
  const [client_id, setClientId] = useState(() => crypto.randomUUID())
  const add = useSend(statusHistories.add, {
    refreshes: [statusHistories.list, ...orderRefreshes],
    done: () => {
      setDraft(empty)
      setClientId(crypto.randomUUID())
    },
  })
  const written = draft.status.trim() !== '' || draft.comment.trim() !== ''
  return (
    <Panel title={t('Messages to the shop')} count={said.data?.length || null} flush place={7}>
      <QueryState of={said} shape="rows">
        {rows => (
          <>
            {rows.map(row => (
              <div key={row.id} className={style.row}>
                <div className={style.rowHead}>
                  {row.status ? <StateBadge tone="plain">{row.status}</StateBadge> : null}
                  {row.error ? (
                    <StateBadge tone="stop">{t('Not delivered')}</StateBadge>
                  ) : row.delivered_at ? (
                    <StateBadge tone="done">{t('Delivered')}</StateBadge>
                  ) : null}
                  <span className={style.by}>
                    {actorName(t, row.actor)}, <RelativeTime at={row.at} />
                  </span>
                </div>
                {row.comment ? <div className={style.comment}>{row.comment}</div> : null}
                {row.visible_to_customer ? <div className={style.by}>{t('Customer may see it')}</div> : null}
                {row.error ? <div className={style.by}>{row.error}</div> : null}
              </div>
            ))}
          </>
        )}
      </QueryState>
      <form
        className={style.inset}
        onSubmit={event => {
          event.preventDefault()
          if (written) add.mutate({ id: order.id, body: { ...draft, client_id } })
        }}
      >
        <Stack gap="xs">
          <Textarea
            aria-label={t('Text for the shop')}
            placeholder={t('Text for the shop')}
            autosize
            minRows={1}
            maxRows={8}
            maxLength={2_000}
            value={draft.comment}
            onChange={event => setDraft({ ...draft, comment: event.currentTarget.value })}
          />
          {written ? (
            <>
              <TextInput
                label={t('Status in the shop')}
                description={t("A status word of the shop's own. Empty leaves it as it is.")}
                maxLength={40}
                value={draft.status}
                onChange={event => setDraft({ ...draft, status: event.currentTarget.value })}
              />
              <Checkbox
                label={t('Customer may see it')}
                checked={draft.visible_to_customer}
                onChange={event => setDraft({ ...draft, visible_to_customer: event.currentTarget.checked })}
              />
              <Checkbox
                label={t('Shop notifies the customer')}
                checked={draft.notify_customer}
                onChange={event => setDraft({ ...draft, notify_customer: event.currentTarget.checked })}
              />
              <Group justify="space-between" gap="xs">
                <Text size="sm" c="dimmed">
                  {t('The shop gets it by webhook or with its key.')}
                </Text>
                <Button type="submit" size="compact-md" loading={add.isPending}>
                  {t('Send to shop')}
                </Button>
              </Group>
            </>
          ) : null}
        </Stack>
      </form>
    </Panel>
  )
}
