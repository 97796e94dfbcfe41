/** Who gets an e-mail when a printer is offline. */
import { Button, Group, Switch, Text } from '@mantine/core'
import { useRef } from 'react'
import { printerName } from '#features/printing/printers/printers.labels.ts'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { NoMailAccount } from '#ui/kit/NoMailAccount.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RecipientsInput } from '#ui/kit/RecipientsInput.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { SettingsSection } from '#ui/kit/SettingsSection.tsx'
import { useT } from '#ui/kit/translate.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import { send, useCall, useSend } from '#ui/query/calls.ts'
import { printerAlerts } from './printer-alerts.contract.ts'
import { PrinterAlertFields, PrinterAlerts } from './printer-alerts.schemas.ts'

const valuesOf = ({ enabled, recipients, after_minutes }: PrinterAlerts) => ({ enabled, recipients, after_minutes })

/** The form with what it needs. */
export function PrinterAlertsSection() {
  const alerts = useCall(printerAlerts.get, {}, { live: ['printer'] })
  return (
    <QueryState of={alerts} shape="form">
      {found => <PrinterAlertsForm alerts={found} />}
    </QueryState>
  )
}

function PrinterAlertsForm({ alerts }: { alerts: PrinterAlerts }) {
  const t = useT()
  const version = useRef(alerts.version)
  const save = (values: ReturnType<typeof valuesOf>) => send(printerAlerts.set, { body: { ...values, version: version.current } })
  const edit = useEdit({
    schema: PrinterAlertFields,
    initial: valuesOf(alerts),
    save,
    refreshes: [printerAlerts.get],
    said: t('Settings saved'),
    done: answer => {
      version.current = answer.version
    },
    undo: async (_: PrinterAlerts, before) => {
      version.current = (await save(before)).version
    },
    conflict: {
      schema: PrinterAlerts,
      values: fresh => {
        version.current = fresh.version
        return valuesOf(fresh)
      },
    },
  })
  const test = useSend(printerAlerts.test, { said: t('The test mail is on its way') })
  return (
    <>
      {alerts.can_mail ? null : <NoMailAccount />}
      {alerts.outages.length > 0 ? (
        <SettingsSection title={t('Offline now')}>
          {alerts.outages.map(({ printer, computer, began_at, mailed_at }) => (
            <Group key={`${printer} ${computer}`} gap="xs">
              <strong>{printerName(t, printer)}</strong>
              <RelativeTime at={began_at} />
              <Text size="sm" c="dimmed">
                {mailed_at === null ? t('Nobody has been told yet') : t('Recipients have been told')}
              </Text>
            </Group>
          ))}
        </SettingsSection>
      ) : null}
      <SettingsSection title={t('E-mail alert')} help={t('One mail when a printer is offline for some minutes, and one when it is back.')}>
        <Form
          edit={edit}
          beside={
            <Button
              variant="default"
              loading={test.isPending}
              {...disabledBecause(
                !alerts.can_mail ? t('No e-mail account is set up') : alerts.recipients.length === 0 && t('Save a recipient first'),
              )}
              onClick={() => test.mutate({})}
            >
              {t('Send test mail')}
            </Button>
          }
        >
          <Switch label={t('Tell people when a printer is offline')} {...edit.of('enabled', 'checkbox')} />
          <RecipientsInput {...edit.of('recipients')} />
          <WholeNumberInput
            label={t('Minutes offline')}
            description={t('Shorter interruptions are not mailed.')}
            min={1}
            max={240}
            {...edit.of('after_minutes')}
          />
        </Form>
      </SettingsSection>
    </>
  )
}
