/** Rules of working time that the company sets itself, and the form of one beside what the law says. */
import { ActionIcon, Button, Group, NumberInput, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { isOneOf } from '#domain/objects.ts'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { country as countryWord, day as dayWord, today } from '#ui/kit/format.ts'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { toastError } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { type Received, useCall, useSend } from '#ui/query/calls.ts'
import { type WorkingTimeCountry, workingTimeCountries } from '../employees/employees.codes.ts'
import { hours } from './hours.client.ts'
import { isPossible, isWeaker, lawMinutes, rulesOn } from './own-rules.rules.ts'
import { type OwnableRule, ownableRules } from './schedule.codes.ts'
import { schedule } from './schedule.contract.ts'
import { ownRuleWords } from './schedule-words.client.ts'

type Rows = Received<typeof schedule.workingTimeRules>

/** Breaks are counted in minutes, all else in hours. */
const isBreak = (rule: OwnableRule): boolean => rule === 'break' || rule === 'young_break'

export function OwnRules({ home }: { home: string }) {
  const rows = useCall(schedule.workingTimeRules, {}, { live: ['schedule'] })
  return <QueryState of={rows}>{saved => <Rules rows={saved} home={isOneOf(workingTimeCountries, home) ? home : 'DK'} />}</QueryState>
}

function Rules({ rows, home }: { rows: Rows; home: WorkingTimeCountry }) {
  const t = useT()
  const refreshes = [schedule.workingTimeRules, schedule.board, schedule.list]
  const [country, setCountry] = useState(home)
  const [rule, setRule] = useState<OwnableRule>('rest')
  const [amount, setAmount] = useState<string | number>('')
  const [valid_from, setFrom] = useState(today())
  const [reason, setReason] = useState('')
  const save = useSend(schedule.setWorkingTimeRule, {
    refreshes,
    said: t('Rule saved'),
    quiet: true,
    done: () => {
      setAmount('')
      setReason('')
    },
  })
  const remove = useSend(schedule.removeWorkingTimeRule, { refreshes, said: t('Rule removed') })
  const minutesWord = (count: number) => t('{{minutes}} min', { minutes: count })
  const valueWord = (of: OwnableRule, minutes: number) => (isBreak(of) ? minutesWord(minutes) : hours(minutes * 60))
  const minutes = typeof amount === 'number' ? Math.round(amount * (isBreak(rule) ? 1 : 60)) : null
  const law = valid_from === '' ? undefined : rulesOn(country, valid_from)
  const byLaw = law && lawMinutes(law, rule)
  const weaker = law !== undefined && minutes !== null && isWeaker(law, { rule, minutes })
  const present = rows.find(one => one.country === country && one.rule === rule && one.valid_from === valid_from)
  const lacks = minutes === null || valid_from === ''
  const impossible = minutes !== null && !isPossible({ rule, minutes }) && t('This rule cannot have such a value')
  const send = () => {
    if (minutes !== null && !lacks && !impossible)
      save.mutate(
        { body: { country, rule, valid_from, minutes, reason, version: present?.version ?? 0 } },
        { onError: error => Object.keys(error.fields).length === 0 && toastError(error) },
      )
  }
  const wrong = (field: 'minutes' | 'valid_from' | 'reason') => {
    const sentence = save.error?.fields[field]
    return sentence && t(sentence)
  }
  /** A refusal is about what was sent, and ends with the next change. */
  const changing =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      set(value)
      save.reset()
    }
  const rowOf = (one: Rows[number]) => {
    const here = rulesOn(one.country, one.valid_from)
    const byItsLaw = here && lawMinutes(here, one.rule)
    return [
      countryWord(one.country),
      t('from {{day}}', { day: dayWord(one.valid_from) }),
      ...(byItsLaw ? [t('By law: {{value}}', { value: valueWord(one.rule, byItsLaw) })] : []),
    ].join(' · ')
  }
  return (
    <Stack gap="md">
      {rows.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('The law alone holds.')}
        </Text>
      ) : null}
      {rows.map(one => (
        <Group key={one.id} justify="space-between" wrap="nowrap">
          <div>
            <Text size="sm" fw={500}>
              {t(ownRuleWords[one.rule])}: {valueWord(one.rule, one.minutes)}
            </Text>
            <Text size="sm" c="dimmed">
              {rowOf(one)}
            </Text>
            {one.reason === '' ? null : (
              <Text size="sm" c="dimmed">
                {one.reason}
              </Text>
            )}
          </div>
          <ActionIcon
            variant="subtle"
            color="brick"
            aria-label={t('Remove rule')}
            onClick={() => remove.mutate({ id: one.id, version: one.version })}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </Group>
      ))}
      <form
        onSubmit={event => {
          event.preventDefault()
          send()
        }}
      >
        <Stack gap="sm">
          <NativeChoice
            label={t('Country')}
            data={workingTimeCountries.map(value => ({ value, label: countryWord(value) }))}
            value={country}
            choose={changing(setCountry)}
          />
          <NativeChoice
            label={t('Rule')}
            data={ownableRules.map(value => ({ value, label: t(ownRuleWords[value]) }))}
            value={rule}
            choose={changing(setRule)}
          />
          <SimpleGrid cols={2} spacing="sm">
            <NumberInput
              label={isBreak(rule) ? t('Minutes') : t('Hours')}
              description={byLaw ? t('By law: {{value}}', { value: valueWord(rule, byLaw) }) : t('The law names no number.')}
              min={0}
              max={168}
              step={isBreak(rule) ? 5 : 0.25}
              decimalScale={isBreak(rule) ? 0 : 2}
              value={amount}
              error={impossible || wrong('minutes')}
              onChange={changing(setAmount)}
            />
            <TextInput
              type="date"
              label={t('Holds from')}
              description={t('Until the next value.')}
              value={valid_from}
              error={wrong('valid_from')}
              onChange={event => changing(setFrom)(event.currentTarget.value)}
            />
          </SimpleGrid>
          <TextInput
            label={t('Why')}
            description={
              weaker && !wrong('reason') ? t('Weaker than the law: write on what it rests, such as a collective agreement.') : undefined
            }
            maxLength={200}
            value={reason}
            error={wrong('reason')}
            onChange={event => changing(setReason)(event.currentTarget.value)}
          />
          <Group>
            <Button
              variant="default"
              type="submit"
              loading={save.isPending}
              {...disabledBecause(lacks ? t('Fill in all fields first') : impossible)}
            >
              {present ? t('Change rule') : t('Add rule')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Stack>
  )
}
