/** The control for the value of a condition, by the type of its field and its operator. */
import { MultiSelect, NativeSelect, NumberInput, Select, TagsInput, TextInput } from '@mantine/core'
import { useMemo } from 'react'
import { countryCodes } from '#domain/countries.ts'
import { decimalsOf } from '#domain/money.ts'
import { type FieldType, fieldDefinition, type MoneyValue } from '#domain/rules/rule-fields.ts'
import { periodMs } from '#domain/rules/rule-grammar.ts'
import { enumLabels } from '#domain/rules/rule-sentence.ts'
import { compare, country, dateIn, instantOf, time } from '#ui/kit/format.ts'
import { useT } from '#ui/kit/translate.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import style from './RuleEditor.module.css'
import { weekday } from './rule.labels.ts'
import type { DraftCondition } from './rule-draft.ts'

interface ValueProps {
  condition: DraftCondition
  countries: readonly string[]
  currency: string
  invalid: boolean
  onChange: (value: unknown) => void
}

export function RuleValueInput({ condition, countries, currency, invalid, onChange }: ValueProps) {
  const t = useT()
  const { field, op, value } = condition
  const { type, values: choices } = fieldDefinition(field)
  const offered = useOffered(type, choices, countries)
  const label = t('Value')
  const common = { 'aria-label': label, error: invalid, size: 'sm' } as const
  const texts = Array.isArray(value) ? value.filter(one => typeof one === 'string') : []

  if (op === 'is' || op === 'is_empty')
    return (
      <NativeSelect
        {...common}
        data={[
          { value: 'true', label: t('Yes') },
          { value: 'false', label: t('No') },
        ]}
        value={String(value === true)}
        onChange={event => onChange(event.currentTarget.value === 'true')}
      />
    )
  if (op === 'weekday_in')
    return (
      <MultiSelect
        {...common}
        data={[1, 2, 3, 4, 5, 6, 7].map(day => ({ value: String(day), label: weekday(day) }))}
        value={Array.isArray(value) ? value.map(String) : []}
        onChange={days => onChange(days.map(Number))}
      />
    )
  if (op === 'within' || op === 'older_than') return <PeriodInput {...common} value={value} forward={op === 'within'} onChange={onChange} />
  if (op === 'before' || op === 'after')
    return (
      <TextInput
        {...common}
        type="datetime-local"
        value={typeof value === 'string' ? `${dateIn(value)}T${time(value).replace('.', ':')}` : ''}
        onChange={event => onChange(instantOf(event.currentTarget.value))}
      />
    )
  if (op === 'between') {
    const both: readonly unknown[] = Array.isArray(value) ? value : [null, null]
    const setOne = (at: 0 | 1) => (next: unknown) => onChange(at === 0 ? [next, both[1] ?? null] : [both[0] ?? null, next])
    return (
      <div className={style.between}>
        <OneValue {...common} label={t('From')} type={type} value={both[0]} currency={currency} onChange={setOne(0)} />
        <OneValue {...common} label={t('Until')} type={type} value={both[1]} currency={currency} onChange={setOne(1)} />
      </div>
    )
  }
  if (op === 'in' || op === 'not_in' || op === 'has_any' || op === 'has_all' || op === 'has_none')
    return offered ? (
      <MultiSelect {...common} data={offered} value={texts} searchable onChange={onChange} />
    ) : (
      <TagsInput {...common} value={texts} splitChars={[',', ';']} acceptValueOnBlur onChange={onChange} />
    )
  if (offered) return <Select {...common} data={offered} value={typeof value === 'string' ? value : null} searchable onChange={onChange} />
  return <OneValue {...common} label={label} type={type} value={value} currency={currency} onChange={onChange} />
}

