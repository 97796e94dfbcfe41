/** A lead approves what the packer may not do alone: a badge is scanned, or a lead enters the personal PIN. */
import { Button, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { packing } from '#features/packing/packing/packing.contract.ts'
import type { ApprovedAct } from '#features/packing/packing/packing.schemas.ts'
import { useT } from '#ui/kit/translate.ts'
import { useCall } from '#ui/query/calls.ts'
import style from './BypassForm.module.css'
import { PinPad } from './PinPad.tsx'
import parts from './station-parts.module.css'
import { ByKey, Prompt, useSay, useStation } from './station-parts.tsx'

const titles: Record<ApprovedAct, string> = {
  take_over: 'Take this order over?',
  cancel_rest: 'Cancel missing items?',
  bypass: 'Pack without scanning?',
}

export function ApprovalForm() {
  const t = useT()
  const say = useSay()
  const { dispatch, state } = useStation()
  const { approving } = state
  if (!approving) return null
  return (
    <div className={parts.asking}>
      <Prompt detail={t('Scan a lead’s badge, or let a lead enter the PIN.')}>{t(titles[approving.act])}</Prompt>
      <LeadPin busy={approving.sending} />
      {approving.failure ? (
        <p className={style.formError} role="alert">
          {say(approving.failure)}
        </p>
      ) : null}
      <div className={parts.buttons}>
        <Button size="lg" variant="default" onClick={() => dispatch({ type: 'back' })} rightSection={<ByKey keys="Esc" />}>
          {t('Back')}
        </Button>
      </div>
    </div>
  )
}

/** Who approves, and their PIN. */
function LeadPin({ busy }: { busy: boolean }) {
  const t = useT()
  const { dispatch } = useStation()
  const approvers = useCall(packing.approvers, {})
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
