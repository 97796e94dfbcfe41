/** Adds a printer to the CUPS of a device: one that it finds, or one whose address is typed. */
import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import * as z from 'zod'
import { queueName } from '#domain/printer-address.ts'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { useT } from '#ui/kit/translate.ts'
import { send, useSend } from '#ui/query/calls.ts'
import { PrinterAddress, QueueName } from './print-agents.schemas.ts'
import { printerManagement } from './printer-management.contract.ts'
import type { PrinterDevice } from './printer-management.schemas.ts'

const drivers = ['everywhere', 'raw'] as const
const Values = z.object({ name: QueueName, address: PrinterAddress, driver: z.enum(drivers) })
type Values = z.infer<typeof Values>

/** A name that CUPS takes, from what the printer calls itself. */
const nameFrom = (words: string): string => {
  const name = words
    .replace(/[^A-Za-z0-9_.-]+/g, '_')
    .replace(/^[-_]+|_+$/g, '')
    .slice(0, 60)
  return queueName.test(name) ? name : ''
}

export function DevicePrinterForm({ device, close }: { device: PrinterDevice; close: () => void }) {
  const t = useT()
  const { agent_id, queues, commands } = device
  const [asked, setAsked] = useState<number>()
  const find = useSend(printerManagement.command, { refreshes: [printerManagement.list], done: ({ id }) => setAsked(id) })
  const edit = useEdit<Values, unknown, unknown>({
    schema: Values,
    initial: { name: '', address: '', driver: 'everywhere' },
    save: values =>
      send(printerManagement.command, { agent_id, body: { client_id: crypto.randomUUID(), command: { action: 'add', ...values } } }),
    refreshes: [printerManagement.list],
    said: t('The device adds the printer'),
    done: close,
  })
  const search = commands.find(({ id }) => id === asked)
  const searching = find.isPending || (asked !== undefined && (!search || search.state === 'waiting' || search.state === 'taken'))
  const known = new Set(queues.map(({ address }) => address))
  const found = (search?.found ?? []).filter(({ address }) => !known.has(address))
  const { form } = edit
  return (
    <Stack>
      <Button
        variant="default"
        loading={searching}
        onClick={() => find.mutate({ agent_id, body: { client_id: crypto.randomUUID(), command: { action: 'discover' } } })}
      >
        {t('Find printers')}
      </Button>
      {searching ? <Text c="dimmed">{t('The device looks for printers. That takes up to a minute.')}</Text> : null}
      {search?.state === 'done' && found.length === 0 ? <Text c="dimmed">{t('The device finds no further printer.')}</Text> : null}
      {search?.state === 'failed' || search?.state === 'lost' ? (
        <Text c="dimmed">{search.message ?? t('The device has not answered.')}</Text>
      ) : null}
      {found.map(({ address, name }) => (
        <Button
          key={address}
          variant="default"
          justify="start"
          onClick={() => {
            form.setFieldValue('address', address)
            form.setFieldValue('name', nameFrom(name))
            form.setFieldValue('driver', /zebra|zpl/i.test(`${name} ${address}`) ? 'raw' : 'everywhere')
          }}
        >
          {name || address}
        </Button>
      ))}
      <Form edit={edit} action={t('Add printer')} cancel={close}>
        <TextInput label={t('Address')} description="socket://192.168.1.50 · ipp://192.168.1.50/ipp/print" {...edit.of('address')} />
        <TextInput label={t('Name')} description={t('Letters, digits, dots, hyphens and underscores')} {...edit.of('name')} />
        <NativeChoice
          label={t('Kind')}
          data={[
            { value: 'everywhere', label: t('Office or label printer that takes PDF') },
            { value: 'raw', label: t('Label printer that takes ZPL') },
          ]}
          value={edit.values.driver}
          choose={value => form.setFieldValue('driver', value === 'raw' ? 'raw' : 'everywhere')}
        />
      </Form>
    </Stack>
  )
}