/** Values to choose from, those that are used first; undefined where any text may be entered. */
function useOffered(type: FieldType, choices: readonly string[] | undefined, used: readonly string[]) {
  const t = useT()
  return useMemo(() => {
    if (type === 'enum') return choices?.map(value => ({ value, label: t(enumLabels[value] ?? value) }))
    if (type !== 'country') return undefined
    const named = (code: string) => ({ value: code, label: country(code) })
    const rest = countryCodes.filter(code => !used.includes(code)).map(named)
    return [...used.map(named), ...rest.sort((one, other) => compare(one.label, other.label))]
  }, [type, choices, used, t])
}

interface OneProps {
  label: string
  type: FieldType
  value: unknown
  currency: string
  error: boolean
  size: 'sm'
  onChange: (value: unknown) => void
}

const isMoney = (value: unknown): value is MoneyValue =>
  typeof value === 'object' && value !== null && 'amount' in value && 'currency' in value

function OneValue({ label, type, value, currency, error, size, onChange }: OneProps) {
  const common = { 'aria-label': label, error, size }
  switch (type) {
    case 'int':
    case 'grams':
    case 'cm3':
      return (
        <WholeNumberInput
          {...common}
          hideControls
          suffix={type === 'grams' ? ' g' : type === 'cm3' ? ' cm³' : ''}
          value={typeof value === 'number' ? value : ''}
          onChange={next => onChange(typeof next === 'number' ? next : null)}
        />
      )
    case 'money': {
      const now = isMoney(value) ? value : { amount: null, currency }
      const digits = decimalsOf(now.currency)
      return (
        <NumberInput
          {...common}
          hideControls
          decimalScale={digits}
          suffix={` ${now.currency}`}
          value={now.amount === null ? '' : now.amount / 10 ** digits}
          onChange={next => onChange(typeof next === 'number' ? { amount: Math.round(next * 10 ** digits), currency: now.currency } : null)}
        />
      )
    }
    case 'instant':
    case 'clock':
      return (
        <TextInput
          {...common}
          type="time"
          value={typeof value === 'string' ? value : ''}
          onChange={event => onChange(event.currentTarget.value || null)}
        />
      )
    default:
      return (
        <TextInput
          {...common}
          maxLength={200}
          value={typeof value === 'string' ? value : ''}
          onChange={event => onChange(event.currentTarget.value || null)}
        />
      )
  }
}

type Unit = 'days' | 'hours'

function PeriodInput({
  value,
  forward,
  onChange,
  ...common
}: {
  value: unknown
  forward: boolean
  onChange: (value: unknown) => void
  error: boolean
  size: 'sm'
}) {
  const t = useT()
  const hours = typeof value === 'string' ? (periodMs(value) ?? 0) / 3_600_000 : null
  const unit: Unit = typeof value === 'string' && value.includes('T') ? 'hours' : 'days'
  const next = hours !== null && hours < 0
  const write = (count: number | null, as: Unit, ahead: boolean) =>
    onChange(count === null ? null : `${ahead ? '-' : ''}${as === 'days' ? `P${count}D` : `PT${count}H`}`)
  const count = hours === null ? null : Math.abs(unit === 'days' ? hours / 24 : hours)
  return (
    <div className={style.between}>
      {forward ? (
        <NativeSelect
          {...common}
          aria-label={t('Direction')}
          data={[
            { value: 'last', label: t('the last') },
            { value: 'next', label: t('the next') },
          ]}
          value={next ? 'next' : 'last'}
          onChange={event => write(count ?? 1, unit, event.currentTarget.value === 'next')}
        />
      ) : null}
      <WholeNumberInput
        {...common}
        aria-label={t('Value')}
        allowNegative={false}
        hideControls
        max={3_660}
        value={count ?? ''}
        onChange={entered => write(typeof entered === 'number' && entered > 0 ? entered : null, unit, next)}
      />
      <NativeSelect
        {...common}
        aria-label={t('Unit')}
        data={[
          { value: 'days', label: t('days') },
          { value: 'hours', label: t('hours') },
        ]}
        value={unit}
        onChange={event => write(count ?? 1, event.currentTarget.value === 'hours' ? 'hours' : 'days', next)}
      />
    </div>
  )
}
