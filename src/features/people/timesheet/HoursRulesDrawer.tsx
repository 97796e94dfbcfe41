/** How hours are approved: tolerance, rounding, early starts. */
import { NativeSelect, Switch } from '@mantine/core'
import { LastChangeOf } from '#features/company/companies/LastSettingChange.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useVersion } from '#ui/kit/use-version.client.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import { type Received, send, useCall } from '#ui/query/calls.ts'
import { timesheet } from './timesheet.contract.ts'
import { timesheetSchemas } from './timesheet.schemas.ts'

/** Minutes to which a time outside the tolerance is rounded. */
const roundings = [0, 5, 6, 10, 15] as const

export function HoursRulesDrawer({ opened, close }: { opened: boolean; close: () => void }) {
  const t = useT()
  const settings = useCall(timesheet.settings, {}, { enabled: opened })
  return (
    <Drawer opened={opened} onClose={close} size={480} title={t('Rules for hours')}>
      <QueryState of={settings} shape="form">
        {saved => <Rules saved={saved} close={close} />}
      </QueryState>
    </Drawer>
  )
}

function Rules({ saved, close }: { saved: Received<typeof timesheet.settings>; close: () => void }) {
  const t = useT()
  const { save, take } = useVersion(saved, (body: typeof saved) => send(timesheet.setSettings, { body }))
  const edit = useEdit({
    schema: timesheetSchemas.calls.settings.reply,
    initial: saved,
    save,
    refreshes: [timesheet.settings, timesheet.list],
    said: t('Rules for hours saved'),
    done: close,
    conflict: { schema: timesheetSchemas.calls.settings.reply, values: take },
  })
  return (
    <Form edit={edit} note={<LastChangeOf path="/schedule/timesheet" />}>
      <WholeNumberInput
        label={t('Tolerance')}
        description={t('Seconds by which a start or an end may differ from the plan and still count as planned.')}
        min={0}
        max={3_600}
        {...edit.of('tolerance_s')}
      />
      <NativeSelect
        label={t('Rounding')}
        description={t('Times outside the tolerance are rounded to so many minutes.')}
        data={roundings.map(step => ({ value: String(step), label: step === 0 ? t('Off') : String(step) }))}
        value={String(edit.values.rounding_min)}
        onChange={event => {
          const step = roundings.find(one => String(one) === event.currentTarget.value)
          if (step !== undefined) edit.form.setFieldValue('rounding_min', step)
        }}
      />
      <NativeSelect
        label={t('Early start')}
        description={t('What counts when someone clocks in before the shift.')}
        data={[
          { value: 'from_plan', label: t('From the plan') },
          { value: 'from_punch', label: t('From the clock-in') },
        ]}
        {...edit.of('early')}
      />
      <WholeNumberInput
        label={t('Early clock-out')}
        description={t('Who clocks out so many minutes before the end of the shift is asked why. 0 asks no one.')}
        min={0}
        max={240}
        {...edit.of('early_out_min')}
      />
      <Switch
        label={t('Mail the person about a missing clock-out')}
        description={t('One hour after the end of the shift, once.')}
        {...edit.of('remind_person', 'checkbox')}
      />
      <Switch
        label={t('Mail the leads about missing clock-outs')}
        description={t('One hour after the person, without names.')}
        {...edit.of('remind_leads', 'checkbox')}
      />
      <Switch label={t('Approve days inside the tolerance by themselves')} {...edit.of('auto_approve', 'checkbox')} />
      <Switch
        label={t('The only lead may approve the own hours')}
        description={t('The day says so.')}
        {...edit.of('sole_approver', 'checkbox')}
      />
    </Form>
  )
}
