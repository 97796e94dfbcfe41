/** Pick: the screen of a picker with a wagon and a phone. */
import { Button } from '@mantine/core'
import { IconCloudOff } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useEffectEvent } from 'react'
import { wagonTopic } from '#features/warehouse/pick-lists/pick-lists.rules.ts'
import { afterFirstScreen } from '#ui/kit/first-screen.ts'
import { Skeleton } from '#ui/kit/Skeleton.tsx'
import { useNoShortcuts } from '#ui/kit/shortcuts.ts'
import { useT } from '#ui/kit/translate.ts'
import { UnsentBadge } from '#ui/kit/UnsentBadge.tsx'
import { useBlockReload } from '#ui/query/app-config.ts'
import { send } from '#ui/query/calls.ts'
import { type Interest, onReconnect, useChanges, useConnection } from '#ui/query/change-stream.ts'
import { currentSession, onSessionEnd, useSignedIn } from '#ui/query/session.ts'
import { takesKeys } from '#ui/scanner/fields.ts'
import { ScannerProvider, useHasScanner, useScanHandler, useScanner } from '#ui/scanner/handlers.tsx'
import { vibrate } from '#ui/scanner/vibrate.ts'
import { FullPage } from '#ui/shell/FullPage.tsx'
import { openPickStore } from './offline-store.client.ts'
import style from './Pick.module.css'
import { PickLine } from './PickLine.tsx'
import { PickReported } from './PickReported.tsx'
import { PickWagons } from './PickWagons.tsx'
import { PickWrong } from './PickWrong.tsx'
import { PickerContext, usePicker } from './pick-parts.tsx'
import { createPicker } from './picker-effects.client.ts'
import { newsShown, type PickerState } from './picker-model.rules.ts'
import type { PickerServices } from './picker-services.client.ts'
import { progress, remaining } from './picking.rules.ts'
import { PickDone, PickPaused, PickStart } from './WagonViews.tsx'

/** Loaded when the screen stands, before the first of them is wanted. */
const PickSheets = lazy(afterFirstScreen(() => import('./PickSheets.tsx').then(module => ({ default: module.PickSheets }))))

/** Services that need the mounted screen; without it they do nothing. */
const mounted: Pick<PickerServices, 'play'> = { play: () => undefined }

/** One picker for the page: the wagon stays open while the screen is left and opened again. */
const picker = createPicker({
  send,
  store: openPickStore(),
  play: sound => mounted.play(sound),
  vibrate,
  user_id: () => currentSession()?.user.user_id,
  newId: () => crypto.randomUUID(),
})
onSessionEnd(() => picker.dispatch({ type: 'signed_out' }))
onReconnect(() => picker.retryNow())
if (typeof window !== 'undefined') {
  window.addEventListener('online', () => picker.retryNow())
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && picker.retryNow())
}

export function PickScreen() {
  // The page may have a scanner already; two would report every code twice.
  const above = useHasScanner()
  const page = (
    <PickerContext value={picker}>
      <PickPage />
    </PickerContext>
  )
  return above ? page : <ScannerProvider onUnknown={() => undefined}>{page}</ScannerProvider>
}

function PickPage() {
  const t = useT()
  const { dispatch, state } = usePicker()
  const { user } = useSignedIn()
  const { play } = useScanner()
  const { wagon } = state
  const cutOff = useConnection() === 'lost' || state.cutOff
  useNoShortcuts()
  useBlockReload(state.wagon !== null || state.unsent > 0, 'a wagon is being picked')
  useWakeLock(wagon !== null)

  const sound = useEffectEvent(play)
  // The outside system is the picker, which outlives this screen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another person has another wagon
  useEffect(() => {
    mounted.play = name => sound(name)
    void picker.restore()
    return () => {
      mounted.play = () => undefined
    }
  }, [user.user_id])

  useChanges(interestsOf(state.base), ({ topic, id }) => dispatch({ type: 'noticed', topic, id }))
  useScanHandler({
    layer: 'screen',
    active: wagon !== null,
    match: code => code,
    handle: (_code, _found, scan) => dispatch({ type: 'scan', raw: scan.text, by: scan.keys.length === 0 ? 'camera' : 'scan' }),
  })

  useEnter()
  const counted = wagon ? progress(wagon) : undefined
  const line = state.begun && wagon?.state !== 'paused' ? wagon?.pick_lines.find(one => one.id === state.hand?.line) : undefined
  const title = !wagon
    ? t('Pick')
    : line && state.hand?.step === 'product' && line.bin
      ? line.bin
      : line && state.hand?.step === 'slot'
        ? line.name
        : t('List {{list}} · wagon {{wagon}}', { list: wagon.pick_list_id, wagon: wagon.wagon_no })
  return (
    <FullPage
      title={title}
      beside={counted ? <span className={style.count}>{t('{{n}} of {{all}}', { n: counted.done, all: counted.of })}</span> : null}
      state={<Unsent />}
      stationless
    >
      <div className={style.phone} onPointerUp={freeFocus}>
        {counted ? (
          <div className={style.bar} aria-hidden>
            <span style={{ inlineSize: `${(100 * counted.done) / Math.max(1, counted.of)}%` }} />
          </div>
        ) : null}
        {cutOff ? (
          <p className={style.cutOff} role="status">
            <IconCloudOff size={20} aria-hidden />
            <span>
              {state.unsent > 0 ? <strong>{t('{{n}} not sent', { n: state.unsent })} · </strong> : null}
              {t('No connection. Go on: everything is sent later.')}
            </span>
          </p>
        ) : null}
        {state.ready ? <Shown /> : <Skeleton />}
        <News />
        <Suspense fallback={null}>
          <PickSheets />
        </Suspense>
        <PickReported />
        <PickWrong />
        <Flash />
      </div>
    </FullPage>
  )
}

