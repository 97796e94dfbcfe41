/** Missing pieces: what was not there, who needs it as well, and what becomes of the order. */

import { Alert, Button, Group, Stack, Text, Textarea, UnstyledButton } from '@mantine/core'
import { IconPhoto } from '@tabler/icons-react'
import { useEffect, useMemo, useState } from 'react'
import { PhaseBadge } from '#features/orders/orders/order.labels.tsx'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { placeWord } from '#features/warehouse/paperless/paperless.labels.tsx'
import { ActionBar } from '#ui/kit/ActionBar.tsx'
import { confirm } from '#ui/kit/Confirm.tsx'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { DescriptionItem, DescriptionList } from '#ui/kit/DescriptionList.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { FilterBar } from '#ui/kit/FilterBar.tsx'
import { Link } from '#ui/kit/Link.tsx'
import { usePagedList, useSelection } from '#ui/kit/list-state.ts'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { toastSuccess } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { type Received, send, useCall, useSend } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import { useScanHandler } from '#ui/scanner/handlers.tsx'
import { isFiltered, noFilters, useTaskFilters } from './filters.client.ts'
import style from './PickTasks.module.css'
import { DecisionBadge, decisionDeed, decisionWord, ProductLine, RefusedTasks, reasonWord } from './pick-task.labels.tsx'
import { shortDecisions, shortReasons } from './pick-tasks.codes.ts'
import { deciders, pickTasks } from './pick-tasks.contract.ts'
import type { Short, ShortDecision, TaskResult } from './pick-tasks.schemas.ts'
import { shortsQuestion, type TabProps } from './pick-tasks-url.client.ts'

const keyOf = (row: Short) => row.id
const refreshes = [pickTasks.shorts, pickTasks.short, pickTasks.count, pickTasks.putBacks, pickTasks.counts, orders.get, orders.search]
/** The usual one first. */
const decisions: readonly ShortDecision[] = ['found', 'ship_partial', 'wait', 'ask_customer', 'cancel_line']

