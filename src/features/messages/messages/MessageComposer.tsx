/** Writes to the recipients of orders: template or own text, the message for one of them, number and price, then the confirmation. */

import { Alert, Button, Group, SegmentedControl, Select, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMemo, useRef, useState } from 'react'
import { answerMistake } from '#features/messages/templates/answer-link.rules.ts'
import { ChoicePicker } from '#features/messages/templates/ChoicePicker.tsx'
import { MessagePreviewPanel } from '#features/messages/templates/MessagePreviewPanel.tsx'
import { channelWords } from '#features/messages/templates/template.labels.ts'
import type { AnswerChoice, MessageChannel } from '#features/messages/templates/templates.codes.ts'
import { templates } from '#features/messages/templates/templates.contract.ts'
import type { OrderFilters } from '#features/orders/orders/orders.schemas.ts'
import { confirm } from '#ui/kit/Confirm.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { ErrorState } from '#ui/kit/ErrorState.tsx'
import { instant } from '#ui/kit/format.ts'
import { toastSuccess } from '#ui/kit/toasts.ts'
import { localeNames, useT } from '#ui/kit/translate.ts'
import { send, useCall, useCommand } from '#ui/query/calls.ts'
import { messageRefreshes } from './MessageThread.tsx'
import { priceWord, reasonWord } from './message.labels.tsx'
import { messages } from './messages.contract.ts'
import type { Quote } from './messages.schemas.ts'

export interface Recipients {
  orders?: number[]
  filters?: Partial<OrderFilters>
}

interface ComposerProps {
  to: Recipients
  /** The order of the preview. */
  order_id: number | null
  /** A question to one recipient, in place of a message: its text at first, and what can be answered. */
  question?: Question
  done: () => void
}

export interface Question {
  subject: string
  text: string
  choices: readonly AnswerChoice[]
  /** Why an answer is not possible now, and not offered on the page; null where it is. */
  whyNot: (choice: AnswerChoice) => string | null
}

