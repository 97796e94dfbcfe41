/** How shifts and leave are handled here: days without holiday, public holidays, and who decides. */
import { ActionIcon, Button, Group, Stack, Switch, Table, Text, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { LastChangeOf } from '#features/company/companies/LastSettingChange.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { country, day as dayWord } from '#ui/kit/format.ts'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { SettingsSection } from '#ui/kit/SettingsSection.tsx'
import { useT } from '#ui/kit/translate.ts'
import { type Received, useCall, useSend } from '#ui/query/calls.ts'
import { OwnRules } from './OwnRules.tsx'
import { schedule } from './schedule.contract.ts'
import { daysWord } from './schedule-words.client.ts'

const submitting = (act: () => unknown) => (event: FormEvent) => {
  event.preventDefault()
  act()
}

type Saved = Received<typeof schedule.settings>

export function ScheduleSettingsScreen() {
  const t = useT()
  const settings = useCall(schedule.settings, {}, { live: ['schedule'] })
  return (
    <Page title={t('Schedule settings')} back={{ to: '/schedule' }} narrow note={<LastChangeOf path="/schedule/settings" />}>
      <QueryState of={settings} shape="form">
        {saved => <Settings saved={saved} />}
      </QueryState>
    </Page>
  )
}

function Settings({ saved }: { saved: Saved }) {
  const t = useT()
  const set = useSend(schedule.setSettings, { refreshes: [schedule.settings, schedule.board], said: t('Saved') })
  const { settings, version, holidays_version } = saved
  const change = (more: Partial<Saved['settings']>) => set.mutate({ body: { settings: { ...settings, ...more }, version } })
  const overrides = saved.holidays.filter(one => one.own).map(({ day, name, free }) => ({ day, name, free }))
  const setOverrides = (next: typeof overrides, done?: () => void) =>
    set.mutate({ body: { settings, overrides: next, version, holidays_version } }, { onSuccess: () => done?.() })
  const [region, setRegion] = useState(settings.region)
  const unknownRegion = set.error?.fields.region
  return (
    <Stack gap="xl">
      <SettingsSection title={t('Leave')} help={t('Sickness counts at once. Holiday is approved by a lead, never by oneself.')}>
        <Switch
          label={t('Holiday by half days')}
          checked={settings.half_holidays}
          disabled={set.isPending}
          onChange={event => change({ half_holidays: event.currentTarget.checked })}
        />
        <Switch
          label={t('The child’s first sick day may be the day after')}
          description={t('Where the parent was called home from work.')}
          checked={settings.child_day_next}
          disabled={set.isPending}
          onChange={event => change({ child_day_next: event.currentTarget.checked })}
        />
        <Switch
          label={t('The only lead decides about the own leave')}
          description={t('Marked on the request. Without effect as soon as there are two leads.')}
          checked={settings.sole_approver}
          disabled={set.isPending}
          onChange={event => change({ sole_approver: event.currentTarget.checked })}
        />
      </SettingsSection>
      <SettingsSection title={t('Open shifts')} help={t('Requests with working-time warnings always wait for a lead.')}>
        <Switch
          label={t('The first who asks gets an open shift')}
          checked={settings.accept_takes}
          disabled={set.isPending}
          onChange={event => change({ accept_takes: event.currentTarget.checked })}
        />
      </SettingsSection>
      <SettingsSection
        title={t('Working-time rules')}
        help={t('Own rules stand in place of the law from their day on. Weaker ones need a reason; for minors there are none.')}
      >
        <OwnRules home={saved.country} />
      </SettingsSection>
      <SettingsSection
        title={t('Days without holiday')}
        help={t('No holiday can be asked for on these days. A lead can approve it with a reason.')}
      >
        <Blocks saved={saved} />
      </SettingsSection>
      <SettingsSection
        title={t('Public holidays')}
        help={t('{{country}}, with what you change here. They cost no holiday.', { country: country(saved.country) })}
      >
        <Group component="form" align="end" gap="sm" onSubmit={submitting(() => region !== settings.region && change({ region }))}>
          <TextInput
            label={t('Region')}
            description={t('Such as BY for Bavaria. Empty: the whole country.')}
            inputWrapperOrder={['label', 'description', 'input', 'error']}
            maxLength={10}
            value={region}
            error={unknownRegion && t(unknownRegion)}
            onChange={event => setRegion(event.currentTarget.value.toUpperCase())}
          />
          <Button
            variant="default"
            {...disabledBecause(region === settings.region && t('Nothing has been changed yet'))}
            type="submit"
            loading={set.isPending}
          >
            {t('Save region')}
          </Button>
        </Group>
        <Table>
          <Table.Tbody>
            {saved.holidays.map(one => (
              <Table.Tr key={one.day}>
                <Table.Td>{dayWord(one.day)}</Table.Td>
                <Table.Td c={one.free ? undefined : 'dimmed'}>
                  {one.name}
                  {one.free ? '' : ` · ${t('working day here')}`}
                </Table.Td>
                <Table.Td>
                  <Group justify="flex-end">
                    <Button
                      size="compact-sm"
                      variant="subtle"
                      disabled={set.isPending}
                      onClick={() =>
                        setOverrides(
                          one.own
                            ? overrides.filter(other => other.day !== one.day)
                            : [...overrides, { day: one.day, name: one.name, free: false }],
                        )
                      }
                    >
                      {one.own ? t('Remove change') : t('Make it a working day')}
                    </Button>
                  </Group>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <NewHoliday
          adding={set.isPending}
          add={(day, name, done) => setOverrides([...overrides.filter(one => one.day !== day), { day, name, free: true }], done)}
        />
      </SettingsSection>
    </Stack>
  )
}

interface NewHolidayProps {
  adding: boolean
  add: (day: string, name: string, done: () => void) => void
}

function NewHoliday({ adding, add }: NewHolidayProps) {
  const t = useT()
  const [day, setDay] = useState('')
  const [name, setName] = useState('')
  const lacks = day === '' || name.trim() === ''
  // What was typed stays until it is saved.
  const send = () =>
    add(day, name, () => {
      setDay('')
      setName('')
    })
  return (
    <Group component="form" align="end" gap="sm" onSubmit={submitting(() => lacks || send())}>
      <TextInput type="date" label={t('Day')} value={day} onChange={event => setDay(event.currentTarget.value)} />
      <TextInput label={t('Name')} maxLength={80} value={name} onChange={event => setName(event.currentTarget.value)} />
      <Button variant="default" type="submit" loading={adding} {...disabledBecause(lacks && t('Fill in all fields first'))}>
        {t('Add holiday')}
      </Button>
    </Group>
  )
}

function Blocks({ saved }: { saved: Saved }) {
  const t = useT()
  const refreshes = [schedule.settings]
  const [from_day, setFrom] = useState('')
  const [to_day, setTo] = useState('')
  const [reason, setReason] = useState('')
  const add = useSend(schedule.addBlock, {
    refreshes,
    said: t('Days added'),
    done: () => {
      setFrom('')
      setTo('')
      setReason('')
    },
  })
  const swapped = from_day !== '' && to_day !== '' && to_day < from_day && t('The last day is before the first')
  const lacks = from_day === '' || to_day === '' || swapped !== false || reason.trim() === ''
  const remove = useSend(schedule.removeBlock, { refreshes, said: t('Days removed') })
  return (
    <Stack gap="sm">
      {saved.blocks.map(block => (
        <Group key={block.id} justify="space-between" wrap="nowrap">
          <Text size="sm">
            {daysWord(block.from_day, block.to_day)}: {block.reason}
          </Text>
          <ActionIcon variant="subtle" color="brick" aria-label={t('Remove')} onClick={() => remove.mutate({ id: block.id })}>
            <IconTrash size={16} />
          </ActionIcon>
        </Group>
      ))}
      <Group component="form" align="end" gap="sm" onSubmit={submitting(() => lacks || add.mutate({ body: { from_day, to_day, reason } }))}>
        <TextInput type="date" label={t('First day')} value={from_day} onChange={event => setFrom(event.currentTarget.value)} />
        <TextInput
          type="date"
          label={t('Last day')}
          value={to_day}
          min={from_day}
          error={swapped}
          onChange={event => setTo(event.currentTarget.value)}
        />
        <TextInput label={t('Reason')} maxLength={200} value={reason} onChange={event => setReason(event.currentTarget.value)} />
        <Button
          variant="default"
          type="submit"
          loading={add.isPending}
          {...disabledBecause(lacks && (swapped || t('Fill in all fields first')))}
        >
          {t('Add days')}
        </Button>
      </Group>
    </Stack>
  )
}
