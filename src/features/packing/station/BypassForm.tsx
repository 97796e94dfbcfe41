/** Packing without the check: a reason that stays, and the PIN where the company asks for one. */
import { Button, PasswordInput, Textarea } from '@mantine/core'
import { useState } from 'react'
import { packing } from '#features/packing/packing/packing.contract.ts'
import { errorSentence } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { CallError } from '#ui/query/call-error.ts'
import { useCall } from '#ui/query/calls.ts'
import style from './BypassForm.module.css'
import parts from './station-parts.module.css'
import { focusFirst, Prompt, useTheBench } from './station-parts.tsx'

export function BypassForm() {
  const t = useT()
  const { bench } = useTheBench()
  const required = useCall(packing.pinRequired, {})
  const [reason, setReason] = useState('')
  const [pin, setPin] = useState('')
  const [sending, setSending] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const wantsPin = required.data?.required ?? false
  async function send() {
    setSending(true)
    setRefusal(undefined)
    try {
      await bench.bypass(reason, pin)
    } catch (error) {
      setRefusal(errorSentence(error))
      if (error instanceof CallError && error.fields.pin) setPin('')
    }
    setSending(false)
  }
  const press = (digit: string) => setPin(before => (before.length < 8 ? before + digit : before))
  return (
    <form
      className={parts.asking}
      onSubmit={event => {
        event.preventDefault()
        void send()
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
        {refusal ? (
          <p className={style.formError} role="alert">
            {refusal}
          </p>
        ) : null}
        <div className={parts.buttons}>
          <Button type="submit" size="lg" loading={sending} disabled={reason.trim().length < 3 || (wantsPin && pin.length < 4)}>
            {t('Pack without scanning')}
          </Button>
          <Button size="lg" variant="default" onClick={bench.back}>
            {t('Scan as usual')}
          </Button>
        </div>
      </div>
    </form>
  )
}
