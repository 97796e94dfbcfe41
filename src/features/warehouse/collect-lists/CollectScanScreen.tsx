/** Scanning parcels out of their cage: one large answer to each scan, at a desk with a scanner or on a phone with its camera. */
import { Button } from '@mantine/core'
import { IconArrowBackUp, IconLock, IconTruck } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useReducer, useState } from 'react'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { number, weight } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { useNoShortcuts } from '#ui/kit/shortcuts.ts'
import { errorSentence } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { UnsentBadge } from '#ui/kit/UnsentBadge.tsx'
import { urlNumber } from '#ui/kit/url-fields.ts'
import { useNavigate, useUrlState } from '#ui/kit/url-state.ts'
import { useBlockReload } from '#ui/query/app-config.ts'
import { keyOf, useCall } from '#ui/query/calls.ts'
import { invalidate } from '#ui/query/query-invalidation.ts'
import { CameraButton } from '#ui/scanner/CameraButton.tsx'
import { ScannerHere, useScanHandler, useScanner } from '#ui/scanner/handlers.tsx'
import { vibrate } from '#ui/scanner/vibrate.ts'
import { FullPage } from '#ui/shell/FullPage.tsx'
import style from './Collect.module.css'
import { CloseDialog, HandOverDialog } from './CollectDialogs.tsx'
import { CollectParcels, type Show } from './CollectParcels.tsx'
import { nextPickup, StartButton } from './CollectTiles.tsx'
import { CageMark, CollectBadge, CutOffClock, resultTones, resultWord, Scanned } from './collect-list.labels.tsx'
import { collectLists, collectListsOwn } from './collect-lists.contract.ts'
import { extraOf, soundOf } from './collect-lists.rules.ts'
import type { CollectList, ScanAnswer } from './collect-lists.schemas.ts'
import { enqueueScan, onScanResult, scanQueue } from './scan-sender.client.ts'

const Url = { id: urlNumber(0) }

/** What the last scan was answered, or why it was not taken. `nth` distinguishes two of the same. */
interface Last {
  nth: number
  answer?: ScanAnswer
  refused?: string
}

export function CollectScanScreen() {
  return (
    <ScannerHere onUnknown={() => undefined}>
      <Screen />
    </ScannerHere>
  )
}

function Screen() {
  const [url, setUrl] = useUrlState(Url)
  useNoShortcuts()
  if (url.id > 0) return <Scanning key={url.id} id={url.id} choose={id => setUrl({ id })} />
  return <Choosing choose={id => setUrl({ id })} />
}

/** No list is open: a list's paper is scanned, or its cage is chosen. */
function Choosing({ choose }: { choose: (id: number) => void }) {
  const t = useT()
  const overview = useCall(collectListsOwn.overview, {}, { live: ['collect_list'], keep: true })
  useScanHandler({ match: code => (code.kind === 'collect_list' ? code.id : null), handle: id => choose(id) })
  return (
    <FullPage title={t('Scan out')}>
      <div className={style.choosing}>
        <h2>{t('Which cage?')}</h2>
        <QueryState of={overview} shape="rows">
          {({ tiles }) =>
            tiles.length === 0 ? (
              <EmptyList
                title={t('Nothing waits for a courier')}
                action={
                  <Button component={Link} to="/lists/collect">
                    {t('Collect lists')}
                  </Button>
                }
              >
                {t('Packed parcels with a label appear here, in the cage that their label names.')}
              </EmptyList>
            ) : (
              <ul className={style.choices}>
                {tiles.map(tile => (
                  <li key={tile.key}>
                    <div>
                      <CageMark name={tile.cage.name} colour={tile.cage.colour} large />
                      <span className={style.dim}>{t('{{count}} parcels to scan', { count: tile.waiting })}</span>
                      <CutOffClock at={tile.cut_off_at} late={tile.late} />
                    </div>
                    {tile.running ? (
                      <Button
                        size="lg"
                        variant={tile.key === nextPickup(tiles) ? 'filled' : 'default'}
                        onClick={() => choose(tile.running?.id ?? 0)}
                      >
                        {t('Continue {{list}}', { list: tile.running.code })}
                      </Button>
                    ) : (
                      <StartButton tile={tile} filled={tile.key === nextPickup(tiles)} />
                    )}
                  </li>
                ))}
              </ul>
            )
          }
        </QueryState>
      </div>
    </FullPage>
  )
}

