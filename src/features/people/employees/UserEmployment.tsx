/** On the page of a user: the employment and, for those who may read it, the CPR number. */
import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core'
import { useContext, useState } from 'react'
import * as z from 'zod'
import { ShownUser } from '#features/company/users/shown-user.client.ts'
import { DescriptionItem, DescriptionList } from '#ui/kit/DescriptionList.tsx'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { country, day, number, today } from '#ui/kit/format.ts'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import { type Received, send, useCall } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import { CprNumber } from './CprNumber.tsx'
import { workingTimeCountries } from './employees.codes.ts'
import { employees } from './employees.contract.ts'
import { isUnder18 } from './employees.rules.ts'
import { Employment } from './employees.schemas.ts'

type Saved = Received<typeof employees.get>

export function UserEmployment() {
  const t = useT()
  const user = useContext(ShownUser)
  const id = user?.user_id ?? 0
  const employment = useCall(employees.get, { id }, { enabled: id > 0, live: ['user'] })
  const [isEditing, setEditing] = useState(false)
  if (!user) return null
  return (
    <Stack gap="lg" mt="xl" pt="md" style={{ borderTop: '1px solid var(--edge)' }}>
      <Stack gap="sm" component="section" aria-label={t('Employment')}>
        <Group justify="space-between">
          <Text fw={600}>{t('Employment')}</Text>
          {isEditing || !employment.data ? null : (
            <Button variant="default" size="compact-md" onClick={() => setEditing(true)}>
              {t('Edit employment')}
            </Button>
          )}
        </Group>
        <QueryState of={employment} shape="form">
          {saved => (isEditing ? <EmploymentForm saved={saved} close={() => setEditing(false)} /> : <Facts saved={saved} />)}
        </QueryState>
      </Stack>
      <CprNumber user_id={id} name={user.name} />
    </Stack>
  )
}

function Facts({ saved }: { saved: Saved }) {
  const t = useT()
  const guardian = [saved.guardian_name, saved.guardian_phone, saved.guardian_email].filter(Boolean).join(' · ')
  return (
    <DescriptionList>
      <DescriptionItem name={t('Date of birth')}>
        {saved.birth_date === null ? '–' : day(saved.birth_date)}{' '}
        {saved.under_18 ? <StateBadge tone="soon">{t('Under 18')}</StateBadge> : null}
      </DescriptionItem>
      <DescriptionItem name={t('Employed')}>
        {saved.employed_to !== null
          ? `${saved.employed_from === null ? '' : day(saved.employed_from)} – ${day(saved.employed_to)}`
          : saved.employed_from === null
            ? '–'
            : t('From {{day}}', { day: day(saved.employed_from) })}
      </DescriptionItem>
      <DescriptionItem name={t('Hours a week')}>{saved.weekly_s === null ? '–' : number(saved.weekly_s / 3600, 2)}</DescriptionItem>
      <DescriptionItem name={t('Days a week')}>{saved.days_per_week}</DescriptionItem>
      <DescriptionItem name={t('Rules of working time')}>
        {saved.country === null ? t('Those of the company') : country(saved.country)}
      </DescriptionItem>
      {saved.average_opt_out_from === null ? null : (
        <DescriptionItem name={t('More than 48 h a week')}>
          {saved.average_opt_out_to === null
            ? t('From {{day}}', { day: day(saved.average_opt_out_from) })
            : `${day(saved.average_opt_out_from)} – ${day(saved.average_opt_out_to)}`}
        </DescriptionItem>
      )}
      {guardian === '' ? null : <DescriptionItem name={t('Guardian')}>{guardian}</DescriptionItem>}
    </DescriptionList>
  )
}

/** Hours of a week as they are typed, in seconds; null where nothing stands there. */
const weekSeconds = (typed: string): number | null =>
  typed.trim() === '' ? null : Math.round(Number(typed.trim().replace(',', '.')) * 3600)

const Values = z
  .object({
    birth_date: z.string(),
    guardian_name: z.string(),
    guardian_phone: z.string(),
    guardian_email: z.union([z.email('This is not an e-mail address'), z.literal('')]),
    employed_from: z.string(),
    employed_to: z.string(),
    weekly_s: z.string().refine(typed => {
      const seconds = weekSeconds(typed)
      return seconds === null || (seconds >= 0 && seconds <= 604_800)
    }, 'Enter hours such as 37 or 32.5'),
    days_per_week: z.enum(['1', '2', '3', '4', '5', '6', '7']),
    country: z.enum(['', ...workingTimeCountries]),
    compulsory_school: z.boolean(),
    average_opt_out_from: z.string(),
    average_opt_out_to: z.string(),
  })
  .refine(one => one.employed_from === '' || one.employed_to === '' || one.employed_from <= one.employed_to, {
    path: ['employed_to'],
    message: 'The last day lies before the first',
  })
  .refine(one => one.average_opt_out_to === '' || one.average_opt_out_from !== '', {
    path: ['average_opt_out_from'],
    message: 'Enter the first day',
  })
  .refine(one => one.average_opt_out_to === '' || one.average_opt_out_from <= one.average_opt_out_to, {
    path: ['average_opt_out_to'],
    message: 'The last day lies before the first',
  })
