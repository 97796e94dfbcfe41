/** Leave in three steps of one page: kind, days, and what it costs before it is sent. */
import { Alert, Button, Group, Radio, SegmentedControl, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { list, today } from '#ui/kit/format.ts'
import { errorSentence } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { days } from './hours.client.ts'
import { type AskedPart, askedParts, isSickness, leaveReasons } from './schedule.codes.ts'
import { schedule } from './schedule.contract.ts'
import { leaveWords, partWords } from './schedule-words.client.ts'

export function LeaveDialog({ close }: { close: () => void }) {
  const t = useT()
  const [client_id] = useState(() => crypto.randomUUID())
  const [reason_id, setReason] = useState<number>(leaveReasons.vacation_with_pay)
  const [from, setFrom] = useState(today())
  const [to, setTo] = useState(today())
  const [part, setPart] = useState<AskedPart>('full')
  const [note, setNote] = useState('')
  const single = from === to
  const reversed = from !== '' && to !== '' && to < from
  const chosen = single ? part : 'full'
  const sick = isSickness(reason_id)
  const quote = useCall(schedule.leaveQuote, { reason_id, from, to, part: chosen }, { enabled: from !== '' && to >= from, keep: true })
  const ask = useSend(schedule.create, {
    refreshes: [schedule.future, schedule.board, schedule.account],
    said: sick ? t('Reported. Get well soon.') : t('Request sent'),
    quiet: true,
    done: close,
  })
  const wrong = (field: string) => {
    const sentence = ask.error?.fields[field] ?? ask.error?.fields[`body.${field}`]
    return sentence && t(sentence)
  }
  const facts = reversed ? undefined : quote.data
  return (
    <Dialog opened onClose={close} title={t('Ask for leave')}>
      <form
        onSubmit={event => {
          event.preventDefault()
          ask.mutate({ body: { client_id, kind: 'leave', reason_id, work_date: from, date_to: to, part: chosen, note } })
        }}
      >
        <Stack gap="md">
          <Radio.Group label={t('Kind of leave')} value={String(reason_id)} onChange={value => setReason(Number(value))}>
            <Stack gap={8} mt={4}>
              {Object.values(leaveReasons).map(id => (
                <Radio key={id} value={String(id)} label={t(leaveWords[id] ?? '')} />
              ))}
            </Stack>
          </Radio.Group>
          <Group grow align="start">
            <TextInput
              type="date"
              label={t('First day')}
              value={from}
              error={wrong('work_date')}
              onChange={event => {
                const day = event.currentTarget.value
                setFrom(day)
                if (to < day || single) setTo(day)
              }}
            />
            <TextInput
              type="date"
              label={t('Last day')}
              value={to}
              min={from}
              error={reversed ? t('The last day is before the first') : wrong('date_to')}
              onChange={event => setTo(event.currentTarget.value)}
            />
          </Group>
          {single ? (
            <SegmentedControl
              aria-label={t('Part of the day')}
              value={part}
              onChange={value => setPart(askedParts.find(one => one === value) ?? 'full')}
              data={askedParts.map(one => ({ value: one, label: t(partWords[one]) }))}
            />
          ) : null}
          <Textarea
            label={t('Note to the lead')}
            maxLength={2000}
            autosize
            minRows={2}
            value={note}
            onChange={event => setNote(event.currentTarget.value)}
          />
          {facts ? (
            <Stack gap={4}>
              {facts.left_milli === null ? null : (
                <Text size="sm" fw={500}>
                  {t('Takes {{cost}} from the account, then {{left}} days are left', {
                    cost: days(facts.cost_milli),
                    left: days(facts.left_milli - facts.cost_milli),
                  })}
                </Text>
              )}
              {facts.away.length > 0 ? (
                <Text size="sm" c="dimmed">
                  {t('Away then: {{names}}', { names: list(facts.away) })}
                </Text>
              ) : null}
              {facts.blocked ? (
                <Alert color="amber">{t('No holiday can be taken then: {{reason}}', { reason: facts.blocked })}</Alert>
              ) : null}
              {facts.taken ? <Alert color="amber">{t('You have leave on these days already.')}</Alert> : null}
            </Stack>
          ) : null}
          {ask.error ? (
            <Alert color="brick" role="alert">
              {errorSentence(ask.error)}
            </Alert>
          ) : null}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('Cancel')}
            </Button>
            <Button
              type="submit"
              loading={ask.isPending}
              {...disabledBecause(
                ((from === '' || to === '') && t('Select both days first')) || (reversed && t('The last day is before the first')),
              )}
            >
              {sick ? t('Report sickness') : t('Send request')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
