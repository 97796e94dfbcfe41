/** Packing without the check: a reason that stays, and the PIN or a lead's badge where the company asks for one. */
import { Button } from '@mantine/core'
import { packing } from '#features/packing/packing/packing.contract.ts'
import { useT } from '#ui/kit/translate.ts'
import { useCall } from '#ui/query/calls.ts'
import { AskLeadForAct } from './AskLead.tsx'
import style from './BypassForm.module.css'
import { choicesOf } from './choices.rules.ts'
import { PinPad } from './PinPad.tsx'
import parts from './station-parts.module.css'
import { ByKey, Choices, Prompt, useSay, useStation } from './station-parts.tsx'
import { WrittenReason } from './WrittenReason.tsx'

export default function BypassForm() {
  const t = useT()
  const { dispatch, state, situation } = useStation()
  const { reason } = state.bypass
  if (reason) return <Confirmation reason={reason} />
  return (
    <div className={parts.asking}>
      <Prompt eyebrow={t('Pack without scanning?')} detail={t('All open items count as packed. Who did it and why is kept.')}>
        {t('Why skip the check?')}
      </Prompt>
      {reason === null ? (
        <Choices choices={choicesOf(state, situation)} onChoose={choice => dispatch(choice.event)} />
      ) : (
        <WrittenReason give={text => dispatch({ type: 'bypass_reason', reason: text })} />
      )}
    </div>
  )
}

/** The last step: the PIN where one is asked for, else one key. */
function Confirmation({ reason }: { reason: string }) {
  const t = useT()
  const say = useSay()
  const { dispatch, state } = useStation()
  const { sending, failure } = state.bypass
  const required = useCall(packing.pinRequired, {})
  const asksPin = required.data?.required ?? false
  return (
    <div className={parts.asking}>
      <Prompt eyebrow={t(reason)} detail={asksPin ? t('Enter the packing PIN, or scan a lead’s badge.') : null}>
        {t('Pack without scanning?')}
      </Prompt>
      {asksPin ? <PinPad busy={sending} onPin={pin => dispatch({ type: 'bypass', reason, pin })} /> : null}
      {failure ? (
        <p className={style.formError} role="alert">
          {say(failure)}
        </p>
      ) : null}
      <div className={parts.buttons}>
        {asksPin ? (
          <AskLeadForAct act="bypass" busy={sending} />
        ) : (
          <Button
            size="lg"
            loading={sending}
            onClick={() => dispatch({ type: 'bypass', reason, pin: '' })}
            rightSection={<ByKey keys="Enter" />}
          >
            {t('Pack without scanning')}
          </Button>
        )}
        <Button size="lg" variant="default" onClick={() => dispatch({ type: 'back' })} rightSection={<ByKey keys="Esc" />}>
          {t('Scan as usual')}
        </Button>
      </div>
    </div>
  )
}
