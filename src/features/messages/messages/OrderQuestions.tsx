/** What the recipient of an order was asked by a link: waiting, answered or over; and the form to ask. */
import { Button, Group, Text } from '@mantine/core'
import { orderQuestions } from '#features/messages/decision-links/decision-links.contract.ts'
import type { OrderQuestion } from '#features/messages/decision-links/decision-links.schemas.ts'
import { channelWords, choiceWords } from '#features/messages/templates/template.labels.ts'
import { type AnswerChoice, answerChoices } from '#features/messages/templates/templates.codes.ts'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { ErrorState } from '#ui/kit/ErrorState.tsx'
import { day, instant } from '#ui/kit/format.ts'
import { StateBadge, type Tone } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { MessageComposer } from './MessageComposer.tsx'
import style from './Messages.module.css'
import { messageRefreshes } from './MessageThread.tsx'

const useQuestions = (order_id: number) => useCall(orderQuestions.list, { id: order_id }, { live: ['message', 'order'] })

export function OrderQuestions({ order_id }: { order_id: number }) {
  const rows = useQuestions(order_id).data?.rows ?? []
  return rows.map(question => <QuestionRow key={question.id} question={question} />)
}

const stateWords: Readonly<Record<OrderQuestion['state'], string>> = {
  waiting: 'Waiting for answer',
  answered: 'Answered',
  expired: 'Expired',
  closed: 'Closed',
}
const stateTones: Readonly<Record<OrderQuestion['state'], Tone>> = { waiting: 'soon', answered: 'done', expired: 'quiet', closed: 'quiet' }
const closedWords: Readonly<Record<NonNullable<OrderQuestion['closed_reason']>, string>> = {
  revoked: 'Withdrawn',
  newer: 'A newer question took its place.',
  answered: 'Another question was answered.',
  postcode: 'The postcode was wrong five times.',
  erased: 'The recipient was erased.',
}

const notSent = 'The message was not sent.'

function QuestionRow({ question }: { question: OrderQuestion }) {
  const t = useT()
  const { id, state, choice, choices, channel, actor, until, closed_reason } = question
  const revoke = useSend(orderQuestions.revoke, { refreshes: messageRefreshes, said: t('Question withdrawn') })
  const answer = choice && [t(choiceWords[choice]), until && day(until)].filter(Boolean).join(': ')
  const when =
    state === 'answered' && question.used_at
      ? instant(question.used_at)
      : state === 'waiting'
        ? t('until {{time}}', { time: instant(question.expires_at) })
        : state === 'closed'
          ? t(closed_reason ? closedWords[closed_reason] : notSent)
          : instant(question.expires_at)
  return (
    <div className={style.question}>
      <Group justify="space-between" gap="xs">
        <Text size="xs" c="dimmed">
          {[t('Question'), actor, t(channelWords[channel]), instant(question.created_at)].filter(Boolean).join(' · ')}
        </Text>
        <StateBadge tone={stateTones[state]}>{t(stateWords[state])}</StateBadge>
      </Group>
      <Text size="sm" fw={answer ? 600 : 400}>
        {answer || choices.map(one => t(choiceWords[one])).join(' · ')}
      </Text>
      <Group gap="xs">
        <Text size="sm" c="dimmed">
          {when}
        </Text>
        {state === 'waiting' ? (
          <Button size="compact-sm" variant="subtle" color="brick" loading={revoke.isPending} onClick={() => revoke.mutate({ id })}>
            {t('Withdraw question')}
          </Button>
        ) : null}
      </Group>
    </div>
  )
}

/** What fits the order at first: the answers about what is missing, where something is. */
const proposed = (offered: readonly AnswerChoice[]): AnswerChoice[] => {
  const missing = answerChoices.filter(one => one !== 'new_address' && one !== 'other_shop' && offered.includes(one))
  return offered.includes('cancel_line') ? missing : answerChoices.filter(one => one === 'new_address' && offered.includes(one))
}

export function AskDrawer({ order_id, opened, close }: { order_id: number; opened: boolean; close: () => void }) {
  const t = useT()
  const asked = useQuestions(order_id)
  const { choices = [], proposal } = asked.data ?? {}
  const whyNot = (choice: AnswerChoice) => choices.find(one => one.choice === choice)?.why_not ?? null
  return (
    <Drawer opened={opened} onClose={close} title={t('Ask customer')} size={640}>
      {asked.error ? <ErrorState error={asked.error} again={() => void asked.refetch()} /> : null}
      {proposal ? (
        <MessageComposer
          to={{ orders: [order_id] }}
          order_id={order_id}
          question={{ ...proposal, choices: proposed(choices.flatMap(one => (one.why_not === null ? [one.choice] : []))), whyNot }}
          done={close}
        />
      ) : null}
    </Drawer>
  )
}
