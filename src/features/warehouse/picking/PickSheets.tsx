/** What comes up from below: problems in two taps, the number pad, the wagon and its lines. */

import { Button, Drawer } from '@mantine/core'
import {
  IconBackspace,
  IconBasket,
  IconHammer,
  IconMapPin,
  IconPackageOff,
  IconPlayerSkipForward,
  type TablerIcon,
} from '@tabler/icons-react'
import { useState } from 'react'
import type { ShortReason } from '#features/warehouse/pick-tasks/pick-tasks.schemas.ts'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { useT } from '#ui/kit/translate.ts'
import style from './Pick.module.css'
import { PickCamera } from './PickCamera.tsx'
import { LinePicture, SlotNumber, usePicker } from './pick-parts.tsx'
import type { Sheet } from './picker-model.rules.ts'
import { pickerSentences } from './picker-state.rules.ts'
import { byWalk, isOpen, type Line, missing, slotOf, stopOf, totesInUse } from './picking.rules.ts'
import type { Wagon } from './picking.schemas.ts'
import { SlotGrid } from './WagonViews.tsx'

const reasons: readonly { reason: ShortReason; words: string }[] = [
  { reason: 'not_there', words: 'Not there' },
  { reason: 'damaged', words: 'Damaged' },
  { reason: 'wrong_label', words: 'Wrong label' },
  { reason: 'expired', words: 'Expired' },
  { reason: 'other', words: 'Something else' },
]

/** Sheets that are about the current line and name it. */
const aboutLine: readonly Sheet[] = ['problem', 'found', 'short', 'damaged', 'type']

export function PickSheets() {
  const t = useT()
  const { dispatch, state } = usePicker()
  const { wagon, hand, sheet } = state
  const line = wagon?.pick_lines.find(one => one.id === hand?.line)
  if (!wagon) return null
  const titles: Record<Sheet, string> = {
    problem: t('What is wrong?'),
    found: t('How many did you find?'),
    short: t('Why are items missing?'),
    damaged: t('What is damaged?'),
    full: state.fullSlot === null ? t('Which tote is full?') : t(pickerSentences.emptyTote, { slot: state.fullSlot }),
    zero: t('Is the bin empty now?'),
    type: t('How many?'),
    menu: t('List {{list}} · wagon {{wagon}}', { list: wagon.pick_list_id, wagon: wagon.wagon_no }),
    lines: t('All lines'),
    slots: t('The wagon'),
  }
  return (
    <Drawer
      opened={sheet !== null && (line !== undefined || sheet === 'zero' || sheet === 'menu' || sheet === 'lines' || sheet === 'slots')}
      onClose={() => dispatch({ type: 'open_sheet', sheet: null })}
      position="bottom"
      size="auto"
      styles={{ inner: { alignItems: 'flex-end' }, content: { height: 'auto' } }}
      title={sheet ? titles[sheet] : ''}
      closeButtonProps={{ 'aria-label': t('Close'), size: 'xl' }}
      classNames={{ content: style.sheet, title: style.sheetTitle }}
      returnFocus={false}
      // A phone's scanner needs the focus in the hidden field.
      trapFocus={sheet !== 'full'}
    >
      {sheet === 'problem' && line ? <Problem line={line} /> : null}
      {sheet !== null && line && aboutLine.includes(sheet) ? <About line={line} wagon={wagon} /> : null}
      {sheet === 'found' && line ? <Found line={line} taken={hand?.taken ?? 0} /> : null}
      {sheet === 'short' ? (
        <div className={style.choices}>
          {reasons.map(({ reason, words }) => (
            <Choice key={reason} onClick={() => dispatch({ type: 'short', reason })}>
              {t(words)}
            </Choice>
          ))}
        </div>
      ) : null}
      {sheet === 'damaged' ? (
        <div className={style.choices}>
          <Choice onClick={() => dispatch({ type: 'damaged', pieces: 1 })}>{t('One or some; I take good ones')}</Choice>
          <Choice onClick={() => dispatch({ type: 'short', reason: 'damaged' })}>{t('No good ones are left')}</Choice>
        </div>
      ) : null}
      {sheet === 'full' && line ? <FullTote wagon={wagon} line={line} /> : null}
      {sheet === 'zero' ? (
        <div className={style.choices}>
          <p>{t('{{bin}} should be empty now.', { bin: state.zeroOf?.bin ?? '' })}</p>
          <Choice onClick={() => dispatch({ type: 'zero', pieces: 0 })}>{t('Yes, it is empty')}</Choice>
          <Choice onClick={() => dispatch({ type: 'zero', pieces: 1 })}>{t('No, something lies there')}</Choice>
        </div>
      ) : null}
      {sheet === 'type' && line && hand ? <Quantity line={line} taken={hand.taken} /> : null}
      {sheet === 'menu' ? <Menu /> : null}
      {sheet === 'slots' ? <SlotGrid wagon={wagon} /> : null}
      {sheet === 'lines' ? <Lines wagon={wagon} /> : null}
    </Drawer>
  )
}

