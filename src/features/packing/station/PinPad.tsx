/** A pad of digits with backspace and OK; a keyboard types into its field. */
import { PasswordInput } from '@mantine/core'
import { IconBackspace } from '@tabler/icons-react'
import { type MouseEvent, useState } from 'react'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { useT } from '#ui/kit/translate.ts'
import style from './PinPad.module.css'
import { focusFirst } from './station-parts.tsx'

const longestPin = 8
const shortestPin = 4

/** The field keeps the focus, so that pad and keyboard can be mixed. */
const keepFocus = (event: MouseEvent) => event.preventDefault()

export function PinPad({ onPin, busy }: { onPin: (pin: string) => void; busy: boolean }) {
  const t = useT()
  const [pin, setPin] = useState('')
  const press = (digit: string) => setPin(before => (before.length < longestPin ? before + digit : before))
  const send = () => {
    if (pin.length < shortestPin || busy) return
    onPin(pin)
    // A wrong PIN is typed anew.
    setPin('')
  }
  return (
    <form
      className={style.pinPad}
      onSubmit={event => {
        event.preventDefault()
        send()
      }}
    >
      <PasswordInput
        size="lg"
        inputMode="numeric"
        autoComplete="off"
        maxLength={longestPin}
        value={pin}
        onChange={event => setPin(event.currentTarget.value.replace(/\D/g, ''))}
        aria-label={t('PIN')}
        visibilityToggleButtonProps={{ 'aria-label': t('Show PIN') }}
        ref={focusFirst}
      />
      <div className={style.pad}>
        {['1', '2', '3', '4', '5', '6', '7', '8', '9'].map(digit => (
          <button key={digit} type="button" onMouseDown={keepFocus} onClick={() => press(digit)}>
            {digit}
          </button>
        ))}
        <button
          type="button"
          onMouseDown={keepFocus}
          onClick={() => setPin(before => before.slice(0, -1))}
          aria-label={t('Delete last digit')}
        >
          <IconBackspace size={28} aria-hidden />
        </button>
        <button type="button" onMouseDown={keepFocus} onClick={() => press('0')}>
          0
        </button>
        <button
          type="submit"
          onMouseDown={keepFocus}
          className={style.ok}
          disabled={busy}
          {...disabledBecause(pin.length < shortestPin && t('A PIN has 4 to 8 digits'))}
        >
          {t('OK')}
        </button>
      </div>
    </form>
  )
}
