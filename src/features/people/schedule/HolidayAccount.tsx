/** Holiday accounts: what is left of each year, every row with its explanation, and what a lead adds by hand. */
import { Divider, Group, NativeSelect, NumberInput, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import * as z from 'zod'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { day, today } from '#ui/kit/format.ts'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { useT } from '#ui/kit/translate.ts'
import { send, useCall } from '#ui/query/calls.ts'
import { days } from './hours.client.ts'
import { schedule } from './schedule.contract.ts'
import { type LeaveAccount, scheduleSchemas } from './schedule.schemas.ts'
import { daysWord } from './schedule-words.client.ts'

/** The own account: to read. */
export function MyHolidayAccountDrawer({ user_id, opened, close }: { user_id: number; opened: boolean; close: () => void }) {
  const t = useT()
  return (
    <Drawer opened={opened} onClose={close} size={640} title={t('Holiday account')}>
      {opened ? <Account user_id={user_id} adjusts={false} /> : null}
    </Drawer>
  )
}

/** The accounts of everyone who is planned, for leads. */
export function HolidayAccountsDrawer({ opened, close }: { opened: boolean; close: () => void }) {
  const t = useT()
  return (
    <Drawer opened={opened} onClose={close} size={640} title={t('Holiday accounts')}>
      {opened ? <Accounts /> : null}
    </Drawer>
  )
}

function Accounts() {
  const t = useT()
  const board = useCall(schedule.board, { start: today(), end: today() })
  const [user_id, setUser] = useState<number | null>(null)
  return (
    <QueryState of={board} shape="form">
      {({ people }) => {
        const chosen = user_id ?? people[0]?.user_id
        return (
          <Stack gap="md">
            <NativeSelect
              label={t('Person')}
              data={people.map(person => ({ value: String(person.user_id), label: person.name }))}
              value={String(chosen ?? '')}
              onChange={event => setUser(Number(event.currentTarget.value))}
            />
            {chosen === undefined ? null : <Account key={chosen} user_id={chosen} adjusts />}
          </Stack>
        )
      }}
    </QueryState>
  )
}

function Account({ user_id, adjusts }: { user_id: number; adjusts: boolean }) {
  const t = useT()
  const account = useCall(schedule.account, { user_id }, { live: ['schedule'] })
  return (
    <QueryState of={account} shape="form">
      {found => (
        <Stack gap="md">
          {found.employed_from === null ? <Text c="dimmed">{t('Nothing is earned before the employment has a first day.')}</Text> : null}
          {found.years.map(year => (
            <div key={year.year_start}>
              <Text fw={600}>
                {t('{{count}} days until {{day}}', { count: year.left_milli / 1_000, day: daysWord(year.taken_until, null) })}
              </Text>
              <Text size="sm" c="dimmed">
                {t('{{earned}} earned, {{booked}} taken and adjusted', {
                  earned: days(year.earned_milli),
                  booked: days(year.booked_milli),
                })}
              </Text>
            </div>
          ))}
          <Rows rows={found.rows} />
          {adjusts ? (
            <>
              <Divider />
              <Adjustment key={found.rows.length} account={found} />
            </>
          ) : null}
        </Stack>
      )}
    </QueryState>
  )
}

function Rows({ rows }: { rows: LeaveAccount['rows'] }) {
  const t = useT()
  const kinds: Record<LeaveAccount['rows'][number]['kind'], string> = {
    start: t('Brought along'),
    taken: t('Taken'),
    returned: t('Returned'),
    carry_over: t('Carried over'),
    advance: t('Advance'),
    adjust: t('Adjusted'),
    paid_out: t('Paid out'),
  }
  return (
    <Stack gap="xs">
      {rows.map(row => (
        <Group key={row.id} justify="space-between" wrap="nowrap" align="start">
          <div>
            <Text>
              {kinds[row.kind]} · {day(row.day)}
            </Text>
            <Text size="sm" c="dimmed">
              {[row.explanation, row.made_by].filter(Boolean).join(' · ')}
            </Text>
          </div>
          <Text fw={600}>{days(row.days_milli)}</Text>
        </Group>
      ))}
    </Stack>
  )
}

interface AdjustmentValues extends Record<string, unknown> {
  year_start: string
  kind: 'start' | 'carry_over' | 'advance' | 'adjust' | 'paid_out'
  days: number | string
  explanation: string
}

const bodyOf = ({ year_start, kind, days: count, explanation }: AdjustmentValues) => ({
  year_start,
  kind,
  days_milli: count === '' ? Number.NaN : Math.round(Number(count) * 1_000),
  explanation,
})

const AdjustmentSchema = z
  .custom<AdjustmentValues>()
  .transform((values): unknown => bodyOf(values))
  .pipe(scheduleSchemas.calls.adjustAccount.body)

/** One row by hand, with its reason. */
function Adjustment({ account }: { account: LeaveAccount }) {
  const t = useT()
  const initial: AdjustmentValues = { year_start: account.years[0]?.year_start ?? '', kind: 'adjust', days: '', explanation: '' }
  const edit = useEdit({
    schema: AdjustmentSchema,
    initial,
    save: values => send(schedule.adjustAccount, { user_id: account.user_id, body: bodyOf(values) }),
    refreshes: [schedule.account, schedule.waiting],
    said: t('Row added'),
  })
  return (
    <Form edit={edit} action={t('Add row')}>
      <NativeSelect
        label={t('Holiday year')}
        data={account.years.map(year => ({ value: year.year_start, label: t('from {{day}}', { day: day(year.year_start) }) }))}
        {...edit.of('year_start')}
      />
      <NativeSelect
        label={t('Kind')}
        data={[
          { value: 'adjust', label: t('Adjusted') },
          { value: 'start', label: t('Brought along') },
          { value: 'carry_over', label: t('Carried over') },
          { value: 'advance', label: t('Advance') },
          { value: 'paid_out', label: t('Paid out') },
        ]}
        {...edit.of('kind')}
      />
      <NumberInput
        label={t('Days')}
        description={t('With a minus where the account gets smaller.')}
        decimalScale={3}
        hideControls
        {...edit.of('days')}
      />
      <TextInput label={t('Reason')} {...edit.of('explanation')} />
    </Form>
  )
}
