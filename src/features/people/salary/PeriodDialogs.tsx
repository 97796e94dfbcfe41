/** Dialogs of a pay period: opening one, its export, and opening it again. */

import { Alert, Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { addDays } from '#domain/local-time.ts'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { today } from '#ui/kit/format.ts'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { errorSentence } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { saveFile, send, useSend } from '#ui/query/calls.ts'
import { type ExportFormat, exportFormats } from './salary.codes.ts'
import { salary } from './salary.contract.ts'
import { type PayPeriod, type PersonPay, salarySchemas } from './salary.schemas.ts'
import { formatWord, spanText } from './salary-words.client.ts'

const refreshes = [salary.periods, salary.period, salary.person]
const monthEnd = (from: string): string => addDays(`${addDays(`${from.slice(0, 7)}-28`, 5).slice(0, 7)}-01`, -1)

interface PeriodDialogProps {
  opened: boolean
  /** The last day of the latest period. */
  after: string | null
  close: () => void
  done: (period: PayPeriod) => void
}

export function PeriodDialog({ opened, after, close, done }: PeriodDialogProps) {
  const t = useT()
  return (
    <Dialog opened={opened} onClose={close} title={t('New pay period')}>
      <NewPeriod after={after} close={close} done={done} />
    </Dialog>
  )
}

function NewPeriod({ after, close, done }: Omit<PeriodDialogProps, 'opened'>) {
  const t = useT()
  const from = after === null ? `${today().slice(0, 7)}-01` : addDays(after, 1)
  const edit = useEdit({
    schema: salarySchemas.calls.addPeriod.body,
    initial: { from_day: from, to_day: monthEnd(from) },
    save: body => send(salary.addPeriod, { body }),
    refreshes,
    said: t('Period added'),
    done: period => {
      close()
      done(period)
    },
  })
  return (
    <Form edit={edit} action={t('Add period')} cancel={close}>
      <TextInput type="date" label={t('First day')} {...edit.of('from_day')} />
      <TextInput type="date" label={t('Last day')} {...edit.of('to_day')} />
    </Form>
  )
}

interface ExportDialogProps {
  period: PayPeriod
  rows: readonly PersonPay[]
  has_employer_no: boolean
  close: () => void
}

export function ExportDialog({ period, rows, has_employer_no, close }: ExportDialogProps) {
  const t = useT()
  const [format, setFormat] = useState<ExportFormat>(has_employer_no ? 'danlon' : 'csv')
  const [reason, setReason] = useState('')
  const freeze = useSend(salary.export, {
    refreshes,
    quiet: true,
    said: t('Period exported'),
    done: answer => {
      close()
      const [made] = answer.exports
      if (made) void send(salary.file, { id: made.id }).then(saveFile)
    },
  })
  const open = rows.flatMap(row =>
    row.problems.filter(one => one.blocks && one.kind !== 'negative' && (format === 'danlon' || one.kind !== 'employee_no_form')),
  ).length
  const isNegative = rows.some(row => row.problems.some(one => one.kind === 'negative'))
  const hasDifference = rows.some(row => row.lines.some(line => line.amount < 0 || (line.units_c ?? 0) < 0))
  const isUnchanged = period.exports.length > 0 && rows.every(row => row.lines.every(line => line.amount === 0 && !line.units_c))
  return (
    <Dialog opened onClose={close} title={t('Export {{days}}', { days: spanText(period.from_day, period.to_day) })}>
      <Stack gap="sm">
        <NativeChoice
          label={t('File')}
          data={exportFormats.map(value => ({ value, label: formatWord(t, value) }))}
          value={format}
          choose={setFormat}
        />
        <Text size="sm">{t('The export locks the days and freezes the amounts. Later corrections go into the next export.')}</Text>
        {format === 'danlon' && !has_employer_no ? (
          <Alert color="brick">{t('Write the CVR number in the settings of the rules first.')}</Alert>
        ) : null}
        {open > 0 ? <Alert color="brick">{t('To solve before the export: {{count}}', { count: open })}</Alert> : null}
        {isUnchanged ? <Alert color="amber">{t('Nothing has changed since the last export: the file has no lines.')}</Alert> : null}
        {hasDifference && format === 'danlon' ? (
          <Alert color="amber">{t('The file takes back units of an earlier export. Check these lines in Danløn.')}</Alert>
        ) : null}
        {isNegative ? (
          <Textarea
            label={t('Reason')}
            description={t('Somebody pays back in this period.')}
            maxLength={500}
            value={reason}
            onChange={event => setReason(event.currentTarget.value)}
          />
        ) : null}
        {freeze.error ? (
          <Alert color="brick" role="alert">
            {errorSentence(freeze.error)}
          </Alert>
        ) : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t('Cancel')}
          </Button>
          <Button
            loading={freeze.isPending}
            {...disabledBecause(
              (format === 'danlon' && !has_employer_no && t('Write the CVR number in the settings of the rules first.')) ||
                (open > 0 && t('To solve before the export: {{count}}', { count: open })) ||
                (isNegative && reason.trim() === '' && t('Enter a reason first')),
            )}
            onClick={() => freeze.mutate({ id: period.id, body: { version: period.version, format, reason } })}
          >
            {t('Export period')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

export function ReopenDialog({ period, close }: { period: PayPeriod; close: () => void }) {
  const t = useT()
  const edit = useEdit({
    schema: salarySchemas.calls.reopen.body.omit({ version: true }),
    initial: { reason: '' },
    save: ({ reason }) => send(salary.reopen, { id: period.id, body: { version: period.version, reason } }),
    refreshes,
    said: t('Period reopened'),
    done: close,
  })
  return (
    <Dialog opened onClose={close} title={t('Reopen this period')}>
      <Form edit={edit} action={t('Reopen')} cancel={close}>
        <Text size="sm">{t('Its days can be changed again. What was exported stays, and the next export holds the differences.')}</Text>
        <Textarea label={t('Reason')} {...edit.of('reason')} />
      </Form>
    </Dialog>
  )
}
