/** Bins to count: scan the bin or tap it, enter what lies there, and see at once which missing pieces turn up. */
import { Alert, Button, Group, Stack, Switch, Text, TextInput } from '@mantine/core'
import { type FormEvent, useMemo, useState } from 'react'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { DescriptionItem, DescriptionList } from '#ui/kit/DescriptionList.tsx'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { FilterBar } from '#ui/kit/FilterBar.tsx'
import { usePagedList } from '#ui/kit/list-state.ts'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { toastError, toastInfo, toastSuccess } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import { send, useSend } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import { useScanHandler, useScanner } from '#ui/scanner/handlers.tsx'
import { isFiltered, noFilters, useTaskFilters } from './filters.client.ts'
import style from './PickTasks.module.css'
import { countReasonWord, decisionDeed, ProductLine } from './pick-task.labels.tsx'
import { countReasons } from './pick-tasks.codes.ts'
import { deciders, pickTasks } from './pick-tasks.contract.ts'
import type { BinCount, Short } from './pick-tasks.schemas.ts'
import { countsQuestion, type TabProps } from './pick-tasks-url.client.ts'

const keyOf = (row: BinCount) => row.id
const refreshes = [pickTasks.counts, pickTasks.count, pickTasks.shorts, pickTasks.short]

