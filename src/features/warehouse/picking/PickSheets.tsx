/** What comes up from below: problems in two taps, the number pad, the wagon and its lines. */
import { Button, Drawer } from '@mantine/core'
import { IconBackspace } from '@tabler/icons-react'
import { useState } from 'react'
import type { ShortReason } from '#features/warehouse/pick-tasks/pick-tasks.schemas.ts'
import { useT } from '#ui/kit/translate.ts'
import style from './Pick.module.css'
import { PickCamera } from './PickCamera.tsx'
import { SlotNumber, usePicker } from './pick-parts.tsx'
import type { Sheet } from './picker-model.rules.ts'
import { pickerSentences } from './picker-state.rules.ts'
import { byWalk, isOpen, type Line, missing, slotOf, stopOf } from './picking.rules.ts'
import type { Wagon } from './picking.schemas.ts'
import { SlotGrid } from './WagonViews.tsx'

const reasons: readonly { reason: ShortReason; words: string }[] = [
  { reason: 'not_there', words: 'Not there' },
  { reason: 'damaged', words: 'Damaged' },
  { reason: 'wrong_label', words: 'Wrong label' },
  { reason: 'expired', words: 'Expired' },
  { reason: 'other', words: 'Something else' },
]

export function PickSheets() {
  const t = useT()
  const { dispatch, state } = usePicker()
  const { wagon, hand, sheet } = state
  const line = wagon?.pick_lines.find(one => one.id === hand?.line)
  if (!wagon) return null
  const titles: Record<Sheet, string> = {
    problem: t('What is wrong?'),
    short: t('Why are pieces missing?'),
    damaged: t('What is damaged?'),
    full: line ? t(pickerSentences.emptyTote, { slot: line.slot_no }) : '',
    zero: t('Is the place empty now?'),
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
      {sheet === 'problem' ? <Problem /> : null}
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
      {sheet === 'full' ? (
        <div className={style.choices}>
          <p>{t('It stands beside the full one and carries the same order.')}</p>
          <PickCamera button={open => <Choice onClick={open}>{t('Scan with the camera')}</Choice>} />
        </div>
      ) : null}
      {sheet === 'zero' ? (
        <div className={style.choices}>
          <p>{t('{{bin}} should be empty now.', { bin: state.zeroOf?.bin ?? '' })}</p>
          <Choice onClick={() => dispatch({ type: 'zero', pieces: 0 })}>{t('Yes, it is empty')}</Choice>
          <Choice onClick={() => dispatch({ type: 'zero', pieces: 1 })}>{t('No, something lies there')}</Choice>
        </div>
      ) : null}
      {sheet === 'type' && line && hand ? <Pad line={line} taken={hand.taken} /> : null}
      {sheet === 'menu' ? <Menu /> : null}
      {sheet === 'slots' ? <SlotGrid wagon={wagon} /> : null}
      {sheet === 'lines' ? <Lines wagon={wagon} /> : null}
    </Drawer>
  )
}

function Choice({ onClick, children }: { onClick: () => void; children: React.ReactNode }) {
  return (
    <Button size="xl" fullWidth variant="default" onClick={onClick} className={style.thumb}>
      {children}
    </Button>
  )
}

function Problem() {
  const t = useT()
  const { dispatch } = usePicker()
  return (
    <div className={style.choices}>
      <Choice onClick={() => dispatch({ type: 'open_sheet', sheet: 'short' })}>{t('Pieces are missing')}</Choice>
      <Choice onClick={() => dispatch({ type: 'open_sheet', sheet: 'damaged' })}>{t('Damaged')}</Choice>
      <Choice onClick={() => dispatch({ type: 'skip' })}>{t('Skip for now')}</Choice>
      <Choice onClick={() => dispatch({ type: 'open_sheet', sheet: 'full' })}>{t('The tote is full')}</Choice>
      <Choice onClick={() => dispatch({ type: 'zero', pieces: 0 })}>{t('The place is empty now')}</Choice>
    </div>
  )
}

/** A number pad of our own: the phone's keyboard would cover half of everything. */
function Pad({ line, taken }: { line: Line; taken: number }) {
  const t = useT()
  const { dispatch } = usePicker()
  const most = missing(line)
  const [text, setText] = useState(`${most}`)
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
      {taken > 0 ? <p className={style.dim}>{t('{{n}} scanned', { n: taken })}</p> : null}
      <div className={style.keys}>
        {['1', '2', '3', '4', '5', '6', '7', '8', '9'].map(digit => (
          <button key={digit} type="button" onClick={() => press(digit)}>
            {digit}
          </button>
        ))}
        <button
          type="button"
          aria-label={t('Delete the last digit')}
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
        disabled={number < 1 || number > most}
        onClick={() => dispatch({ type: 'typed', quantity: number })}
        className={style.thumb}
      >
        {t('Picked {{n}}', { n: number })}
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
      <Choice onClick={() => dispatch({ type: 'hand_over' })}>{t('Hand over to a colleague')}</Choice>
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
            disabled={!isOpen(line) || stopOf(wagon, line) !== undefined}
            onClick={() => dispatch({ type: 'go_to', line_id: line.id })}
          >
            <strong>{line.bin ?? t('No place')}</strong>
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
