/** A reason that is none of the numbered ones. */
import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { mostReason } from '#features/packing/approval/approval.codes.ts'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { useT } from '#ui/kit/translate.ts'
import style from './BypassForm.module.css'
import parts from './station-parts.module.css'
import { ByKey, focusFirst } from './station-parts.tsx'

export function WrittenReason({ give }: { give: (reason: string) => void }) {
  const t = useT()
  const [text, setText] = useState('')
  return (
    <form
      className={style.bypass}
      onSubmit={event => {
        event.preventDefault()
        if (text.trim().length >= 3) give(text.trim())
      }}
    >
      <Textarea
        label={t('Reason')}
        size="md"
        autosize
        minRows={2}
        maxLength={mostReason}
        value={text}
        onChange={event => setText(event.currentTarget.value)}
        onKeyDown={event => {
          if (event.key !== 'Enter' || event.shiftKey) return
          event.preventDefault()
          event.currentTarget.form?.requestSubmit()
        }}
        ref={focusFirst}
      />
      <div className={parts.buttons}>
        <Button
          type="submit"
          size="lg"
          {...disabledBecause(text.trim().length < 3 && t('Enter a reason first'))}
          rightSection={<ByKey keys="Enter" />}
        >
          {t('Next')}
        </Button>
      </div>
    </form>
  )
}