export function ShortsTab({ url, setUrl }: TabProps) {
  const t = useT()
  const list = usePagedList(pickTasks.shorts, { ...shortsQuestion(url), page: url.page, limit: 50 }, { live: ['pick_task'] })
  const selection = useSelection(shortsQuestion(url))
  const mayDecide = useIsAllowed(deciders)
  const [refused, setRefused] = useState<readonly TaskResult[]>([])
  const filters = useTaskFilters(
    { url, setUrl },
    shortReasons.map(value => ({ value, label: reasonWord(value) })),
  )
  useScanHandler({
    match: code => (code.kind === 'refused' || code.kind === 'command' ? null : code.text),
    handle: text => setUrl({ query: text, id: 0 }),
  })
  const many = useSend(pickTasks.decideMany, {
    refreshes,
    done: ({ results }) => {
      const left = results.filter(result => !result.done)
      const done = results.length - left.length
      if (done > 0) toastSuccess(t('{{count}} orders are decided', { count: done }))
      setRefused(left)
      selection.clear()
      list.showPendingChanges()
    },
  })
  const decideMany = async (decision: ShortDecision) => {
    const ids = [...selection.keys].map(Number)
    const { title, effect } = decisionDeed(decision)
    if (
      await confirm({
        title: t('{{count}} times: {{deed}}', { count: ids.length, deed: title }),
        body: effect,
        action: title,
        danger: decision === 'cancel_line',
      })
    )
      many.mutate({ body: { ids, decision } })
  }

  const columns = useMemo<Column<Short>[]>(
    () => [
      {
        key: 'order',
        title: t('Order'),
        cell: row => (
          <Link to="/lists/pick/tasks" search={{ id: row.id }}>
            {row.order_no}
          </Link>
        ),
      },
      { key: 'quantity', title: t('Missing'), align: 'end', cell: row => row.quantity },
      { key: 'product', title: t('Product'), flex: 2, cell: row => <ProductLine of={row} size={28} /> },
      { key: 'bin', title: t('Bin'), cell: row => <span className={style.bin}>{row.bin ?? '–'}</span> },
      { key: 'reason', title: t('Reason'), flex: 1, cell: row => reasonWord(row.reason) },
      {
        key: 'photo',
        title: t('Photo'),
        cell: row => (row.has_photo ? <IconPhoto size={16} aria-label={t('There is a photo')} /> : ''),
      },
      {
        key: 'counted',
        title: t('Counted'),
        align: 'end',
        cell: row =>
          row.counted === null ? '' : <span className={row.counted >= row.quantity ? undefined : style.wrong}>{row.counted}</span>,
      },
      { key: 'others', title: t('Others need'), align: 'end', hidden: true, cell: row => row.others || '' },
      { key: 'decision', title: t('Decision'), cell: row => <DecisionBadge decision={row.decision} /> },
      { key: 'reported', title: t('Reported'), cell: row => <RelativeTime at={row.reported_at} as="age" /> },
      { key: 'by', title: t('By'), cell: row => row.reported_by },
      { key: 'company', title: t('Company'), hidden: true, cell: row => row.company },
      { key: 'place', title: t('Where'), hidden: true, cell: row => placeWord(row) },
      {
        key: 'decided_by',
        title: t('Decided by'),
        hidden: true,
        cell: row => (row.decided_by === 'system' ? t('A rule') : (row.decided_by ?? '')),
      },
    ],
    [t],
  )
  return (
    <>
      <DataTable
        name="pick-shorts"
        label={t('Missing')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        open={row => setUrl({ id: row.id })}
        opened={url.id || null}
        onPage={page => setUrl({ page })}
        {...(mayDecide && {
          selection,
          bulk: (
            <ActionBar selection={selection} list={list}>
              {decisions.map(decision => (
                <Button
                  key={decision}
                  size="compact-md"
                  variant="default"
                  loading={many.isPending}
                  onClick={() => void decideMany(decision)}
                >
                  {decisionDeed(decision).title}
                </Button>
              ))}
            </ActionBar>
          ),
        })}
        toolbar={
          <FilterBar
            name="pick-shorts"
            search={{ value: url.query, set: query => setUrl({ query }, { replace: true }), label: t('Order, product, bin or tote') }}
            filters={[
              ...filters,
              {
                key: 'decision',
                label: t('Decision'),
                kind: 'many',
                options: shortDecisions.map(value => ({ value, label: decisionWord(value) })),
                value: url.decision,
                set: decision =>
                  setUrl({ decision: [...decision], ...(decision.length > 0 && url.show === 'open' && { show: 'done' as const }) }),
              },
            ]}
          />
        }
        filtered={isFiltered(url)}
        clearFilters={() => setUrl({ ...noFilters, company: [], reason: [], decision: [] })}
        empty={
          <EmptyList
            title={t('Nothing is missing')}
            action={
              <Button variant="default" onClick={() => setUrl({ show: 'done' })}>
                {t('Show finished')}
              </Button>
            }
          >
            {t('When a picker reports items that are not there, the order waits here for a decision.')}
          </EmptyList>
        }
        card={row => (
          <RowCard>
            <RowCardLine>
              <span>
                <b>{row.order_no}</b> · {t('{{count}} missing', { count: row.quantity })}
              </span>
              <DecisionBadge decision={row.decision} />
            </RowCardLine>
            <ProductLine of={row} size={36} />
            <RowCardLine>
              <span className={style.bin}>{row.bin ?? '–'}</span>
              <span className={style.dim}>
                {reasonWord(row.reason)} · <RelativeTime at={row.reported_at} as="age" />
              </span>
            </RowCardLine>
          </RowCard>
        )}
      />
      <ShortDrawer id={url.id} close={() => setUrl({ id: 0 })} />
      <RefusedTasks
        results={refused}
        nameOf={id => list.rows.find(row => row.id === id)?.order_no ?? `${id}`}
        close={() => setRefused([])}
      />
    </>
  )
}

function ShortDrawer({ id, close }: { id: number; close: () => void }) {
  const t = useT()
  const short = useCall(pickTasks.short, { id }, { enabled: id > 0, live: ['pick_task', 'order'] })
  return (
    <Drawer
      opened={id > 0}
      onClose={close}
      position="right"
      size={640}
      title={short.data && id > 0 ? t('{{count}} missing', { count: short.data.quantity }) : t('Missing')}
    >
      {id > 0 ? <QueryState of={short}>{one => <ShortFacts key={one.id} short={one} />}</QueryState> : null}
    </Drawer>
  )
}

function ShortFacts({ short }: { short: Received<typeof pickTasks.short> }) {
  const t = useT()
  return (
    <Stack gap="md">
      <ProductLine of={short} size={72} />
      <p className={style.large}>{short.bin ?? '–'}</p>
      <Group gap="sm">
        <DecisionBadge decision={short.decision} />
        {short.decided_by ? (
          <Text size="sm" c="dimmed">
            {short.decided_by === 'system' ? t('A rule') : short.decided_by} ·{' '}
            {short.decided_at ? <RelativeTime at={short.decided_at} as="instant" /> : null}
          </Text>
        ) : null}
      </Group>
      {short.counted !== null ? (
        <Alert color={short.counted >= short.quantity ? 'moss' : 'amber'}>
          {t('Counted since: {{counted}} in the bin, {{quantity}} are missing', { counted: short.counted, quantity: short.quantity })}
        </Alert>
      ) : short.open_counts.length > 0 ? (
        <Text size="sm">
          {t('The bin has not been counted yet.')}{' '}
          <Link to="/lists/pick/tasks" search={{ tab: 'counts', id: short.open_counts[0]?.id ?? 0 }}>
            {t('Count by hand')}
          </Link>
        </Text>
      ) : null}
      <DescriptionList>
        <DescriptionItem name={t('Order')}>
          <Link to="/parcels/orders" search={{ id: short.order_id }}>
            {short.order_no}
          </Link>
        </DescriptionItem>
        <DescriptionItem name={t('Order is')}>
          <PhaseBadge phase={short.phase} />
        </DescriptionItem>
        <DescriptionItem name={t('Company')}>{short.company}</DescriptionItem>
        {short.ship_by ? (
          <DescriptionItem name={t('Ship by')}>
            <RelativeTime at={short.ship_by} as="instant" />
          </DescriptionItem>
        ) : null}
        <DescriptionItem name={t('Reason')}>{reasonWord(short.reason)}</DescriptionItem>
        <DescriptionItem name={t('Reported')}>
          {short.reported_by} · <RelativeTime at={short.reported_at} as="instant" />
        </DescriptionItem>
        {short.pick_list_id !== null ? (
          <DescriptionItem name={t('Where')}>
            <Link to="/lists/pick" search={{ id: short.pick_list_id }}>
              {placeWord(short)}
            </Link>
          </DescriptionItem>
        ) : null}
      </DescriptionList>
      {short.note ? <Text>{short.note}</Text> : null}
      {short.has_photo ? <Photo id={short.id} version={short.version} /> : null}
      <Decide short={short} />
      {short.needing.length > 0 ? (
        <section>
          <Text fw={600} mb={4}>
            {t('{{count}} other orders need this bin', { count: short.needing.length })}
          </Text>
          <ul className={style.others}>
            {short.needing.map(other => (
              <li key={`${other.order_id} ${other.pick_list_id ?? ''}`}>
                <Link to="/parcels/orders" search={{ id: other.order_id }}>
                  {other.order_no}
                </Link>
                <PhaseBadge phase={other.phase} />
                <span>{t('{{count}} items', { count: other.quantity })}</span>
                <span className={style.dim}>
                  {other.pick_list_id === null
                    ? t('On no list yet')
                    : [t('List {{list}}, wagon {{wagon}}', { list: other.pick_list_id, wagon: other.wagon_no }), other.picker]
                        .filter(Boolean)
                        .join(' · ')}
                </span>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </Stack>
  )
}

function Decide({ short }: { short: Short }) {
  const t = useT()
  const mayDecide = useIsAllowed(deciders)
  const [note, setNote] = useState('')
  const decide = useSend(pickTasks.decide, {
    refreshes,
    said: answer => `${answer.order_no}: ${answer.decision ? decisionWord(answer.decision) : ''}`,
  })
  if (!short.decidable) return null
  if (!mayDecide) return <Text c="dimmed">{t('Ask a lead to decide what happens to this order.', { rights: deciders.join(', ') })}</Text>
  const why = (decision: ShortDecision): string | null => {
    if (decision === short.decision) return t('Asked already')
    if (decision === 'found' && !short.on_wagon) return t('The order has left its wagon')
    return null
  }
  const run = async (decision: ShortDecision) => {
    const { title, effect } = decisionDeed(decision)
    if (decision === 'cancel_line' && !(await confirm({ title: `${short.order_no}: ${title}`, body: effect, action: title, danger: true })))
      return
    decide.mutate({ id: short.id, body: { decision, note, version: short.version } })
  }
  return (
    <section>
      <Text fw={600} mb={4}>
        {short.decision === 'ask_customer' ? t('The customer has answered?') : t('What becomes of it?')}
      </Text>
      {short.decision === 'ask_customer' ? (
        <Text size="sm" mb="xs">
          <Link to="/parcels/orders" search={{ id: short.order_id }}>
            {t('Ask customer on the page of the order')}
          </Link>
        </Text>
      ) : null}
      <div className={style.choices}>
        {decisions.map(decision => {
          const { title, effect } = decisionDeed(decision)
          const closed = why(decision)
          return (
            <UnstyledButton
              key={decision}
              className={style.choice}
              disabled={decide.isPending}
              {...disabledBecause(closed)}
              onClick={() => void run(decision)}
            >
              <b>{title}</b>
              <Text span size="sm" c="dimmed">
                {closed ?? effect}
              </Text>
            </UnstyledButton>
          )
        })}
        <Textarea
          label={t('Note')}
          description={t('It goes to the order: what the customer was asked, for example.')}
          autosize
          minRows={1}
          maxRows={4}
          maxLength={500}
          value={note}
          onChange={event => setNote(event.currentTarget.value)}
        />
      </div>
    </section>
  )
}

function Photo({ id, version }: { id: number; version: number }) {
  const t = useT()
  const [address, setAddress] = useState<string>()
  // The outside system is the browser's store of object addresses.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version may be a new photo
  useEffect(() => {
    let made: string | undefined
    let gone = false
    send(pickTasks.photo, { id }).then(
      file => {
        if (gone) return
        made = URL.createObjectURL(file)
        setAddress(made)
      },
      () => undefined,
    )
    return () => {
      gone = true
      if (made) URL.revokeObjectURL(made)
    }
  }, [id, version])
  return address ? <img className={style.photo} src={address} alt={t('Photo of the picker')} /> : null
}
