/** Goods to put back: scan the product or its tote, walk to the bin, scan it or tap. */

import { Alert, Box, Button, Group, Stack, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { paperless } from '#features/warehouse/paperless/paperless.contract.ts'
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
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { toastError, toastInfo, toastSuccess } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import { send, useSend } from '#ui/query/calls.ts'
import { CameraButton } from '#ui/scanner/CameraButton.tsx'
import { useScanHandler, useScanner } from '#ui/scanner/handlers.tsx'
import { isFiltered, noFilters, useTaskFilters } from './filters.client.ts'
import style from './PickTasks.module.css'
import { ProductLine, putBackReasonWord, RefusedTasks } from './pick-task.labels.tsx'
import { putBackReasons } from './pick-tasks.codes.ts'
import { pickTasks } from './pick-tasks.contract.ts'
import type { PutBack, TaskResult } from './pick-tasks.schemas.ts'
import { putBacksQuestion, type TabProps } from './pick-tasks-url.client.ts'

const keyOf = (row: PutBack) => row.id
const refreshes = [pickTasks.putBacks, pickTasks.count, paperless.mapping, paperless.one, orders.get]
const totes = (row: PutBack): string => row.codes.map(digits => `PP${digits}`).join(', ')

export function PutBacksTab({ url, setUrl }: TabProps) {
  const t = useT()
  const { play } = useScanner()
  const question = putBacksQuestion(url)
  const list = usePagedList(pickTasks.putBacks, { ...question, page: url.page, limit: 50 }, { live: ['pick_task'] })
  const selection = useSelection(question)
  const [open, setOpen] = useState<PutBack | null>(null)
  const [quantity, setQuantity] = useState(0)
  const [refused, setRefused] = useState<readonly TaskResult[]>([])
  const filters = useTaskFilters(
    { url, setUrl },
    putBackReasons.map(value => ({ value, label: putBackReasonWord(value) })),
  )
  const begin = (row: PutBack) => {
    setOpen(row)
    setQuantity(row.quantity - row.done)
  }
  const done = useSend(pickTasks.putBack, {
    refreshes,
    done: answer => {
      play('ok')
      toastSuccess(t('{{name}} is back in {{bin}}', { name: answer.name, bin: answer.bin ?? '–' }))
      if (answer.done_at === null) begin(answer)
      else {
        setOpen(null)
        list.showPendingChanges()
      }
    },
    quiet: true,
  })
  const put = (row: PutBack, bin?: string) =>
    done.mutate(
      { id: row.id, body: { quantity, version: row.version, ...(bin !== undefined && { bin }) } },
      {
        onError: error => {
          play('error')
          toastError(error)
        },
      },
    )
  const many = useSend(pickTasks.putBackMany, {
    refreshes,
    done: ({ results }) => {
      const left = results.filter(result => !result.done)
      if (left.length < results.length) toastSuccess(t('{{count}} are back in their bins', { count: results.length - left.length }))
      setRefused(left)
      selection.clear()
      list.showPendingChanges()
    },
  })
  const scanned = async (text: string) => {
    if (open) return put(open, text)
    try {
      const { rows } = await send(pickTasks.putBacks, { query: text, limit: 20 })
      const [first] = rows
      if (!first) {
        play('error')
        return void toastInfo(t('Nothing of {{text}} has to go back', { text }))
      }
      // One product that goes back for several orders: one after the other. A whole tote is shown to choose from.
      if (rows.every(row => row.product_id === first.product_id)) begin(first)
      else setUrl({ query: text })
      play('ok')
    } catch (error) {
      toastError(error)
    }
  }
  useScanHandler({ match: code => (code.kind === 'refused' || code.kind === 'command' ? null : code.text), handle: text => scanned(text) })
  const putMany = async () => {
    const ids = [...selection.keys].map(Number)
    if (
      await confirm({
        title: t('{{count}} are back in their bins', { count: ids.length }),
        body: t('All items are back in their bins.'),
        action: t('They are back'),
      })
    )
      many.mutate({ body: { ids } })
  }

  const columns = useMemo<Column<PutBack>[]>(
    () => [
      { key: 'bin', title: t('Bin'), cell: row => <span className={style.bin}>{row.bin ?? '–'}</span> },
      { key: 'product', title: t('Product'), flex: 2, cell: row => <ProductLine of={row} size={28} /> },
      {
        key: 'left',
        title: t('Items'),
        align: 'end',
        cell: row => (row.done > 0 && row.done_at === null ? `${row.quantity - row.done} / ${row.quantity}` : row.quantity),
      },
      { key: 'totes', title: t('Tote'), cell: row => totes(row) },
      {
        key: 'order',
        title: t('Order'),
        cell: row => (
          <Link to="/parcels/orders" search={{ id: row.order_id }}>
            {row.order_no}
          </Link>
        ),
      },
      { key: 'reason', title: t('Reason'), flex: 1, cell: row => putBackReasonWord(row.reason) },
      { key: 'state', title: t('Status'), cell: row => <DoneBadge row={row} /> },
      { key: 'since', title: t('Since'), cell: row => <RelativeTime at={row.created_at} as="age" /> },
      { key: 'by', title: t('By'), cell: row => row.done_by ?? '' },
      { key: 'company', title: t('Company'), hidden: true, cell: row => row.company },
    ],
    [t],
  )
  return (
    <>
      <DataTable
        name="put-backs"
        label={t('Put back')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        open={begin}
        opened={open?.id ?? null}
        onPage={page => setUrl({ page })}
        selection={selection}
        bulk={
          <ActionBar selection={selection} list={list}>
            <Button size="compact-md" loading={many.isPending} onClick={() => void putMany()}>
              {t('They are back')}
            </Button>
          </ActionBar>
        }
        toolbar={
          <FilterBar
            name="put-backs"
            search={{ value: url.query, set: query => setUrl({ query }, { replace: true }), label: t('Product, bin, tote or order') }}
            filters={filters}
          />
        }
        filtered={isFiltered(url)}
        clearFilters={() => setUrl({ ...noFilters, company: [], reason: [], decision: [] })}
        empty={
          <EmptyList
            title={t('Nothing has to go back')}
            action={
              <Button variant="default" onClick={() => setUrl({ show: 'done' })}>
                {t('Show finished')}
              </Button>
            }
          >
            {t('Items picked for a cancelled or removed order go back into their bins.')}
          </EmptyList>
        }
        card={row => (
          <RowCard>
            <RowCardLine>
              <span className={style.bin}>{row.bin ?? '–'}</span>
              <span>{t('{{count}} items', { count: row.done_at === null ? row.quantity - row.done : row.quantity })}</span>
            </RowCardLine>
            <ProductLine of={row} size={36} />
            <RowCardLine>
              <span className={style.dim}>{[totes(row), row.order_no].filter(Boolean).join(' · ')}</span>
              <DoneBadge row={row} />
            </RowCardLine>
          </RowCard>
        )}
      />
      <Drawer opened={open !== null} onClose={() => setOpen(null)} position="right" title={t('Put back')}>
        {open ? (
          <Stack gap="md">
            <ProductLine of={open} size={72} />
            <p className={style.large}>{open.bin ?? '–'}</p>
            <DescriptionList>
              <DescriptionItem name={t('Order')}>
                <Link to="/parcels/orders" search={{ id: open.order_id }}>
                  {open.order_no}
                </Link>
              </DescriptionItem>
              <DescriptionItem name={t('Reason')}>{putBackReasonWord(open.reason)}</DescriptionItem>
              {open.codes.length > 0 ? <DescriptionItem name={t('Tote')}>{totes(open)}</DescriptionItem> : null}
              <DescriptionItem name={t('Items')}>{open.done > 0 ? `${open.done} / ${open.quantity}` : open.quantity}</DescriptionItem>
              {open.done_by ? <DescriptionItem name={t('By')}>{open.done_by}</DescriptionItem> : null}
            </DescriptionList>
            {open.done_at ? (
              <StateBadge tone="done">{t('Done')}</StateBadge>
            ) : (
              <>
                <WholeNumberInput
                  label={t('Items that go back now')}
                  size="lg"
                  value={quantity}
                  min={1}
                  max={open.quantity - open.done}
                  clampBehavior="strict"
                  allowNegative={false}
                  inputMode="numeric"
                  onChange={value => setQuantity(Number(value) || 0)}
                />
                <Alert color="harbour">
                  {open.bin
                    ? t('Scan the bin {{bin}}, or tap when they lie there.', { bin: open.bin })
                    : t('No bin is known for it: put it where it belongs, then tap.')}
                </Alert>
                <Group gap="xs">
                  <Button
                    size="lg"
                    loading={done.isPending}
                    {...disabledBecause(quantity < 1 && t('Enter a quantity first'))}
                    onClick={() => put(open)}
                  >
                    {t('They are back')}
                  </Button>
                  <Box hiddenFrom="sm">
                    <CameraButton />
                  </Box>
                </Group>
                <Text size="sm" c="dimmed">
                  {t('Another bin than this one is refused: the shop would not know where they are.')}
                </Text>
              </>
            )}
          </Stack>
        ) : null}
      </Drawer>
      <RefusedTasks results={refused} nameOf={id => list.rows.find(row => row.id === id)?.name ?? `${id}`} close={() => setRefused([])} />
    </>
  )
}

function DoneBadge({ row }: { row: PutBack }) {
  const t = useT()
  if (row.done_at) return <StateBadge tone="done">{t('Done')}</StateBadge>
  return row.done > 0 ? <StateBadge tone="busy">{t('Partially')}</StateBadge> : <StateBadge tone="soon">{t('To do')}</StateBadge>
}
