/** The pool of totes: where each paperless code is, new codes and their labels, and what people say about them by hand. */
import { Button } from '@mantine/core'
import { IconDownload, IconPlus, IconPrinter } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { access } from '#contract/access.ts'
import { PhaseBadge } from '#features/orders/orders/order.labels.tsx'
import { ActionBar } from '#ui/kit/ActionBar.tsx'
import { type Column, DataTable, type RowAction } from '#ui/kit/DataTable.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { FilterBar, type View } from '#ui/kit/FilterBar.tsx'
import { Link } from '#ui/kit/Link.tsx'
import { usePagedList, useSelection } from '#ui/kit/list-state.ts'
import { Page } from '#ui/kit/Page.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { useT } from '#ui/kit/translate.ts'
import { urlChoices, urlNumber, urlText } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { saveFile, useCall, useSend } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import { CodeDrawer } from './CodeDrawer.tsx'
import { CodeLabels } from './CodeLabels.tsx'
import { useCodeActions } from './code-actions.tsx'
import style from './Paperless.module.css'
import { codeStates } from './paperless.codes.ts'
import { paperless } from './paperless.contract.ts'
import { CodeBadge, codeStateWord, placeWord } from './paperless.labels.tsx'
import type { CodeResult, MappedCode } from './paperless.schemas.ts'

const Url = {
  query: urlText(),
  state: urlChoices(codeStates),
  page: urlNumber(1),
  /** The open code's digits. */
  open: urlText(),
}

const keyOf = (row: MappedCode) => row.digits

