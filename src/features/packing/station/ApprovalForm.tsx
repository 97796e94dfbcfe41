/** A lead approves what the packer may not do alone: a badge is scanned, or a lead enters the personal PIN. */
import { Button, NativeSelect } from '@mantine/core'
import { IconCamera } from '@tabler/icons-react'
import { useState } from 'react'
import type { ApprovedAct } from '#features/packing/approval/approval.codes.ts'
import { actQuestions } from '#features/packing/approval/approval.labels.ts'
import { packing } from '#features/packing/packing/packing.contract.ts'
import { useT } from '#ui/kit/translate.ts'
import { useCall } from '#ui/query/calls.ts'
import { AskLead, AskLeadForAct } from './AskLead.tsx'
import style from './BypassForm.module.css'
import { choicesOf } from './choices.rules.ts'
import { PinPad } from './PinPad.tsx'
import { approvalOf, lacksReason } from './packing-rule-approval.rules.ts'
import parts from './station-parts.module.css'
import { ByKey, Choices, Prompt, useSay, useStation } from './station-parts.tsx'
import { WrittenReason } from './WrittenReason.tsx'

export default function ApprovalForm() {
  const t = useT()
  const say = useSay()
  const { dispatch, state } = useStation()
  const { approving } = state
  if (!approving) return null
  if (approving.act === 'rule') return <RuleApproval />
  return (
    <div className={parts.asking}>
      <Prompt detail={t('Scan a lead’s badge, or let a lead enter the PIN.')}>{t(actQuestions[approving.act])}</Prompt>
      <LeadPin busy={approving.sending} act={approving.act} />
      {approving.failure ? (
        <p className={style.formError} role="alert">
          {say(approving.failure)}
        </p>
      ) : null}
      <div className={parts.buttons}>
        <AskLeadForAct act={approving.act} busy={approving.sending} />
        <Button size="lg" variant="default" onClick={() => dispatch({ type: 'back' })} rightSection={<ByKey keys="Esc" />}>
          {t('Back')}
        </Button>
      </div>
    </div>
  )
}

/** What a rule asks for, and each way in which a lead can answer. */
function RuleApproval() {
  const t = useT()
  const say = useSay()
  const { dispatch, state, situation } = useStation()
  const { order, approving } = state
  const asked = approving?.asked
  const approval = order && asked && approvalOf(order, asked)
  if (!order || !asked || !approval) return <Prompt>{t('Approval needed')}</Prompt>
  const line = order.lines.find(one => one.order_line_id === asked.line_id)
  const { methods } = approval
  const withoutReason = lacksReason(state)
  const ways = [
    ...(methods.includes('badge') ? [t('Scan a lead’s badge.')] : []),
    ...(methods.includes('pin') ? [t('A lead enters the PIN.')] : []),
    ...(methods.includes('photo') ? [t('Take a photo of it.')] : []),
  ]
  return (
    <div className={parts.asking}>
      <Prompt detail={[approval.name, line?.name].filter(Boolean).join(': ')}>{t('Approval needed')}</Prompt>
      {withoutReason ? <p className={parts.detail}>{t('Why is it approved?')}</p> : null}
      {withoutReason && asked.reason === '' ? (
        <WrittenReason give={reason => dispatch({ type: 'approval_reason', reason })} />
      ) : (
        <Choices choices={choicesOf(state, situation)} onChoose={choice => dispatch(choice.event)} />
      )}
      {asked.reason ? <p className={parts.detail}>{t('Reason: {{reason}}', { reason: t(asked.reason) })}</p> : null}
      {ways.length > 0 && !withoutReason ? <p className={parts.detail}>{ways.join(' ')}</p> : null}
      {methods.includes('pin') && !withoutReason ? <LeadPin busy={approving.sending} rule_id={asked.rule_id} /> : null}
      {approval.state === 'refused' ? (
        <p className={style.formError} role="alert">
          {t('{{name}} rejected it.', { name: approval.by ?? '' })}
        </p>
      ) : null}
      {approving.failure ? (
        <p className={style.formError} role="alert">
          {say(approving.failure)}
        </p>
      ) : null}
      <div className={parts.buttons}>
        {methods.includes('photo') && !withoutReason ? (
          <Button
            size="lg"
            variant={methods.includes('remote') ? 'default' : undefined}
            loading={approving.sending}
            leftSection={<IconCamera size={20} />}
            rightSection={<ByKey keys="F3" />}
            onClick={() => dispatch({ type: 'take_photo' })}
          >
            {t('Take photo')}
          </Button>
        ) : null}
        {methods.includes('remote') ? (
          <AskLead
            until={asked.until}
            busy={approving.sending}
            of={{ id: order.order_id, rule_id: asked.rule_id }}
            ask={() => dispatch({ type: 'ask_lead' })}
          />
        ) : null}
        <Button size="lg" variant="default" onClick={() => dispatch({ type: 'back' })} rightSection={<ByKey keys="Esc" />}>
          {t('Back')}
        </Button>
      </div>
    </div>
  )
}

/** Who approves, and their PIN. */
function LeadPin({ busy, ...asked }: { busy: boolean; rule_id?: number; act?: ApprovedAct }) {
  const t = useT()
  const { dispatch } = useStation()
  const approvers = useCall(packing.approvers, asked)
  const [chosen, setChosen] = useState('')
  const leads = approvers.data ?? []
  const user_id = Number(chosen || leads[0]?.id || 0)
  if (approvers.data && leads.length === 0) return <p className={parts.detail}>{t('No lead has a PIN yet. A badge can be scanned.')}</p>
  return (
    <div className={style.leadPin}>
      <NativeSelect
        size="lg"
        label={t('Lead')}
        data={leads.map(lead => ({ value: String(lead.id), label: lead.name }))}
        value={chosen || String(leads[0]?.id ?? '')}
        onChange={event => setChosen(event.currentTarget.value)}
      />
      <PinPad busy={busy} onPin={pin => dispatch({ type: 'approve', proof: { user_id, pin } })} />
    </div>
  )
}
