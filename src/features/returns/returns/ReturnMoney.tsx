/** What the shop is asked to pay for a return, and what it answered. Money is never paid from here. */
import { Button } from '@mantine/core'
import { Panel } from '#ui/kit/DetailPage.tsx'
import { money } from '#ui/kit/format.ts'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useSend } from '#ui/query/calls.ts'
import style from './Returns.module.css'
import { MoneyBadge } from './return.labels.tsx'
import type { ReturnDialog } from './return-dialog.client.ts'
import { returnChange } from './return-refreshes.client.ts'
import { returns } from './returns.contract.ts'
import type { RefundProposal, Return } from './returns.schemas.ts'

interface ReturnMoneyProps {
  of: Return
  /** Null for people who only read. */
  ask: ((dialog: ReturnDialog) => void) | null
}

export function ReturnMoney({ of, ask }: ReturnMoneyProps) {
  const t = useT()
  if (of.proposals.length === 0) return null
  return (
    <Panel title={t('Refunds')} count={of.proposals.length} flush place={2}>
      {of.proposals.map(proposal => (
        <Proposal key={proposal.id} of={of} proposal={proposal} ask={ask} />
      ))}
    </Panel>
  )
}

function Proposal({ of, proposal, ask }: ReturnMoneyProps & { proposal: RefundProposal }) {
  const t = useT()
  const doubt = useSend(returns.doubt, { ...returnChange })
  const { no, state, currency } = proposal
  const amount = (minor: number) => money(minor, currency)
  const parts = [
    t('Goods {{amount}}', { amount: amount(proposal.goods) }),
    proposal.delivery > 0 ? t('Delivery {{amount}}', { amount: amount(proposal.delivery) }) : '',
    proposal.deduction > 0 ? t('Deduction {{amount}}', { amount: amount(-proposal.deduction) }) : '',
    proposal.fee > 0 ? t('Fee {{amount}}', { amount: amount(-proposal.fee) }) : '',
  ]
  const isOpen = state === 'proposed' || state === 'in_doubt'
  return (
    <section className={style.row} aria-label={t('Refund {{no}}', { no })}>
      <div className={style.what}>
        <strong>
          {proposal.kind === 'credit' ? t('Store credit') : t('Refund')} {amount(proposal.total)}
        </strong>
        <span className={style.dim}>{parts.filter(Boolean).join(' · ')}</span>
        {proposal.note ? <span className={style.name}>{proposal.note}</span> : null}
        <span className={style.badges}>
          <MoneyBadge money={state} />
        </span>
        <span className={style.dim}>
          {proposal.proposed_by === ''
            ? t('Proposed at the courier’s first scan')
            : t('Proposed by {{name}}', { name: proposal.proposed_by })}{' '}
          <RelativeTime at={proposal.proposed_at} />
        </span>
        {proposal.answered_at === null ? null : (
          <span className={style.dim}>
            {[
              proposal.answered_by,
              proposal.shop_ref,
              proposal.paid === null ? '' : t('The shop paid {{amount}}', { amount: amount(proposal.paid) }),
              proposal.reason,
            ]
              .filter(Boolean)
              .join(' · ')}{' '}
            <RelativeTime at={proposal.answered_at} />
          </span>
        )}
      </div>
      {ask && isOpen ? (
        <div className={style.acts}>
          <Button size="compact-md" variant="default" onClick={() => ask({ kind: 'confirm', no })}>
            {t('Mark as refunded')}
          </Button>
          <Button size="compact-md" variant="default" onClick={() => ask({ kind: 'deny', no })}>
            {t('Deny refund')}
          </Button>
          {state === 'proposed' ? (
            <Button size="compact-md" variant="subtle" loading={doubt.isPending} onClick={() => doubt.mutate({ id: of.id, no, body: {} })}>
              {t('In doubt')}
            </Button>
          ) : null}
        </div>
      ) : null}
    </section>
  )
}
