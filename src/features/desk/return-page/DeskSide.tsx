/** Beside the bench: whose return it is, what the customer says, the weight of the box, and its items. */
import { Button, NumberInput } from '@mantine/core'
import { useState } from 'react'
import { CustodyBadge, outcomeWord, ReturnBadge, reasonWord } from '#features/returns/returns/return.labels.tsx'
import { returnChange } from '#features/returns/returns/return-refreshes.client.ts'
import { returns } from '#features/returns/returns/returns.contract.ts'
import type { Return } from '#features/returns/returns/returns.schemas.ts'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { weight } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import style from './ReturnsDesk.module.css'

export function DeskSide({ of, current, choose }: { of: Return; current: number | null; choose: (id: number) => void }) {
  const t = useT()
  const { user } = useSignedIn()
  const reasons = useCall(returns.reasons, { company_id: of.company_id }, { fresh: 600_000 })
  const item = of.items.find(({ id }) => id === current)
  const reason = reasons.data?.find(({ code }) => code === item?.reason_code)
  return (
    <aside className={style.side} aria-label={t('Return {{rma_no}}', { rma_no: of.rma_no })}>
      <div>
        <strong>{of.company}</strong>
        <div>
          <Link to="/returns" search={{ id: of.id }}>
            {of.rma_no}
          </Link>{' '}
          <ReturnBadge status={of.status} />
        </div>
        <div>{[of.order_no, of.customer].filter(Boolean).join(' · ')}</div>
      </div>
      {item ? (
        <div>
          <div>
            {[reason ? reasonWord(reason, user.locale ?? 'en_GB') : item.reason_code, outcomeWord(item.outcome)]
              .filter(Boolean)
              .join(' · ')}
          </div>
          {item.reason_note ? <q>{item.reason_note}</q> : null}
          {item.question ? (
            <div>
              {item.question} <q>{item.answer ?? '–'}</q>
            </div>
          ) : null}
          {item.destination ? <strong>{t('Goes to {{place}}', { place: item.destination })}</strong> : null}
        </div>
      ) : null}
      {of.supported_actions.includes('inspect') ? <Weight of={of} /> : null}
      <ul>
        {of.items.map(one => (
          <li key={one.id} aria-current={one.id === current || undefined}>
            <Button variant="subtle" size="compact-sm" onClick={() => choose(one.id)}>
              {one.name}
            </Button>
            <CustodyBadge custody={one.custody} />
          </li>
        ))}
      </ul>
    </aside>
  )
}

/** The box on the scale: where it differs much from its items, something may be missing or strange in it. */
function Weight({ of }: { of: Return }) {
  const t = useT()
  const [grams, setGrams] = useState<number | string>('')
  const weigh = useSend(returns.weigh, { ...returnChange, done: () => setGrams('') })
  const { weight_difference_g: difference, expected_weight_g: expected } = of
  const measured = of.parcels.reduce((sum, { weight_g }) => sum + (weight_g ?? 0), 0)
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        if (Number(grams) > 0) weigh.mutate({ id: of.id, body: { weight_g: Number(grams) } })
      }}
    >
      <div className={style.weight}>
        <NumberInput
          label={t('Weight of the box')}
          suffix=" g"
          min={1}
          max={1_000_000}
          allowDecimal={false}
          allowNegative={false}
          value={grams}
          onChange={setGrams}
        />
        <Button
          type="submit"
          variant="default"
          loading={weigh.isPending}
          {...disabledBecause(Number(grams) <= 0 && t('Enter the weight first'))}
        >
          {t('Save')}
        </Button>
      </div>
      <p className={style.dim}>
        {[
          measured > 0 ? t('Weighed: {{weight}}', { weight: weight(measured) }) : '',
          expected === null ? '' : t('Items: {{weight}}', { weight: weight(expected) }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {difference === null ? null : (
        <p className={style.hint} role="status">
          {difference > 0
            ? t('{{weight}} heavier than its items', { weight: weight(difference) })
            : t('{{weight}} lighter than its items', { weight: weight(-difference) })}
        </p>
      )}
    </form>
  )
}