function Scanning({ id, choose }: { id: number; choose: (id: number) => void }) {
  const t = useT()
  const list = useCall(collectLists.get, { id }, { live: ['collect_list', 'shipment'], keep: true })
  return (
    <FullPage
      title={list.data ? `${list.data.code} · ${t(list.data.cage)}` : t('Scan out')}
      beside={
        list.data ? (
          <span className={style.deskOnly}>
            <CollectBadge state={list.data.state} />
          </span>
        ) : null
      }
      state={<Unsent />}
    >
      <QueryState of={list} shape="page">
        {answer => <Work list={answer} choose={choose} />}
      </QueryState>
    </FullPage>
  )
}

function Work({ list, choose }: { list: CollectList; choose: (id: number) => void }) {
  const t = useT()
  const go = useNavigate()
  const cache = useQueryClient()
  const { play } = useScanner()
  const [last, setLast] = useState<Last | null>(null)
  const [show, setShow] = useState<Show>('all')
  const [asking, ask] = useState<'close' | 'hand_over' | null>(null)
  const running = list.state === 'open' || list.state === 'scanning'

  const answered = useEffectEvent((list_id: number, answer: ScanAnswer) => {
    if (list_id !== list.id) return
    setLast(before => ({ nth: (before?.nth ?? 0) + 1, answer }))
    const sound = soundOf(answer.result)
    play(sound === 'ok' && answer.counts.missing === 0 ? 'done' : sound)
    vibrate(answer.result === 'ok' ? 30 : [200, 80, 200])
    void invalidate(cache, { queryKey: keyOf(collectLists.get, { id: list.id }) })
  })
  const refused = useEffectEvent((list_id: number, error: unknown) => {
    if (list_id !== list.id) return
    setLast(before => ({ nth: (before?.nth ?? 0) + 1, refused: errorSentence(error) }))
    play('error')
    void invalidate(cache, { queryKey: keyOf(collectLists.get, { id: list.id }) })
  })
  // The outside system is the queue of scans, which outlives this screen.
  useEffect(() => {
    scanQueue()
    return onScanResult({
      answered: (id, answer) => answered(id, answer),
      refused: (id, error) => refused(id, error),
      changed: () => undefined,
    })
  }, [])

  useScanHandler({
    match: code => (code.kind === 'refused' ? null : code),
    handle: (code, _, scan) => {
      if (code.kind === 'collect_list') return choose(code.id)
      if (code.kind === 'command') {
        if (code.command === 'UNDO' && running) enqueueScan(list.id, { kind: 'undo' })
        else if (code.command === 'FINALIZE' && running) ask('close')
        else play('error')
        return
      }
      // The scanner's own text: a link or an element string must arrive as it was.
      enqueueScan(list.id, { kind: 'scan', code: scan.text || code.text, method: scan.keys.length === 0 ? 'camera' : 'scan' })
    },
    active: asking === null,
  })
  const undo = useEffectEvent(() => running && asking === null && enqueueScan(list.id, { kind: 'undo' }))
  // The outside system is the keyboard.
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'F2' || event.repeat) return
      event.preventDefault()
      undo()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])

  const missing = list.parcels.filter(parcel => parcel.standing === 'expected').length
  return (
    <div className={style.scan}>
      <div className={style.stage}>
        <Result last={last} list={list} />
        <div className={style.counters}>
          <div>
            <strong>{number(list.scanned)}</strong>
            <span>{t('scanned')}</span>
          </div>
          <div>
            <strong>{number(missing)}</strong>
            <span>{t('missing')}</span>
          </div>
          <div data-wrong={list.take_out > 0 || undefined}>
            <strong>{number(list.take_out > 0 ? list.take_out : extraOf(list.over).length)}</strong>
            <span>{list.take_out > 0 ? t('to take out') : t('extra')}</span>
          </div>
          <div className={style.when}>
            <CutOffClock at={list.cut_off_at} late={running} />
            <Scanned scanned={list.scanned} expected={list.expected} />
          </div>
        </div>
        <div className={style.buttons}>
          {running ? (
            <>
              <CameraButton keepOpen />
              <Button
                size="lg"
                variant="default"
                leftSection={<IconArrowBackUp size={20} />}
                {...disabledBecause(list.scanned === 0 && t('No parcel has been scanned yet'))}
                onClick={() => enqueueScan(list.id, { kind: 'undo' })}
              >
                {t('Undo')} <kbd className={style.key}>F2</kbd>
              </Button>
              <Button
                size="lg"
                {...(missing > 0 && { variant: 'default' })}
                leftSection={<IconLock size={20} />}
                onClick={() => ask('close')}
              >
                {t('Close list')}
              </Button>
            </>
          ) : (
            <>
              {list.state === 'closed' ? (
                <Button
                  size="lg"
                  leftSection={<IconTruck size={20} />}
                  {...disabledBecause(list.scanned === 0 && t('No parcel has been scanned yet'))}
                  onClick={() => ask('hand_over')}
                >
                  {t('Hand over')}
                </Button>
              ) : null}
              <Button size="lg" variant="default" component={Link} to="/lists/collect" search={{ id: list.id }}>
                {t('Open {{list}}', { list: list.code })}
              </Button>
            </>
          )}
        </div>
      </div>
      <div className={style.beside}>
        <CollectParcels list={list} show={show} setShow={setShow} />
      </div>
      <CloseDialog
        list={list}
        opened={asking === 'close'}
        close={() => ask(null)}
        closed={answer => (answer.scanned > 0 ? ask('hand_over') : go('/lists/collect'))}
      />
      <HandOverDialog
        list={list}
        opened={asking === 'hand_over'}
        close={() => ask(null)}
        done={() => go('/lists/collect', { id: list.id })}
      />
    </div>
  )
}

