/** Packing without the check: a reason that stays, and the PIN where the company asks for one. */
import { Button, PasswordInput, Textarea } from '@mantine/core'
import { useEffect, useState } from 'react'
import { packing } from '#features/packing/packing/packing.contract.ts'
import { useT } from '#ui/kit/translate.ts'
import { useCall } from '#ui/query/calls.ts'
import style from './BypassForm.module.css'
import parts from './station-parts.module.css'
import { focusFirst, Prompt, useSay, useStation } from './station-parts.tsx'

export function BypassForm() {
  const t = useT()
  const say = useSay()
  const { dispatch, state } = useStation()
  const { sending, failure } = state.bypass
  const required = useCall(packing.pinRequired, {})
  const [reason, setReason] = useState('')
  const [pin, setPin] = useState('')
  const wantsPin = required.data?.required ?? false
  // A wrong PIN is typed anew.
  useEffect(() => {
    if (failure?.fields.includes('pin')) setPin('')
  }, [failure])
  const press = (digit: string) => setPin(before => (before.length < 8 ? before + digit : before))
  return (
    <form
      className={parts.asking}
      onSubmit={event => {
        event.preventDefault()
        dispatch({ type: 'bypass', reason, pin })
      }}
    >
      <Prompt detail={t('Every open piece counts as packed. Who did it and why stays with the order.')}>
        {t('Pack without scanning?')}
      </Prompt>
      <div className={style.bypass}>
        <Textarea
          label={t('Why is the check skipped?')}
          size="md"
          autosize
          minRows={2}
          maxLength={500}
          value={reason}
          onChange={event => setReason(event.currentTarget.value)}
          ref={focusFirst}
        />
        {wantsPin ? (
          <fieldset className={style.pinPad}>
            <legend>{t('PIN')}</legend>
            <PasswordInput
              size="md"
              inputMode="numeric"
              autoComplete="off"
              maxLength={8}
              value={pin}
              onChange={event => setPin(event.currentTarget.value.replace(/\D/g, ''))}
              aria-label={t('PIN')}
              visibilityToggleButtonProps={{ 'aria-label': t('Show the PIN') }}
            />
            <div className={style.pad}>
              {['1', '2', '3', '4', '5', '6', '7', '8', '9'].map(digit => (
                <button key={digit} type="button" onClick={() => press(digit)}>
                  {digit}
                </button>
              ))}
              <button type="button" onClick={() => setPin('')} aria-label={t('Clear')}>
                ×
              </button>
              <button type="button" onClick={() => press('0')}>
                0
              </button>
            </div>
          </fieldset>
        ) : null}
        {failure ? (
          <p className={style.formError} role="alert">
            {say(failure)}
          </p>
        ) : null}
        <div className={parts.buttons}>
          <Button type="submit" size="lg" loading={sending} disabled={reason.trim().length < 3 || (wantsPin && pin.length < 4)}>
            {t('Pack without scanning')}
          </Button>
          <Button size="lg" variant="default" onClick={() => dispatch({ type: 'back' })}>
            {t('Scan as usual')}
          </Button>
        </div>
      </div>
    </form>
  )
}
