/** The form of one rule: a supplement with its days and times, or a tariff with what it counts. */

import { Button, Checkbox, Group, Input, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import * as z from 'zod'
import { isOneOf } from '#domain/objects.ts'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { day, today } from '#ui/kit/format.ts'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { useT } from '#ui/kit/translate.ts'
import { send, useSend } from '#ui/query/calls.ts'
import { microFromText, microText } from './amounts.client.ts'
import { tariffUnits } from './salary.codes.ts'
import { salary } from './salary.contract.ts'
import { PayRule } from './salary.schemas.ts'
import { unitWord, weekdayWord } from './salary-words.client.ts'

const refreshes = [salary.rules, salary.period, salary.person]
const dayKinds = ['every', 'some', 'holiday'] as const

const Values = z
  .object({
    kind: z.enum(['supplement', 'tariff']),
    name: z.string().trim().min(1, 'Write a name').max(60),
    valid_from: z.string().min(1, 'Choose a day'),
    days: z.enum(dayKinds),
    weekdays: z.array(z.string()),
    from_local: z.string(),
    to_local: z.string(),
    unit: z.enum(tariffUnits),
    rate: z.string().refine(text => microFromText(text) !== null, 'Enter an amount such as 25.50'),
    rule_group: z.string().max(40),
    pay_code: z.string().regex(/^[A-Za-z0-9]{0,10}$/, 'At most 10 letters and digits'),
    pilot: z.boolean(),
  })
  .check(({ value, issues }) => {
    const wrong = (path: string, message: string) => issues.push({ code: 'custom', path: [path], message, input: value })
    if (value.kind === 'tariff') return
    if (value.pay_code === '') wrong('pay_code', 'Write the pay code of your payroll system')
    if ((value.from_local === '') !== (value.to_local === '')) wrong('to_local', 'Enter both times, or none')
    else if (value.from_local !== '' && value.from_local === value.to_local) wrong('to_local', 'The times are the same')
    if (value.days === 'some' && value.weekdays.length === 0) wrong('weekdays', 'Choose at least one day')
  })
type Values = z.infer<typeof Values>

const valuesOf = (rule: PayRule | null): Values => ({
  kind: rule?.kind ?? 'supplement',
  name: rule?.name ?? '',
  valid_from: rule && rule.when !== 'now' ? rule.valid_from : today(),
  days: rule?.public_holiday ? 'holiday' : rule && rule.weekdays.length > 0 ? 'some' : 'every',
  weekdays: rule?.weekdays.map(String) ?? [],
  from_local: rule?.from_local ?? '',
  to_local: rule?.to_local ?? '',
  unit: rule?.unit ?? 'pack_order',
  rate: rule ? microText(rule.rate_micro) : '',
  rule_group: rule?.rule_group ?? '',
  pay_code: rule?.pay_code ?? '',
  pilot: rule?.pilot ?? false,
})

function bodyOf({ kind, name, valid_from, days, weekdays, from_local, to_local, unit, rate, rule_group, pay_code, pilot }: Values) {
  const isTariff = kind === 'tariff'
  const hasTimes = !isTariff && from_local !== ''
  return {
    ...{ kind, name, valid_from, rate_micro: microFromText(rate) ?? 0 },
    ...{ pilot: isTariff && pilot, unit: isTariff ? unit : null },
    ...{ rule_group: isTariff ? '' : rule_group, pay_code: isTariff ? '' : pay_code },
    weekdays: !isTariff && days === 'some' ? weekdays.map(Number) : [],
    public_holiday: !isTariff && days === 'holiday',
    ...{ from_local: hasTimes ? from_local : null, to_local: hasTimes ? to_local : null },
  }
}

export function PayRuleForm({ rule, close }: { rule: PayRule | null; close: () => void }) {
  const t = useT()
  const client_id = useRef(crypto.randomUUID())
  const version = useRef(rule?.version ?? 0)
  const edit = useEdit({
    schema: Values,
    initial: valuesOf(rule),
    save: (values: Values) =>
      rule
        ? send(salary.changeRule, { id: rule.id, body: { ...bodyOf(values), version: version.current } })
        : send(salary.addRule, { body: { ...bodyOf(values), client_id: client_id.current } }),
    refreshes,
    said: t('Rule saved'),
    done: close,
    conflict: {
      schema: PayRule,
      values: fresh => {
        version.current = fresh.version
        return valuesOf(fresh)
      },
    },
  })
  const { values } = edit
  const isTariff = values.kind === 'tariff'
  const wrongDays = edit.form.errors.weekdays
  if (rule?.when === 'past')
    return (
      <Text>
        {t('This rule held from {{from}} to {{to}}.', {
          from: day(rule.valid_from),
          to: rule.valid_to === null ? '–' : day(rule.valid_to),
        })}
      </Text>
    )
  return (
    <Stack gap="lg">
      <Form edit={edit} {...(rule ? {} : { action: t('Add rule') })} cancel={close}>
        {rule ? null : (
          <NativeChoice
            label={t('Kind')}
            data={[
              { value: 'supplement', label: t('Supplement: money for hours at certain times') },
              { value: 'tariff', label: t('Tariff: money for work done, part of a commission') },
            ]}
            value={values.kind}
            choose={value => edit.form.setFieldValue('kind', value)}
          />
        )}
        <TextInput label={t('Name')} {...edit.of('name')} />
        {isTariff ? (
          <NativeChoice
            label={t('Counts')}
            data={tariffUnits.map(value => ({ value, label: unitWord(t, value) }))}
            value={values.unit}
            choose={value => edit.form.setFieldValue('unit', value)}
          />
        ) : (
          <>
            <NativeChoice
              label={t('Days')}
              data={[
                { value: 'every', label: t('Every day') },
                { value: 'some', label: t('Days of the week') },
                { value: 'holiday', label: t('Public holidays') },
              ]}
              value={values.days}
              choose={value => isOneOf(dayKinds, value) && edit.form.setFieldValue('days', value)}
            />
            {values.days === 'some' ? (
              <Checkbox.Group aria-label={t('Days of the week')} {...edit.of('weekdays')} error={null}>
                <Group gap="md">
                  {[1, 2, 3, 4, 5, 6, 7].map(weekday => (
                    <Checkbox key={weekday} value={String(weekday)} label={weekdayWord(weekday)} />
                  ))}
                </Group>
                {wrongDays ? <Input.Error role="alert">{wrongDays}</Input.Error> : null}
              </Checkbox.Group>
            ) : null}
            <Group grow align="start">
              <TextInput type="time" label={t('From (time)')} description={t('Empty: all day')} {...edit.of('from_local')} />
              <TextInput type="time" label={t('To (time)')} description={t('May lie after midnight')} {...edit.of('to_local')} />
            </Group>
          </>
        )}
        <TextInput
          label={isTariff ? t('Money for one') : t('Money for an hour')}
          description={isTariff ? t('Up to six decimals.') : undefined}
          inputMode="decimal"
          {...edit.of('rate')}
        />
        {isTariff ? (
          <Switch label={t('Pilot')} description={t('Shown beside what is paid, and not paid.')} {...edit.of('pilot', 'checkbox')} />
        ) : (
          <Group grow align="start">
            <TextInput label={t('Pay code')} description={t('Of your payroll system')} {...edit.of('pay_code')} />
            <TextInput label={t('Group')} description={t('Of one group the highest is paid')} {...edit.of('rule_group')} />
          </Group>
        )}
        <TextInput
          type="date"
          label={t('Holds from')}
          description={rule ? t('Until the day before, what is paid now stays.') : undefined}
          {...edit.of('valid_from')}
        />
      </Form>
      {rule ? <EndRule rule={rule} close={close} /> : null}
    </Stack>
  )
}

function EndRule({ rule, close }: { rule: PayRule; close: () => void }) {
  const t = useT()
  const [last, setLast] = useState(today())
  const end = useSend(salary.endRule, { refreshes, said: t('Rule ended'), done: close })
  return (
    <Group align="end">
      <TextInput type="date" label={t('Last day')} value={last} onChange={event => setLast(event.currentTarget.value)} />
      <Button
        variant="subtle"
        color="brick"
        {...disabledBecause(last === '' && t('Enter the last day first'))}
        loading={end.isPending}
        onClick={() => end.mutate({ id: rule.id, body: { version: rule.version, valid_to: last } })}
      >
        {t('End rule')}
      </Button>
    </Group>
  )
}
