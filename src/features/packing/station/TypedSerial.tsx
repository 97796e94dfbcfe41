/** A serial number that no scanner reads: typed, where the company allows it. */
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { readCode } from '#domain/codes.ts'
import type { PackingLine } from '#features/packing/packing/packing.schemas.ts'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { useT } from '#ui/kit/translate.ts'
import style from './NextItem.module.css'
import { useStation } from './station-parts.tsx'

export default function TypedSerial({ line }: { line: PackingLine }) {
  const t = useT()
  const { dispatch } = useStation()
  const [typed, setTyped] = useState('')
  return (
    <form
      className={style.countByHand}
      onSubmit={event => {
        event.preventDefault()
        if (typed.trim() !== '') dispatch({ type: 'scan', code: readCode(typed), method: 'typed' })
        setTyped('')
      }}
    >
      <TextInput
        size="md"
        value={typed}
        maxLength={256}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onChange={event => setTyped(event.currentTarget.value)}
        placeholder={t('Or type it')}
        aria-label={t('Serial number of {{name}}', { name: line.name })}
      />
      <Button type="submit" size="md" variant="default" {...disabledBecause(typed.trim() === '' && t('Enter a code first'))}>
        {t('Record')}
      </Button>
    </form>
  )
}
