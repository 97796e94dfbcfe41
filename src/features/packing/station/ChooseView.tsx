/** Several orders carry what was scanned. */
import { useT } from '#ui/kit/translate.ts'
import { choicesOf } from './choices.rules.ts'
import parts from './station-parts.module.css'
import { Choices, Prompt, useStation } from './station-parts.tsx'

export default function ChooseView() {
  const t = useT()
  const { dispatch, state, situation } = useStation()
  return (
    <div className={parts.middle}>
      <Prompt eyebrow={state.opening} detail={t('Select one, or go back.')}>
        {t('Which order is it?')}
      </Prompt>
      <Choices choices={choicesOf(state, situation)} onChoose={choice => dispatch(choice.event)} />
    </div>
  )
}
