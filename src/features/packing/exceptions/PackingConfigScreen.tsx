/** Settings of packing: by when someone sees to an exception. */
import { NumberInput, TextInput } from '@mantine/core'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { SettingsSection } from '#ui/kit/SettingsSection.tsx'
import { useT } from '#ui/kit/translate.ts'
import { type Received, send, useCall } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import { kindWord } from './exception.labels.tsx'
import { exceptionKinds } from './exceptions.codes.ts'
import { exceptionSettingsWriters, exceptions } from './exceptions.contract.ts'
import { exceptionsSchemas } from './exceptions.schemas.ts'

export function PackingConfigScreen() {
  const t = useT()
  const settings = useCall(exceptions.settings, {}, { live: ['company'] })
  return (
    <Page title={t('Packing')}>
      <QueryState of={settings} shape="form">
        {saved => <Times saved={saved} />}
      </QueryState>
    </Page>
  )
}

function Times({ saved }: { saved: Received<typeof exceptions.settings> }) {
  const t = useT()
  const mayEdit = useIsAllowed(exceptionSettingsWriters)
  const save = (body: typeof saved) => send(exceptions.setSettings, { body })
  const edit = useEdit({
    schema: exceptionsSchemas.calls.setSettings.body,
    initial: saved,
    save,
    refreshes: [exceptions.settings],
    said: t('Times for exceptions saved'),
    undo: (_, before) => save(before),
  })
  return (
    <Form edit={edit}>
      <SettingsSection
        title={t('Exceptions')}
        help={t(
          'How long each kind of problem may take. Exceptions that are open keep their time; an hour before the order has to leave is the latest.',
        )}
      >
        {exceptionKinds.map(kind => (
          <NumberInput
            key={kind}
            label={kindWord(kind)}
            suffix={` ${t('minutes')}`}
            min={5}
            max={10_080}
            allowDecimal={false}
            maw={200}
            disabled={!mayEdit}
            {...edit.of(kind)}
          />
        ))}
      </SettingsSection>
      <SettingsSection title={t('Hours of the stations')} help={t('Minutes count only in these hours of a working day.')}>
        <TextInput label={t('From')} maw={200} inputMode="numeric" placeholder="06:00" disabled={!mayEdit} {...edit.of('from')} />
        <TextInput label={t('To')} maw={200} inputMode="numeric" placeholder="18:00" disabled={!mayEdit} {...edit.of('to')} />
      </SettingsSection>
    </Form>
  )
}
