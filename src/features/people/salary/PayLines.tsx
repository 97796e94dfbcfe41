/** Lines of pay: each opens to the intervals and units that sum to it. */
import { Group, Stack, Table, Text, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import { hoursAndMinutes } from '#features/people/punch-clock/punch-words.client.ts'
import { day, money, number, percent, time } from '#ui/kit/format.ts'
import { useT } from '#ui/kit/translate.ts'
import style from './PayLines.module.css'
import { leaveUnitOf } from './salary.codes.ts'
import type { PayLine, PersonPay } from './salary.schemas.ts'
import { hundredthsText, leaveText, lineWord, spanText, unitsText, unitWord } from './salary-words.client.ts'

const tariffOf = (rate_micro: number): string => number(rate_micro / 1_000_000, 6)

export function PayLines({ person, currency }: { person: PersonPay; currency: string }) {
  const t = useT()
  const hasCommission = person.lines.some(line => line.kind === 'commission')
  return (
    <Stack gap="sm">
      <div>
        {person.lines.map(line => (
          <Line key={`${line.key} ${line.origin?.from ?? ''}`} line={line} currency={currency} factor={person.factor} />
        ))}
      </div>
      <Group justify="space-between">
        <Text fw={600}>{t('Total')}</Text>
        <Text fw={600}>{money(person.total, currency)}</Text>
      </Group>
      {hasCommission && person.scans > 0 ? (
        <Text size="sm" c="dimmed">
          {t('{{share}} of {{scans}} scans were right: the commission counts {{factor}}.', {
            share: percent((person.scans - person.wrong) / person.scans, 2),
            scans: number(person.scans),
            factor: percent(person.factor / 1_000, 1),
          })}
        </Text>
      ) : null}
      {person.pilot_total === null ? null : (
        <Text size="sm">{t('The pilot would pay {{amount}}.', { amount: money(person.pilot_total, currency) })}</Text>
      )}
    </Stack>
  )
}

function Line({ line, currency, factor }: { line: PayLine; currency: string; factor: number }) {
  const t = useT()
  const [isOpen, setOpen] = useState(false)
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  return (
    <div className={style.line}>
      <UnstyledButton className={style.head} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Group justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap">
            <Chevron size={16} />
            <span>
              {lineWord(t, line)}
              {line.origin ? (
                <Text size="sm" c="dimmed">
                  {t('Corrects {{days}}', { days: spanText(line.origin.from, line.origin.to) })}
                </Text>
              ) : null}
            </span>
          </Group>
          <strong>{line.kind === 'leave' ? leaveText(t, line) : money(line.amount, currency)}</strong>
        </Group>
      </UnstyledButton>
      {isOpen ? (
        <div className={style.opened}>
          <Sum line={line} currency={currency} factor={factor} />
          <Parts line={line} />
        </div>
      ) : null}
    </div>
  )
}

function Sum({ line, currency, factor }: { line: PayLine; currency: string; factor: number }) {
  const t = useT()
  const code = line.pay_code === '' ? t('No pay code') : t('Pay code {{code}}', { code: line.pay_code })
  if (line.units_c !== null && line.rate !== null)
    return (
      <Text size="sm" mb="xs">
        {code} · {hundredthsText(line.units_c)} × {money(line.rate, currency)} = {money(line.amount, currency)}
      </Text>
    )
  return (
    <Text size="sm" mb="xs">
      {code}
      {line.kind === 'commission' && factor !== 1_000 ? ` · × ${percent(factor / 1_000, 1)}` : ''}
      {line.kind === 'floor' ? ` · ${t('What the commission is short of the least for these hours.')}` : ''}
    </Text>
  )
}

function Parts({ line }: { line: PayLine }) {
  const t = useT()
  if (line.parts.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('This line was taken back whole.')}
      </Text>
    )
  return (
    <Table verticalSpacing={4} fz="sm">
      <Table.Tbody>
        {line.parts.map((part, place) => (
          // A day may have the same units twice, by two tariffs.
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes its order
          <Table.Tr key={place}>
            <Table.Td>{day(part.day)}</Table.Td>
            {part.unit === null ? (
              <>
                <Table.Td>{part.from !== null && part.to !== null ? `${time(part.from)}–${time(part.to)}` : ''}</Table.Td>
                <Table.Td ta="end">
                  {line.kind === 'leave' && leaveUnitOf(line.key) === 'days' ? unitsText(part.units_milli) : hoursAndMinutes(part.seconds)}
                  {line.kind === 'leave' && leaveUnitOf(line.key) === 'days' && part.seconds > 0
                    ? ` · ${hoursAndMinutes(part.seconds)}`
                    : ''}
                </Table.Td>
              </>
            ) : (
              <>
                <Table.Td>{unitWord(t, part.unit)}</Table.Td>
                <Table.Td ta="end">
                  {unitsText(part.units_milli)} × {tariffOf(part.rate_micro)}
                </Table.Td>
              </>
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
