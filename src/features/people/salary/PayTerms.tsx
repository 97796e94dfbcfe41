/** How a person is paid, each with the day from which it holds. */
import { Button, Group, Stack, Table, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import * as z from 'zod'
import { salaryTypes } from '#features/people/employees/employees.codes.ts'
import { employees } from '#features/people/employees/employees.contract.ts'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { day, money, today } from '#ui/kit/format.ts'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import { send, useCall, useSend } from '#ui/query/calls.ts'
import { minorFromText } from './amounts.client.ts'
import { salary } from './salary.contract.ts'

const refreshes = [employees.payTerms, salary.period, salary.person]
const amount = z.string().refine(text => minorFromText(text) !== null, 'Enter an amount such as 185.50')
const Values = z.object({
  valid_from: z.string().min(1, 'Choose a day'),
  salary_type: z.enum(salaryTypes),
  rate: amount,
  reason: z.string(),
})

export function PayTerms({ user_id, currency }: { user_id: number; currency: string }) {
  const t = useT()
  const terms = useCall(employees.payTerms, { id: user_id })
  const withdraw = useSend(employees.withdrawPayTerm, { refreshes, said: t('Pay withdrawn') })
  const [isAdding, setAdding] = useState(false)
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text fw={600}>{t('What the person is paid')}</Text>
        {isAdding ? null : (
          <Button variant="default" size="compact-md" onClick={() => setAdding(true)}>
            {t('Add pay')}
          </Button>
        )}
      </Group>
      {isAdding ? <NewTerm user_id={user_id} close={() => setAdding(false)} /> : null}
      <QueryState of={terms} shape="rows">
        {rows =>
          rows.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t('Nothing is kept here yet.')}
            </Text>
          ) : (
            <Table verticalSpacing={4} fz="sm">
              <Table.Tbody>
                {rows.map(term => (
                  <Table.Tr key={term.id}>
                    <Table.Td>{t('From {{day}}', { day: day(term.valid_from) })}</Table.Td>
                    <Table.Td>
                      {term.salary_type === 'hourly'
                        ? t('{{rate}} an hour', { rate: money(term.rate, currency) })
                        : t('Commission, at least {{rate}} an hour', { rate: money(term.floor_rate, currency) })}
                      {term.reason ? (
                        <Text size="sm" c="dimmed">
                          {term.reason}
                        </Text>
                      ) : null}
                    </Table.Td>
                    <Table.Td ta="end">
                      {term.current ? (
                        <StateBadge tone="done">{t('Holds now')}</StateBadge>
                      ) : term.valid_from > today() ? (
                        <Button
                          variant="subtle"
                          size="compact-sm"
                          loading={withdraw.isPending}
                          onClick={() => withdraw.mutate({ id: user_id, term_id: term.id })}
                        >
                          {t('Withdraw')}
                        </Button>
                      ) : null}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          )
        }
      </QueryState>
    </Stack>
  )
}

function NewTerm({ user_id, close }: { user_id: number; close: () => void }) {
  const t = useT()
  const initial: z.infer<typeof Values> = { valid_from: today(), salary_type: 'hourly', rate: '', reason: '' }
  const edit = useEdit({
    schema: Values,
    initial,
    save: values => {
      const minor = minorFromText(values.rate) ?? 0
      const isHourly = values.salary_type === 'hourly'
      return send(employees.addPayTerm, {
        id: user_id,
        body: {
          ...{ valid_from: values.valid_from, salary_type: values.salary_type, reason: values.reason },
          ...{ rate: isHourly ? minor : 0, floor_rate: isHourly ? 0 : minor },
        },
      })
    },
    refreshes,
    said: t('Pay saved'),
    done: close,
  })
  const isHourly = edit.values.salary_type === 'hourly'
  return (
    <Form edit={edit} action={t('Add pay')} cancel={close}>
      <NativeChoice
        label={t('Kind of pay')}
        data={[
          { value: 'hourly', label: t('By the hour') },
          { value: 'commission', label: t('Commission') },
        ]}
        value={edit.values.salary_type}
        choose={value => edit.form.setFieldValue('salary_type', value)}
      />
      <TextInput
        label={isHourly ? t('Rate of an hour') : t('Floor of an hour')}
        description={isHourly ? undefined : t('A commission below it is filled up.')}
        inputMode="decimal"
        {...edit.of('rate')}
      />
      <TextInput type="date" label={t('From')} description={t('Earlier work keeps its pay.')} {...edit.of('valid_from')} />
      <TextInput label={t('Reason')} {...edit.of('reason')} />
    </Form>
  )
}
