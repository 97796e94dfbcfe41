/** A return announced at the desk: which items of an order come back, why, and what the customer wants. */
import { Alert, Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { day, money } from '#ui/kit/format.ts'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { errorSentence } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import { useCall, useSend } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import style from './Returns.module.css'
import { methodWord, outcomeWord, reasonWord } from './return.labels.tsx'
import { returnChange } from './return-refreshes.client.ts'
import { type ReturnMethod, type ReturnOutcome, returnMethods, returnOutcomes } from './returns.codes.ts'
import { returns } from './returns.contract.ts'
import type { ReturnableLine } from './returns.schemas.ts'

interface NewReturnProps {
  order_id: number
  close: () => void
  done: (id: number) => void
}

export function NewReturn({ order_id, close, done }: NewReturnProps) {
  const t = useT()
  const order = useCall(returns.ofOrder, { order_id }, { fresh: 0 })
  return (
    <Dialog opened onClose={close} title={t('New return')} size={560}>
      <QueryState of={order}>
        {shown => (
          <Lines
            order_id={order_id}
            company_id={shown.company_id}
            lines={shown.lines}
            last_day={shown.last_day}
            close={close}
            done={done}
          />
        )}
      </QueryState>
    </Dialog>
  )
}

interface LinesProps extends NewReturnProps {
  company_id: number
  lines: readonly ReturnableLine[]
  last_day: string | null
}

function Lines({ order_id, company_id, lines, last_day, close, done }: LinesProps) {
  const t = useT()
  const { user } = useSignedIn()
  const [client_id] = useState(() => crypto.randomUUID())
  const [quantities, setQuantities] = useState<Record<number, number>>({})
  const [chosen, setReason] = useState('changed_mind')
  const [outcome, setOutcome] = useState<ReturnOutcome>('refund')
  const [method, setMethod] = useState<ReturnMethod>('none')
  const [despite_rules, setDespite] = useState(false)
  const reasons = useCall(returns.reasons, { company_id }, { fresh: 600_000, live: ['return_portal'] })
  const create = useSend(returns.create, { ...returnChange, quiet: true, done: made => done(made.id) })
  const words = (reasons.data ?? [])
    .filter(({ active }) => active)
    .map(one => ({ value: one.code, label: reasonWord(one, user.locale ?? 'en_GB') }))
  // The company may have switched it off.
  const reason = words.some(({ value }) => value === chosen) ? chosen : (words[0]?.value ?? chosen)
  const left = lines.filter(line => line.left > 0)
  const items = left.flatMap(({ order_line_id }) => {
    const qty = quantities[order_line_id] ?? 0
    return qty > 0 ? { order_line_id, qty, reason, outcome } : []
  })
  const terms = useCall(
    returns.terms,
    { order_id, body: { items: items.map(item => ({ ...item })) } },
    { enabled: items.length > 0, keep: true, fresh: 0 },
  )
  const said = items.length > 0 ? terms.data : undefined
  const refused = [...new Set(said?.items.flatMap(one => one.refused ?? []))]
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        if (items.length > 0) create.mutate({ body: { client_id, order_id, items, method, despite_rules } })
      }}
    >
      <Stack gap="md">
        {left.length === 0 ? <Text>{t('Nothing of this order is left to return.')}</Text> : null}
        {left.map(line => (
          <Group key={line.order_line_id} gap="sm" wrap="nowrap" justify="space-between">
            <div className={style.what}>
              <span className={style.name}>{line.name}</span>
              <span className={style.dim}>
                {[line.variant, line.sku, t('{{count}} items can be returned', { count: line.left })].filter(Boolean).join(' · ')}
              </span>
            </div>
            <WholeNumberInput
              aria-label={t('Items of {{name}}', { name: line.name })}
              w={96}
              value={quantities[line.order_line_id] ?? 0}
              min={0}
              max={line.left}
              clampBehavior="strict"
              allowNegative={false}
              onChange={value => setQuantities(all => ({ ...all, [line.order_line_id]: Number(value) || 0 }))}
            />
          </Group>
        ))}
        <NativeChoice label={t('Reason')} value={reason} data={words} choose={setReason} />
        <NativeChoice
          label={t('The customer wants')}
          value={outcome}
          data={returnOutcomes.map(value => ({ value, label: outcomeWord(value) }))}
          choose={setOutcome}
        />
        <NativeChoice
          label={t('Sent by')}
          value={method}
          data={returnMethods.map(value => ({ value, label: methodWord(value) }))}
          choose={setMethod}
        />
        {last_day === null ? null : (
          <Text size="sm" c="dimmed">
            {t('The customer may return it until {{day}}.', { day: day(last_day) })}
          </Text>
        )}
        {said ? (
          <Text size="sm" aria-live="polite">
            {[
              said.fee > 0 && t('Fee {{amount}}', { amount: money(said.fee, said.currency) }),
              said.review && t('Approved by a person'),
              said.applied.length > 0 && t('Rules: {{list}}', { list: said.applied.join(', ') }),
            ]
              .filter(Boolean)
              .join(' · ')}
          </Text>
        ) : null}
        {refused.length > 0 ? (
          <Alert color="amber" title={t('A rule refuses this return')}>
            {refused.map(sentence => (
              <Text key={sentence} size="sm">
                {sentence}
              </Text>
            ))}
            <Checkbox
              mt="xs"
              label={t('Take it despite the rules')}
              checked={despite_rules}
              onChange={event => setDespite(event.currentTarget.checked)}
            />
          </Alert>
        ) : null}
        {create.error ? (
          <Alert color="brick" role="alert">
            {errorSentence(create.error)}
          </Alert>
        ) : null}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {t('Cancel')}
          </Button>
          <Button
            type="submit"
            loading={create.isPending}
            {...disabledBecause(
              (items.length === 0 || (refused.length > 0 && !despite_rules)) && t('Select at least one item that may come back'),
            )}
          >
            {t('Announce return')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
