/** The deliveries of a webhook: what was sent, and what the receiver answered. */
import { Button, Code, Group, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMemo } from 'react'
import { CopyButton } from '#ui/kit/CopyButton.tsx'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { DescriptionItem, DescriptionList } from '#ui/kit/DescriptionList.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { type Filter, FilterBar } from '#ui/kit/FilterBar.tsx'
import { instantOf, number } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { usePagedList } from '#ui/kit/list-state.ts'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import { urlChoices, urlNumber, urlText } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { saveFile, send, useCall, useCommand, useSend } from '#ui/query/calls.ts'
import style from './Webhooks.module.css'
import { deliveryStates, eventGroups } from './webhooks.codes.ts'
import { webhooks } from './webhooks.contract.ts'
import { deliveryTones, deliveryWords } from './webhooks.labels.ts'
import type { WebhookDelivery } from './webhooks.schemas.ts'

const all = eventGroups.flatMap(({ types }) => types)
const View = {
  page: urlNumber(1),
  query: urlText(),
  state: urlChoices(deliveryStates),
  event: urlChoices(all),
  from: urlText(),
  to: urlText(),
  delivery: urlNumber(0),
}
const keyOf = (row: WebhookDelivery) => row.id

export function WebhookLog({ id, paused }: { id: number; paused: boolean }) {
  const t = useT()
  const [url, setUrl] = useUrlState(View)
  const from = url.from ? instantOf(`${url.from}T00:00`) : null
  const to = url.to ? instantOf(`${url.to}T23:59:59`) : null
  const question = {
    id,
    ...(url.state.length > 0 && { state: url.state }),
    ...(url.event.length > 0 && { event: url.event }),
    ...(from && { from }),
    ...(to && { to }),
    ...(url.query && { q: url.query }),
  }
  const list = usePagedList(
    webhooks.deliveries,
    { ...question, page: url.page, limit: 20 },
    { live: [{ topic: 'outgoing_webhook', id }], keyOf },
  )
  const save = useCommand(() => send(webhooks.exportDeliveries, question), { done: saveFile })
  const columns = useMemo<Column<WebhookDelivery>[]>(
    () => [
      { key: 'at', title: t('When'), cell: row => <RelativeTime at={row.at} /> },
      { key: 'event', title: t('Event'), flex: 2, cell: row => <Code>{row.event}</Code> },
      {
        key: 'order',
        title: t('Order'),
        cell: row =>
          row.order_id === null ? (
            `${row.object.type} ${row.object.id}`
          ) : (
            <Link to="/parcels/orders" search={{ id: row.order_id }}>
              {row.order_no ?? row.order_id}
            </Link>
          ),
      },
      {
        key: 'state',
        title: t('Status'),
        cell: row => <StateBadge tone={deliveryTones[row.state]}>{t(deliveryWords[row.state])}</StateBadge>,
      },
      { key: 'status', title: t('Answer'), align: 'end', cell: row => row.status ?? '–' },
      { key: 'attempts', title: t('Attempts'), align: 'end', cell: row => number(row.attempts) },
      { key: 'took', title: 'ms', align: 'end', cell: row => (row.took_ms === null ? '–' : number(row.took_ms)) },
      { key: 'next', title: t('Next try'), hidden: true, cell: row => <RelativeTime at={row.next_at} /> },
    ],
    [t],
  )
  const filters: Filter[] = [
    {
      key: 'state',
      label: t('Status'),
      kind: 'many',
      options: deliveryStates.map(value => ({ value, label: t(deliveryWords[value]) })),
      value: url.state,
      set: values => setUrl({ state: deliveryStates.filter(one => values.includes(one)), page: 1 }),
    },
    {
      key: 'event',
      label: t('Event'),
      kind: 'many',
      options: all.map(value => ({ value, label: value })),
      value: url.event,
      set: values => setUrl({ event: all.filter(one => values.includes(one)), page: 1 }),
    },
    { key: 'from', label: t('From'), kind: 'day', value: url.from ? [url.from] : [], set: ([day = '']) => setUrl({ from: day, page: 1 }) },
    { key: 'to', label: t('Until'), kind: 'day', value: url.to ? [url.to] : [], set: ([day = '']) => setUrl({ to: day, page: 1 }) },
  ]
  return (
    <>
      <DataTable
        name="webhook-log"
        label={t('Deliveries')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        open={row => setUrl({ delivery: row.id })}
        opened={url.delivery || null}
        onPage={page => setUrl({ page })}
        toolbar={
          <Group gap="xs" align="flex-start">
            <FilterBar
              name="webhook-log"
              search={{
                value: url.query,
                set: query => setUrl({ query, page: 1 }, { replace: true }),
                label: t('Order, event id or answer'),
              }}
              filters={filters}
            />
            <Button
              variant="default"
              leftSection={<IconDownload size={16} />}
              loading={save.isPending}
              onClick={() => save.mutate(undefined)}
            >
              {t('Export')}
            </Button>
          </Group>
        }
        filtered={url.query !== '' || url.state.length > 0 || url.event.length > 0 || url.from !== '' || url.to !== ''}
        clearFilters={() => setUrl({ query: '', state: [], event: [], from: '', to: '', page: 1 })}
        empty={<EmptyList title={t('Nothing delivered yet')}>{t('Events appear here from the moment they happen.')}</EmptyList>}
        card={row => (
          <RowCard>
            <RowCardLine>
              <Code>{row.event}</Code>
              <StateBadge tone={deliveryTones[row.state]}>{t(deliveryWords[row.state])}</StateBadge>
            </RowCardLine>
            <RowCardLine>
              <span>{row.order_no ?? row.event_id}</span>
              <RelativeTime at={row.at} />
            </RowCardLine>
          </RowCard>
        )}
      />
      <Drawer opened={url.delivery > 0} onClose={() => setUrl({ delivery: 0 })} title={t('Delivery')} size={640}>
        {url.delivery > 0 ? <Opened id={id} delivery_id={url.delivery} paused={paused} changed={list.showPendingChanges} /> : null}
      </Drawer>
    </>
  )
}

function Opened({ id, delivery_id, paused, changed }: { id: number; delivery_id: number; paused: boolean; changed: () => void }) {
  const t = useT()
  const answer = useCall(webhooks.delivery, { id, delivery_id }, { live: [{ topic: 'outgoing_webhook', id }] })
  const again = useSend(webhooks.sendAgain, {
    refreshes: [webhooks.list, webhooks.deliveries, webhooks.delivery],
    said: t('It is sent again now'),
    done: changed,
  })
  return (
    <QueryState of={answer} shape="form">
      {row => (
        <Stack gap="md">
          <Group justify="space-between">
            <StateBadge tone={deliveryTones[row.state]}>{t(deliveryWords[row.state])}</StateBadge>
            <Button
              size="compact-sm"
              variant="default"
              {...disabledBecause(paused && t('Resume the webhook first.'))}
              loading={again.isPending}
              onClick={() => again.mutate({ id, delivery_id })}
            >
              {t('Send again')}
            </Button>
          </Group>
          <DescriptionList>
            <DescriptionItem name={t('Event')}>
              <Code>{row.event}</Code>
            </DescriptionItem>
            <DescriptionItem name={t('Event id')}>
              <Code>{row.event_id}</Code>
            </DescriptionItem>
            <DescriptionItem name={t('Attempts')}>{number(row.attempts)}</DescriptionItem>
            <DescriptionItem name={t('Sent')}>
              <RelativeTime at={row.sent_at} />
            </DescriptionItem>
            {row.next_at ? (
              <DescriptionItem name={t('Next try')}>
                <RelativeTime at={row.next_at} />
              </DescriptionItem>
            ) : null}
          </DescriptionList>
          <section>
            <Text fw={500}>{row.status === null ? t('Answer') : t('Answer {{status}}', { status: row.status })}</Text>
            <Code block className={style.text}>
              {row.answer || '–'}
            </Code>
          </section>
          {row.attempts === 0 ? null : (
            <section>
              <Text fw={500}>{t('Headers')}</Text>
              <Code block className={style.text}>
                {headersOf(row)}
              </Code>
            </section>
          )}
          <section>
            <Group gap="xs">
              <Text fw={500}>{t('Body')}</Text>
              {row.body === null ? null : <CopyButton text={row.body} />}
            </Group>
            {row.body === null ? (
              <Text size="sm" c="dimmed">
                {t('Not sent yet, older than 14 days, or about a person who was erased.')}
              </Text>
            ) : (
              <Code block className={style.text}>
                {indented(row.body)}
              </Code>
            )}
          </section>
        </Stack>
      )}
    </QueryState>
  )
}

/** Those by which the last attempt differs from others; its signature is not kept. */
const headersOf = ({ event, event_id, attempts, replay_no }: WebhookDelivery): string =>
  [
    `Pakhus-Event: ${event}`,
    `Pakhus-Delivery: ${event_id}`,
    `Pakhus-Attempt: ${attempts}`,
    ...(replay_no > 0 ? [`Pakhus-Replay: ${replay_no}`] : []),
  ].join('\n')

const indented = (body: string): string => JSON.stringify(JSON.parse(body), null, 2)
