/** Jobs: what was started and how far it is, with its report or its file. */
import { Button, Text } from '@mantine/core'
import { useMemo } from 'react'
import { type Column, DataTable, type RowAction } from '#ui/kit/DataTable.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { number } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { pageState } from '#ui/kit/list-state.ts'
import { Page } from '#ui/kit/Page.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { StateBadge, type Tone } from '#ui/kit/StateBadge.tsx'
import { toastError } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { urlNumber } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { saveFile, send, useCall, useSend } from '#ui/query/calls.ts'
import { hasFile } from './job-file.rules.ts'
import { jobs } from './jobs.contract.ts'
import type { Job, JobKind } from './jobs.schemas.ts'

const JobsUrl = { page: urlNumber(1) }
const keyOf = (row: Job) => row.id
const tones: Record<Job['state'], Tone> = { queued: 'plain', running: 'busy', done: 'done', failed: 'stop', cancelled: 'quiet' }
/** Reports of their own. */
const reports: Partial<Record<JobKind, string>> = { 'orders.bulk': '/parcels/bulk' }

async function save(row: Job): Promise<void> {
  try {
    saveFile(await send(jobs.file, { id: row.id }))
  } catch (error) {
    toastError(error)
  }
}

export function JobsScreen() {
  const t = useT()
  const [url, setUrl] = useUrlState(JobsUrl)
  const list = pageState(useCall(jobs.list, { page: url.page, limit: 50 }, { live: ['job'], keep: true }), { page: url.page, limit: 50 })
  const cancel = useSend(jobs.cancel, { refreshes: [jobs.list], said: t('The job stops') })
  const columns = useMemo<Column<Job>[]>(() => {
    const kinds: Record<JobKind, string> = {
      'company.export': t('Export of a company'),
      'company.erase': t('Erasure of a closed company'),
      'customers.erase': t('Erasure or copy of a person'),
      'customers.attach': t('Customers of orders'),
      'orders.bulk': t('Bulk change'),
      'orders.export': t('Export of orders'),
      'orders.import': t('Import of orders'),
      'products.import': t('Import of products'),
      'serials.import': t('Import of serial numbers'),
      'pay.list': t('Payroll'),
      'pick_lists.improve': t('Shorter pick routes'),
      'rules.preview': t('Preview of a rule'),
      'returns.dry_run': t('Trial of return rules'),
      'shops.backfill': t('Old orders of a shop'),
      'maps.measure': t('Measuring the map'),
    }
    const states: Record<Job['state'], string> = {
      queued: t('Waiting'),
      running: t('Running'),
      done: t('Done'),
      failed: t('Failed'),
      cancelled: t('Stopped'),
    }
    return [
      {
        key: 'kind',
        title: t('Job'),
        flex: 2,
        cell: row => {
          const report = reports[row.kind]
          return report ? (
            <Link to={report} search={{ job: row.id }}>
              {kinds[row.kind]}
            </Link>
          ) : (
            kinds[row.kind]
          )
        },
      },
      { key: 'state', title: t('Status'), cell: row => <StateBadge tone={tones[row.state]}>{states[row.state]}</StateBadge> },
      { key: 'done', title: t('Progress'), align: 'end', cell: row => progressOf(row, t) },
      {
        key: 'message',
        title: t('Result'),
        flex: 2,
        cell: row =>
          hasFile(row) ? (
            <Button size="compact-sm" variant="default" onClick={() => void save(row)}>
              {t('Download file')}
            </Button>
          ) : row.refusal ? (
            t(row.refusal.text, row.refusal.values)
          ) : (
            (row.message ?? '')
          ),
      },
      { key: 'at', title: t('Started'), cell: row => <RelativeTime at={row.created_at} /> },
    ]
  }, [t])
  const actionsOf = (row: Job): RowAction[] => [
    ...(hasFile(row) ? [{ label: t('Download file'), run: () => void save(row) }] : []),
    ...(row.state === 'queued' || row.state === 'running'
      ? [{ label: t('Stop'), danger: true, run: () => cancel.mutate({ id: row.id }) }]
      : []),
  ]
  return (
    <Page title={t('Jobs')} fill>
      <DataTable
        name="jobs"
        label={t('Jobs')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        onPage={page => setUrl({ page })}
        rowActions={actionsOf}
        empty={
          <EmptyList
            title={t('No jobs yet')}
            action={
              <Button component={Link} to="/parcels/orders">
                {t('All orders')}
              </Button>
            }
          >
            {t('Exports, imports and changes of many orders are listed here.')}
          </EmptyList>
        }
        card={row => (
          <RowCard>
            <RowCardLine>
              {columns[0]?.cell(row)}
              {columns[1]?.cell(row)}
            </RowCardLine>
            <RowCardLine>
              <Text size="sm" c="dimmed">
                {progressOf(row, t)}
              </Text>
              <RelativeTime at={row.created_at} />
            </RowCardLine>
            {columns[3]?.cell(row)}
          </RowCard>
        )}
      />
    </Page>
  )
}

const progressOf = ({ done, total }: Pick<Job, 'done' | 'total'>, t: ReturnType<typeof useT>): string =>
  total === null ? number(done) : t('{{done}} of {{total}}', { done: number(done), total: number(total) })
