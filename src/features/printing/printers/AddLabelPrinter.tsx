/** The button and the form that add a label printer of the network. */
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import * as z from 'zod'
import { limits } from '#contract/limits.ts'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { useT } from '#ui/kit/translate.ts'
import { send } from '#ui/query/calls.ts'
import { printers } from './printers.contract.ts'

export function AddLabelPrinter() {
  const t = useT()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" leftSection={<IconPlus size={16} />} onClick={() => setOpen(true)}>
        {t('Add a network printer')}
      </Button>
      <Dialog opened={open} onClose={() => setOpen(false)} title={t('Add a network printer')}>
        <AddressForm done={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

const Address = z.object({
  name: z.string().trim().min(1, 'Give the printer a name'),
  host: z.string().trim().min(1, 'Enter the address of the printer'),
  port: z.string(),
})
function AddressForm({ done }: { done: () => void }) {
  const t = useT()
  const edit = useEdit({
    schema: Address,
    initial: { name: '', host: '', port: '9100' },
    save: ({ name, host, port }) => send(printers.add, { body: { name, host, port: Number(port) } }),
    refreshes: [printers.list],
    said: t('The printer is added. Print a test page now.'),
    done,
  })
  return (
    <Form edit={edit} action={t('Add printer')} unguarded>
      <TextInput label={t('Name')} data-autofocus {...edit.of('name')} />
      <TextInput
        label={t('Address in the network')}
        description={t('Name or IP address of a ZPL printer that the server can reach.')}
        {...edit.of('host')}
      />
      <NativeSelect label={t('Port')} data={limits.printerPorts.map(String)} {...edit.of('port')} />
    </Form>
  )
}
