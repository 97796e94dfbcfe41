/** Who gets invoices by e-mail, as which files and when. */
import { Button, Checkbox, Group, TextInput } from '@mantine/core'
import { useRef } from 'react'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { RecipientsInput } from '#ui/kit/RecipientsInput.tsx'
import { useT } from '#ui/kit/translate.ts'
import { send, useSend } from '#ui/query/calls.ts'
import { invoiceFormats, sendTimes } from './bulk-invoicing.codes.ts'
import { bulkInvoicing } from './bulk-invoicing.contract.ts'
import { sendTimeLabels } from './bulk-invoicing.labels.ts'
import { BulkInvoicingConfig, SendFields } from './bulk-invoicing.schemas.ts'

type Values = SendFields & Record<string, unknown>
const valuesOf = ({ emails, formats, when, subject }: BulkInvoicingConfig): Values => ({ emails, formats, when, subject })

export function RecipientsForm({ config, close }: { config: BulkInvoicingConfig; close: () => void }) {
  const t = useT()
  const version = useRef(config.version)
  const refreshes = [bulkInvoicing.list, bulkInvoicing.get]
  const edit = useEdit({
    schema: SendFields,
    initial: valuesOf(config),
    save: (values: Values) => send(bulkInvoicing.sendTo, { config_id: config.config_id, body: { ...values, version: version.current } }),
    refreshes,
    said: t('Recipients saved'),
    done: close,
    conflict: {
      schema: BulkInvoicingConfig,
      values: fresh => {
        version.current = fresh.version
        return valuesOf(fresh)
      },
    },
  })
  const test = useSend(bulkInvoicing.sendTo, { refreshes, said: t('A sample is on its way'), done: close })
  const { values, form } = edit
  return (
    <Form edit={edit} cancel={close}>
      <RecipientsInput description={t('For example the broker and the courier')} data-autofocus {...edit.of('emails')} />
      <Checkbox.Group
        label={t('Files')}
        value={values.formats}
        onChange={chosen =>
          form.setFieldValue(
            'formats',
            invoiceFormats.filter(one => chosen.includes(one)),
          )
        }
        error={form.errors.formats}
      >
        <Group gap="md" mt="xs">
          {invoiceFormats.map(one => (
            <Checkbox key={one} value={one} label={one.toUpperCase()} />
          ))}
        </Group>
      </Checkbox.Group>
      <NativeChoice
        label={t('Sent')}
        data={sendTimes.map(value => ({ value, label: t(sendTimeLabels[value]) }))}
        value={values.when}
        choose={chosen => form.setFieldValue('when', chosen)}
      />
      <TextInput label={t('Subject')} description={t('The number of the invoice follows it.')} {...edit.of('subject')} />
      <Group>
        <Button
          variant="default"
          {...disabledBecause(values.emails.length === 0 && t('Enter an e-mail address first'))}
          loading={test.isPending}
          onClick={() => test.mutate({ config_id: config.config_id, body: { ...values, test: true, version: version.current } })}
        >
          {t('Save and send a sample')}
        </Button>
      </Group>
    </Form>
  )
}
