/** The print queue: the last jobs, how far they came, and what can be done about one. */
import { Button } from '@mantine/core'
import { IconCopy, IconEye, IconRefresh, IconX } from '@tabler/icons-react'
import { useCallback, useMemo } from 'react'
import { access } from '#contract/access.ts'
import { isOneOf } from '#domain/objects.ts'
import { printerName } from '#features/printing/printers/printers.labels.ts'
import { confirm } from '#ui/kit/Confirm.tsx'
import { type Column, DataTable, type RowAction } from '#ui/kit/DataTable.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { FilterBar } from '#ui/kit/FilterBar.tsx'
import { Link } from '#ui/kit/Link.tsx'
import { usePagedList } from '#ui/kit/list-state.ts'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { toastError } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { send, useSend } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import { useHoldsAct } from '#ui/query/station-acts.ts'
import { canCancel, canCopy, canRetry, PrintJobState, printStateWord } from './PrintJobState.tsx'
import { printStates } from './print-jobs.codes.ts'
import { printJobs } from './print-jobs.contract.ts'
import type { PrintJob, PrintState } from './print-jobs.schemas.ts'

const keyOf = (job: PrintJob) => job.id

/** Opens the document in a tab of its own; the file is fetched with the header, never by an address that others could use. */
async function showDocument(job: PrintJob): Promise<void> {
  try {
    const file = await send(printJobs.document, { id: job.id })
    const address = URL.createObjectURL(file)
    window.open(address, '_blank', 'noopener')
    setTimeout(() => URL.revokeObjectURL(address), 60_000)
  } catch (error) {
    toastError(error)
  }
}

export interface PrintQueueProps {
  state: PrintState | ''
  page: number
  onState: (state: PrintState | '') => void
  onPage: (page: number) => void
  /** Only this printer's jobs. */
  printer_id?: number
}

export function PrintQueue({ state, page, onState, onPage, printer_id }: PrintQueueProps) {
  const t = useT()
  const may = useIsAllowed(access.bench)
  const mayCopy = useHoldsAct('reprint') || may
  const mayOpen = useIsAllowed(access.parcels)
  const list = usePagedList(
    printJobs.list,
    { page, limit: 50, ...(state && { state }), ...(printer_id && { printer_id }) },
    { live: ['print'] },
  )
  const done = list.showPendingChanges
  const retry = useSend(printJobs.retry, { done })
  const cancel = useSend(printJobs.cancel, { done, said: t('The print job is cancelled') })
  const copy = useSend(printJobs.reprint, { done })

  const columns = useMemo<Column<PrintJob>[]>(
    () => [
      {
        key: 'title',
        title: t('Document'),
        flex: 2,
        cell: job => {
          const words = job.copy_no > 0 ? t('{{title}}, copy {{number}}', { title: job.title, number: job.copy_no }) : job.title
          if (job.order_id === null || !mayOpen) return words
          return (
            <Link to="/parcels/orders" search={{ id: job.order_id }}>
              {words}
            </Link>
          )
        },
      },
      { key: 'state', title: t('Status'), cell: job => <PrintJobState job={job} /> },
      { key: 'error', title: t('Reason'), flex: 3, cell: job => (job.error ? <span title={t(job.error)}>{t(job.error)}</span> : '') },
      { key: 'printer', title: t('Printer'), flex: 1, cell: job => printerName(t, job.printer_name) },
      { key: 'who', title: t('By'), cell: job => job.requested_by_name ?? '' },
      { key: 'when', title: t('When'), cell: job => <RelativeTime at={job.created_at} as="age" /> },
      { key: 'station', title: t('Station'), hidden: true, cell: job => job.station ?? '' },
      { key: 'attempts', title: t('Attempts'), align: 'end', hidden: true, cell: job => job.attempts },
    ],
    [t, mayOpen],
  )

  const actions = useCallback(
    (job: PrintJob): RowAction[] => {
      const own: RowAction[] = !may ? [] : [{ label: t('Show document'), icon: <IconEye size={16} />, run: () => void showDocument(job) }]
      if (may && canRetry(job))
        own.unshift({ label: t('Send again'), icon: <IconRefresh size={16} />, run: () => retry.mutate({ id: job.id }) })
      if (canCopy(job))
        own.unshift({
          label: t('Print a copy'),
          icon: <IconCopy size={16} />,
          run: () => copy.mutate({ id: job.id, printer: job.printer_id, request_id: crypto.randomUUID() }),
        })
      if (may && canCancel(job))
        own.push({
          label: t('Cancel print job'),
          icon: <IconX size={16} />,
          danger: true,
          run: async () => {
            const sure = await confirm({
              title: t('Cancel this print job?'),
              body: t('{{title}} will not come out of {{printer}}.', { title: job.title, printer: printerName(t, job.printer_name) }),
              action: t('Cancel print job'),
              keep: t('Keep print job'),
              danger: true,
            })
            if (sure) cancel.mutate({ id: job.id })
          },
        })
      return own
    },
    [t, may, retry.mutate, copy.mutate, cancel.mutate],
  )

  return (
    <DataTable
      name="print-queue"
      label={t('Print queue')}
      columns={columns}
      list={list}
      keyOf={keyOf}
      onPage={onPage}
      {...(mayCopy ? { rowActions: actions } : {})}
      toolbar={
        <FilterBar
          name="print-queue"
          filters={[
            {
              key: 'state',
              label: t('Status'),
              kind: 'one',
              options: printStates.map(value => ({ value, label: t(printStateWord(value)) })),
              value: state ? [state] : [],
              set: ([value]) => onState(isOneOf(printStates, value) ? value : ''),
            },
          ]}
        />
      }
      filtered={state !== ''}
      clearFilters={() => onState('')}
      empty={
        <EmptyList
          title={t('Nothing was printed yet')}
          action={
            <Button component={Link} to="/settings/printer">
              {t('Printers and station')}
            </Button>
          }
        >
          {t('Labels and papers appear here as soon as someone prints.')}
        </EmptyList>
      }
      card={job => (
        <div>
          <strong>{job.title}</strong>
          <div>
            {printerName(t, job.printer_name)} · <RelativeTime at={job.created_at} as="age" />
          </div>
          <PrintJobState job={job} reason />
        </div>
      )}
    />
  )
}
