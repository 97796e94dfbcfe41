/** The report of a bulk job: how far it is, what became of each order, and its undo. */
import { Button, Text } from '@mantine/core'
import { IconArrowBackUp, IconDownload } from '@tabler/icons-react'
import { Navigate } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { jobs } from '#features/company/jobs/jobs.contract.ts'
import { PhaseBadge } from '#features/orders/orders/order.labels.tsx'
import { confirm } from '#ui/kit/Confirm.tsx'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { FilterBar } from '#ui/kit/FilterBar.tsx'
import { instant, number } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { pageState } from '#ui/kit/list-state.ts'
import { Page } from '#ui/kit/Page.tsx'
import { Progress } from '#ui/kit/Progress.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { StateBadge, type Tone } from '#ui/kit/StateBadge.tsx'
import { toastError } from '#ui/kit/toasts.ts'
import { useLocale, useT } from '#ui/kit/translate.ts'
import { urlChoice, urlNumber } from '#ui/kit/url-fields.ts'
import { useNavigate, useUrlState } from '#ui/kit/url-state.ts'
import { saveFile, send, useCall, useSend } from '#ui/query/calls.ts'
import { type BulkRowState, bulkRowStates } from './bulk-jobs.codes.ts'
import { bulkJobs } from './bulk-jobs.contract.ts'
import type { BulkJob, BulkRow } from './bulk-jobs.schemas.ts'
import { bulkRowWord, bulkWords } from './bulk-words.client.ts'

const BulkUrl = {
  /** Id of the job. */
  job: urlNumber(0),
  state: urlChoice(['', ...bulkRowStates], ''),
  page: urlNumber(1),
}
const keyOf = (row: BulkRow) => row.order_id
const tones: Record<BulkRowState, Tone> = { waiting: 'plain', done: 'done', refused: 'soon', undone: 'quiet' }
const jobsPage = '/parcels/jobs'

/** Without a job, the list to choose one from. */
export function BulkJobScreen() {
  const t = useT()
  const [url] = useUrlState(BulkUrl)
  const job = useCall(bulkJobs.get, { id: url.job }, { live: ['job'], enabled: url.job > 0 })
  const back = { to: jobsPage, label: t('All jobs') }
  if (url.job === 0) return <Navigate to={jobsPage} replace />
  if (job.data === undefined)
    return (
      <Page title={t('Bulk change')} back={back}>
        <QueryState of={job}>{() => null}</QueryState>
      </Page>
    )
  return <Report job={job.data} back={back} />
}

function Report({ job, back }: { job: BulkJob; back: { to: string; label: string } }) {
  const t = useT()
  const locale = useLocale()
  const go = useNavigate()
  const [url, setUrl] = useUrlState(BulkUrl)
  const [saving, setSaving] = useState(false)
  const id = job.job_id
  // Rows change while the job runs, and none of them moves.
  const rows = useCall(
    bulkJobs.rows,
    { id, page: url.page, limit: 50, ...(url.state ? { state: [url.state] } : {}) },
    { live: ['job'], keep: true },
  )
  const list = pageState(rows, { page: url.page, limit: 50 })
  const cancel = useSend(jobs.cancel, { refreshes: [bulkJobs.get] })
  const undo = useSend(bulkJobs.undo, {
    refreshes: [bulkJobs.get, jobs.list],
    done: answer => go('/parcels/bulk', { job: answer.job_id }),
  })
  const words = bulkWords()[job.action]
  const isOver = job.state === 'done' || job.state === 'failed' || job.state === 'cancelled'
  const askUndo = async () => {
    const sure = await confirm({
      title: t('Undo for {{count}} orders?', { count: job.done }),
      body: t('Orders that changed since are left alone.'),
      action: t('Undo'),
    })
    if (sure) undo.mutate({ id })
  }
  const save = async () => {
    setSaving(true)
    try {
      saveFile(await send(bulkJobs.report, { id, locale }))
    } catch (error) {
      toastError(error)
    } finally {
      setSaving(false)
    }
  }
  const whyOf = useCallback(
    (row: BulkRow) =>
      row.key === null
        ? row.lead_no === null
          ? ''
          : t('In the parcel of {{order_no}}', { order_no: row.lead_no })
        : t(row.key, row.values),
    [t],
  )
  const columns = useMemo<Column<BulkRow>[]>(
    () => [
      {
        key: 'order',
        title: t('Order'),
        cell: row => (
          <Link to="/parcels/orders" search={{ id: row.order_id }}>
            {row.order_no}
          </Link>
        ),
      },
      { key: 'phase', title: t('Status'), cell: row => <PhaseBadge phase={row.phase} /> },
      { key: 'result', title: t('Result'), cell: row => <StateBadge tone={tones[row.state]}>{bulkRowWord(row.state)}</StateBadge> },
      { key: 'reason', title: t('Reason'), flex: 3, cell: whyOf },
    ],
    [t, whyOf],
  )
  const title = job.undo_of === null ? words.title : t('Undo: {{action}}', { action: words.title })
  return (
    <Page
      title={title}
      back={back}
      note={t('{{name}}, {{when}} · {{done}} changed, {{refused}} left alone', {
        name: job.actor,
        when: instant(job.created_at),
        done: number(job.done + job.undone),
        refused: number(job.refused),
      })}
      fill
      actions={
        <>
          <Button variant="default" leftSection={<IconDownload size={16} />} loading={saving} onClick={() => void save()}>
            {t('Download report')}
          </Button>
          {job.undone_by !== null ? (
            <Button component={Link} to="/parcels/bulk" search={{ job: job.undone_by }} variant="default">
              {t('Show undo')}
            </Button>
          ) : null}
          {job.may_undo ? (
            <Button leftSection={<IconArrowBackUp size={16} />} loading={undo.isPending} onClick={() => void askUndo()}>
              {t('Undo')}
            </Button>
          ) : null}
        </>
      }
    >
      <DataTable
        name="bulk-job"
        label={t('Orders')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        onPage={page => setUrl({ page })}
        toolbar={
          <>
            {isOver ? null : (
              <Progress
                label={title}
                done={job.asked - job.waiting}
                total={job.asked}
                began={job.started_at}
                cancel={() => cancel.mutate({ id })}
                cancelling={cancel.isPending}
              />
            )}
            {job.state === 'failed' || job.state === 'cancelled' ? (
              <Text>{t('Stopped: {{count}} orders were not looked at.', { count: job.waiting })}</Text>
            ) : null}
            <FilterBar
              name="bulk-job"
              filters={[
                {
                  key: 'state',
                  label: t('Result'),
                  kind: 'one',
                  options: bulkRowStates.map(state => ({ value: state, label: bulkRowWord(state) })),
                  value: url.state ? [url.state] : [],
                  set: ([state = '']) => setUrl({ state: bulkRowStates.find(one => one === state) ?? '', page: 1 }),
                },
              ]}
            />
          </>
        }
        filtered={url.state !== ''}
        clearFilters={() => setUrl({ state: '' })}
        empty={
          <EmptyList
            title={t('No orders')}
            action={
              <Button component={Link} to="/parcels/orders">
                {t('All orders')}
              </Button>
            }
          />
        }
        card={row => (
          <RowCard>
            <RowCardLine>
              <Link to="/parcels/orders" search={{ id: row.order_id }}>
                {row.order_no}
              </Link>
              <StateBadge tone={tones[row.state]}>{bulkRowWord(row.state)}</StateBadge>
            </RowCardLine>
            {whyOf(row) === '' ? null : <Text size="sm">{whyOf(row)}</Text>}
          </RowCard>
        )}
      />
    </Page>
  )
}
