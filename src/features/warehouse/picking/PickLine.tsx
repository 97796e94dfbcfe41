/** One line at a time, one step per screen: go to the bin, take the items, put them into the tote. */

import { Button } from '@mantine/core'
import { IconAlertTriangle, IconArrowBackUp, IconArrowRight, IconCamera, IconMenu2 } from '@tabler/icons-react'
import { useRef } from 'react'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { useT } from '#ui/kit/translate.ts'
import style from './Pick.module.css'
import { PickCamera } from './PickCamera.tsx'
import steps from './PickSteps.module.css'
import { BinCode, LinePicture, SlotNumber, usePicker } from './pick-parts.tsx'
import { type Hand, type Line, missing, remaining, slotOf, totesInUse, typedAbove } from './picking.rules.ts'
import type { Wagon } from './picking.schemas.ts'

interface StepProps {
  wagon: Wagon
  line: Line
  hand: Hand
}

export function PickLine({ wagon }: { wagon: Wagon }) {
  const { state } = usePicker()
  const { hand } = state
  const line = wagon.pick_lines.find(one => one.id === hand?.line)
  if (!line || !hand) return null
  const Step = { bin: Go, product: Take, slot: Put }[hand.step]
  const ahead = remaining(wagon).find(one => one.id !== line.id && (one.walk_no > line.walk_no || line.state === 'skipped'))
  return (
    <div className={style.line} data-step={hand.step}>
      <div key={`${line.id} ${hand.step}`} className={steps.step}>
        <Step wagon={wagon} line={line} hand={hand} />
      </div>
      <Message />
      <footer className={style.foot}>
        {hand.step === 'slot' ? null : <Ahead line={ahead} wagon={wagon} />}
        <Tools />
        <Confirm line={line} hand={hand} />
      </footer>
    </div>
  )
}

function Go({ wagon, line, hand }: StepProps) {
  const t = useT()
  return (
    <>
      <span className={style.eyebrow}>
        {line.state === 'skipped' ? t('Set aside before: go to') : wagon.scan_bin ? t('Go to and scan') : t('Go to')}
      </span>
      <h2 className={steps.bin} style={{ '--letters': Math.max(4, (line.bin ?? t('No bin')).length) }} data-largest>
        <BinCode bin={line.bin ?? t('No bin')} />
      </h2>
      <div className={steps.short}>
        <LinePicture line={line} size={56} />
        <h3 data-product>
          <strong>{missing(line) - hand.taken}×</strong> <span>{line.name}</span>
        </h3>
      </div>
      <Into wagon={wagon} line={line} />
    </>
  )
}

function Take({ wagon, line, hand }: StepProps) {
  const t = useT()
  const left = missing(line)
  return (
    <>
      <div className={steps.take}>
        <LinePicture line={line} size={168} />
        <div className={steps.quantity}>
          <strong style={{ '--letters': `${left}`.length + 1 }} data-largest>
            {left}×
          </strong>
          {line.picked > 0 ? <span>{t('of {{n}}', { n: line.asked })}</span> : null}
          {hand.taken > 0 ? <span>{t('{{n}} picked', { n: hand.taken })}</span> : null}
        </div>
      </div>
      <div className={steps.name}>
        <h3 data-product>
          <span>{line.name}</span>
        </h3>
        <p className={style.dim}>{[line.variant, line.sku].filter(Boolean).join(' · ')}</p>
        {line.taken_by !== null && line.taken_by_name && wagon.pickers.length > 1 ? (
          <p className={style.dim}>{line.taken_by_name}</p>
        ) : null}
      </div>
      <Into wagon={wagon} line={line} />
    </>
  )
}

function Put({ wagon, line, hand }: StepProps) {
  const t = useT()
  const slot = slotOf(wagon, line)
  const totes = totesInUse(slot)
  return (
    <>
      <div className={steps.put} data-largest>
        <SlotNumber no={line.slot_no} colour={slot?.colour ?? null} size="large" />
      </div>
      <div className={steps.tote}>
        <p className={steps.toteName}>{totes.length > 0 ? t('Tote {{code}}', { code: totes.join(' · ') }) : t('any empty tote')}</p>
        {slot && slot.row > 0 ? <p>{t('Row {{row}}, place {{column}}', { row: slot.row, column: slot.column })}</p> : null}
        {slot?.crate ? <p>{t('Box: {{box}}', { box: slot.crate })}</p> : null}
        {slot?.additions.map(({ name, qty }) => (
          <p key={name}>{t('With it: {{count}} × {{name}}', { count: qty, name })}</p>
        ))}
        <h3 data-product className={steps.held}>
          <strong>{hand.taken}×</strong> <span>{line.name}</span>
        </h3>
      </div>
    </>
  )
}