/** Milliseconds without a key before one that a person pressed: scanners are faster. */
const alone = 150

/** Enter of a hardware keyboard presses the main button, also while the hidden scanner field has the focus. */
function useEnter() {
  // The outside system is the keyboard.
  useEffect(() => {
    let last = 0
    const press = (event: KeyboardEvent) => {
      const quick = event.timeStamp - last < alone
      if (event.key !== 'Enter') last = event.timeStamp
      // After other keys it is the end of a scan that was too short to be one.
      if (quick || event.key !== 'Enter' || event.repeat || event.defaultPrevented || takesKeys(event.target)) return
      if (document.querySelector('[role="dialog"]')) return
      const main =
        document.querySelector<HTMLButtonElement>('[role="alertdialog"] [data-enter]') ??
        document.querySelector<HTMLButtonElement>('[data-enter]')
      if (!main) return
      event.preventDefault()
      main.click()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}

/** A finger leaves the focus on a button; a phone's scanner needs it in the hidden field. */
function freeFocus({ pointerType }: { pointerType: string }): void {
  if (pointerType !== 'touch') return
  setTimeout(() => {
    const { activeElement } = document
    if (activeElement instanceof HTMLButtonElement && !activeElement.closest('[role="dialog"]')) activeElement.blur()
  })
}

function Shown() {
  const { state } = usePicker()
  const { wagon } = state
  if (!wagon) return <PickWagons />
  const left = remaining(wagon).length
  if (left === 0 || !['claimed', 'picking', 'paused', 'open'].includes(wagon.state)) return <PickDone wagon={wagon} />
  if (wagon.state === 'paused') return <PickPaused wagon={wagon} />
  if (!state.begun) return <PickStart wagon={wagon} />
  return <PickLine wagon={wagon} />
}

function Unsent() {
  const { state } = usePicker()
  // Without a connection the line below says it.
  if (state.unsent < 3 || state.cutOff) return null
  return <UnsentBadge count={state.unsent} />
}

/** What must be read before going on: stopped orders, and events that the server did not take. */
function News() {
  const t = useT()
  const { dispatch, state } = usePicker()
  if (!newsShown(state)) return null
  return (
    <div className={style.news} role="alertdialog" aria-label={t('Read this first')}>
      <ul>
        {state.news.map(one => (
          <li key={`${one.text} ${JSON.stringify(one.values)}`}>{t(one.text, one.values ?? {})}</li>
        ))}
      </ul>
      <Button size="xl" fullWidth data-enter onClick={() => dispatch({ type: 'read_news' })} className={style.thumb}>
        {t('Understood')}
      </Button>
    </div>
  )
}

/** A frame of colour around everything, for the corner of the eye. */
function Flash() {
  const { state } = usePicker()
  const { message } = state
  if (!message || message.tone === 'quiet') return null
  return <div key={message.nth} className={style.flash} data-tone={message.tone} aria-hidden />
}

/** The screen stays on while a wagon is walked with, where the device allows it. */
function useWakeLock(active: boolean) {
  // The outside system is the device's screen.
  useEffect(() => {
    if (!active || !('wakeLock' in navigator)) return
    let lock: WakeLockSentinel | undefined
    let over = false
    const ask = () => {
      if (document.visibilityState !== 'visible') return
      navigator.wakeLock.request('screen').then(
        got => {
          if (over) void got.release()
          else lock = got
        },
        // A flat battery, or not allowed: the picker touches the phone instead.
        () => undefined,
      )
    }
    ask()
    document.addEventListener('visibilitychange', ask)
    return () => {
      over = true
      document.removeEventListener('visibilitychange', ask)
      void lock?.release()
    }
  }, [active])
}

/** The wagon, its list and the orders in its slots. */
const interestsOf = (wagon: PickerState['base']): readonly Interest[] =>
  wagon === null
    ? []
    : [
        { topic: 'pick_wagon', id: wagonTopic(wagon) },
        { topic: 'pick_list', id: wagon.pick_list_id },
        ...wagon.slots.flatMap(({ order_id }) => (order_id === null ? [] : [{ topic: 'picking' as const, id: order_id }])),
      ]
