/** Before the walk, between, and after it: the wagon as a whole. */

import { Button } from '@mantine/core'
import { IconCircleCheck, IconPlayerPause } from '@tabler/icons-react'
import { emptyToteAdvice, shortSentence } from '#features/warehouse/pick-lists/pick-list.labels.tsx'
import { isAllShort } from '#features/warehouse/pick-lists/pick-lists.rules.ts'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { useT } from '#ui/kit/translate.ts'
import style from './Pick.module.css'
import { SlotNumber, usePicker } from './pick-parts.tsx'
import { isOpen, remaining, stopOf, totesInUse } from './picking.rules.ts'
import type { Wagon } from './picking.schemas.ts'

/** The wagon from the front: every slot with number, colour, tote and how far it is. */
export function SlotGrid({ wagon }: { wagon: Wagon }) {
  const t = useT()
  const { rows, columns } = wagon.wagon_type
  const placed = wagon.slots.every(slot => slot.row > 0)
  const numbers = placed ? Array.from({ length: rows * columns }, (_, i) => i + 1) : wagon.slots.map(slot => slot.slot_no)
  return (
    <ol
      className={style.grid}
      style={{ gridTemplateColumns: `repeat(${placed ? columns : 3}, minmax(0, 1fr))` }}
      aria-label={t('Slots of the wagon')}
    >
      {numbers.map(no => {
        const slot = wagon.slots.find(one => one.slot_no === no && one.state !== 'removed') ?? wagon.slots.find(one => one.slot_no === no)
        const lines = wagon.pick_lines.filter(line => line.slot_no === no && line.state !== 'gone')
        const open = lines.filter(isOpen).length
        const short = lines.filter(line => line.state === 'short').reduce((sum, line) => sum + line.asked - line.picked, 0)
        const stopped = slot && (slot.held || slot.cancelled || slot.state === 'removed')
        return (
          <li
            key={no}
            data-empty={!slot || undefined}
            data-stopped={stopped || undefined}
            data-done={(slot && open === 0 && short === 0) || undefined}
            data-short={short > 0 || undefined}
          >
            <SlotNumber no={no} colour={slot?.colour ?? null} />
            <span className={style.gridCode}>
              {totesInUse(slot).join(' ') || (slot ? (open < lines.length ? slot.order_no : t('any tote')) : '')}
            </span>
            <span className={style.gridState}>
              {!slot
                ? t('empty')
                : slot.cancelled || slot.state === 'removed'
                  ? t('stopped')
                  : slot.held
                    ? t('held')
                    : short > 0
                      ? t('{{count}} missing', { count: short })
                      : open === 0
                        ? t('done')
                        : `${lines.length - open}/${lines.length}`}
            </span>
          </li>
        )
      })}
    </ol>
  )
}

export function PickStart({ wagon }: { wagon: Wagon }) {
  const t = useT()
  const { dispatch } = usePicker()
  const first = remaining(wagon)[0]
  return (
    <div className={style.around}>
      <div className={style.scroll}>
        <h2>{t('Set up wagon')}</h2>
        <p className={style.dim}>
          {wagon.wagon_type.name} · {t('{{count}} orders', { count: wagon.slots.length })} ·{' '}
          {t('{{count}} lines', { count: wagon.pick_lines.length })}
          {wagon.metres === null ? '' : ` · ${t('{{n}} m', { n: wagon.metres })}`}
        </p>
        <SlotGrid wagon={wagon} />
        <p>{t('Put an empty tote into every slot. It belongs to its order from the first scan on.')}</p>
        <TakeAlong wagon={wagon} />
      </div>
      <Button size="xl" fullWidth data-enter onClick={() => dispatch({ type: 'begin' })} className={style.thumb}>
        {first?.bin ? t('Walk to {{bin}}', { bin: first.bin }) : t('Start')}
      </Button>
    </div>
  )
}

