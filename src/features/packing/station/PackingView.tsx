/** The stage of an order that is being packed. */
import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { lazy } from 'react'
import type { PackingOrder } from '#features/packing/packing/packing.schemas.ts'
import { useT } from '#ui/kit/translate.ts'
import { choicesOf } from './choices.rules.ts'
import { NextItem } from './NextItem.tsx'
import style from './PackingView.module.css'
import { ScanError } from './ScanError.tsx'
import parts from './station-parts.module.css'
import { ByKey, Choices, Prompt, useSay, useStation } from './station-parts.tsx'

const AdditionForm = lazy(() => import('./AdditionForm.tsx'))
const BundleParts = lazy(() => import('./BundleParts.tsx'))
const BypassForm = lazy(() => import('./BypassForm.tsx'))
const Linking = lazy(() => import('./Linking.tsx'))
const PartialForm = lazy(() => import('./PartialForm.tsx'))
const PhotoForm = lazy(() => import('./PhotoForm.tsx'))
const Readdressed = lazy(() => import('./Readdressed.tsx'))
const WeighForm = lazy(() => import('./WeighForm.tsx'))
const QuantityForm = lazy(() => import('./QuantityForm.tsx'))

/** The open question, or the next item. */
export function PackingView({ order }: { order: PackingOrder }) {
  const t = useT()
  const { dispatch, state, situation } = useStation()
  const say = useSay()
  // The way to exceptions and out of the order is open before the warning is read.
  if (!state.warned && !state.dialog) return <Warnings order={order} />
  if (state.photographing && !state.dialog) return <PhotoForm order={order} />
  if (state.weighing && !state.dialog) return <WeighForm order={order} />
  if (state.adding) return <AdditionForm order={order} />
  if (state.dialog === 'finalize') return <PartialForm order={order} />
  if (state.dialog === 'bypass') return <BypassForm />
  if (state.dialog === 'quantity') return <QuantityForm order={order} />
  if (state.dialog)
    return (
      <div className={parts.asking}>
        <Prompt detail={t('Select one, or go back.')}>{t(dialogTitles[state.dialog])}</Prompt>
        <Choices choices={choicesOf(state, situation)} onChoose={choice => dispatch(choice.event)} />
      </div>
    )
  if (state.other)
    return (
      <div className={parts.asking}>
        <Prompt
          eyebrow={t('Another order: {{order_no}}', { order_no: state.other.order_no })}
          detail={t('{{packed}} of {{to_pack}} items of order {{order_no}} are packed.', {
            packed: order.packed,
            to_pack: order.to_pack,
            order_no: order.order_no,
          })}
        >
          {t('Scan again to switch')}
        </Prompt>
        <div className={parts.buttons}>
          <Button size="lg" onClick={() => dispatch({ type: 'primary' })}>
            {t('Switch to {{order_no}}', { order_no: state.other.order_no })}
          </Button>
          <Button size="lg" variant="default" onClick={() => dispatch({ type: 'back' })}>
            {t('Continue this order')}
          </Button>
        </div>
      </div>
    )
  if (state.linking) return <Linking order={order} />
  if (state.choosing)
    return (
      <div className={parts.asking}>
        <Prompt
          eyebrow={<code>{state.choosing.code}</code>}
          detail={say({ text: state.choosing.text, values: state.choosing.values ?? {} })}
        >
          {t('Which one is it?')}
        </Prompt>
        <Choices choices={choicesOf(state, situation)} onChoose={choice => dispatch(choice.event)} lines={order.lines} />
      </div>
    )
  if (state.wrong?.result === 'parts_shown') return <BundleParts order={order} />
  if (state.wrong) return <ScanError order={order} />
  if (state.readdressed) return <Readdressed order={order} />
  return <NextItem order={order} />
}

const dialogTitles = {
  exception: 'Why is it set aside?',
  abort: 'Stop packing this order?',
} as const

function Warnings({ order }: { order: PackingOrder }) {
  const t = useT()
  const { dispatch } = useStation()
  return (
    <div className={style.warning} role="alert">
      <IconAlertTriangle size={64} aria-hidden />
      <p className={parts.eyebrow}>{t('Read this first')}</p>
      {order.comments
        .filter(comment => comment.type === 'warning')
        .map(comment => (
          <blockquote key={comment.id}>
            <h2>{comment.comment}</h2>
            <cite>{comment.actor}</cite>
          </blockquote>
        ))}
      <Button size="xl" color="var(--on-signal-soon)" onClick={() => dispatch({ type: 'primary' })} rightSection={<ByKey keys="Enter" />}>
        {t('I have read it')}
      </Button>
      <p>{t('Or scan the order code once more.')}</p>
    </div>
  )
}
