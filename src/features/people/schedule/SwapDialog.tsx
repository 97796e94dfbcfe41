/** Gives an own shift away, or offers it for a shift of a colleague. */
import { Alert, Button, Group, Radio, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { errorSentence } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { schedule } from './schedule.contract.ts'
import type { ScheduleEntry } from './schedule.schemas.ts'
import { daysWord } from './schedule-words.client.ts'

export function SwapDialog({ shift, close }: { shift: ScheduleEntry; close: () => void }) {
  const t = useT()
  const colleagues = useCall(schedule.colleagues, { id: shift.id })
  const [chosen, setChosen] = useState('give')
  const [reason, setReason] = useState('')
  const offer = useSend(schedule.offer, {
    refreshes: [schedule.future, schedule.waiting],
    said: t('Shift offered'),
    quiet: true,
    done: close,
  })
  const send = () =>
    offer.mutate({
      body:
        chosen === 'give'
          ? { kind: 'give', entry_id: shift.id, reason }
          : { kind: 'swap', entry_id: shift.id, with_entry_id: Number(chosen), reason },
    })
  return (
    <Dialog opened onClose={close} title={t('Offer shift')} size={640}>
      <Stack gap="md">
        <QueryState of={colleagues} shape="rows">
          {shifts => (
            <Radio.Group
              label={`${daysWord(shift.work_date, null)} ${shift.start_local}–${shift.end_local}`}
              value={chosen}
              onChange={setChosen}
            >
              <Stack gap={8} mt={8} mah={320} style={{ overflowY: 'auto' }}>
                <Radio value="give" label={t('Give it away')} />
                {shifts.map(one => (
                  <Radio
                    key={one.id}
                    value={String(one.id)}
                    label={t('Swap with {{name}}: {{day}} {{from}}–{{to}}', {
                      name: one.name,
                      day: daysWord(one.work_date, null),
                      from: one.start_local ?? '',
                      to: one.end_local ?? '',
                    })}
                  />
                ))}
              </Stack>
            </Radio.Group>
          )}
        </QueryState>
        <Textarea label={t('Note')} maxLength={500} value={reason} onChange={event => setReason(event.currentTarget.value)} />
        {offer.error ? (
          <Alert color="brick" role="alert">
            {errorSentence(offer.error)}
          </Alert>
        ) : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t('Cancel')}
          </Button>
          <Button loading={offer.isPending} onClick={send}>
            {t('Offer shift')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
