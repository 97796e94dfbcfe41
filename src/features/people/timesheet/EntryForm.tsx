/** One entry as a person writes it: its times, its kind, and why. Of others it is saved at once, of one's own it is asked for. */
import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { punchTypes } from '#features/people/punch-clock/punch.codes.ts'
import { punchClock } from '#features/people/punch-clock/punch-clock.contract.ts'
import type { PunchHistory } from '#features/people/punch-clock/punch-clock.schemas.ts'
import { passChoices, typeWord } from '#features/people/punch-clock/punch-words.client.ts'
import { comesTwice } from '#features/people/punch-clock/written-times.rules.ts'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { day as dayText, timeZone } from '#ui/kit/format.ts'
import { useT } from '#ui/kit/translate.ts'
import { send } from '#ui/query/calls.ts'
import { SpanNote } from './day-words.tsx'
import { bodyOfEntry, entrySchema, firstDay, initialEntry, spanOfEntry } from './entry-form.client.ts'
import { timesheet } from './timesheet.contract.ts'

const refreshes = [timesheet.list, timesheet.day, timesheet.mine, timesheet.myDay]

interface EntryProps {
  /** The day that the hours are worked for. */
  work_date: string
  /** The entry to change; without one a new one is written. */
  punch: PunchHistory | null
  /** Whose it is; null for the own hours, which someone else decides about. */
  user_id: number | null
  close: () => void
}

export function EntryDialog(props: EntryProps & { opened: boolean }) {
  const t = useT()
  const { opened, close, punch, work_date } = props
  return (
    <Dialog opened={opened} onClose={close} title={punch ? t('Change entry') : t('Add entry')}>
      <Text c="dimmed" mb="sm">
        {dayText(work_date)}
      </Text>
      <EntryForm {...props} />
    </Dialog>
  )
}

function EntryForm({ work_date, punch, user_id, close }: EntryProps) {
  const t = useT()
  const [client_id] = useState(() => crypto.randomUUID())
  const day = firstDay(work_date, punch)
  const edit = useEdit({
    schema: entrySchema(t, day),
    initial: initialEntry(punch),
    save: values =>
      send(punchClock.update, {
        id: punch?.id ?? 0,
        body: {
          ...bodyOfEntry(day, values),
          version: punch?.version ?? 0,
          work_date,
          client_id,
          ...(user_id !== null && !punch && { user_id }),
        },
      }),
    refreshes,
    said: user_id === null ? t('Sent to your lead') : t('Times saved'),
    done: close,
  })
  const twice = comesTwice(day, { from: edit.values.started_at, until: edit.values.ended_at }, timeZone())
  const passes = passChoices(t)
  return (
    <Form edit={edit} action={user_id === null ? t('Ask for correction') : t('Save times')} cancel={close}>
      <Group grow align="start">
        <TextInput type="time" label={t('From')} data-autofocus {...edit.of('started_at')} />
        <TextInput type="time" label={t('Until')} {...edit.of('ended_at')} />
      </Group>
      <SpanNote {...spanOfEntry(day, edit.values)} />
      {twice.from ? (
        <NativeSelect
          label={t('Clock at the start')}
          description={t('The clock shows this time twice.')}
          data={passes}
          {...edit.of('from_pass')}
        />
      ) : null}
      {twice.until ? (
        <NativeSelect
          label={t('Clock at the end')}
          description={t('The clock shows this time twice.')}
          data={passes}
          {...edit.of('until_pass')}
        />
      ) : null}
      <NativeSelect label={t('Kind of time')} data={punchTypes.map(value => ({ value, label: typeWord(t, value) }))} {...edit.of('type')} />
      <TextInput label={t('Reason')} {...edit.of('note')} />
    </Form>
  )
}

interface ReasonProps {
  title: string
  action: string
  body?: string
  danger?: boolean
  saving: boolean
  close: () => void
  run: (reason: string) => void
}

/** Asks for the reason of one act. */
export function ReasonDialog({ title, action, body, danger, saving, close, run }: ReasonProps) {
  const t = useT()
  const [reason, setReason] = useState('')
  const [tried, setTried] = useState(false)
  const isShort = reason.trim().length < 3
  return (
    <Dialog opened onClose={close} title={title}>
      <form
        onSubmit={event => {
          event.preventDefault()
          setTried(true)
          if (!isShort) run(reason.trim())
        }}
      >
        <Stack gap="sm">
          {body ? <Text>{body}</Text> : null}
          <TextInput
            label={t('Reason')}
            maxLength={500}
            data-autofocus
            value={reason}
            error={tried && isShort ? t('Write at least three characters') : null}
            onChange={event => setReason(event.currentTarget.value)}
          />
          <Group justify="end">
            <Button variant="default" onClick={close}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={saving} {...(danger && { color: 'brick' })}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