/** Where the items go, in one line. */
function Into({ wagon, line }: Omit<StepProps, 'hand'>) {
  const t = useT()
  const slot = slotOf(wagon, line)
  return (
    <p className={steps.into}>
      <IconArrowRight size={24} aria-hidden />
      <SlotNumber no={line.slot_no} colour={slot?.colour ?? null} />
      <span>{totesInUse(slot).join(' · ') || t('any empty tote')}</span>
    </p>
  )
}

/** Milliseconds after which a pressed button opens the number pad. */
const hold = 500

/** The next step without a scanner. */
function Confirm({ line, hand }: { line: Line; hand: Hand }) {
  const t = useT()
  const { dispatch } = usePicker()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const held = useRef(false)
  const left = missing(line)
  const words =
    hand.step === 'bin'
      ? t('I am here')
      : hand.step === 'slot'
        ? t('Put into {{slot}}', { slot: line.slot_no })
        : left > typedAbove
          ? t('Enter quantity')
          : left === 1
            ? t('Picked')
            : t('Picked {{n}} of {{all}}', { n: hand.taken + 1, all: left })
  const release = () => clearTimeout(timer.current)
  return (
    <div className={style.confirm}>
      {hand.taken > 0 && hand.step === 'product' ? (
        <Button size="lg" variant="default" onClick={() => dispatch({ type: 'put_now' })} className={style.thumb}>
          {t('Put {{n}} away now', { n: hand.taken })}
        </Button>
      ) : null}
      <Button
        size="xl"
        fullWidth
        data-enter
        className={style.thumb}
        data-autofocus={false}
        onPointerDown={() => {
          held.current = false
          release()
          if (hand.step === 'product' && left > 1)
            timer.current = setTimeout(() => {
              held.current = true
              dispatch({ type: 'open_sheet', sheet: 'type' })
            }, hold)
        }}
        onPointerUp={release}
        onPointerLeave={release}
        onContextMenu={event => event.preventDefault()}
        onClick={() => {
          if (!held.current) dispatch({ type: 'confirm' })
          held.current = false
        }}
      >
        {words}
      </Button>
    </div>
  )
}

/** What comes after this one, so that the eyes are there before the feet. */
function Ahead({ line, wagon }: { line: Line | undefined; wagon: Wagon }) {
  const t = useT()
  if (!line) return <p className={style.ahead}>{t('This is the last line')}</p>
  return (
    <p className={style.ahead}>
      <span>{t('Next')}</span>
      <IconArrowRight size={16} aria-hidden />
      <strong>{line.bin ?? t('No bin')}</strong>
      <span className={style.aheadName}>
        {missing(line)} × {line.name}
      </span>
      <SlotNumber no={line.slot_no} colour={slotOf(wagon, line)?.colour ?? null} />
    </p>
  )
}

function Tools() {
  const t = useT()
  const { dispatch, state } = usePicker()
  return (
    <nav className={style.tools} aria-label={t('More')}>
      <button type="button" onClick={() => dispatch({ type: 'open_sheet', sheet: 'menu' })}>
        <IconMenu2 size={24} aria-hidden />
        {t('Wagon')}
      </button>
      <button
        type="button"
        onClick={() => dispatch({ type: 'undo' })}
        {...disabledBecause(!state.canUndo && !state.hand?.taken && t('Nothing to undo'))}
      >
        <IconArrowBackUp size={24} aria-hidden />
        {t('Undo')}
      </button>
      <PickCamera
        button={open => (
          <button type="button" onClick={open}>
            <IconCamera size={24} aria-hidden />
            {t('Camera')}
          </button>
        )}
      />
      <button type="button" onClick={() => dispatch({ type: 'open_sheet', sheet: 'problem' })}>
        <IconAlertTriangle size={24} aria-hidden />
        {t('Problem')}
      </button>
    </nav>
  )
}

/** The last answer. Its place stays, so that nothing jumps. */
function Message() {
  const t = useT()
  const { state } = usePicker()
  const { message } = state
  return (
    <p
      key={message?.nth ?? 0}
      className={style.message}
      data-tone={message?.tone ?? 'none'}
      role={message?.tone === 'error' ? 'alert' : 'status'}
    >
      {message ? t(message.text, message.values ?? {}) : ''}
    </p>
  )
}
