/** Documents that are not printed, whatever order is open meanwhile: which, of which order, why, and what can be done. */
import { Button, CloseButton } from '@mantine/core'
import { IconDownload, IconPrinterOff } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { printJobs } from '#features/printing/print-jobs/print-jobs.contract.ts'
import { printers } from '#features/printing/printers/printers.contract.ts'
import { useT } from '#ui/kit/translate.ts'
import { keyOf, useCall, useSend } from '#ui/query/calls.ts'
import { isFailed } from './label-state.rules.ts'
import style from './PrintProblem.module.css'
import type { Print } from './packing-model.rules.ts'
import parts from './station-parts.module.css'
import { useSay, useStation } from './station-parts.tsx'

export function PrintProblems() {
  const { state } = useStation()
  return state.prints.map(print => <WatchedPrint key={print.job_id} print={print} />)
}

function WatchedPrint({ print }: { print: Print }) {
  const t = useT()
  const say = useSay()
  const { dispatch, reportFailure } = useStation()
  const cache = useQueryClient()
  const { job_id: id, order_id, order_no } = print
  const job = useCall(printJobs.get, { id }, { live: ['print'] })
  const state = job.data?.state
  const failed = job.data !== undefined && isFailed(job.data)
  // A new try on its way has no error yet.
  const waits = state === 'sent' || (state === 'queued' && (job.data?.error ?? null) !== null)
  const list = useCall(printers.list, {}, { enabled: failed || waits, fresh: 30_000 })
  const retry = useSend(printJobs.retry, {
    quiet: true,
    done: fresh => cache.setQueryData(keyOf(printJobs.get, { id }), fresh),
  })
  // The outside system is the printer.
  useEffect(() => {
    if (state === 'done') dispatch({ type: 'print_gone', job_id: id })
    else if (state !== undefined) dispatch({ type: 'print_changed', job_id: id, state })
  }, [dispatch, id, state])
  if (!job.data || !(failed || waits)) return null
  const { document, printer_name: printer, printer_id, error } = job.data
  const others = (list.data?.printers ?? []).filter(
    one => one.id !== printer_id && one.state === 'online' && one.paper === (document === 'label' ? 'label' : 'a4'),
  )
  const title = failed
    ? document === 'label'
      ? t('The label of {{order_no}} did not come out of {{printer}}', { order_no, printer })
      : t('A paper of {{order_no}} did not come out of {{printer}}', { order_no, printer })
    : t('{{printer}} does not answer yet; the label of {{order_no}} waits', { order_no, printer })
  return (
    <div className={`${style.problem} ${style.across} ${failed ? style.problemStop : ''}`} role="alert">
      <IconPrinterOff size={32} aria-hidden />
      <span className={style.problemWords}>
        <b>{title}</b>
        {error ? <small>{say({ text: error })}</small> : null}
      </span>
      <span className={parts.buttons}>
        {/* What the printer has already would come out twice. */}
        {(state === 'sent' ? [] : others.slice(0, 2)).map(other => (
          <Button
            key={other.id}
            variant="white"
            c="var(--on-signal-soon)"
            loading={retry.isPending && retry.variables.printer_id === other.id}
            disabled={retry.isPending}
            onClick={() => retry.mutate({ id, printer_id: other.id }, { onError: reportFailure })}
          >
            {t('Print on {{printer}}', { printer: other.name })}
          </Button>
        ))}
        {failed ? (
          <Button
            variant="white"
            c="var(--on-signal-soon)"
            loading={retry.isPending && retry.variables.printer_id === undefined}
            disabled={retry.isPending}
            onClick={() => retry.mutate({ id }, { onError: reportFailure })}
          >
            {t('Try again')}
          </Button>
        ) : null}
        {document === 'label' ? (
          <Button
            variant="white"
            c="var(--on-signal-soon)"
            leftSection={<IconDownload size={16} />}
            onClick={() => dispatch({ type: 'save_label', order_id })}
          >
            {t('Save as PDF')}
          </Button>
        ) : null}
      </span>
      {failed ? (
        <CloseButton
          variant="transparent"
          c="var(--on-signal)"
          aria-label={t('Dismiss')}
          onClick={() => dispatch({ type: 'print_gone', job_id: id })}
        />
      ) : null}
    </div>
  )
}