export function PaperlessScreen() {
  const t = useT()
  const [url, setUrl] = useUrlState(Url)
  const question = { query: url.query, ...(url.state.length > 0 && { state: url.state }) }
  const list = usePagedList(paperless.mapping, { ...question, page: url.page, limit: 50 }, { keyOf: keyOf })
  // Any change of a code asks anew for all pages of the pool: rows change in their places.
  const pool = useCall(paperless.mapping, { limit: 1 }, { live: ['paperless'], fresh: 2_000 }).data
  const selection = useSelection([url.query, url.state])
  const mayAdmin = useIsAllowed(access.picksAdmin)
  const [labels, setLabels] = useState<{ digits: string[] | null } | null>(null)
  const actions = useCodeActions()
  const save = useSend(paperless.export, { done: file => saveFile(file) })

  const columns = useMemo<Column<MappedCode>[]>(
    () => [
      {
        key: 'code',
        title: t('Code'),
        cell: row => (
          <Link to="/lists/paperless" search={{ open: row.digits }} className={style.code}>
            {row.code}
          </Link>
        ),
      },
      { key: 'state', title: t('Status'), cell: row => <CodeBadge state={row.state} /> },
      {
        key: 'order',
        title: t('Order'),
        cell: row =>
          row.order ? (
            <Link to="/parcels/orders" search={{ id: row.order.id }}>
              {row.order.order_no}
            </Link>
          ) : (
            ''
          ),
      },
      { key: 'phase', title: t('Order is'), cell: row => (row.order ? <PhaseBadge phase={row.order.phase} /> : '') },
      {
        key: 'place',
        title: t('Where'),
        flex: 1,
        cell: row =>
          row.pick_list_id === null ? (
            ''
          ) : (
            <Link to="/lists/pick" search={{ id: row.pick_list_id }}>
              {placeWord(row)}
            </Link>
          ),
      },
      { key: 'station', title: t('Station'), cell: row => row.station ?? '' },
      { key: 'since', title: t('Since'), cell: row => (row.since ? <RelativeTime at={row.since} as="age" /> : '') },
      { key: 'company', title: t('Company'), hidden: true, cell: row => row.order?.company ?? '' },
      {
        key: 'printed',
        title: t('Label'),
        hidden: true,
        cell: row => (row.printed_at ? <RelativeTime at={row.printed_at} as="day" /> : '–'),
      },
    ],
    [t],
  )
  const views: View[] = [
    { key: 'all', title: t('All'), search: {} },
    ...codeStates.map(state => ({
      key: state,
      title: codeStateWord(state),
      search: { state: [state] },
      ...(pool && { count: pool.counts[state] }),
    })),
  ]
  const chosen = () => [...selection.keys].map(String)
  const after = (results: readonly CodeResult[]) => {
    selection.clear()
    selection.set(
      results.filter(result => !result.done).map(result => result.digits),
      true,
    )
  }
  const rowActions = (row: MappedCode): RowAction[] => [
    { label: t('Print its label'), run: () => setLabels({ digits: [row.digits] }) },
    row.state === 'lost'
      ? { label: t('Mark as found'), run: () => void actions.run('found', [row.digits]) }
      : { label: t('Mark as lost'), run: () => void actions.run('lost', [row.digits]) },
    {
      label: t('Unassign'),
      run: () => actions.askFree([row.digits]),
      why: !mayAdmin
        ? t('You do not have permission for this. Ask an administrator.', { right: 'pick_admin' })
        : row.state === 'free' || row.state === 'lost'
          ? t('It carries nothing')
          : null,
    },
    {
      label: t('Remove from the pool'),
      danger: true,
      run: () => void actions.run('remove', [row.digits]),
      why: !mayAdmin
        ? t('You do not have permission for this. Ask an administrator.', { right: 'pick_admin' })
        : row.state === 'free' || row.state === 'lost'
          ? null
          : t('It is in use'),
    },
  ]

  return (
    <Page
      title={t('Paperless codes')}
      fill
      actions={
        <>
          <Button variant="default" leftSection={<IconDownload size={16} />} loading={save.isPending} onClick={() => save.mutate(question)}>
            {t('Export')}
          </Button>
          <Button leftSection={<IconPlus size={16} />} onClick={() => setLabels({ digits: null })}>
            {t('New codes')}
          </Button>
        </>
      }
    >
      <DataTable
        name="paperless"
        label={t('Paperless codes')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        open={row => setUrl({ open: row.digits })}
        opened={url.open || null}
        onPage={page => setUrl({ page })}
        selection={selection}
        rowActions={rowActions}
        bulk={
          <ActionBar selection={selection} list={list}>
            <Button size="compact-md" leftSection={<IconPrinter size={16} />} onClick={() => setLabels({ digits: chosen() })}>
              {t('Print labels')}
            </Button>
            <Button size="compact-md" variant="default" onClick={() => void actions.run('lost', chosen()).then(after)}>
              {t('Mark as lost')}
            </Button>
            <Button size="compact-md" variant="default" onClick={() => void actions.run('found', chosen()).then(after)}>
              {t('Mark as found')}
            </Button>
            <Button
              size="compact-md"
              variant="default"
              {...disabledBecause(!mayAdmin && t('You do not have permission for this. Ask a lead.'))}
              onClick={() => actions.askFree(chosen(), after)}
            >
              {t('Unassign')}
            </Button>
            <Button
              size="compact-md"
              variant="default"
              color="brick"
              {...disabledBecause(!mayAdmin && t('You do not have permission for this. Ask a lead.'))}
              onClick={() => void actions.run('remove', chosen()).then(after)}
            >
              {t('Remove from the pool')}
            </Button>
          </ActionBar>
        }
        toolbar={
          <FilterBar
            name="paperless"
            search={{ value: url.query, set: query => setUrl({ query }, { replace: true }), label: t('Code, order or list') }}
            filters={[
              {
                key: 'state',
                label: t('Status'),
                kind: 'many',
                options: codeStates.map(value => ({ value, label: codeStateWord(value) })),
                value: url.state,
                set: state => setUrl({ state: state }),
              },
            ]}
            views={views}
          />
        }
        filtered={url.query !== '' || url.state.length > 0}
        clearFilters={() => setUrl({ query: '', state: [] })}
        empty={
          <EmptyList
            title={t('No paperless codes yet')}
            action={
              <Button variant="default" onClick={() => setLabels({ digits: null })}>
                {t('New codes')}
              </Button>
            }
          >
            {t('Each tote gets a label. Scanning it at the packing station opens its order.')}
          </EmptyList>
        }
        card={row => (
          <RowCard>
            <RowCardLine>
              <span className={style.code}>{row.code}</span>
              <CodeBadge state={row.state} />
            </RowCardLine>
            <RowCardLine>
              <span className={style.dim}>{[row.order?.order_no, placeWord(row)].filter(Boolean).join(' · ')}</span>
              {row.since ? <RelativeTime at={row.since} as="age" /> : null}
            </RowCardLine>
          </RowCard>
        )}
      />
      <CodeDrawer
        digits={url.open}
        close={() => setUrl({ open: '' })}
        actions={actions}
        print={digits => setLabels({ digits: [digits] })}
      />
      {labels ? (
        <CodeLabels
          digits={labels.digits}
          next={pool?.next ?? 1}
          close={done => {
            setLabels(null)
            if (done) list.showPendingChanges()
          }}
        />
      ) : null}
      {actions.dialogs}
    </Page>
  )
}
