/** Settings: addresses of the company's own systems that get its events. */
import { Button, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { number } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { staticList } from '#ui/kit/list-state.ts'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import { urlNumber } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { useCall } from '#ui/query/calls.ts'
import { SecretOnce, WebhookForm } from './WebhookForm.tsx'
import { WebhookPage } from './WebhookPage.tsx'
import { typesOf } from './webhooks.codes.ts'
import { webhooks } from './webhooks.contract.ts'
import { webhookTones, webhookWords } from './webhooks.labels.ts'
import type { OutgoingWebhook } from './webhooks.schemas.ts'

const path = '/settings/webhooks'
const View = { id: urlNumber(0) }
const keyOf = (row: OutgoingWebhook) => row.id

export function WebhooksScreen() {
  const t = useT()
  const [url, setUrl] = useUrlState(View)
  const answer = useCall(webhooks.list, {}, { live: ['outgoing_webhook'], keep: true })
  const [adding, setAdding] = useState(false)
  const [secret, setSecret] = useState('')
  const home = { to: path, label: t('All webhooks') }
  const shown = <SecretOnce secret={secret} close={() => setSecret('')} />
  const columns = useMemo<Column<OutgoingWebhook>[]>(
    () => [
      {
        key: 'name',
        title: t('Name'),
        flex: 2,
        cell: row => (
          <Link to={path} search={{ id: row.id }}>
            {row.name}
          </Link>
        ),
      },
      { key: 'url', title: t('Address'), flex: 3, cell: row => row.url },
      {
        key: 'state',
        title: t('Status'),
        cell: row => <StateBadge tone={webhookTones[row.state]}>{t(webhookWords[row.state])}</StateBadge>,
      },
      { key: 'events', title: t('Events'), align: 'end', cell: row => number(typesOf(row.events).length) },
      { key: 'waiting', title: t('Waiting'), align: 'end', cell: row => number(row.waiting) },
      { key: 'last', title: t('Delivered'), cell: row => <RelativeTime at={row.last_delivery_at} as="age" /> },
    ],
    [t],
  )
  if (url.id > 0)
    return (
      <QueryState of={answer} shape="form">
        {({ rows }) => {
          const row = rows.find(one => one.id === url.id)
          return row ? (
            <>
              <WebhookPage key={row.id} row={row} back={home} gone={() => setUrl({ id: 0 })} />
              {shown}
            </>
          ) : (
            <Page title={t('Webhook')} back={home}>
              <EmptyList
                title={t('This webhook was removed')}
                action={
                  <Button component={Link} to={path}>
                    {t('All webhooks')}
                  </Button>
                }
              />
            </Page>
          )
        }}
      </QueryState>
    )
  const add = <Button onClick={() => setAdding(true)}>{t('Add webhook')}</Button>
  return (
    <Page
      title={t('Webhooks')}
      note={t('Your own systems get what happens to orders, shipments and returns.')}
      actions={answer.data?.rows.length ? add : null}
      fill
    >
      <DataTable
        name="outgoing-webhooks"
        label={t('Webhooks')}
        columns={columns}
        list={{
          ...staticList(answer.data?.rows ?? []),
          isLoading: answer.isPending,
          error: answer.error,
          refetch: () => void answer.refetch(),
        }}
        keyOf={keyOf}
        open={row => setUrl({ id: row.id })}
        onPage={() => undefined}
        empty={
          <EmptyList title={t('No webhook yet')} action={add}>
            {t('Give the address of a system of yours. It gets each event, signed and in order.')}
          </EmptyList>
        }
        card={row => (
          <RowCard>
            <RowCardLine>
              <strong>{row.name}</strong>
              <StateBadge tone={webhookTones[row.state]}>{t(webhookWords[row.state])}</StateBadge>
            </RowCardLine>
            <RowCardLine>
              <Text size="sm" c="dimmed">
                {t('Waiting: {{count}}', { count: number(row.waiting) })}
              </Text>
              <RelativeTime at={row.last_delivery_at} as="age" />
            </RowCardLine>
          </RowCard>
        )}
      />
      <Drawer opened={adding} onClose={() => setAdding(false)} title={t('Add webhook')} size={560}>
        {adding ? (
          <WebhookForm
            row={null}
            done={made => {
              setAdding(false)
              setSecret(made.secret ?? '')
              setUrl({ id: made.row.id })
            }}
          />
        ) : null}
      </Drawer>
      {shown}
    </Page>
  )
}
