/** A wrong scan fills the screen: what is wrong, what was scanned, what was wanted, what to do. */
import { Button } from '@mantine/core'
import { useT } from '#ui/kit/translate.ts'
import style from './Pick.module.css'
import steps from './PickSteps.module.css'
import { BinCode, LinePicture, SlotNumber, usePicker } from './pick-parts.tsx'
import type { Wrong } from './picker-model.rules.ts'
import { type Line, missing, piecesOf, sentences, slotOf, toteOf, totesInUse } from './picking.rules.ts'
import type { Wagon } from './picking.schemas.ts'

export function PickWrong() {
  const t = useT()
  const { dispatch, state } = usePicker()
  const { wagon, wrong } = state
  const line = wagon?.pick_lines.find(one => one.id === wrong?.line)
  if (!wagon || !wrong || !line) return null
  const titles: Record<Wrong['result'], string> = {
    other_tote: t('Not the reserved tote'),
    wrong_product: t('Wrong item'),
    wrong_bin: t('Wrong bin'),
    wrong_slot: t('Wrong tote'),
    too_many: t('Too many'),
  }
  const next: Record<Wrong['result'], string> = {
    other_tote: t('Scan the reserved tote, or this one again'),
    wrong_product: t('Put it back and scan {{name}}', { name: line.name }),
    wrong_bin: t('Go to {{bin}}', { bin: line.bin ?? '' }),
    wrong_slot: t('Put it into slot {{slot}}', { slot: line.slot_no }),
    too_many: t('Needed: {{n}}. Put the rest back.', { n: missing(line) }),
  }
  return (
    <div
      className={steps.wrong}
      data-tone={wrong.result === 'other_tote' ? 'attention' : 'error'}
      role="alertdialog"
      aria-label={titles[wrong.result]}
    >
      <h2>{titles[wrong.result]}</h2>
      <div className={steps.pair}>
        <figure>
          <figcaption>{t('Scanned')}</figcaption>
          <ScannedTile wagon={wagon} wrong={wrong} />
        </figure>
        <figure>
          <figcaption>{t('Expected')}</figcaption>
          <ExpectedTile wagon={wagon} line={line} result={wrong.result} />
        </figure>
      </div>
      {saysMore(wrong) ? <p className={steps.why}>{t(wrong.say.text, wrong.say.values ?? {})}</p> : null}
      <p className={steps.next}>{next[wrong.result]}</p>
      <Button size="xl" fullWidth variant="white" data-enter className={style.thumb} onClick={() => dispatch({ type: 'read_wrong' })}>
        {t('Got it')}
      </Button>
    </div>
  )
}

/** The title and the next step say these two already. */
const saysMore = ({ say }: Wrong): boolean => say.text !== sentences.wrongBin && say.text !== sentences.wrongProduct

function ScannedTile({ wagon, wrong }: { wagon: Wagon; wrong: Wrong }) {
  const digits = toteOf(wrong.raw)
  if (digits !== undefined) {
    const slot = wagon.slots.find(one => one.codes.some(code => code.digits === digits))
    return (
      <>
        {slot ? <SlotNumber no={slot.slot_no} colour={slot.colour} size="large" /> : <Code text={`PP${digits}`} />}
        {slot ? <span>PP{digits}</span> : null}
      </>
    )
  }
  const known = wagon.pick_lines.find(one => piecesOf(one, wrong.raw) > 0)
  if (!known) return <Code text={wrong.raw} />
  return (
    <>
      <LinePicture line={known} size={150} />
      <span>{known.name}</span>
    </>
  )
}

function ExpectedTile({ wagon, line, result }: { wagon: Wagon; line: Line; result: Wrong['result'] }) {
  const slot = slotOf(wagon, line)
  if (result === 'wrong_slot' || result === 'other_tote')
    return (
      <>
        <SlotNumber no={line.slot_no} colour={slot?.colour ?? null} size="large" />
        <span>{totesInUse(slot).join(' · ')}</span>
      </>
    )
  if (result === 'wrong_bin')
    return (
      <span className={steps.code}>
        <BinCode bin={line.bin ?? ''} />
      </span>
    )
  return (
    <>
      <LinePicture line={line} size={150} />
      <span>
        {result === 'too_many' ? `${missing(line)}× ` : ''}
        {line.name}
      </span>
    </>
  )
}

const Code = ({ text }: { text: string }) => <span className={steps.code}>{text.slice(0, 40)}</span>