function Choice({ icon: Icon, onClick, children }: { icon?: TablerIcon; onClick: () => void; children: React.ReactNode }) {
  return (
    <Button
      size="xl"
      fullWidth
      variant="default"
      onClick={onClick}
      className={style.thumb}
      {...(Icon && { justify: 'flex-start', leftSection: <Icon size={24} aria-hidden /> })}
    >
      {children}
    </Button>
  )
}

/** The line that a sheet is about: the sheet covers the screen that shows it. */
function About({ line, wagon }: { line: Line; wagon: Wagon }) {
  const t = useT()
  return (
    <p className={style.about}>
      <LinePicture line={line} size={40} />
      <span className={style.aheadName}>
        <strong>{line.bin ?? t('No bin')}</strong> {line.name}
      </span>
      <SlotNumber no={line.slot_no} colour={slotOf(wagon, line)?.colour ?? null} />
    </p>
  )
}

function Problem({ line }: { line: Line }) {
  const t = useT()
  const { dispatch } = usePicker()
  const missingSheet: Sheet = missing(line) > 1 ? 'found' : 'short'
  return (
    <div className={style.choices}>
      <Choice icon={IconPackageOff} onClick={() => dispatch({ type: 'open_sheet', sheet: missingSheet })}>
        {t('Items are missing')}
      </Choice>
      <Choice icon={IconHammer} onClick={() => dispatch({ type: 'open_sheet', sheet: 'damaged' })}>
        {t('Damaged')}
      </Choice>
      <Choice icon={IconPlayerSkipForward} onClick={() => dispatch({ type: 'skip' })}>
        {t('Skip for now')}
      </Choice>
      <Choice icon={IconBasket} onClick={() => dispatch({ type: 'open_sheet', sheet: 'full' })}>
        {t('The tote is full')}
      </Choice>
      <Choice icon={IconMapPin} onClick={() => dispatch({ type: 'zero', pieces: 0 })}>
        {t('The bin is empty now')}
      </Choice>
    </div>
  )
}

/** Numbers that are offered to tap; more are entered on the pad. */
const mostTapped = 6

function Found({ line, taken }: { line: Line; taken: number }) {
  const t = useT()
  const { dispatch } = usePicker()
  const most = missing(line) - 1
  if (most >= mostTapped)
    return (
      <Pad
        start={taken}
        most={most}
        least={0}
        words={number => t('Found {{n}}', { n: number })}
        give={number => dispatch({ type: 'found', pieces: number })}
      />
    )
  return (
    <div className={style.numbers}>
      {Array.from({ length: most + 1 }, (_, number) => number).map(number => (
        <Choice key={number} onClick={() => dispatch({ type: 'found', pieces: number })}>
          {number}
        </Choice>
      ))}
    </div>
  )
}

/** A full tote: first which slot, then the empty tote beside it. What was wrong with a scan stands here. */
function FullTote({ wagon, line }: { wagon: Wagon; line: Line }) {
  const t = useT()
  const { dispatch, state } = usePicker()
  const { fullSlot, message } = state
  const slots = wagon.slots.filter(slot => slot.live)
  const sorted = slots.toSorted((one, other) => Number(other.slot_no === line.slot_no) - Number(one.slot_no === line.slot_no))
  return (
    <div className={style.choices}>
      {message?.tone === 'error' ? (
        <p className={style.message} data-tone="error" role="alert">
          {t(message.text, message.values ?? {})}
        </p>
      ) : null}
      {fullSlot === null ? (
        <>
          <p>{t('Scan the full tote, or tap its slot.')}</p>
          <div className={style.numbers}>
            {sorted.map(slot => (
              <Button
                key={slot.slot_no}
                size="xl"
                variant="default"
                className={style.thumb}
                aria-label={t('Slot {{slot}}', { slot: slot.slot_no })}
                leftSection={<SlotNumber no={slot.slot_no} colour={slot.colour} />}
                onClick={() => dispatch({ type: 'full_slot', slot_no: slot.slot_no })}
              >
                {totesInUse(slot).join(' ')}
              </Button>
            ))}
          </div>
        </>
      ) : (
        <>
          <p>{t('It stands beside the full one and carries the same order.')}</p>
          <PickCamera button={open => <Choice onClick={open}>{t('Scan with the camera')}</Choice>} />
        </>
      )}
    </div>
  )
}

