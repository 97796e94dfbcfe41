/** One line at a time: where to go, what to take, how many, and into which slot. */
import { Button } from '@mantine/core'
import { IconAlertTriangle, IconArrowBackUp, IconArrowRight, IconCamera, IconMenu2, IconPhoto } from '@tabler/icons-react'
import { useRef } from 'react'
import { useT } from '#ui/kit/translate.ts'
import style from './Pick.module.css'
import { PickCamera } from './PickCamera.tsx'
import { smallPhoto } from './photo-upload.client.ts'
import { LinePicture, SlotNumber, usePicker } from './pick-parts.tsx'
import { type Hand, type Line, missing, remaining, slotOf, totesInUse, typedAbove } from './picking.rules.ts'
import type { Wagon } from './picking.schemas.ts'

export function PickLine({ wagon }: { wagon: Wagon }) {
  const t = useT()
  const { state } = usePicker()
  const { hand } = state
  const line = wagon.pick_lines.find(one => one.id === hand?.line)
  if (!line || !hand) return null
  const slot = slotOf(wagon, line)
  const ahead = remaining(wagon).find(one => one.id !== line.id && (one.walk_no > line.walk_no || line.state === 'skipped'))
  const left = missing(line)
  return (
    <div className={style.line} data-step={hand.step}>
      <div className={style.scroll}>
        <section className={style.bin} data-now={hand.step === 'bin' || undefined}>
          <span className={style.eyebrow}>
            {line.state === 'skipped' ? t('Set aside before: go to') : hand.step === 'bin' ? t('Go to and scan') : t('Go to')}
          </span>
          <h2 style={{ '--letters': Math.max(4, (line.bin ?? t('No place')).length) }}>{line.bin ?? t('No place')}</h2>
        </section>
        <section className={style.product} data-now={hand.step === 'product' || undefined}>
          <div className={style.quantity}>
            <strong>{left}</strong>
            <span>{line.picked > 0 ? t('of {{n}}', { n: line.asked }) : t('pieces', { count: left })}</span>
          </div>
          <div className={style.name}>
            <h3>{line.name}</h3>
            {line.variant ? <p className={style.variant}>{line.variant}</p> : null}
            <p className={style.dim}>{line.sku}</p>
            {line.taken_by !== null && line.taken_by_name && wagon.pickers.length > 1 ? (
              <p className={style.dim}>{line.taken_by_name}</p>
            ) : null}
          </div>
          <LinePicture line={line} size={112} />
        </section>
        <section className={style.into} data-now={hand.step === 'slot' || undefined}>
          <SlotNumber no={line.slot_no} colour={slot?.colour ?? null} size="large" />
          <div>
            <span className={style.eyebrow}>{t('Into number {{slot}}', { slot: line.slot_no })}</span>
            <p className={style.tote}>{totesInUse(slot).join(' · ') || t('any empty tote')}</p>
            {slot && slot.row > 0 ? (
              <p className={style.dim}>{t('Row {{row}}, place {{column}}', { row: slot.row, column: slot.column })}</p>
            ) : null}
          </div>
        </section>
        <PhotoOffer />
      </div>
      <Message />
      <footer className={style.foot}>
        {ahead ? <Ahead line={ahead} wagon={wagon} /> : <p className={style.ahead}>{t('This is the last line')}</p>}
        <Tools />
        <Thumb line={line} hand={hand} slot={line.slot_no} />
      </footer>
    </div>
  )
}

/** The next thing, under the thumb, for those who have no scanner. */
function Thumb({ line, hand, slot }: { line: Line; hand: Hand; slot: number }) {
  const t = useT()
  const { dispatch } = usePicker()
  const some = hand.taken > 0 && hand.step === 'product'
  const words =
    hand.step === 'bin'
      ? t('I am at {{bin}}', { bin: line.bin ?? '' })
      : hand.step === 'slot'
        ? t('Put {{n}} into number {{slot}}', { n: hand.taken, slot })
        : missing(line) > typedAbove
          ? t('Enter quantity picked')
          : missing(line) === 1
            ? t('Picked')
            : t('Piece {{n}} of {{all}} taken', { n: hand.taken + 1, all: missing(line) })
  return (
    <div className={style.confirm}>
      {some ? (
        <Button size="lg" variant="default" onClick={() => dispatch({ type: 'put_now' })} className={style.thumb}>
          {t('Put {{n}} away now', { n: hand.taken })}
        </Button>
      ) : null}
      <Button
        size="xl"
        fullWidth
        onClick={() => dispatch({ type: 'confirm' })}
        className={style.thumb}
        color={hand.step === 'slot' ? 'moss' : undefined}
        data-autofocus={false}
      >
        {words}
      </Button>
    </div>
  )
}

/** What comes after this one, so that the eyes are there before the feet. */
function Ahead({ line, wagon }: { line: Line; wagon: Wagon }) {
  const t = useT()
  return (
    <p className={style.ahead}>
      <span>{t('Next')}</span>
      <IconArrowRight size={16} aria-hidden />
      <strong>{line.bin ?? t('No place')}</strong>
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
      <button type="button" onClick={() => dispatch({ type: 'undo' })} disabled={!state.canUndo && !state.hand?.taken}>
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

/** A photo of what was missing: one tap, never asked twice. */
function PhotoOffer() {
  const t = useT()
  const { dispatch, state } = usePicker()
  const input = useRef<HTMLInputElement>(null)
  if (!state.photoFor) return null
  return (
    <div className={style.two}>
      <input
        ref={input}
        type="file"
        accept="image/*"
        capture="environment"
        hidden
        onChange={event => {
          const file = event.currentTarget.files?.[0]
          if (file) void smallPhoto(file).then(blob => dispatch({ type: 'photo', blob }))
        }}
      />
      <Button
        size="lg"
        variant="default"
        leftSection={<IconPhoto size={20} aria-hidden />}
        onClick={() => input.current?.click()}
        className={style.thumb}
      >
        {t('Add a photo')}
      </Button>
      <Button size="lg" variant="subtle" onClick={() => dispatch({ type: 'no_photo' })} className={style.thumb}>
        {t('No photo')}
      </Button>
    </div>
  )
}
