/** Sending an invoice by e-mail, and crediting it. */
import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type InvoiceFormat, invoiceFormats } from '#features/invoicing/bulk-invoicing/bulk-invoicing.codes.ts'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { RecipientsInput } from '#ui/kit/RecipientsInput.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useSend } from '#ui/query/calls.ts'
import { invoices } from './invoices.contract.ts'
import type { InvoiceInFull } from './invoices.schemas.ts'

const refreshes = [invoices.get, invoices.list, invoices.tabs, invoices.orders]

export function SendDialog({ invoice, close }: { invoice: InvoiceInFull; close: () => void }) {
  const t = useT()
  const [emails, setEmails] = useState(invoice.emails)
  const [formats, setFormats] = useState<InvoiceFormat[]>(['pdf'])
  const [client_id] = useState(() => crypto.randomUUID())
  const send = useSend(invoices.send, { refreshes, said: t('The invoice is on its way'), done: close })
  return (
    <Dialog opened onClose={close} title={t('Send invoice {{number}}', { number: invoice.invoice_no ?? '' })} size={480}>
      <Stack gap="md">
        <RecipientsInput value={emails} onChange={setEmails} data-autofocus />
        <Checkbox.Group
          label={t('Files')}
          value={formats}
          onChange={values => setFormats(invoiceFormats.filter(one => values.includes(one)))}
        >
          <Group gap="md" mt="xs">
            {invoiceFormats.map(one => (
              <Checkbox key={one} value={one} label={one.toUpperCase()} />
            ))}
          </Group>
        </Checkbox.Group>
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t('Cancel')}
          </Button>
          <Button
            {...disabledBecause((emails.length === 0 || formats.length === 0) && t('Select an address and a format first'))}
            loading={send.isPending}
            onClick={() => send.mutate({ id: invoice.id, body: { client_id, emails, formats } })}
          >
            {t('Send')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

export function CreditDialog({ invoice, close, done }: { invoice: InvoiceInFull; close: () => void; done: (id: number) => void }) {
  const t = useT()
  const [reason, setReason] = useState('')
  const [anew, setAnew] = useState(invoice.state === 'blocked')
  const [without, setWithout] = useState<number[]>([])
  const credit = useSend(invoices.credit, {
    refreshes,
    said: answer => t('Credit {{number}} is made', { number: answer.credit.invoice_no ?? '' }),
    done: answer => {
      close()
      done(answer.replacement?.id ?? answer.credit.id)
    },
  })
  return (
    <Dialog opened onClose={close} title={t('Credit invoice {{number}}', { number: invoice.invoice_no ?? '' })} size={520}>
      <Stack gap="md">
        <Text>{t('The credit gets the next number, and the parcels wait for an invoice again.')}</Text>
        <TextInput
          label={t('Reason')}
          maxLength={200}
          withAsterisk
          data-autofocus
          value={reason}
          onChange={event => setReason(event.currentTarget.value)}
        />
        <Checkbox
          label={t('Freeze a new invoice at once')}
          description={t('Of the same parcels, but for cancelled ones.')}
          checked={anew}
          onChange={event => setAnew(event.currentTarget.checked)}
        />
        {anew ? (
          <Stack gap="xs" mah={240} style={{ overflowY: 'auto' }} role="group" aria-label={t('Leave out')}>
            <Text size="sm" fw={600}>
              {t('Leave out')}
            </Text>
            {invoice.parcel_rows.map(parcel => (
              <Checkbox
                key={parcel.shipment_id}
                label={[parcel.tracking_no, parcel.order_no].filter(Boolean).join(' · ')}
                checked={without.includes(parcel.shipment_id)}
                onChange={event =>
                  setWithout(
                    event.currentTarget.checked ? [...without, parcel.shipment_id] : without.filter(one => one !== parcel.shipment_id),
                  )
                }
              />
            ))}
          </Stack>
        ) : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t('Keep invoice')}
          </Button>
          <Button
            color="brick"
            {...disabledBecause(reason.trim() === '' && t('Enter a reason first'))}
            loading={credit.isPending}
            onClick={() =>
              credit.mutate({ id: invoice.id, body: { reason, freeze_anew: anew, without: anew ? without : [], version: invoice.version } })
            }
          >
            {t('Credit invoice')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