function Quantity({ line, taken }: { line: Line; taken: number }) {
  const t = useT()
  const { dispatch } = usePicker()
  return (
    <Pad
      start={missing(line)}
      most={missing(line)}
      least={1}
      note={taken > 0 ? t('{{n}} scanned', { n: taken }) : ''}
      words={number => t('Picked {{n}}', { n: number })}
      give={number => dispatch({ type: 'typed', quantity: number })}
    />
  )
}

interface PadProps {
  start: number
  most: number
  least: number
  note?: string
  words: (number: number) => string
  give: (number: number) => void
}

/** A number pad of our own: the phone's keyboard would cover half of everything. */
function Pad({ start, most, least, note = '', words, give }: PadProps) {
  const t = useT()
  const [text, setText] = useState(`${start}`)
  const [fresh, setFresh] = useState(true)
  const number = Number(text || '0')
  const press = (digit: string) => {
    setText(fresh ? digit : `${text}${digit}`.replace(/^0+/, '').slice(0, 5))
    setFresh(false)
  }
  return (
    <div className={style.pad}>
      <output aria-live="polite" data-wrong={number > most || undefined}>
        {text || '0'}
        <small> {t('of {{n}}', { n: most })}</small>
      </output>
      {note ? <p className={style.dim}>{note}</p> : null}
      <div className={style.keys}>
        {['1', '2', '3', '4', '5', '6', '7', '8', '9'].map(digit => (
          <button key={digit} type="button" onClick={() => press(digit)}>
            {digit}
          </button>
        ))}
        <button
          type="button"
          aria-label={t('Delete last digit')}
          onClick={() => {
            setFresh(false)
            setText(text.slice(0, -1))
          }}
        >
          <IconBackspace size={32} aria-hidden />
        </button>
        <button type="button" onClick={() => press('0')}>
          0
        </button>
      </div>
      <Button
        size="xl"
        fullWidth
        {...disabledBecause((number < least || number > most) && t('Enter {{least}} to {{most}}', { least, most }))}
        onClick={() => give(number)}
        className={style.thumb}
      >
        {words(number)}
      </Button>
    </div>
  )
}

function Menu() {
  const t = useT()
  const { dispatch, state } = usePicker()
  return (
    <div className={style.choices}>
      <Choice onClick={() => dispatch({ type: 'open_sheet', sheet: 'lines' })}>{t('All lines')}</Choice>
      <Choice onClick={() => dispatch({ type: 'open_sheet', sheet: 'slots' })}>{t('The wagon')}</Choice>
      <Choice onClick={() => dispatch({ type: 'pause' })}>{t('Pause')}</Choice>
      <Choice onClick={() => dispatch({ type: 'hand_over' })}>{t('Hand on wagon')}</Choice>
      {state.wagon && state.wagon.pickers.length > 1 ? (
        <p className={style.dim}>{t('On this wagon: {{names}}', { names: state.wagon.pickers.map(one => one.user_name).join(', ') })}</p>
      ) : null}
    </div>
  )
}

function Lines({ wagon }: { wagon: Wagon }) {
  const t = useT()
  const { dispatch } = usePicker()
  const words = (line: Line): string => {
    if (line.state === 'gone') return t('gone')
    if (isOpen(line) && stopOf(wagon, line)) return t('stopped')
    if (line.state === 'short') return t('missing')
    if (line.state === 'picked') return t('done')
    return line.state === 'skipped' ? t('set aside') : ''
  }
  return (
    <ul className={style.lines}>
      {wagon.pick_lines.toSorted(byWalk).map(line => (
        <li key={line.id} data-state={line.state}>
          <button
            type="button"
            {...disabledBecause((!isOpen(line) || stopOf(wagon, line) !== undefined) && words(line))}
            onClick={() => dispatch({ type: 'go_to', line_id: line.id })}
          >
            <strong>{line.bin ?? t('No bin')}</strong>
            <span className={style.aheadName}>
              {line.picked}/{line.asked} {line.name}
            </span>
            <span className={style.dim}>{words(line)}</span>
            <SlotNumber no={line.slot_no} colour={slotOf(wagon, line)?.colour ?? null} />
          </button>
        </li>
      ))}
    </ul>
  )
}