type Values = z.infer<typeof Values>

const valuesOf = (of: Saved): Values => ({
  birth_date: of.birth_date ?? '',
  guardian_name: of.guardian_name ?? '',
  guardian_phone: of.guardian_phone ?? '',
  guardian_email: of.guardian_email ?? '',
  employed_from: of.employed_from ?? '',
  employed_to: of.employed_to ?? '',
  weekly_s: of.weekly_s === null ? '' : String(of.weekly_s / 3600),
  days_per_week: Values.shape.days_per_week.catch('5').parse(String(of.days_per_week)),
  country: of.country ?? '',
  compulsory_school: of.compulsory_school,
  average_opt_out_from: of.average_opt_out_from ?? '',
  average_opt_out_to: of.average_opt_out_to ?? '',
})

function EmploymentForm({ saved, close }: { saved: Saved; close: () => void }) {
  const t = useT()
  const [version, setVersion] = useState(saved.version)
  const edit = useEdit({
    schema: Values,
    initial: valuesOf(saved),
    save: ({ birth_date, employed_from, employed_to, weekly_s, days_per_week, country: rules, ...rest }) =>
      send(employees.update, {
        id: saved.user_id,
        body: {
          ...rest,
          version,
          birth_date: birth_date || null,
          employed_from: employed_from || null,
          employed_to: employed_to || null,
          weekly_s: weekSeconds(weekly_s),
          days_per_week: Number(days_per_week),
          country: rules || null,
          average_opt_out_from: rest.average_opt_out_from || null,
          average_opt_out_to: rest.average_opt_out_to || null,
        },
      }),
    refreshes: [employees.get],
    said: t('Employment saved'),
    done: close,
    conflict: {
      schema: Employment,
      values: fresh => {
        setVersion(fresh.version)
        return valuesOf(fresh)
      },
    },
  })
  const { values, form } = edit
  const minor = isUnder18(values.birth_date || null, today())
  const { init } = useSignedIn()
  const mayOptOut = !minor && (values.country || init.settings.home_country) === 'GB'
  return (
    <Form edit={edit} action={t('Save employment')} cancel={close}>
      <TextInput
        type="date"
        label={t('Date of birth')}
        description={t('For the rules of working time of minors.')}
        {...edit.of('birth_date')}
      />
      {minor ? (
        <>
          <Text size="sm" c="dimmed">
            {t('A guardian is kept until the 18th birthday.')}
          </Text>
          <TextInput label={t('Name of the guardian')} {...edit.of('guardian_name')} />
          <Group grow align="start">
            <TextInput label={t('Phone')} {...edit.of('guardian_phone')} />
            <TextInput label={t('E-mail')} {...edit.of('guardian_email')} />
          </Group>
          <Checkbox label={t('Still has to go to school')} {...edit.of('compulsory_school', 'checkbox')} />
        </>
      ) : null}
      <Group grow align="start">
        <TextInput type="date" label={t('First day')} {...edit.of('employed_from')} />
        <TextInput type="date" label={t('Last day')} {...edit.of('employed_to')} />
      </Group>
      <Group grow align="start">
        <TextInput label={t('Hours a week')} inputMode="decimal" {...edit.of('weekly_s')} />
        <NativeChoice
          label={t('Days a week')}
          data={Values.shape.days_per_week.options.map(value => ({ value, label: value }))}
          value={values.days_per_week}
          choose={value => form.setFieldValue('days_per_week', value)}
        />
      </Group>
      <NativeChoice
        label={t('Rules of working time')}
        data={Values.shape.country.options.map(value => ({ value, label: value === '' ? t('Those of the company') : country(value) }))}
        value={values.country}
        choose={value => form.setFieldValue('country', value)}
      />
      {mayOptOut ? (
        <>
          <Text size="sm" c="dimmed">
            {t('With a written agreement to work more than 48 hours a week on average, no warning is given.')}
          </Text>
          <Group grow align="start">
            <TextInput type="date" label={t('48 h opt-out from')} {...edit.of('average_opt_out_from')} />
            <TextInput type="date" label={t('Last day of the opt-out')} {...edit.of('average_opt_out_to')} />
          </Group>
        </>
      ) : null}
    </Form>
  )
}
