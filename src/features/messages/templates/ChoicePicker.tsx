/** What the recipient of a message can answer by its link. */
import { MultiSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import { useT } from '#ui/kit/translate.ts'
import { choiceWords } from './template.labels.ts'
import { type AnswerChoice, answerChoices } from './templates.codes.ts'

interface ChoicePickerProps {
  value: readonly AnswerChoice[]
  choose: (choices: AnswerChoice[]) => void
  error?: ReactNode
}

export function ChoicePicker({ value, choose, error }: ChoicePickerProps) {
  const t = useT()
  return (
    <MultiSelect
      label={t('Answers by link')}
      description={t('Offered as long as the order allows them. The link is valid for three days.')}
      data={answerChoices.map(choice => ({ value: choice, label: t(choiceWords[choice]) }))}
      value={[...value]}
      onChange={chosen => choose(answerChoices.filter(choice => chosen.includes(choice)))}
      error={error}
    />
  )
}
