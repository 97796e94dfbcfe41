/** A task in steps: the list of its steps, the content of the current one, and a footer with the way back and the way on. */
import { Button, Text, UnstyledButton } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useT } from './translate.ts'
import style from './Wizard.module.css'

interface WizardStep {
  /** Translated. */
  label: string
  /** Opens the step; absent where it cannot be opened now. */
  go?: (() => void) | undefined
}

interface WizardProps {
  steps: readonly WizardStep[]
  /** Place of the current step. */
  at: number
  back?: (() => void) | undefined
  /** The one primary button. */
  action?: ReactNode
  /** Beside the buttons: what the primary button waits for. */
  note?: ReactNode
  children: ReactNode
}

export function Wizard({ steps, at, back, action, note, children }: WizardProps) {
  const t = useT()
  const content = useRef<HTMLDivElement>(null)
  // Each step begins at its top.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the step decides
  useEffect(() => {
    content.current?.scrollTo({ top: 0 })
  }, [at])
  return (
    <div className={style.wizard}>
      <nav aria-label={t('Steps')}>
        <ol className={style.steps}>
          {steps.map(({ label, go }, place) => {
            const mark = (
              <>
                <span className={style.mark} aria-hidden>
                  {place < at ? <IconCheck size={16} /> : place + 1}
                </span>
                <span className={style.label}>{label}</span>
              </>
            )
            return (
              <li key={label} className={style.step} aria-current={place === at ? 'step' : undefined} data-done={place < at || undefined}>
                {go && place !== at ? <UnstyledButton onClick={go}>{mark}</UnstyledButton> : <span>{mark}</span>}
              </li>
            )
          })}
        </ol>
      </nav>
      <div className={style.main}>
        <div ref={content} className={style.content}>
          {children}
        </div>
        {action || back ? (
          <div className={style.foot}>
            <Text component="div" size="sm" className={style.note} role="status">
              {note}
            </Text>
            {back ? (
              <Button variant="default" onClick={back}>
                {t('Back')}
              </Button>
            ) : null}
            {action}
          </div>
        ) : null}
      </div>
    </div>
  )
}
