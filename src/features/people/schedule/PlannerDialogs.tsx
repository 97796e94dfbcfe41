/** Dialogs of the planner: publication with its reason, templates, and the copy of a week. */
import { Alert, Button, Group, Stack, Table, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { addDays, mondayOf } from '#domain/local-time.ts'
import { confirm } from '#ui/kit/Confirm.tsx'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { day as dayWord, week } from '#ui/kit/format.ts'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { errorSentence, toastFailure, toastWithUndo } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { type Received, send, useCall, useCommand, useSend } from '#ui/query/calls.ts'
import { warningsOnBoard } from './board.rules.ts'
import type { BoardActions } from './board-state.client.ts'
import { schedule } from './schedule.contract.ts'
import type { BatchResult } from './schedule.schemas.ts'
import { leftOut, warningSentence } from './schedule-words.client.ts'

export function PublishDialog({
  board,
  from,
  to,
  close,
}: {
  board: Received<typeof schedule.board>
  from: string
  to: string
  close: () => void
}) {
  const t = useT()
  const [reason, setReason] = useState('')
  const unpublished = board.entries.filter(entry => entry.unpublished)
  const changed = new Set(unpublished.map(entry => entry.id))
  const planned = new Set(unpublished.map(entry => entry.user_id))
  const warnings = board.people.flatMap(person =>
    warningsOnBoard(person, board.entries, { from, to, zone: board.time_zone })
      // The average is about all shifts, and stands at the last one.
      .filter(warning => (warning.rule === 'average' ? planned.has(person.user_id) : changed.has(warning.entry_id)))
      .map(warning => ({ ...warning, name: person.name })),
  )
  const publish = useSend(schedule.publish, {
    refreshes: [schedule.board, schedule.list, schedule.future],
    quiet: true,
    said: ({ people }) => t('Published. {{count}} people get a message.', { count: people }),
    done: close,
  })
  /** The server knows the plan as it is now. */
  const asks = warnings.length > 0 || publish.error?.code === 'rules_broken'
  return (
    <Dialog opened onClose={close} title={t('Publish the plan')} size={640}>
      <Stack gap="md">
        <Text>
          {t('{{count}} changes from {{from}} to {{to}}. Everyone concerned gets one message.', {
            count: board.unpublished,
            from: dayWord(from),
            to: dayWord(to),
          })}
        </Text>
        {warnings.length > 0 ? (
          <Alert color={warnings.some(one => one.refused) ? 'brick' : 'amber'} title={t('Working-time warnings')}>
            {warnings.map(one => (
              <Text key={`${one.entry_id} ${one.rule}`} size="sm">
                {one.name}, {dayWord(one.day)}: {warningSentence(t, one)}
              </Text>
            ))}
          </Alert>
        ) : null}
        {asks ? (
          <Textarea
            label={t('Reason')}
            description={t('Kept with the publication. Shifts of people under 18 must fit the rules.')}
            maxLength={500}
            value={reason}
            onChange={event => setReason(event.currentTarget.value)}
          />
        ) : null}
        {publish.error ? (
          <Alert color="brick" role="alert">
            {errorSentence(publish.error)}
          </Alert>
        ) : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t('Cancel')}
          </Button>
          <Button
            data-autofocus={!asks || undefined}
            loading={publish.isPending}
            {...disabledBecause(asks && reason.trim() === '' && t('Enter a reason first'))}
            onClick={() => publish.mutate({ body: { from, to, reason } })}
          >
            {t('Publish plan')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

export function TemplatesDialog({ monday, actions, close }: { monday: string; actions: BoardActions; close: () => void }) {
  const t = useT()
  const templates = useCall(schedule.templates, {}, { live: ['schedule'] })
  const refreshes = [schedule.templates]
  const planned = {
    refreshes: [schedule.board, schedule.list],
    done: ({ entries, skipped, change_id }: BatchResult) => {
      if (entries.length > 0) toastWithUndo(t('{{count}} shifts planned', { count: entries.length }), () => actions.undo(change_id))
      const left = leftOut(t, skipped)
      if (left !== null) toastFailure(left)
      close()
    },
  }
  const copy = useCommand(
    (from_monday: string) => send(schedule.copyWeek, { body: { change_id: crypto.randomUUID(), from_monday, to_monday: monday } }),
    {
      ...planned,
      done: (result: BatchResult) => {
        if (result.entries.length > 0 || result.skipped.length > 0) planned.done(result)
        else setEmpty(true)
      },
    },
  )
  const apply = useCommand((id: number) => send(schedule.applyWeek, { id, body: { change_id: crypto.randomUUID(), monday } }), planned)
  const saveWeek = useSend(schedule.saveWeek, { refreshes, said: t('Week saved as template'), done: () => setWeekName('') })
  const add = useSend(schedule.addTemplate, {
    refreshes,
    said: t('Template saved'),
    done: () => setShift(shift => ({ ...shift, name: '' })),
  })
  const removeShift = useSend(schedule.removeTemplate, { refreshes, said: t('Template removed') })
  const removeWeek = useSend(schedule.removeWeek, { refreshes, said: t('Template removed') })
  const [weekName, setWeekName] = useState('')
  const [from, setFrom] = useState(addDays(monday, -7))
  /** The chosen week has no shifts. */
  const [empty, setEmpty] = useState(false)
  const [shift, setShift] = useState({ name: '', start_local: '06:00', end_local: '14:00' })
  const askRemove = async (name: string, run: () => void) => {
    if (
      await confirm({ title: t('Remove {{name}}?', { name }), body: t('Planned shifts stay.'), action: t('Remove template'), danger: true })
    )
      run()
  }
  return (
    <Dialog opened onClose={close} title={t('Templates and copy week')} size={640}>
      <Stack gap="lg">
        <Stack gap={4}>
          <Group align="end" gap="sm">
            <TextInput
              type="date"
              label={t('Copy the week of')}
              value={from}
              error={empty}
              aria-describedby="copied-into"
              onChange={event => {
                setFrom(event.currentTarget.value)
                setEmpty(false)
              }}
            />
            <Button
              variant="default"
              loading={copy.isPending}
              {...disabledBecause(from === '' && t('Select a day first'))}
              onClick={() => copy.mutate(mondayOf(from))}
            >
              {t('Copy week')}
            </Button>
          </Group>
          <Text id="copied-into" size="sm" c={empty ? 'error' : 'dimmed'} role="status">
            {empty ? t('No shifts in that week') : t('Into week {{week}}, with the same times', { week: week(monday) })}
          </Text>
        </Stack>
        <QueryState of={templates} shape="rows">
          {({ shifts, weeks }) => (
            <>
              <Stack gap="xs">
                <Text fw={600}>{t('Weeks')}</Text>
                <Table>
                  <Table.Tbody>
                    {weeks.map(one => (
                      <Table.Tr key={one.id}>
                        <Table.Td>{one.name}</Table.Td>
                        <Table.Td>{t('{{count}} shifts', { count: one.shifts })}</Table.Td>
                        <Table.Td>
                          <Group justify="flex-end" gap={8}>
                            <Button size="compact-sm" variant="default" loading={apply.isPending} onClick={() => apply.mutate(one.id)}>
                              {t('Use in week {{week}}', { week: week(monday) })}
                            </Button>
                            <Button
                              size="compact-sm"
                              variant="subtle"
                              color="brick"
                              onClick={() => void askRemove(one.name, () => removeWeek.mutate({ id: one.id }))}
                            >
                              {t('Remove')}
                            </Button>
                          </Group>
                        </Table.Td>
                      </Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
                <Group align="end" gap="sm">
                  <TextInput
                    label={t('Save week {{week}} as', { week: week(monday) })}
                    maxLength={60}
                    value={weekName}
                    onChange={event => setWeekName(event.currentTarget.value)}
                  />
                  <Button
                    variant="default"
                    {...disabledBecause(weekName.trim() === '' && t('Enter a name first'))}
                    loading={saveWeek.isPending}
                    onClick={() => saveWeek.mutate({ body: { name: weekName, monday } })}
                  >
                    {t('Save week')}
                  </Button>
                </Group>
              </Stack>
              <Stack gap="xs">
                <Text fw={600}>{t('Shifts')}</Text>
                <Table>
                  <Table.Tbody>
                    {shifts.map(one => (
                      <Table.Tr key={one.id}>
                        <Table.Td>{one.name}</Table.Td>
                        <Table.Td className="num">
                          {one.start_local}–{one.end_local}
                        </Table.Td>
                        <Table.Td>
                          <Group justify="flex-end">
                            <Button
                              size="compact-sm"
                              variant="subtle"
                              color="brick"
                              onClick={() => void askRemove(one.name, () => removeShift.mutate({ id: one.id }))}
                            >
                              {t('Remove')}
                            </Button>
                          </Group>
                        </Table.Td>
                      </Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
                <Group align="end" gap="sm">
                  <TextInput
                    label={t('New template')}
                    maxLength={60}
                    value={shift.name}
                    onChange={event => setShift({ ...shift, name: event.currentTarget.value })}
                  />
                  <TextInput
                    type="time"
                    label={t('Begins')}
                    value={shift.start_local}
                    onChange={event => setShift({ ...shift, start_local: event.currentTarget.value })}
                  />
                  <TextInput
                    type="time"
                    label={t('Ends')}
                    value={shift.end_local}
                    onChange={event => setShift({ ...shift, end_local: event.currentTarget.value })}
                  />
                  <Button
                    variant="default"
                    {...disabledBecause(shift.name.trim() === '' && t('Enter a name first'))}
                    loading={add.isPending}
                    onClick={() => add.mutate({ body: { ...shift, break_s: 1_800 } })}
                  >
                    {t('Save template')}
                  </Button>
                </Group>
              </Stack>
            </>
          )}
        </QueryState>
      </Stack>
    </Dialog>
  )
}
