/** When somebody can or cannot work. */
import { Alert, Button, Group, SegmentedControl, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { today } from '#ui/kit/format.ts'
import { errorSentence } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { useSend } from '#ui/query/calls.ts'
import { schedule } from './schedule.contract.ts'

export function AvailabilityDialog({ close }: { close: () => void }) {
  const t = useT()
  const [client_id] = useState(() => crypto.randomUUID())
  const [available, setAvailable] = useState(false)
  const [from, setFrom] = useState(today())
  const [to, setTo] = useState(today())
  const [begins, setBegins] = useState('')
  const [ends, setEnds] = useState('')
  const save = useSend(schedule.create, {
    refreshes: [schedule.future, schedule.board],
    said: t('Availability saved'),
    quiet: true,
    done: close,
  })
  const times = begins !== '' && ends !== '' ? { start_local: begins, end_local: ends } : {}
  return (
    <Dialog opened onClose={close} title={t('Availability')}>
      <Stack gap="md">
        <SegmentedControl
          aria-label={t('Availability')}
          value={available ? 'yes' : 'no'}
          onChange={value => setAvailable(value === 'yes')}
          data={[
            { value: 'no', label: t('Cannot work') },
            { value: 'yes', label: t('Can work') },
          ]}
        />
        <Group grow>
          <TextInput
            type="date"
            label={t('First day')}
            value={from}
            onChange={event => {
              setFrom(event.currentTarget.value)
              if (to < event.currentTarget.value) setTo(event.currentTarget.value)
            }}
          />
          <TextInput type="date" label={t('Last day')} value={to} min={from} onChange={event => setTo(event.currentTarget.value)} />
        </Group>
        <Group grow align="start">
          <TextInput
            type="time"
            label={t('From')}
            description={t('Empty: the whole day')}
            value={begins}
            onChange={event => setBegins(event.currentTarget.value)}
          />
          <TextInput
            type="time"
            label={t('Until')}
            description={t('Empty: the whole day')}
            value={ends}
            onChange={event => setEnds(event.currentTarget.value)}
          />
        </Group>
        {save.error ? (
          <Alert color="brick" role="alert">
            {errorSentence(save.error)}
          </Alert>
        ) : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t('Cancel')}
          </Button>
          <Button
            loading={save.isPending}
            {...disabledBecause((from === '' || to === '') && t('Enter both times first'))}
            onClick={() => save.mutate({ body: { client_id, kind: 'availability', work_date: from, date_to: to, available, ...times } })}
          >
            {t('Save availability')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
