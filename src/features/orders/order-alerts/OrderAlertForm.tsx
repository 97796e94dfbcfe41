/** The form of one order alert: recipient, thresholds, conditions, what happens, beside what it would have met. */
import {
  Button,
  Fieldset,
  Group,
  Input,
  MultiSelect,
  NumberInput,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useRef } from 'react'
import * as z from 'zod'
import { decimalsOf, isCurrency } from '#domain/money.ts'
import { isOneOf } from '#domain/objects.ts'
import { parseRule } from '#domain/rules/rule-grammar.ts'
import { company } from '#features/company/companies/companies.contract.ts'
import { RulePreviewPanel } from '#features/orders/order-rules/RulePreviewPanel.tsx'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { useT } from '#ui/kit/translate.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import { send, useCall } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import { RuleEditor } from '#ui/rules/RuleEditor.tsx'
import style from '#ui/rules/RuleForm.module.css'
import {
  type AlertMatch,
  type AlertMode,
  alertMatches,
  alertModes,
  alertWords,
  isAmount,
  type Threshold,
  type ThresholdMode,
  thresholdModes,
  thresholds,
} from './order-alerts.codes.ts'
import { orderAlerts } from './order-alerts.contract.ts'
import { matchLabels, modeLabels, thresholdLabels, thresholdModeLabels } from './order-alerts.labels.ts'
import { alertRule, isEmptyAlert, wrongRange } from './order-alerts.rules.ts'
import { OrderAlert, OrderAlertFields } from './order-alerts.schemas.ts'

type Amount = number | ''
type BoundName = `${Threshold}_${'min' | 'max'}`

interface Values extends Record<string, unknown>, Record<BoundName, Amount> {
  email: string
  company_ids: string[]
  enabled: boolean
  mode: AlertMode
  threshold_mode: ThresholdMode
  match: AlertMatch
  currency: string
  conditions: Record<string, unknown>
  digest: boolean
  note: string
}

const minorPerMajor = (currency: string): number => 10 ** (isCurrency(currency) ? decimalsOf(currency) : 2)
const codeOf = (currency: string): string => currency.trim().toUpperCase()

/** Each bound through a change; amounts are in major units in the form, as people write money. */
const boundsBy = <T,>(change: (name: BoundName, amount: boolean) => T): Record<BoundName, T> => {
  const both = (name: Threshold) => ({ min: change(`${name}_min`, isAmount(name)), max: change(`${name}_max`, isAmount(name)) })
  const [row_count, row_value, order_count, order_value] = [both('row_count'), both('row_value'), both('order_count'), both('order_value')]
  return {
    row_count_min: row_count.min,
    row_count_max: row_count.max,
    row_value_min: row_value.min,
    row_value_max: row_value.max,
    order_count_min: order_count.min,
    order_count_max: order_count.max,
    order_value_min: order_value.min,
    order_value_max: order_value.max,
  }
}

function valuesOf(alert: OrderAlert | null, currency: string): Values {
  const bound = (name: BoundName, amount: boolean): Amount => {
    const stored = alert?.[name] ?? null
    return stored === null ? '' : amount ? stored / minorPerMajor(alert?.currency ?? currency) : stored
  }
  return {
    email: alert?.email ?? '',
    company_ids: alert?.company_ids?.map(String) ?? [],
    enabled: alert?.enabled ?? true,
    mode: alert?.mode ?? 'note',
    threshold_mode: alert?.threshold_mode ?? 'inside',
    match: alert?.match ?? 'any',
    currency: alert?.currency ?? currency,
    conditions: alert?.conditions ?? { v: 1, all: [] },
    digest: alert?.digest ?? true,
    note: alert?.note ?? '',
    ...boundsBy(bound),
  }
}

const boundsOf = (values: Values) =>
  boundsBy((name, amount): number | null => {
    const value = values[name]
    if (value === '') return null
    return amount ? Math.round(value * minorPerMajor(codeOf(values.currency))) : value
  })
const bodyOf = (values: Values) => ({
  ...values,
  ...boundsOf(values),
  company_ids: values.company_ids.length === 0 ? null : values.company_ids.map(Number),
})
const ruleOf = (values: Values) => alertRule({ ...values, ...boundsOf(values), currency: codeOf(values.currency) }) ?? null

const Schema = z
  .custom<Values>()
  .transform((values): unknown => bodyOf(values))
  .pipe(OrderAlertFields)
  .check(({ value, issues }) => {
    const wrong = wrongRange(value)
    if (wrong) issues.push({ code: 'custom', path: [`${wrong}_max`], message: alertWords.range, input: value })
    if (isEmptyAlert(value))
      issues.push({ code: 'custom', path: ['conditions'], message: 'Set at least one threshold or condition.', input: value })
    else if (parseRule(value.conditions, 'alert').rule === undefined || alertRule(value) === undefined)
      issues.push({ code: 'custom', path: ['conditions'], message: 'Complete the conditions', input: value })
  })
const parsed = (values: Values) => OrderAlertFields.parse(bodyOf(values))

interface FormProps {
  alert: OrderAlert | null
  close: () => void
  /** A row of the list came or changed. */
  changed: () => void
  remove: ((alert: OrderAlert) => void) | null
}