export function CountsTab({ url, setUrl, asking, setAsking }: TabProps & { asking: boolean; setAsking: (asking: boolean) => void }) {
  const t = useT()
  const { play } = useScanner()
  const question = countsQuestion(url)
  const list = usePagedList(pickTasks.counts, { ...question, page: url.page, limit: 50 }, { live: ['pick_task'] })
  const [open, setOpen] = useState<BinCount | null>(null)
  const [turnedUp, setTurnedUp] = useState<readonly Short[]>([])
  const filters = useTaskFilters(
    { url, setUrl },
    countReasons.map(value => ({ value, label: countReasonWord(value) })),
  )
  const shown = open ?? (url.id > 0 ? (list.rows.find(row => row.id === url.id) ?? null) : null)
  const close = () => {
    setOpen(null)
    if (url.id > 0) setUrl({ id: 0 })
  }
  const scanned = async (text: string) => {
    if (asking) return
    try {
      const { rows } = await send(pickTasks.counts, { query: text, limit: 2 })
      const [first, second] = rows
      if (first && !second) {
        setOpen(first)
        play('ok')
      } else if (first) {
        setUrl({ query: text })
        play('attention')
      } else {
        play('error')
        toastInfo(t('Nothing is to be counted at {{text}}', { text }))
      }
    } catch (error) {
      toastError(error)
    }
  }
  useScanHandler({ match: code => (code.kind === 'refused' || code.kind === 'command' ? null : code.text), handle: text => scanned(text) })

  const columns = useMemo<Column<BinCount>[]>(
    () => [
      { key: 'bin', title: t('Bin'), cell: row => <span className={style.bin}>{row.bin}</span> },
      {
        key: 'product',
        title: t('Product'),
        flex: 2,
        cell: row => (row.product_id === null && row.name === '' ? t('Whatever lies there') : <ProductLine of={row} size={28} />),
      },
      { key: 'reason', title: t('Reason'), flex: 1, cell: row => countReasonWord(row.reason) },
      {
        key: 'blocks',
        title: t('Bin is'),
        cell: row =>
          row.done_at ? (
            <StateBadge tone="done">{t('Counted')}</StateBadge>
          ) : row.blocks ? (
            <StateBadge tone="stop">{t('Blocked')}</StateBadge>
          ) : (
            <StateBadge tone="plain">{t('Not counted')}</StateBadge>
          ),
      },
      { key: 'missing', title: t('Missing'), align: 'end', cell: row => row.missing || '' },
      { key: 'counted', title: t('Counted'), align: 'end', cell: row => row.counted ?? '' },
      { key: 'asked', title: t('Asked'), cell: row => <RelativeTime at={row.asked_at} as="age" /> },
      { key: 'by', title: t('By'), cell: row => row.done_by ?? row.asked_by },
      { key: 'note', title: t('Note'), flex: 1, cell: row => row.note },
      { key: 'company', title: t('Company'), hidden: true, cell: row => row.company },
    ],
    [t],
  )
  return (
    <>
      <DataTable
        name="bin-counts"
        label={t('Counts')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        open={row => setOpen(row)}
        opened={shown?.id ?? null}
        onPage={page => setUrl({ page })}
        toolbar={
          <FilterBar
            name="bin-counts"
            search={{ value: url.query, set: query => setUrl({ query }, { replace: true }), label: t('Bin or product') }}
            filters={filters}
          />
        }
        filtered={isFiltered(url)}
        clearFilters={() => setUrl({ ...noFilters, company: [], reason: [], decision: [] })}
        empty={
          <EmptyList
            title={t('Nothing is to be counted')}
            action={<Button onClick={() => setAsking(true)}>{t('Request bin count')}</Button>}
          >
            {t('A bin in which items were missing is counted, and blocked until then.')}
          </EmptyList>
        }
        card={row => (
          <RowCard>
            <RowCardLine>
              <span className={style.bin}>{row.bin}</span>
              {row.done_at ? (
                <StateBadge tone="done">{t('Counted: {{n}}', { n: row.counted })}</StateBadge>
              ) : row.blocks ? (
                <StateBadge tone="stop">{t('Blocked')}</StateBadge>
              ) : null}
            </RowCardLine>
            {row.name ? <ProductLine of={row} size={36} /> : null}
            <span className={style.dim}>{countReasonWord(row.reason)}</span>
          </RowCard>
        )}
      />
      <Drawer opened={shown !== null} onClose={close} title={t('Count')}>
        {shown ? (
          <Counting
            key={shown.id}
            count={shown}
            done={shorts => {
              close()
              list.showPendingChanges()
              setTurnedUp(shorts)
            }}
          />
        ) : null}
      </Drawer>
      {asking ? (
        <Ask
          bin={url.query}
          close={made => {
            setAsking(false)
            if (made) list.showPendingChanges()
          }}
        />
      ) : null}
      <TurnedUp shorts={turnedUp} close={() => setTurnedUp([])} />
    </>
  )
}

function Counting({ count, done }: { count: BinCount; done: (shorts: readonly Short[]) => void }) {
  const t = useT()
  const [n, setN] = useState<number | string>('')
  const [note, setNote] = useState('')
  const save = useSend(pickTasks.counted, {
    refreshes,
    done: ({ count: { bin, counted }, shorts }) => {
      toastSuccess(t('{{bin}} holds {{n}}', { bin, n: counted }))
      done(shorts)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (typeof n === 'number') save.mutate({ id: count.id, body: { counted: n, note, version: count.version } })
  }
  return (
    <Stack gap="md">
      <p className={style.large}>{count.bin}</p>
      {count.name ? <ProductLine of={count} size={72} /> : <Text>{t('Count whatever lies there.')}</Text>}
      <DescriptionList>
        <DescriptionItem name={t('Reason')}>{countReasonWord(count.reason)}</DescriptionItem>
        <DescriptionItem name={t('Asked')}>
          {count.asked_by} · <RelativeTime at={count.asked_at} as="instant" />
        </DescriptionItem>
        <DescriptionItem name={t('Company')}>{count.company}</DescriptionItem>
        {count.missing > 0 ? <DescriptionItem name={t('Missing')}>{count.missing}</DescriptionItem> : null}
        {count.done_at ? (
          <DescriptionItem name={t('Counted')}>
            {count.counted} · {count.done_by} · <RelativeTime at={count.done_at} as="instant" />
          </DescriptionItem>
        ) : null}
      </DescriptionList>
      {count.note ? <Text>{count.note}</Text> : null}
      {count.blocks && !count.done_at ? <Alert color="amber">{t('Until it is counted no one is sent here to pick.')}</Alert> : null}
      {count.done_at ? null : (
        <form onSubmit={submit}>
          <Stack gap="sm">
            <WholeNumberInput
              label={t('Items in the bin')}
              size="lg"
              value={n}
              onChange={setN}
              min={0}
              max={1_000_000}
              allowNegative={false}
              inputMode="numeric"
              data-autofocus
            />
            <TextInput label={t('Note')} value={note} maxLength={500} onChange={event => setNote(event.currentTarget.value)} />
            <Button
              type="submit"
              size="lg"
              loading={save.isPending}
              {...disabledBecause(typeof n !== 'number' && t('Enter a quantity first'))}
            >
              {t('Counted')}
            </Button>
            <Text size="sm" c="dimmed">
              {t('The shop keeps the stock: the number is kept here and changes nothing there.')}
            </Text>
          </Stack>
        </form>
      )}
    </Stack>
  )
}

function Ask({ bin: written, close }: { bin: string; close: (made: boolean) => void }) {
  const t = useT()
  const [bin, setBin] = useState(written)
  const [product, setProduct] = useState('')
  const [blocks, setBlocks] = useState(false)
  const [note, setNote] = useState('')
  const ask = useSend(pickTasks.ask, {
    refreshes,
    said: answer => t('{{bin}} is to be counted', { bin: answer.bin }),
    done: () => close(true),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (bin.trim() !== '') ask.mutate({ body: { bin: bin.trim(), product: product.trim(), blocks, note } })
  }
  return (
    <Dialog opened onClose={() => close(false)} title={t('Request bin count')}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <TextInput label={t('Bin')} value={bin} maxLength={64} onChange={event => setBin(event.currentTarget.value)} data-autofocus />
          <TextInput
            label={t('Product')}
            description={t('SKU or barcode. Empty counts whatever lies there.')}
            value={product}
            maxLength={256}
            onChange={event => setProduct(event.currentTarget.value)}
          />
          <Switch
            label={t('No one picks there until it is counted')}
            checked={blocks}
            onChange={event => setBlocks(event.currentTarget.checked)}
          />
          <TextInput label={t('Note')} value={note} maxLength={500} onChange={event => setNote(event.currentTarget.value)} />
          <Button type="submit" loading={ask.isPending} {...disabledBecause(bin.trim() === '' && t('Enter a bin first'))}>
            {t('Request count')}
          </Button>
        </Stack>
      </form>
    </Dialog>
  )
}

/** Enough was counted for orders that were short: they can be picked after all. */
function TurnedUp({ shorts, close }: { shorts: readonly Short[]; close: () => void }) {
  const t = useT()
  const mayDecide = useIsAllowed(deciders)
  const found = useSend(pickTasks.decideMany, {
    refreshes,
    done: ({ results }) => {
      const done = results.filter(result => result.done).length
      if (done > 0) toastSuccess(t('{{count}} lines are open again', { count: done }))
      close()
    },
  })
  // As many as the count covers, those that were reported first.
  let left = shorts[0]?.counted ?? 0
  const covered = shorts.filter(short => {
    if (!short.on_wagon || short.quantity > left) return false
    left -= short.quantity
    return true
  })
  return (
    <Dialog opened={covered.length > 0} onClose={close} title={t('They are there after all')}>
      <Stack gap="md">
        <Text>{t('So many were counted that {{count}} orders can have what was missing:', { count: covered.length })}</Text>
        <ul className={style.others}>
          {covered.map(short => (
            <li key={short.id}>
              <b>{short.order_no}</b>
              <span>{t('{{count}} items', { count: short.quantity })}</span>
            </li>
          ))}
        </ul>
        {mayDecide ? (
          <Group gap="xs" justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('Decide later')}
            </Button>
            <Button
              loading={found.isPending}
              onClick={() => found.mutate({ body: { ids: covered.map(short => short.id), decision: 'found' } })}
            >
              {decisionDeed('found').title}
            </Button>
          </Group>
        ) : (
          <Text c="dimmed">{t('Ask a lead to decide what happens to this order.', { rights: deciders.join(', ') })}</Text>
        )}
      </Stack>
    </Dialog>
  )
}
