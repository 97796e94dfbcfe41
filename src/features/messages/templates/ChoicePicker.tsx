/** What the recipient of a message can answer by its link. */

import { MultiSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { useT } from '#ui/kit/translate.ts'
import { choiceWords } from './template.labels.ts'
import { type AnswerChoice, answerChoices } from './templates.codes.ts'

interface ChoicePickerProps {
  value: readonly AnswerChoice[]
  choose: (choices: AnswerChoice[]) => void
  error?: ReactNode
  /** Why an order does not allow an answer now. */
  whyNot?: (choice: AnswerChoice) => string | null
}

export function ChoicePicker({ value, choose, error, whyNot = () => null }: ChoicePickerProps) {
  const t = useT()
  return (
    <MultiSelect
      label={t('Answers by link')}
      description={t('Offered as long as the order allows them. The link is valid for three days.')}
      data={answerChoices.map(choice => {
        const why = whyNot(choice)
        const label = t(choiceWords[choice])
        return { value: choice, label: why ? `${label} (${t(why)})` : label, ...disabledBecause(why && t(why)) }
      })}
      value={[...value]}
      onChange={chosen => choose(answerChoices.filter(choice => chosen.includes(choice)))}
      error={error}
    />
  )
}