export function MessageComposer({ to, order_id, question, done }: ComposerProps) {
  const t = useT()
  const [channel, setChannel] = useState<MessageChannel>('sms')
  const [index, setIndex] = useState(0)
  const [text, setText] = useState(question?.text ?? '')
  const [subject, setSubject] = useState(question?.subject ?? '')
  const [choices, setChoices] = useState(question?.choices ?? [])
  const [urgent, setUrgent] = useState(false)
  const client_id = useRef(crypto.randomUUID())
  const all = useCall(templates.list, {}, { fresh: 60_000 })
  const offered = (all.data?.rows ?? []).filter(template => template.channel === channel && template.active)
  const body = useMemo(
    () => ({
      ...to,
      channel,
      urgent,
      ...(index > 0 ? {} : { choices: [...choices] }),
      ...(index > 0
        ? { index }
        : channel === 'sms'
          ? { body: text }
          : { subject, blocks: text.trim() === '' ? [] : [{ kind: 'text' as const, text }] }),
    }),
    [to, channel, urgent, index, text, subject, choices],
  )
  const [asked] = useDebouncedValue(body, 400)
  const blocks = text.trim() === '' ? [] : [{ kind: 'text' as const, text }]
  const mistake = index > 0 ? null : answerMistake(channel === 'sms' ? { body: text } : { subject, blocks }, choices)
  const ready = index > 0 || (text.trim() !== '' && (channel === 'sms' || subject.trim() !== ''))
  const quote = useCall(messages.quote, { body: asked }, { enabled: ready && mistake === null, keep: true, fresh: 5_000 })
  const write = useCommand(
    ({ count, price_micro }: Pick<Quote, 'count' | 'price_micro'>) =>
      send(messages.send, { body: { ...body, confirm: { count, price_micro }, client_id: client_id.current } }),
    {
      refreshes: messageRefreshes,
      done: ({ queued }) => {
        toastSuccess(t('{{count}} messages queued', { count: queued }))
        done()
      },
    },
  )
  const ask = async () => {
    const current = quote.data
    if (!current) return
    const price = channel === 'sms' && current.price_micro > 0 ? priceWord(current.price_micro, current.currency) : ''
    const sure =
      current.count === 1 ||
      (await confirm({
        title: t('Send {{count}} messages?', { count: current.count }),
        body: [price, leftOut(t, current)].filter(Boolean).join(' · ') || t('They are sent at once.'),
        action: t('Send messages'),
      }))
    if (sure) write.mutate(current)
  }
  const whyNotSent =
    channel === 'email' && index === 0 && subject.trim() === ''
      ? t('Enter a subject first')
      : !ready
        ? t('Enter a text first')
        : mistake !== null
          ? t(mistake)
          : quote.error
            ? t('The recipients could not be counted.')
            : body !== asked || quote.isPlaceholderData || !quote.data
              ? t('Recipients are being counted')
              : quote.data.count === 0 && t('There is no one to send it to')
  return (
    <Stack gap="md">
      <SegmentedControl
        aria-label={t('Channel')}
        data={(['sms', 'email'] as const).map(value => ({ value, label: t(channelWords[value]) }))}
        value={channel}
        onChange={value => {
          setChannel(value === 'email' ? 'email' : 'sms')
          setIndex(0)
        }}
      />
      {question ? null : (
        <Select
          label={t('Template')}
          description={t('Each recipient gets it in their own language where the template has it.')}
          data={[
            { value: '0', label: t('Own text') },
            ...offered.map(template => ({ value: String(template.index), label: `${template.name} (${localeNames[template.locale]})` })),
          ]}
          searchable={offered.length > 11}
          value={String(index)}
          onChange={value => setIndex(Number(value ?? 0))}
        />
      )}
      {index > 0 ? null : (
        <>
          {channel === 'email' ? (
            <TextInput label={t('Subject')} maxLength={150} value={subject} onChange={event => setSubject(event.currentTarget.value)} />
          ) : null}
          <Textarea
            label={t('Text')}
            description={t('Words such as {{word}} are filled in for each order.', { word: '{{ first_name }}' })}
            autosize
            minRows={4}
            maxRows={12}
            maxLength={1_600}
            value={text}
            onChange={event => setText(event.currentTarget.value)}
          />
          {question || choices.length > 0 || mistake !== null ? (
            <ChoicePicker
              value={choices}
              choose={setChoices}
              error={mistake === null ? null : t(mistake)}
              {...(question && { whyNot: question.whyNot })}
            />
          ) : null}
        </>
      )}
      {channel === 'sms' ? (
        <Switch
          label={t('Urgent')}
          description={t('Sent in quiet hours too. Only for questions that cannot wait.')}
          checked={urgent}
          onChange={event => setUrgent(event.currentTarget.checked)}
        />
      ) : null}
      {ready ? (
        <MessagePreviewPanel
          channel={channel}
          index={index}
          body={text}
          subject={subject}
          blocks={blocks}
          order_id={order_id}
          {...(index === 0 && channel === 'sms' && { replace: setText })}
        />
      ) : null}
      {ready && quote.error ? <ErrorState error={quote.error} again={() => void quote.refetch()} /> : null}
      {ready && quote.data ? <QuoteLines of={quote.data} channel={channel} /> : null}
      <Group justify="end" gap="xs">
        <Button variant="default" onClick={done}>
          {t('Cancel')}
        </Button>
        <Button loading={write.isPending} {...disabledBecause(whyNotSent)} onClick={() => void ask()}>
          {question ? t('Send question') : t('Send {{count}} messages', { count: quote.data?.count ?? 1 })}
        </Button>
      </Group>
    </Stack>
  )
}

const leftOut = (t: ReturnType<typeof useT>, { skipped_count }: Quote): string =>
  skipped_count === 0 ? '' : t('{{count}} left out', { count: skipped_count })

function QuoteLines({ of: quote, channel }: { of: Quote; channel: MessageChannel }) {
  const t = useT()
  const price = quote.price_micro > 0 ? priceWord(quote.price_micro, quote.currency) : ''
  const parts = channel === 'sms' ? [t('{{count}} parts', { count: quote.parts }), price] : []
  return (
    <Stack gap={4} aria-live="polite">
      <Text fw={600} className="num">
        {[t('{{count}} messages', { count: quote.count }), ...parts, leftOut(t, quote)].filter(Boolean).join(' · ')}
      </Text>
      {quote.waits_until ? (
        <Text size="sm" c="dimmed">
          {t('Quiet hours: sent until {{time}}', { time: instant(quote.waits_until) })}
        </Text>
      ) : null}
      {quote.covered !== null && quote.covered < quote.count ? (
        <Alert color="brick" py="xs">
          {t('The balance covers {{count}} of {{asked}} messages.', { count: quote.covered, asked: quote.count })}
        </Alert>
      ) : null}
      {quote.skipped.slice(0, 5).map(one => (
        <Text key={one.order_id} size="sm" c="dimmed">
          {one.order_no}: {reasonWord(t, one.reason)}
        </Text>
      ))}
    </Stack>
  )
}