/** Samples and gifts for the orders of the wagon: fetched once, before the walk. */
function TakeAlong({ wagon }: { wagon: Wagon }) {
  const t = useT()
  const wanted = wagon.slots
    .filter(slot => !slot.cancelled && slot.state !== 'removed')
    .flatMap(slot => slot.additions.map(addition => ({ ...addition, slot })))
  if (wanted.length === 0) return null
  const products = [...Map.groupBy(wanted, ({ name, bin }) => `${bin ?? ''}\n${name}`).values()]
  return (
    <section aria-label={t('Take along')}>
      <h3>{t('Take along')}</h3>
      <ul className={style.shorts}>
        {products.map(some => {
          const [first] = some
          return first ? (
            <li key={`${first.bin ?? ''} ${first.name}`}>
              <div>
                <p>
                  <strong>{some.reduce((sum, one) => sum + one.qty, 0)}×</strong> {first.name}
                  {first.bin === null ? '' : ` · ${first.bin}`}
                </p>
                <p className={style.dim}>{t('Slots {{slots}}', { slots: some.map(one => one.slot.slot_no).join(', ') })}</p>
              </div>
            </li>
          ) : null
        })}
      </ul>
    </section>
  )
}

export function PickPaused({ wagon }: { wagon: Wagon }) {
  const t = useT()
  const { dispatch } = usePicker()
  return (
    <div className={style.around}>
      <div className={style.middle}>
        <IconPlayerPause size={64} aria-hidden />
        <h2>{t('Paused')}</h2>
        <p>{t('{{count}} lines are left', { count: remaining(wagon).length })}</p>
      </div>
      <Button size="lg" fullWidth variant="default" onClick={() => dispatch({ type: 'hand_over' })} className={style.thumb}>
        {t('Hand on wagon')}
      </Button>
      <Button size="xl" fullWidth data-enter onClick={() => dispatch({ type: 'resume' })} className={style.thumb}>
        {t('Continue')}
      </Button>
    </div>
  )
}

/** What was reported missing, slot by slot, and what becomes of a tote with nothing in it. */
function Shorts({ wagon }: { wagon: Wagon }) {
  const t = useT()
  const slots = wagon.slots.flatMap(slot => {
    const lines = wagon.pick_lines.filter(line => line.slot_no === slot.slot_no && line.order_id === slot.order_id)
    const shorts = lines.filter(line => line.state === 'short')
    return shorts.length > 0 ? [{ slot, shorts, empty: isAllShort(lines) }] : []
  })
  if (slots.length === 0) return null
  return (
    <ul className={style.shorts} aria-label={t('Reported missing')}>
      {slots.map(({ slot, shorts, empty }) => (
        <li key={slot.slot_no}>
          <SlotNumber no={slot.slot_no} colour={slot.colour} />
          <div>
            {empty ? (
              <p>
                <strong>{t('Nothing is in this tote.')}</strong> {emptyToteAdvice(slot)}
              </p>
            ) : null}
            {shorts.map(line => (
              <p key={line.id}>{shortSentence(line)}</p>
            ))}
          </div>
        </li>
      ))}
    </ul>
  )
}

export function PickDone({ wagon }: { wagon: Wagon }) {
  const t = useT()
  const { dispatch, state } = usePicker()
  const blocked = wagon.pick_lines.filter(line => isOpen(line) && stopOf(wagon, line)).length
  return (
    <div className={style.around}>
      <div className={style.scroll}>
        <div className={style.finished}>
          <IconCircleCheck size={64} aria-hidden />
          <h2>{t('Wagon picked')}</h2>
          <p>
            {state.unsent > 0
              ? t('{{n}} not sent', { n: state.unsent })
              : blocked > 0
                ? t('{{count}} lines belong to stopped orders and stay where they are', { count: blocked })
                : t('Bring it to packing.')}
          </p>
        </div>
        <SlotGrid wagon={wagon} />
        <Shorts wagon={wagon} />
      </div>
      {state.canUndo ? (
        <Button size="lg" fullWidth variant="default" onClick={() => dispatch({ type: 'undo' })} className={style.thumb}>
          {t('Undo last')}
        </Button>
      ) : null}
      <Button
        size="xl"
        fullWidth
        data-enter
        loading={state.busy && !state.cutOff}
        onClick={() => dispatch({ type: 'finish' })}
        className={style.thumb}
        {...disabledBecause(state.cutOff && t('No connection'))}
      >
        {state.cutOff ? t('No connection') : t('Wagon at packing')}
      </Button>
    </div>
  )
}
