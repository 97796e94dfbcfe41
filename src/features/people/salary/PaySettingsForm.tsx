/** How a company pays: codes of its payroll system, quality of commissions, and the columns of its file. */

import { Button, Checkbox, Fieldset, Group, MultiSelect, NumberInput, SimpleGrid, Switch, Text, TextInput } from '@mantine/core'
import { Fragment, useRef, useState } from 'react'
import * as z from 'zod'
import { isOneOf } from '#domain/objects.ts'
import { LastChangeOf } from '#features/company/companies/LastSettingChange.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { useT } from '#ui/kit/translate.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import { send } from '#ui/query/calls.ts'
import {
  datalonColumns,
  decimalSigns,
  encodings,
  type FileColumn,
  fileColumns,
  leaveUnits,
  lessorColumns,
  lessorFirstLine,
  separators,
} from './salary.codes.ts'
import { salary } from './salary.contract.ts'
import { PaySettings, PaySettingsFields } from './salary.schemas.ts'

type Amount = number | ''

/** Steps of quality as percents: empty ones are left out. */
interface Values extends Omit<PaySettingsFields, 'quality_steps' | 'quality_below'> {
  [name: string]: unknown
  accuracy_1: Amount
  factor_1: Amount
  accuracy_2: Amount
  factor_2: Amount
  below: Amount
}

function valuesOf({
  version: _version,
  currency: _currency,
  time_zone: _zone,
  quality_steps,
  quality_below,
  ...fields
}: PaySettings): Values {
  const [first, second] = quality_steps
  return {
    ...fields,
    accuracy_1: first ? first.accuracy / 100 : '',
    factor_1: first ? first.factor / 10 : '',
    accuracy_2: second ? second.accuracy / 100 : '',
    factor_2: second ? second.factor / 10 : '',
    below: quality_below / 10,
  }
}

function bodyOf({ accuracy_1, factor_1, accuracy_2, factor_2, below, ...fields }: Values) {
  const steps: readonly (readonly [Amount, Amount])[] = [
    [accuracy_1, factor_1],
    [accuracy_2, factor_2],
  ]
  return {
    ...fields,
    quality_steps: steps.flatMap(([accuracy, factor]) =>
      accuracy === '' || factor === '' ? [] : [{ accuracy: Math.round(accuracy * 100), factor: Math.round(factor * 10) }],
    ),
    quality_below: below === '' ? 1_000 : Math.round(below * 10),
  }
}

const Schema = z
  .custom<Values>()
  .transform((values): unknown => bodyOf(values))
  .pipe(PaySettingsFields)

