/** The form of one shift: who, when, where, and what the law says of it. */

import { Alert, Button, Group, Select, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { day as dayWord } from '#ui/kit/format.ts'
import { errorSentence } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import { type Received, send, useCall, useCommand } from '#ui/query/calls.ts'
import { minutesBetween, warningsOnBoard, withChange } from './board.rules.ts'
import type { BoardActions } from './board-state.client.ts'
import { hours } from './hours.client.ts'
import { schedule } from './schedule.contract.ts'
import type { NewShift, ScheduleEntry } from './schedule.schemas.ts'
import { warningSentence } from './schedule-words.client.ts'

type Board = Received<typeof schedule.board>

interface ShiftFormProps {
  board: Board
  /** A shift that is there, or where a new one begins. */
  shift: ScheduleEntry | NewShift
  range: { from: string; to: string }
  actions: BoardActions
  close: () => void
  /** Remembered for the next shift that is drawn. */
  used: (shift: NewShift) => void
}

const isSaved = (shift: ScheduleEntry | NewShift): shift is ScheduleEntry => 'id' in shift
const blank: ScheduleEntry = {
  id: 0,
  kind: 'shift',
  user_id: null,
  work_date: '',
  date_to: null,
  start_local: null,
  end_local: null,
  start_at: null,
  end_at: null,
  break_s: 0,
  station: null,
  skill: null,
  reason_id: null,
  part: null,
  state: 'draft',
  unpublished: true,
  note: null,
  decided_by: null,
  decision: null,
  own_decision: false,
  replaces_id: null,
  version: 1,
}

export function ShiftForm({ board, shift, range, actions, close, used }: ShiftFormProps) {
  const t = useT()
  const saved = isSaved(shift) ? shift : null
  const templates = useCall(schedule.templates, {})
  const [values, setValues] = useState<NewShift & { note: string }>({
    user_id: shift.user_id,
    work_date: shift.work_date,
    start_local: shift.start_local ?? '06:00',
    end_local: shift.end_local ?? '14:00',
    break_s: shift.break_s,
    station: shift.station,
    skill: shift.skill,
    note: saved?.note ?? '',
  })
  const change = (more: Partial<typeof values>) => setValues(before => ({ ...before, ...more }))
  const clock = /^([01]\d|2[0-3]):[0-5]\d$/
  const readable = clock.test(values.start_local) && clock.test(values.end_local) && values.work_date !== ''
  const save = useCommand(
    () => {
      const { note, ...fields } = values
      return saved
        ? send(schedule.update, { id: saved.id, body: { version: saved.version, ...fields, note } })
        : send(schedule.create, { body: { client_id: crypto.randomUUID(), kind: 'shift', ...fields, note } })
    },
    {
      refreshes: [schedule.board, schedule.list, schedule.future],
      said: saved ? t('Shift saved') : t('Shift planned'),
      quiet: true,
      done: () => {
        used(values)
        close()
      },
    },
  )
  const person = board.people.find(one => one.user_id === values.user_id)
  const after = readable ? withChange(saved ?? blank, values, board.time_zone) : null
  const warnings =
    person && after
      ? warningsOnBoard(person, [...board.entries.filter(entry => entry.id !== after.id), after], {
          ...range,
          zone: board.time_zone,
        }).filter(warning => warning.entry_id === after.id)
      : []
  const wrong = (field: string) => {
    const sentence = save.error?.fields[field] ?? save.error?.fields[`body.${field}`]
    return sentence && t(sentence)
  }
  return (
    <Drawer opened onClose={close} title={saved ? t('Shift') : t('New shift')}>
      <form
        onSubmit={event => {
          event.preventDefault()
          if (readable) save.mutate(undefined)
        }}
      >
        <Stack gap="md">
          {saved?.state === 'published' && saved.unpublished ? (
            <Alert color="harbour">{t('Staff see this shift as it was published last, until the plan is published again.')}</Alert>
          ) : null}
          <Select
            label={t('Person')}
            data={[{ value: '', label: t('Open shift') }, ...board.people.map(one => ({ value: String(one.user_id), label: one.name }))]}
            value={values.user_id === null ? '' : String(values.user_id)}
            onChange={value => change({ user_id: value ? Number(value) : null })}
            searchable
          />
          {templates.data && templates.data.shifts.length > 0 ? (
            <Group gap={8} role="group" aria-label={t('Templates')}>
              {templates.data.shifts.map(({ id, name, ...times }) => (
                <Button key={id} size="compact-sm" variant="default" onClick={() => change(times)}>
                  {name}
                </Button>
              ))}
            </Group>
          ) : null}
          <TextInput
            type="date"
            label={t('Day')}
            value={values.work_date}
            onChange={event => change({ work_date: event.currentTarget.value })}
            error={wrong('work_date')}
          />
          <SimpleGrid cols={2} spacing="sm">
            <TextInput
              label={t('Begins')}
              type="time"
              value={values.start_local}
              onChange={event => change({ start_local: event.currentTarget.value })}
              error={wrong('start_local')}
            />
            <TextInput
              label={t('Ends')}
              type="time"
              value={values.end_local}
              onChange={event => change({ end_local: event.currentTarget.value })}
              error={wrong('end_local')}
              description={readable && values.end_local <= values.start_local ? t('On the next day') : undefined}
            />
          </SimpleGrid>
          <WholeNumberInput
            label={t('Break')}
            suffix={` ${t('minutes')}`}
            min={0}
            max={480}
            value={values.break_s / 60}
            onChange={value => change({ break_s: Number(value) * 60 })}
          />
          <SimpleGrid cols={2} spacing="sm">
            <TextInput
              label={t('Station')}
              maxLength={20}
              list="schedule-stations"
              value={values.station ?? ''}
              onChange={event => change({ station: event.currentTarget.value || null })}
            />
            <TextInput
              label={t('Needed skill')}
              maxLength={40}
              list="schedule-skills"
              value={values.skill ?? ''}
              onChange={event => change({ skill: event.currentTarget.value || null })}
            />
          </SimpleGrid>
          <datalist id="schedule-stations">
            {board.stations.map(one => (
              <option key={one} value={one} />
            ))}
          </datalist>
          <datalist id="schedule-skills">
            {[...new Set(board.people.flatMap(one => one.skills))].map(one => (
              <option key={one} value={one} />
            ))}
          </datalist>
          <Textarea
            label={t('Note for leads')}
            maxLength={2000}
            autosize
            minRows={2}
            value={values.note}
            onChange={event => change({ note: event.currentTarget.value })}
          />
          {readable ? (
            <Text size="sm" c="dimmed">
              {t('{{hours}} paid on {{day}}', {
                hours: hours(Math.max(0, minutesBetween(values.start_local, values.end_local) * 60 - values.break_s)),
                day: dayWord(values.work_date),
              })}
            </Text>
          ) : null}
          {person && values.skill && !person.skills.includes(values.skill) ? (
            <Alert color="amber">{t('{{name}} does not have the skill {{skill}}.', { name: person.name, skill: values.skill })}</Alert>
          ) : null}
          {warnings.map(warning => (
            <Alert key={warning.rule} color={warning.refused ? 'brick' : 'amber'}>
              {warningSentence(t, warning)}
            </Alert>
          ))}
          {save.error ? (
            <Alert color="brick" role="alert">
              {errorSentence(save.error)}
            </Alert>
          ) : null}
          <Group justify="space-between">
            {saved ? (
              <Button
                variant="subtle"
                color="brick"
                onClick={() => {
                  actions.remove(saved)
                  close()
                }}
              >
                {t('Remove shift')}
              </Button>
            ) : (
              <span />
            )}
            <Group gap="sm">
              <Button variant="default" onClick={close}>
                {t('Cancel')}
              </Button>
              <Button type="submit" loading={save.isPending} {...disabledBecause(!readable && t('Enter day, start and end first'))}>
                {saved ? t('Save shift') : t('Plan shift')}
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Drawer>
  )
}