/** The answer, large enough for two metres: colour, word and what to do. */
function Result({ last, list }: { last: Last | null; list: CollectList }) {
  const t = useT()
  const { answer, refused } = last ?? {}
  const running = list.state === 'open' || list.state === 'scanning'
  if (refused)
    return (
      <div className={style.result} data-tone="stop" role="status" key={last?.nth}>
        <h2>{t('Not taken')}</h2>
        <p>{refused}</p>
      </div>
    )
  if (!answer)
    return (
      <div className={style.result} role="status">
        <h2>{running ? t('Scan a parcel') : list.state === 'closed' ? t('To hand over') : t('Handed over')}</h2>
        <p>
          <CageMark name={list.cage} colour={list.colour} /> {list.cage === list.agent ? null : t(list.agent)}
        </p>
      </div>
    )
  const { parcel, cage } = answer
  const title = resultWord(answer.result, cage ? t(cage.name) : String(answer.values.cage ?? ''))
  const why = ['stopped', 'unknown', 'again'].includes(answer.result) ? t(answer.text, answer.values) : title
  return (
    <div className={style.result} data-tone={resultTones[answer.result]} role="status" key={last?.nth}>
      <h2>{title}</h2>
      {why === title ? null : <p>{why}</p>}
      {cage?.colour ? (
        <p>
          <CageMark name={cage.name} colour={cage.colour} />
        </p>
      ) : null}
      {answer.result === 'not_packed' ? <p>{t('Bring it back to the packing station.')}</p> : null}
      {answer.result === 'elsewhere' && parcel ? (
        <p className={style.parcelOrder}>
          {[parcel.order_no === null ? '' : t('Order {{number}}', { number: parcel.order_no }), parcel.receiver]
            .filter(Boolean)
            .join(' · ')}
        </p>
      ) : null}
      <p className={style.parcelLine}>
        <span className={style.number}>{parcel?.tracking_no ?? answer.values.parcel ?? answer.values.code ?? ''}</span>
        {parcel ? (
          <span>
            {[
              parcel.order_no,
              parcel.consignment_parcels > 1
                ? t('Parcel {{n}} of {{count}}', { n: parcel.parcel_no, count: parcel.consignment_parcels })
                : '',
              parcel.receiver,
              parcel.city,
              parcel.weight_g > 0 ? weight(parcel.weight_g) : '',
            ]
              .filter(Boolean)
              .join(' · ')}
          </span>
        ) : null}
      </p>
    </div>
  )
}

/** Scans that the server has not acknowledged. */
function Unsent() {
  const [, look] = useReducer((count: number) => count + 1, 0)
  // The outside system is the queue of scans.
  useEffect(() => onScanResult({ answered: () => undefined, refused: () => undefined, changed: look }), [])
  const waiting = scanQueue().waiting().length
  useBlockReload(waiting > 0, 'scans are not sent')
  if (waiting === 0 || !scanQueue().isOffline()) return null
  return <UnsentBadge count={waiting} />
}
