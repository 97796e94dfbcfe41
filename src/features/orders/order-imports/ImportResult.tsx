/** One import: how far it is, what it did, what it refused, and taking it back. */
import { Alert, Button, Group, Text } from '@mantine/core'
import { IconAlertTriangle, IconArrowBackUp, IconDownload } from '@tabler/icons-react'
import { jobs } from '#features/company/jobs/jobs.contract.ts'
import { confirm } from '#ui/kit/Confirm.tsx'
import { Link } from '#ui/kit/Link.tsx'
import { Progress } from '#ui/kit/Progress.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { useT } from '#ui/kit/translate.ts'
import { saveFile, useCall, useSend } from '#ui/query/calls.ts'
import { ImportFigure, ImportReasons } from './ImportReasons.tsx'
import style from './Imports.module.css'
import { spokenValues } from './import.labels.ts'
import { changedNothing, orderImports } from './order-imports.contract.ts'
import type { OrderImport } from './order-imports.schemas.ts'

export function ImportResult({ id }: { id: number }) {
  const one = useCall(orderImports.get, { id }, { live: ['import', 'job'] })
  return <QueryState of={one}>{answer => <Result one={answer} />}</QueryState>
}

function Result({ one }: { one: OrderImport }) {
  const t = useT()
  const running = one.state === 'queued' || one.state === 'running'
  const cancel = useSend(jobs.cancel, {
    refreshes: [orderImports.get],
    said: t('The import stops after the orders that it is storing now'),
  })
  const undo = useSend(orderImports.undo, {
    refreshes: [orderImports.get, orderImports.list],
    said: ({ removed }) => t('{{count}} orders were taken back', { count: removed }),
  })
  const errors = useSend(orderImports.errors, { done: saveFile })
  const { job_id } = one
  const askToUndo = async () => {
    const body = t('The {{count}} orders that it created are removed. What it changed of older orders stays.', { count: one.created })
    if (await confirm({ title: t('Undo this import?'), body, action: t('Undo import'), danger: true })) undo.mutate({ id: one.id })
  }
  return (
    <>
      <Text mb="md">
        <strong>{one.file_name}</strong> · {t('shop {{shop}}', { shop: one.shop })} · <RelativeTime at={one.created_at} />
        {one.created_by ? ` · ${one.created_by}` : ''}
      </Text>
      <Progress
        label={
          one.undone_at
            ? t('Taken back')
            : one.state === 'queued'
              ? t('Waiting for its turn')
              : running
                ? t('Importing')
                : one.state === 'done'
                  ? changedNothing(one)
                    ? t('Nothing new')
                    : t('Imported')
                  : one.state === 'failed'
                    ? t('Failed')
                    : t('Cancelled')
        }
        // The job notes now and then how far it is, the import with each batch.
        done={one.state === 'done' ? one.rows_read : Math.max(one.done, one.rows_read)}
        total={one.state === 'done' ? one.rows_read : one.total}
        state={one.state === 'queued' ? 'running' : one.state}
        {...(running && job_id !== null ? { cancel: () => cancel.mutate({ id: job_id }), cancelling: cancel.isPending } : {})}
      />
      {one.message ? (
        <Alert color="brick" mt="md" icon={<IconAlertTriangle size={16} />} title={t('The import could not go on')}>
          {one.refusal ? t(one.refusal.text, spokenValues(one.refusal.values, t)) : t(one.message)}
        </Alert>
      ) : null}
      <div className={style.figures}>
        <ImportFigure count={one.rows_read} word={t('rows read')} />
        <ImportFigure count={one.created} word={t('orders created')} />
        <ImportFigure count={one.updated} word={t('orders updated')} />
        <ImportFigure count={one.unchanged} word={t('orders unchanged')} />
        <ImportFigure count={one.rows_refused} word={t('rows rejected')} />
      </div>
      <Group>
        {one.undone_at ? null : (
          <Button component={Link} to="/parcels/orders">
            {t('Show orders')}
          </Button>
        )}
        {one.has_errors ? (
          <Button
            variant="default"
            leftSection={<IconDownload size={16} />}
            loading={errors.isPending}
            onClick={() => errors.mutate({ id: one.id })}
          >
            {t('Save refused rows')}
          </Button>
        ) : null}
        {!running && !one.undone_at && one.created > 0 ? (
          <Button
            variant="default"
            color="brick"
            leftSection={<IconArrowBackUp size={16} />}
            loading={undo.isPending}
            onClick={() => void askToUndo()}
          >
            {t('Undo import')}
          </Button>
        ) : null}
      </Group>
      <ImportReasons
        reasons={one.problems}
        help={one.has_errors ? t('Rejected rows are in the file that you can save: mend it and import it again.') : ''}
      />
    </>
  )
}