export function OrderAlertForm({ alert, close, changed, remove }: FormProps) {
  const t = useT()
  const { init, user } = useSignedIn()
  const config = useCall(company.config, {}, { fresh: 600_000 })
  const version = useRef(alert?.version ?? 0)
  const edit = useEdit({
    schema: Schema,
    initial: valuesOf(alert, init.settings.currency),
    save: values =>
      send(orderAlerts.update, {
        id: alert?.id ?? 0,
        body: { ...parsed(values), ...(alert && { version: version.current }) },
      }),
    refreshes: [orderAlerts.search, orderAlerts.one],
    said: t('Alert saved'),
    ...(alert && {
      undo: (answer: OrderAlert, before: Values) =>
        send(orderAlerts.update, { id: alert.id, body: { ...parsed(before), version: answer.version } }),
    }),
    done: () => {
      changed()
      close()
    },
    conflict: {
      schema: OrderAlert,
      values: fresh => {
        version.current = fresh.version
        return valuesOf(fresh, fresh.currency)
      },
    },
  })
  const { values } = edit
  const currency = codeOf(values.currency)
  const wrong = edit.form.errors.conditions
  const bound = (name: BoundName, amount: boolean) => {
    const word = name.endsWith('_min') ? t('Lowest') : t('Highest')
    const field = {
      'aria-label': word,
      placeholder: word,
      min: 0,
      max: 100_000_000,
      allowNegative: false,
      hideControls: true,
      ...edit.of(name),
    }
    return amount ? (
      <NumberInput {...field} decimalScale={isCurrency(currency) ? decimalsOf(currency) : 2} />
    ) : (
      <WholeNumberInput {...field} />
    )
  }
  return (
    <div className={style.form}>
      <Stack gap="lg" className={style.editor}>
        <Form edit={edit} {...(alert ? {} : { action: t('Add alert') })} cancel={close}>
          <TextInput
            label={t('Recipient')}
            description={t('The mail names order number, value and country, and no customer.')}
            type="email"
            data-autofocus={alert === null || undefined}
            spellCheck={false}
            {...edit.of('email')}
          />
          <Fieldset legend={t('Thresholds')}>
            <Stack gap="sm">
              {thresholds.map(name => (
                <Stack key={name} gap={4} role="group" aria-label={t(thresholdLabels[name])}>
                  <Text size="sm" fw={500}>
                    {t(thresholdLabels[name])}
                    {isAmount(name) ? ` (${currency})` : ''}
                  </Text>
                  <SimpleGrid cols={2}>
                    {bound(`${name}_min`, isAmount(name))}
                    {bound(`${name}_max`, isAmount(name))}
                  </SimpleGrid>
                </Stack>
              ))}
              <SimpleGrid cols={{ base: 1, xs: 2 }}>
                <NativeChoice
                  label={t('Meets orders')}
                  data={thresholdModes.map(value => ({ value, label: t(thresholdModeLabels[value]) }))}
                  value={values.threshold_mode}
                  choose={value => isOneOf(thresholdModes, value) && edit.form.setFieldValue('threshold_mode', value)}
                />
                <NativeChoice
                  label={t('Several thresholds')}
                  data={alertMatches.map(value => ({ value, label: t(matchLabels[value]) }))}
                  value={values.match}
                  choose={value => isOneOf(alertMatches, value) && edit.form.setFieldValue('match', value)}
                />
                <TextInput label={t('Currency')} spellCheck={false} {...edit.of('currency')} />
              </SimpleGrid>
            </Stack>
          </Fieldset>
          <Stack gap={4}>
            <Text size="sm" fw={500}>
              {t('Only orders that also meet')}
            </Text>
            <RuleEditor
              kind="alert"
              initial={values.conditions}
              currency={config.data?.currency ?? init.settings.currency}
              countries={config.data ? [config.data.sender.country] : []}
              showErrors={Boolean(wrong)}
              onChange={json => edit.form.setFieldValue('conditions', json)}
            />
            {wrong ? <Input.Error role="alert">{wrong}</Input.Error> : null}
          </Stack>
          <NativeChoice
            label={t('What happens')}
            description={
              values.mode === 'hold'
                ? t('The order waits until someone releases it.')
                : values.mode === 'pin'
                  ? t('The station asks a lead before the first item is packed.')
                  : t('The order and the station show the note as a warning.')
            }
            data={alertModes.map(value => ({ value, label: t(modeLabels[value]) }))}
            value={values.mode}
            choose={value => isOneOf(alertModes, value) && edit.form.setFieldValue('mode', value)}
          />
          <Textarea
            label={t('Note')}
            description={t('Stands in the mail, at the order and at the station.')}
            autosize
            minRows={2}
            {...edit.of('note')}
          />
          {values.mode === 'hold' ? (
            <Text size="sm" c="dimmed">
              {t('Holds are mailed within a minute.')}
            </Text>
          ) : (
            <Switch
              label={t('Gather alerts into one mail')}
              description={t('Off: the mail goes out within a minute.')}
              {...edit.of('digest', 'checkbox')}
            />
          )}
          {user.is_main_company && init.CompanyLookup.length > 1 ? (
            <MultiSelect
              label={t('Companies')}
              description={t('Empty: orders of all companies.')}
              data={init.CompanyLookup.map(one => ({ value: String(one.id), label: one.name }))}
              clearable
              searchable
              {...edit.of('company_ids')}
            />
          ) : null}
          <Switch label={t('In use')} description={t('Off: new orders are not checked against it.')} {...edit.of('enabled', 'checkbox')} />
        </Form>
        {alert && remove ? (
          <Group>
            <Button variant="subtle" color="brick" onClick={() => remove(alert)}>
              {t('Remove alert')}
            </Button>
          </Group>
        ) : null}
      </Stack>
      <RulePreviewPanel
        kind="alert"
        rule={isEmptyAlert({ ...values, ...boundsOf(values) }) ? null : ruleOf(values)}
        company_ids={values.company_ids.length === 0 ? null : values.company_ids.map(Number)}
      />
    </div>
  )
}