export function PaySettingsForm({ settings, close }: { settings: PaySettings; close: () => void }) {
  const t = useT()
  const version = useRef(settings.version)
  const edit = useEdit({
    schema: Schema,
    initial: valuesOf(settings),
    save: (values: Values) => send(salary.setSettings, { body: { ...PaySettingsFields.parse(bodyOf(values)), version: version.current } }),
    refreshes: [salary.rules, salary.period],
    said: t('Settings saved'),
    done: close,
    conflict: {
      schema: PaySettings,
      values: fresh => {
        version.current = fresh.version
        return valuesOf(fresh)
      },
    },
  })
  const { values } = edit
  const columnLabels: Record<FileColumn, string> = {
    employer: t('CVR number'),
    employee_no: t('Employee number'),
    pay_code: t('Pay code'),
    units: t('Units'),
    rate: t('Pay rate'),
    amount: t('Amount'),
    from: t('First day'),
    to: t('Last day'),
    name: t('Name'),
    text: t('Text'),
  }
  const encodingLabels = { 'utf-8': 'UTF-8', 'utf-8-plain': t('UTF-8 without BOM'), 'windows-1252': 'Windows-1252' }
  const percentInput = (name: 'accuracy_1' | 'factor_1' | 'accuracy_2' | 'factor_2' | 'below', label: string) => (
    <NumberInput label={label} suffix=" %" min={0} max={200} decimalScale={2} hideControls {...edit.of(name)} />
  )
  const leaveCode = (kind: 'sick' | 'child' | 'holiday' | 'unpaid', label: string) => (
    <Fragment key={kind}>
      <TextInput label={label} placeholder={t('Pay code')} {...edit.of(`${kind}_code`)} />
      <NativeChoice
        label={t('Counted in')}
        data={leaveUnits.map(value => ({ value, label: value === 'days' ? t('Days') : t('Hours') }))}
        value={values[`${kind}_unit`]}
        choose={value => edit.form.setFieldValue(`${kind}_unit`, value)}
      />
    </Fragment>
  )
  return (
    <Form edit={edit} cancel={close} note={<LastChangeOf path="/salary/rules" />}>
      <TextInput
        label={t('CVR number')}
        description={t('Danløn knows the employer by it.')}
        inputMode="numeric"
        {...edit.of('employer_no')}
      />
      <Fieldset legend={t('Pay codes of your payroll system')}>
        <SimpleGrid cols={{ base: 2, xs: 3 }}>
          <TextInput label={t('Hours')} {...edit.of('hours_code')} />
          <TextInput label={t('Commission')} {...edit.of('commission_code')} />
          <TextInput label={t('Floor')} {...edit.of('floor_code')} />
        </SimpleGrid>
      </Fieldset>
      <Fieldset legend={t('Leave')}>
        <SimpleGrid cols={2} spacing="xs" style={{ alignItems: 'end' }}>
          {leaveCode('sick', t('Sick day'))}
          {leaveCode('child', t('Child’s first sick day'))}
          {leaveCode('holiday', t('Holiday with pay'))}
          {leaveCode('unpaid', t('Holiday without pay'))}
        </SimpleGrid>
        <Text size="sm" c="dimmed" mt="xs">
          {t('Hours of a day are the person’s hours a week divided by the days.')}
        </Text>
      </Fieldset>
      <Fieldset legend={t('Commission')}>
        <NativeChoice
          label={t('The floor is reached')}
          data={[
            { value: 'period', label: t('In each period') },
            { value: 'day', label: t('On each day') },
          ]}
          value={values.floor_scope}
          choose={value => edit.form.setFieldValue('floor_scope', value)}
        />
        <SimpleGrid cols={2} mt="sm">
          {percentInput('accuracy_1', t('Right scans at least'))}
          {percentInput('factor_1', t('Commission counts'))}
          {percentInput('accuracy_2', t('Right scans at least'))}
          {percentInput('factor_2', t('Commission counts'))}
          {percentInput('below', t('Below that it counts'))}
          <WholeNumberInput label={t('From so many scans')} min={0} max={1_000_000} hideControls {...edit.of('quality_fewest_scans')} />
        </SimpleGrid>
      </Fieldset>
      <Fieldset legend={t('CSV file')}>
        <DataLon take={() => edit.form.setValues(datalonFile)} />
        <Group justify="space-between" mb="sm">
          <Text size="sm">{t('Lessor: employee, pay code, units and rate')}</Text>
          <Button variant="default" onClick={() => edit.form.setValues(lessorFile)}>
            {t('Columns of Lessor')}
          </Button>
        </Group>
        <MultiSelect
          label={t('Columns, in this order')}
          data={fileColumns.map(value => ({ value, label: columnLabels[value] }))}
          value={values.columns}
          onChange={chosen =>
            edit.form.setFieldValue(
              'columns',
              chosen.filter(one => isOneOf(fileColumns, one)),
            )
          }
          error={edit.form.errors.columns}
        />
        <SimpleGrid cols={{ base: 1, xs: 3 }} mt="sm">
          <NativeChoice
            label={t('Separator')}
            data={separators.map(value => ({ value, label: value === 'tab' ? t('Tab') : value }))}
            value={values.separator}
            choose={value => edit.form.setFieldValue('separator', value)}
          />
          <NativeChoice
            label={t('Decimal sign')}
            data={decimalSigns.map(value => ({ value, label: value }))}
            value={values.decimal}
            choose={value => edit.form.setFieldValue('decimal', value)}
          />
          <NativeChoice
            label={t('Encoding')}
            data={encodings.map(value => ({ value, label: encodingLabels[value] }))}
            value={values.encoding}
            choose={value => edit.form.setFieldValue('encoding', value)}
          />
        </SimpleGrid>
        <Switch mt="sm" label={t('First line with the names of the columns')} {...edit.of('header', 'checkbox')} />
        {values.header ? (
          <TextInput
            mt="sm"
            label={t('Names in the first line')}
            description={t('As the payroll system asks for them. Empty: the usual ones.')}
            {...edit.of('first_line')}
          />
        ) : null}
      </Fieldset>
    </Form>
  )
}

/** DataLøn takes holidays in days and other absence in hours. Source: help.timelog.com about the export to DataLøn. */
const datalonFile: Partial<Values> = {
  ...{ columns: [...datalonColumns], separator: ';', decimal: ',', header: false, first_line: '' },
  ...{ sick_unit: 'hours', child_unit: 'hours', holiday_unit: 'days', unpaid_unit: 'days' },
}

const lessorFile: Partial<Values> = {
  ...{ columns: [...lessorColumns], separator: ';', decimal: '.', encoding: 'utf-8-plain', header: true, first_line: lessorFirstLine },
}

/** The layout of DataLøn is not public: who takes it says that they checked it. */
function DataLon({ take }: { take: () => void }) {
  const t = useT()
  const [isChecked, setChecked] = useState(false)
  return (
    <Group justify="space-between" mb="sm" align="start">
      <Checkbox
        label={t('I check the first file in DataLøn')}
        description={t('DataLøn publishes no layout of its file.')}
        checked={isChecked}
        onChange={event => setChecked(event.currentTarget.checked)}
      />
      <Button variant="default" {...disabledBecause(!isChecked && t('Tick the box beside it first'))} onClick={take}>
        {t('Columns of DataLøn')}
      </Button>
    </Group>
  )
}
