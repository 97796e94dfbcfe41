/** The form of one deadline: when orders leave, which ones, and what that does to the open orders. */
import { Alert, Button, Chip, Fieldset, Group, Input, MultiSelect, Select, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useRef, useState } from 'react'
import { isOneOf } from '#domain/objects.ts'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { countryChoices, number } from '#ui/kit/format.ts'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { useT } from '#ui/kit/translate.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import { send, useCall } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import { targetLabels, weekdayOptions } from './deadline-words.client.ts'
import { deadlineTargets } from './deadlines.codes.ts'
import { deadlines } from './deadlines.contract.ts'
import { Deadline, DeadlineFields } from './deadlines.schemas.ts'

/** A time of day, as `16:00`. */
const clock = { placeholder: '16:00', inputMode: 'numeric' } as const

const valuesOf = (deadline: Deadline | null, home: string): DeadlineFields => ({
  name: deadline?.name ?? '',
  company_ids: deadline?.company_ids ?? [],
  agent_codes: deadline?.agent_codes ?? [],
  shipping_methods: deadline?.shipping_methods ?? [],
  countries: deadline?.countries ?? [],
  weekdays: deadline?.weekdays ?? [1, 2, 3, 4, 5],
  cut_off: deadline?.cut_off ?? '14:00',
  pickup_time: deadline?.pickup_time ?? '16:00',
  sla_days: deadline?.sla_days ?? 0,
  target: deadline?.target ?? 'packed',
  holidays: deadline ? deadline.holidays : home,
  active: deadline?.active ?? true,
})

interface FormProps {
  deadline: Deadline | null
  /** The country of the main company, whose holidays a new deadline observes. */
  home: string
  close: () => void
  changed: () => void
  remove: ((deadline: Deadline) => void) | null
}

export function DeadlineForm({ deadline, home, close, changed, remove }: FormProps) {
  const t = useT()
  const { init } = useSignedIn()
  const options = useCall(deadlines.options, {}, { fresh: 60_000 })
  const version = useRef(deadline?.version ?? 0)
  const [client_id] = useState(() => crypto.randomUUID())
  const edit = useEdit({
    schema: DeadlineFields,
    initial: valuesOf(deadline, home),
    save: values =>
      deadline
        ? send(deadlines.update, { id: deadline.id, body: { ...values, version: version.current } })
        : send(deadlines.create, { body: { ...values, client_id } }),
    refreshes: [deadlines.list, deadlines.one],
    said: t('Deadline saved. Open orders follow.'),
    ...(deadline && {
      undo: (answer: Deadline, before: DeadlineFields) =>
        send(deadlines.update, { id: deadline.id, body: { ...before, version: answer.version } }),
    }),
    done: () => {
      changed()
      close()
    },
    conflict: {
      schema: Deadline,
      values: fresh => {
        version.current = fresh.version
        return valuesOf(fresh, home)
      },
    },
  })
  const { values, form } = edit
  const pickup = edit.of('pickup_time')
  const [settled] = useDebouncedValue(values, 300)
  const valid = DeadlineFields.safeParse(settled)
  const preview = useCall(
    deadlines.preview,
    { body: { ...(valid.success ? valid.data : valuesOf(null, home)), id: deadline?.id ?? null } },
    { enabled: valid.success, keep: true },
  )
  const countries = countryChoices(init.CountryLookup)
  const select = { searchable: true, clearable: true, maxDropdownHeight: 280 } as const
  const effect = preview.data
  return (
    <Form edit={edit} {...(deadline ? {} : { action: t('Add deadline') })} cancel={close}>
      <TextInput label={t('Name')} data-autofocus={deadline === null || undefined} {...edit.of('name')} />
      <Input.Wrapper label={t('Pickup days')} labelElement="div" error={form.errors.weekdays}>
        <Chip.Group
          multiple
          value={values.weekdays.map(String)}
          onChange={chosen => form.setFieldValue('weekdays', chosen.map(Number).sort())}
        >
          <Group gap={8} mt={4}>
            {weekdayOptions().map(day => (
              <Chip key={day.value} value={day.value} size="sm">
                {day.label}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
      </Input.Wrapper>
      <SimpleGrid cols={2}>
        <TextInput
          label={t('Cut-off')}
          description={t('Ordered until then, it leaves with this pickup.')}
          {...clock}
          {...edit.of('cut_off')}
        />
        <TextInput
          label={t('Pickup')}
          description={t('The courier comes. Boards show this time.')}
          {...clock}
          {...pickup}
          onChange={event => {
            // What stands wrong at the cut-off may be right now.
            form.clearFieldError('cut_off')
            pickup.onChange(event)
          }}
        />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <WholeNumberInput
          label={t('Further pickup days')}
          description={t('0: the first pickup after the cut-off.')}
          min={0}
          max={10}
          allowNegative={false}
          hideControls
          {...edit.of('sla_days')}
        />
        <NativeChoice
          label={t('To be done by the pickup')}
          data={deadlineTargets.map(value => ({ value, label: t(targetLabels[value]) }))}
          value={values.target}
          choose={value => isOneOf(deadlineTargets, value) && form.setFieldValue('target', value)}
        />
      </SimpleGrid>
      <Select
        label={t('Public holidays of')}
        description={t('No pickup on these days.')}
        placeholder={t('No country')}
        data={countries}
        {...select}
        value={values.holidays}
        onChange={chosen => form.setFieldValue('holidays', chosen)}
        error={form.errors.holidays}
      />
      <Fieldset legend={t('Applies to')}>
        <Stack gap="sm">
          <MultiSelect
            label={t('Couriers')}
            description={t('Empty lists apply to all. The most specific deadline wins.')}
            data={init.ParcelAgentCode.map(agent => ({ value: agent.agent_code, label: t(agent.name) }))}
            {...select}
            {...edit.of('agent_codes')}
          />
          <MultiSelect
            label={t('Shipping methods')}
            data={(options.data?.methods ?? []).map(one => ({ value: one.method, label: one.name }))}
            {...select}
            {...edit.of('shipping_methods')}
          />
          <MultiSelect label={t('Countries')} data={countries} {...select} {...edit.of('countries')} />
          {init.CompanyLookup.length > 1 ? (
            <MultiSelect
              label={t('Companies')}
              data={init.CompanyLookup.map(one => ({ value: String(one.id), label: one.name }))}
              {...select}
              value={values.company_ids.map(String)}
              onChange={chosen => form.setFieldValue('company_ids', chosen.map(Number))}
              error={form.errors.company_ids}
            />
          ) : null}
        </Stack>
      </Fieldset>
      <Switch label={t('In use')} description={t('Off: orders do not get this deadline.')} {...edit.of('active', 'checkbox')} />
      {effect ? (
        <Alert role="status" color={effect.newly_late > 0 ? 'amber' : 'gray'} variant="light">
          {t('Takes {{count}} open orders', { count: effect.open_orders })}
          {effect.moved > 0 ? ` · ${t('{{n}} get another pickup', { n: number(effect.moved) })}` : ''}
          {effect.newly_late > 0 ? ` · ${t('{{n}} would be late', { n: number(effect.newly_late) })}` : ''}
        </Alert>
      ) : null}
      {deadline && remove ? (
        <Group>
          <Button variant="subtle" color="brick" onClick={() => remove(deadline)}>
            {t('Remove deadline')}
          </Button>
        </Group>
      ) : null}
    </Form>
  )
}
