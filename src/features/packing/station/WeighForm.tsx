/** The parcel on the scale: what it weighs, what it should weigh, and what can be done where both differ. */
import { Button } from '@mantine/core'
import { IconScale } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import type { PackingOrder } from '#features/packing/packing/packing.schemas.ts'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { number } from '#ui/kit/format.ts'
import { useT } from '#ui/kit/translate.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import { choicesOf } from './choices.rules.ts'
import type { ScaleReading } from './packing-model.rules.ts'
import { fits } from './packing-weighing.rules.ts'
import type { Scale } from './scale.client.ts'
import { loadScale } from './scale-device.client.ts'
import parts from './station-parts.module.css'
import { ByKey, Choices, focusFirst, Prompt, useStation } from './station-parts.tsx'
import style from './WeighForm.module.css'

const nothing: ScaleReading = { state: 'none', weight_g: null, stable: false, problem: null }
/** Whole grams also above a kilogram: differences are small. */
const grams = (weight_g: number): string => `${number(weight_g)} g`
const never = () => () => undefined

export default function WeighForm({ order }: { order: PackingOrder }) {
  const t = useT()
  const { dispatch, state, situation, reportFailure } = useStation()
  const [scale, setScale] = useState<Scale>()
  const load = useEffectEvent(() => loadScale().then(setScale, reportFailure))
  useEffect(() => {
    void load()
  }, [])
  const reading = useSyncExternalStore(scale?.subscribe ?? never, () => scale?.read() ?? nothing)
  const { expected_g, typed } = order.weighing
  const asked = state.weighing?.asked ?? null
  const { weight_g, stable } = reading
  const good = stable && weight_g !== null && weight_g > 0 && fits(order, weight_g)
  // A weight that fits needs no hand.
  const take = useEffectEvent((on_scale: number) => dispatch({ type: 'weigh', weight_g: on_scale, source: 'scale' }))
  useEffect(() => {
    if (good && weight_g !== null && asked === null && state.unsent === 0) take(weight_g)
  }, [good, weight_g, asked, state.unsent])

  const shown = asked?.weight_g ?? weight_g
  return (
    <div className={parts.asking}>
      <Prompt
        eyebrow={t('Parcel {{parcel}}', { parcel: order.session?.parcel_no ?? 1 })}
        detail={asked ? t('Is something missing?') : reading.state === 'ready' ? t('Put the parcel on the scale.') : null}
      >
        {asked ? t('The weight differs') : t('Weigh the parcel')}
      </Prompt>
      <dl className={style.figures} data-tone={asked ? 'ask' : good ? 'good' : undefined} aria-live="polite">
        <div className={style.now}>
          <dt>{t('Scale')}</dt>
          <dd>{shown === null ? '–' : grams(shown)}</dd>
        </div>
        <div>
          <dt>{t('Expected')}</dt>
          <dd>{expected_g === null ? '–' : grams(asked?.expected_g ?? expected_g)}</dd>
        </div>
        <div>
          <dt>{t('Difference')}</dt>
          <dd>{shown === null || expected_g === null ? '–' : grams(Math.abs(shown - expected_g))}</dd>
        </div>
      </dl>
      {reading.problem ? (
        <p className={style.problem} role="status">
          {t(reading.problem)}
        </p>
      ) : null}
      {asked ? (
        <Choices choices={choicesOf(state, situation)} onChoose={choice => dispatch(choice.event)} />
      ) : (
        <>
          {typed ? <TypedWeight /> : null}
          {reading.state === 'ready' || !scale || !canConnect() ? null : (
            <Button
              size="lg"
              variant="default"
              leftSection={<IconScale size={20} />}
              onClick={() => void scale.connect().catch(ignoreNoChoice)}
            >
              {t('Connect scale')}
            </Button>
          )}
        </>
      )}
      <div className={parts.buttons}>
        {asked || reading.state !== 'ready' ? null : (
          <Button
            size="lg"
            {...disabledBecause(!stable && t('Wait until the scale is still'))}
            onClick={() => dispatch({ type: 'primary' })}
            rightSection={<ByKey keys="Enter" />}
          >
            {t('Take this weight')}
          </Button>
        )}
        <Button size="lg" variant="default" onClick={() => dispatch({ type: 'back' })} rightSection={<ByKey keys="Esc" />}>
          {t('Back')}
        </Button>
      </div>
    </div>
  )
}

const canConnect = (): boolean => 'hid' in navigator || 'serial' in navigator

/** The person closed the browser's own question. */
const ignoreNoChoice = () => undefined

function TypedWeight() {
  const t = useT()
  const { dispatch } = useStation()
  const [typed, setTyped] = useState<number | ''>('')
  return (
    <form
      className={parts.fields}
      onSubmit={event => {
        event.preventDefault()
        if (typed !== '' && typed > 0) dispatch({ type: 'weigh', weight_g: typed, source: 'typed' })
      }}
    >
      <WholeNumberInput
        size="xl"
        hideControls
        allowNegative={false}
        max={2_000_000}
        suffix=" g"
        value={typed}
        onChange={value => setTyped(typeof value === 'number' ? value : '')}
        label={t('Weight in grams')}
        ref={focusFirst}
      />
      <Button size="lg" type="submit" variant="default" {...disabledBecause(typed === '' && t('Enter a weight first'))}>
        {t('Use weight')}
      </Button>
    </form>
  )
}
