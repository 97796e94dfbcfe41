/** How alerts are mailed, and which hold they set. */
import { TextInput } from '@mantine/core'
import { useRef } from 'react'
import { isOneOf } from '#domain/objects.ts'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { useT } from '#ui/kit/translate.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import { send } from '#ui/query/calls.ts'
import { alertHoldReasons } from './order-alerts.codes.ts'
import { orderAlertSettings } from './order-alerts.contract.ts'
import { holdReasonLabels } from './order-alerts.labels.ts'
import { OrderAlertSettings, OrderAlertSettingsFields } from './order-alerts.schemas.ts'

const valuesOf = ({ digest_minutes, from_name, hold_reason }: OrderAlertSettings) => ({ digest_minutes, from_name, hold_reason })

export function OrderAlertSettingsForm({ settings, close }: { settings: OrderAlertSettings; close: () => void }) {
  const t = useT()
  const version = useRef(settings.version)
  const edit = useEdit({
    schema: OrderAlertSettingsFields,
    initial: valuesOf(settings),
    save: values => send(orderAlertSettings.set, { body: { ...values, version: version.current } }),
    refreshes: [orderAlertSettings.get],
    said: t('Settings saved'),
    undo: (answer: OrderAlertSettings, before) => send(orderAlertSettings.set, { body: { ...before, version: answer.version } }),
    done: close,
    conflict: {
      schema: OrderAlertSettings,
      values: fresh => {
        version.current = fresh.version
        return valuesOf(fresh)
      },
    },
  })
  return (
    <Form edit={edit} cancel={close}>
      <WholeNumberInput
        label={t('Minutes to gather alerts')}
        description={t('Alerts of this time come in one mail.')}
        min={5}
        max={1_440}
        hideControls
        data-autofocus
        {...edit.of('digest_minutes')}
      />
      <TextInput label={t('Name of the sender')} description={t('Empty: the name of the e-mail account.')} {...edit.of('from_name')} />
      <NativeChoice
        label={t('Reason of holds')}
        description={t('Holds for payment and fraud are released by leads only.')}
        data={alertHoldReasons.map(value => ({ value, label: t(holdReasonLabels[value]) }))}
        value={edit.values.hold_reason}
        choose={value => isOneOf(alertHoldReasons, value) && edit.form.setFieldValue('hold_reason', value)}
      />
    </Form>
  )
}
