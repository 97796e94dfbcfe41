/** Who gets mails about pickups that will be missed, quiet hours, and whether boards sound. */
import { Switch, Text, TextInput } from '@mantine/core'
import { useRef } from 'react'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { NoMailAccount } from '#ui/kit/NoMailAccount.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RecipientsInput } from '#ui/kit/RecipientsInput.tsx'
import { SettingsSection } from '#ui/kit/SettingsSection.tsx'
import { useT } from '#ui/kit/translate.ts'
import { send, useCall } from '#ui/query/calls.ts'
import { deadlineBoard } from './deadline-board.contract.ts'
import { AlarmSettingsFields, AlarmSettings as Schema } from './deadline-board.schemas.ts'

type Settings = typeof Schema._output

const valuesOf = ({ recipients, quiet_from, quiet_until, sound }: Settings) => ({
  ...{ recipients, sound },
  ...{ quiet_from: quiet_from ?? '', quiet_until: quiet_until ?? '' },
})
type Values = ReturnType<typeof valuesOf>
const bodyOf = ({ recipients, quiet_from, quiet_until, sound }: Values) => ({
  ...{ recipients, sound },
  ...{ quiet_from: quiet_from || null, quiet_until: quiet_until || null },
})

export function AlarmSettings() {
  const alarms = useCall(deadlineBoard.alarms, {}, { live: ['deadline'] })
  return (
    <QueryState of={alarms} shape="form">
      {found => <AlarmForm alarms={found} />}
    </QueryState>
  )
}

function AlarmForm({ alarms }: { alarms: Settings }) {
  const t = useT()
  const version = useRef(alarms.version)
  const save = (values: Values) => send(deadlineBoard.setAlarms, { body: { ...bodyOf(values), version: version.current } })
  const edit = useEdit({
    schema: AlarmSettingsFields,
    initial: valuesOf(alarms),
    save,
    refreshes: [deadlineBoard.alarms],
    said: t('Settings saved'),
    done: answer => {
      version.current = answer.version
    },
    undo: async (_: Settings, before) => {
      version.current = (await save(before)).version
    },
    conflict: {
      schema: Schema,
      values: fresh => {
        version.current = fresh.version
        return valuesOf(fresh)
      },
    },
  })
  return (
    <SettingsSection
      title={t('Alarms')}
      help={t('An alarm comes 60, 30 and 15 minutes before a pickup that will be missed, and when it was missed.')}
    >
      {alarms.can_mail ? null : <NoMailAccount />}
      <Form edit={edit}>
        <Switch
          label={t('Sound on boards')}
          description={t('30 and 15 minutes before the pickup, in browsers after the first touch or key.')}
          {...edit.of('sound', 'checkbox')}
        />
        <RecipientsInput {...edit.of('recipients')} />
        <TextInput type="time" label={t('Quiet from')} {...edit.of('quiet_from')} />
        <TextInput
          type="time"
          label={t('Quiet until')}
          description={t('In quiet hours only the last 15 minutes are mailed. Empty: always.')}
          {...edit.of('quiet_until')}
        />
        <Text size="sm" c="dimmed">
          {t('Missed pickups come in one mail at eight in the evening.')}
        </Text>
      </Form>
    </SettingsSection>
  )
}
