/** Scan and pack: the screen of a packer who never touches the mouse. */
import { ActionIcon, Loader } from '@mantine/core'
import { IconCloudOff, IconDots, IconEyeOff, IconVolume, IconVolumeOff } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import type { Command } from '#domain/codes.ts'
import type { PackingOrder } from '#features/packing/packing/packing.schemas.ts'
import { device, devicePrinter, useDevice } from '#ui/device/device-storage.ts'
import { afterFirstScreen } from '#ui/kit/first-screen.ts'
import { time } from '#ui/kit/format.ts'
import { Logo } from '#ui/kit/Logo.tsx'
import { optionalPart } from '#ui/kit/optional-part.ts'
import { useNoShortcuts } from '#ui/kit/shortcuts.ts'
import { useT } from '#ui/kit/translate.ts'
import { UnsentBadge } from '#ui/kit/UnsentBadge.tsx'
import { urlNumber } from '#ui/kit/url-fields.ts'
import { useNavigate, useUrlState } from '#ui/kit/url-state.ts'
import { useBlockReload } from '#ui/query/app-config.ts'
import { keyOf, saveFile, send } from '#ui/query/calls.ts'
import { type Interest, onReconnect, useChanges } from '#ui/query/change-stream.ts'
import { invalidate } from '#ui/query/query-invalidation.ts'
import { currentSession, onSessionEnd, useSignedIn } from '#ui/query/session.ts'
import { takesKeys } from '#ui/scanner/fields.ts'
import { ScannerProvider, useHasScanner, useScanHandler, useScanner, useScannerProfile } from '#ui/scanner/handlers.tsx'
import { vibrate } from '#ui/scanner/vibrate.ts'
import { FullPage } from '#ui/shell/FullPage.tsx'
import { ClosingView } from './ClosingView.tsx'
import { choicesOf } from './choices.rules.ts'
import { IdleView } from './IdleView.tsx'
import { orderOnScreen } from './label-state.rules.ts'
import { OrderSidebar } from './OrderSidebar.tsx'
import { PackingView } from './PackingView.tsx'
import { orderShown } from './packing-forecast.rules.ts'
import style from './ScanScreen.module.css'
import { currentScale, loadScale } from './scale-device.client.ts'
import { packingStation } from './station.contract.ts'
import { createStation, openKeptOrder, openScanStore, type StationServices } from './station-effects.client.ts'
import { acts, isCovered, leadsBack, phoneKeys, stationKeys } from './station-keys.rules.ts'
import parts from './station-parts.module.css'
import { companyPaint, focusFirst, Message, Prompt, StationContext, useClock, useStation } from './station-parts.tsx'

const ApprovalForm = lazy(() => import('./ApprovalForm.tsx'))
const ChooseView = lazy(() => import('./ChooseView.tsx'))
const LabelCheckView = lazy(() => import('./LabelViews.tsx').then(module => ({ default: module.LabelCheckView })))
const WaitingView = lazy(() => import('./LabelViews.tsx').then(module => ({ default: module.WaitingView })))
const LabelErrorView = lazy(() => import('./LabelErrorView.tsx'))
const PrintProblems = lazy(() => import('./PrintProblem.tsx').then(module => ({ default: module.PrintProblems })))
const SelfTestGate = optionalPart(
  afterFirstScreen(() => import('#features/printing/self-tests/SelfTestGate.tsx').then(module => module.SelfTestGate)),
)
const StationKeys = lazy(() => import('./StationKeys.tsx'))
const StationCamera = optionalPart(
  afterFirstScreen(() => import('#features/packing/packing-video/StationCamera.tsx').then(module => module.StationCamera)),
)
const StationSetup = lazy(() => import('./StationSetup.tsx'))
const ReadOnlyView = lazy(() => import('./ReadOnlyView.tsx'))
const StationLists = lazy(() => import('./StationLists.tsx'))
const UnlabelledOrders = lazy(() => import('./UnlabelledOrders.tsx'))
const VolumeSlider = lazy(() => import('./VolumeSlider.tsx'))
/** Views that a scan may bring come beforehand: the network may be gone when they are wanted. */
const loadViews = afterFirstScreen(() =>
  Promise.all([
    import('./ApprovalForm.tsx'),
    import('./ChooseView.tsx'),
    import('./LabelErrorView.tsx'),
    import('./LabelViews.tsx'),
    import('./PrintProblem.tsx'),
    import('./ReadOnlyView.tsx'),
    import('./StationKeys.tsx'),
    import('./StationLists.tsx'),
    import('./UnlabelledOrders.tsx'),
  ]),
)

const Url = { order: urlNumber(0) }

/** The order that was open when the station was left: each way back is a page load. */
const openOrder = 'open-order'

/** Minutes without a hand on anything, after which customers' names leave the screen. */
const privateAfter = 5

/** Services that need the mounted screen; without it they do nothing. */
const mounted: Pick<StationServices, 'play' | 'remember' | 'choosePrinter' | 'refreshLists'> = {
  play: () => undefined,
  remember: () => undefined,
  choosePrinter: () => undefined,
  refreshLists: () => undefined,
}

const loadCamera = () => import('#features/packing/packing-photos/photo-camera.client.ts')

/** One station for the page. */
const station = createStation({
  send,
  store: openScanStore(),
  keptOrder: openKeptOrder(),
  loadForecast: () => import('./forecast.rules.ts').then(module => module.forecastOf),
  play: sound => {
    mounted.play(sound)
    if (sound === 'error' || sound === 'wrong_shop') vibrate([200, 80, 200])
    else if (sound !== 'ignored') vibrate(30)
  },
  remember: id => mounted.remember(id),
  choosePrinter: () => mounted.choosePrinter(),
  refreshLists: () => mounted.refreshLists(),
  scale: () => currentScale()?.read(),
  photo: () =>
    loadCamera().then(
      camera => camera.takePhoto(),
      () => 'failed',
    ),
  user: () => {
    const session = currentSession()
    return session && { user_id: session.user.user_id, permissions: session.permissions, acts: session.user.acts }
  },
  device: () => ({
    station: device.read('packingStation') ?? '',
    label_printer_id: devicePrinter('label'),
    a4_printer_id: devicePrinter('slip'),
  }),
  save: saveFile,
  newId: () => crypto.randomUUID(),
})
onSessionEnd(() => station.dispatch({ type: 'signed_out' }))
onReconnect(() => station.retryNow())
if (typeof window !== 'undefined') window.addEventListener('online', () => station.retryNow())

export function ScanScreen() {
  // The page may have a scanner already; two would report every code twice.
  const above = useHasScanner()
  if (above) return <ProvidedStation />
  return (
    <ScannerProvider onUnknown={() => undefined}>
      <ProvidedStation />
    </ScannerProvider>
  )
}

function ProvidedStation() {
  return (
    <StationContext value={station}>
      <StationPage />
    </StationContext>
  )
}

function StationPage() {
  const t = useT()
  const { dispatch, state } = useStation()
  const stationName = useDevice('packingStation')
  const { play } = useScanner()
  const cache = useQueryClient()
  const [url, setUrl] = useUrlState(Url)
  useNoShortcuts()
  useBlockReload(state.order !== null || state.view !== 'idle' || state.unsent + state.unsentElsewhere > 0, 'a pack is open')

  const remember = useEffectEvent((id: number | null) => {
    sessionStorage.setItem(openOrder, `${id ?? 0}`)
    setUrl({ order: id ?? 0 }, { replace: true })
  })
  const refreshLists = useEffectEvent(() => {
    for (const call of [packingStation.waiting, packingStation.recent]) void invalidate(cache, { queryKey: keyOf(call) })
  })
  const go = useNavigate()
  const choosePrinter = useEffectEvent(() => go('/settings/printer'))
  const sound = useEffectEvent(play)
  const begin = useEffectEvent(() => {
    // What another page of this device left behind.
    void station.restore()
  })
  const openAsked = useEffectEvent(() => {
    const order_id = url.order || Number(sessionStorage.getItem(openOrder))
    if (order_id > 0 && station.read().order?.order_id !== order_id) dispatch({ type: 'open', order_id })
  })
  // The outside system is the station, which outlives this screen.
  useEffect(() => {
    mounted.play = name => sound(name)
    mounted.remember = id => remember(id)
    mounted.refreshLists = () => refreshLists()
    mounted.choosePrinter = () => choosePrinter()
    begin()
    loadViews().catch(() => undefined)
    return () => {
      mounted.remember = () => undefined
    }
  }, [])
  // The order in the address opens once there is a station to pack it at.
  const hasStation = stationName !== undefined
  useEffect(() => {
    if (hasStation) openAsked()
  }, [hasStation])

  useScanHandler({
    layer: 'screen',
    match: code => code,
    handle: (code, _, scan) => dispatch({ type: 'scan', code, method: scan.keys.length === 0 ? 'camera' : 'scan' }),
  })
  const [keys, setKeys] = useState(false)
  useKeys(setKeys)

  const { order, view } = state
  const interests: Interest[] = order
    ? [
        { topic: 'packing', id: order.order_id },
        { topic: 'order', id: order.order_id },
      ]
    : []
  useChanges(interests, ({ topic, id }) => dispatch({ type: 'noticed', topic, id }))
  return (
    <FullPage
      title={order ? t('Order {{order_no}}', { order_no: [order.order_no, ...order.combines].join(', ') }) : t('Scan and pack')}
      beside={order ? <span className={style.customer}>{order.customer_name}</span> : null}
      state={
        <>
          {state.unlabelled.length > 0 ? (
            <Suspense>
              <UnlabelledOrders />
            </Suspense>
          ) : null}
          <Unsent />
          <Suspense>
            <SelfTestGate waits={view === 'idle' && stationName !== undefined} />
            <StationCamera session_id={view === 'looking' ? null : (order?.session?.id ?? null)} />
          </Suspense>
          <span className={style.deskOnly}>
            <Volume />
          </span>
          <ActionIcon
            className={style.deskOnly}
            size="lg"
            aria-label={t('Hide screen')}
            title={t('Hide screen')}
            onClick={() => dispatch({ type: 'hide' })}
          >
            <IconEyeOff size={20} />
          </ActionIcon>
        </>
      }
    >
      <div className={style.station} data-view={view}>
        {stationName ? (
          <Frame />
        ) : (
          <div className={style.setup}>
            <Suspense>
              <StationSetup />
            </Suspense>
          </div>
        )}
        <Suspense>{keys ? <StationKeys close={() => setKeys(false)} /> : null}</Suspense>
        <Flash />
        <Privacy />
      </div>
    </FullPage>
  )
}

/** The places that every view shares: company, progress, stage, last answer, side column and keys stand still from state to state. */
function Frame() {
  const t = useT()
  const { state } = useStation()
  const { view } = state
  const order = orderShown(state)
  const paint = companyPaint(order?.company_color ?? null)
  // A scale that was allowed before is there before the parcel is full.
  const weighs = order !== null && order.weighing.mode !== 'off'
  useEffect(() => {
    if (weighs) void loadScale()
  }, [weighs])
  // The camera's code is there before the connection is gone.
  const photographs = order !== null && (order.photo.mode !== 'off' || order.approvals.some(one => one.methods.includes('photo')))
  useEffect(() => {
    if (photographs) void Promise.all([loadCamera(), import('./PhotoForm.tsx')]).catch(() => undefined)
  }, [photographs])
  // What asks nothing leaves space on a phone for the lists below it.
  const calm = view === 'idle' || (view === 'packing' && state.warned && !isCovered(state))
  return (
    <>
      <div className={style.frame} data-calm={calm || undefined}>
        <div className={style.company} style={paint} aria-hidden />
        <Progress order={order} />
        <section className={style.stage} data-part="stage">
          {state.cutOff || state.unreached ? (
            <p className={style.cutOff} role="status">
              <IconCloudOff size={20} aria-hidden />{' '}
              {t('No connection. Scans are kept here and sent automatically; labels need the connection.')}
            </p>
          ) : null}
          <Suspense>
            <PrintProblems />
          </Suspense>
          <div className={style.view}>
            <Suspense>
              <Shown />
            </Suspense>
          </div>
        </section>
        <Message />
        <aside className={style.side} data-part="side">
          <Suspense>{order ? <OrderSidebar order={order} /> : <StationLists />}</Suspense>
        </aside>
      </div>
      <Footer />
    </>
  )
}

function Progress({ order }: { order: PackingOrder | null }) {
  const t = useT()
  if (!order) return <div className={style.progress} />
  const { packed, to_pack } = order
  return (
    <div
      className={style.progress}
      role="progressbar"
      aria-label={t('Packed items')}
      aria-valuenow={packed}
      aria-valuemin={0}
      aria-valuemax={to_pack}
    >
      <span style={{ inlineSize: `${to_pack === 0 ? 100 : (packed / to_pack) * 100}%` }} />
    </div>
  )
}

function Shown() {
  const t = useT()
  const { state } = useStation()
  const { view } = state
  const order = orderShown(state)
  if (view === 'opening')
    return (
      <div className={parts.middle}>
        <Prompt
          eyebrow={
            state.unreached ? (
              t('No connection')
            ) : (
              <>
                {t('Opening')} <Loader className={style.slow} size="1em" color="currentColor" aria-hidden />
              </>
            )
          }
          detail={state.unreached ? t('It opens once the connection is back. Scan another order or go back.') : null}
        >
          {state.opening || '…'}
        </Prompt>
      </div>
    )
  if (view === 'choose') return <ChooseView />
  if (state.approving && !(order && state.photographing)) return <ApprovalForm />
  if (!order || view === 'idle') return <IdleView />
  if (view === 'packing') return <PackingView order={order} />
  if (view === 'closing') return <ClosingView order={order} />
  if (view === 'label_error') return <LabelErrorView key={order.order_id} order={order} />
  if (view === 'label_check') return <LabelCheckView order={order} />
  if (view === 'waiting') return <WaitingView order={order} />
  return <ReadOnlyView order={order} />
}

const functionKeys: Record<string, Command> = {
  F1: 'WEIGH',
  F2: 'UNDO',
  F3: 'PHOTO',
  F4: 'NEXT',
  F6: 'QUANTITY',
  F7: 'FINALIZE',
  F8: 'REPRINT',
  F9: 'EXCEPTION',
  F10: 'ABORT',
}

/** Milliseconds for which a digit must stand alone: a scanner types the next one sooner. */
const alone = 60

/** Function keys, Enter, Esc and the digits of numbered answers. Letters belong to the scanner. */
function useKeys(showKeys: (shown: boolean) => void) {
  const { dispatch } = useStation()
  // The outside system is the keyboard.
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let last = 0
    const press = (event: KeyboardEvent) => {
      const quick = event.timeStamp - last < alone
      last = event.timeStamp
      clearTimeout(timer)
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (document.querySelector('[role="dialog"]')) return
      const command = functionKeys[event.key]
      if (command) {
        event.preventDefault()
        if (!event.repeat) dispatch({ type: 'command', command })
        return
      }
      const target = event.target instanceof Element ? event.target : null
      if (event.key === 'Escape') {
        if (target instanceof HTMLElement && target.closest('input, textarea, select')) target.blur()
        return dispatch({ type: 'back' })
      }
      // A digit means an answer also while a button has the focus, as after a click.
      const digit = /^[1-9]$/.test(event.key) && target?.closest('input, textarea, select, [contenteditable="true"]') === null
      if (event.repeat || (takesKeys(target) && !digit)) return
      if (event.key === 'Enter') return dispatch({ type: 'primary' })
      if (event.key === '?' && !quick) timer = setTimeout(() => showKeys(true), alone)
      if (/^[1-9]$/.test(event.key) && !quick && choicesOf(station.read(), station.situation()).length > 0)
        timer = setTimeout(() => dispatch({ type: 'choose', number: Number(event.key) }), alone)
    }
    window.addEventListener('keydown', press)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('keydown', press)
    }
  }, [dispatch, showKeys])
}

function Unsent() {
  const { state } = useStation()
  const count = state.unsent + state.unsentElsewhere
  if (count === 0 || !(state.cutOff || state.unsentElsewhere > 0)) return null
  return <UnsentBadge count={count} />
}

/** The slider is loaded with the first touch of its button. */
function Volume() {
  const t = useT()
  const { volume } = useScannerProfile()
  const [opened, setOpened] = useState(false)
  const icon = volume === 0 ? <IconVolumeOff size={20} /> : <IconVolume size={20} />
  const button = (
    <ActionIcon size="lg" aria-label={t('Volume')} title={t('Volume')} onClick={() => setOpened(true)}>
      {icon}
    </ActionIcon>
  )
  if (!opened) return button
  return (
    <Suspense fallback={button}>
      <VolumeSlider icon={icon} />
    </Suspense>
  )
}

function Footer() {
  const t = useT()
  const { dispatch, state, situation } = useStation()
  // While an order is packed its number stands above; the keys have the space.
  const order_no = state.view === 'packing' ? '' : (orderOnScreen(state)?.order_no ?? '')
  const [more, setMore] = useState(false)
  // Whether an order is weighed or photographed does not change while it is packed, so these keys need no free place.
  const { weighing, photo } = orderOnScreen(state) ?? {}
  const unused = [weighing?.mode === 'off' && 'WEIGH', photo?.mode === 'off' && 'PHOTO']
  const keys = stationKeys.filter(({ command, views }) => views.includes(state.view) && !unused.includes(command))
  const back = leadsBack(state)
  const onPhone = phoneKeys(state, situation, back ? 1 : 2)
  const rest = keys.filter(({ command }) => acts(command, state, situation) && !onPhone.includes(command))
  return (
    <footer className={style.footer}>
      {keys.map(({ key, command, does }) => (
        <button
          key={key}
          type="button"
          hidden={!acts(command, state, situation)}
          data-more={!onPhone.includes(command) || undefined}
          onClick={() => dispatch({ type: 'command', command })}
        >
          <kbd>{key}</kbd> {t(does, { order_no })}
        </button>
      ))}
      {rest.length > 0 ? (
        <button type="button" className={style.more} aria-label={t('More')} aria-expanded={more} onClick={() => setMore(!more)}>
          <IconDots size={24} aria-hidden />
        </button>
      ) : null}
      {more && rest.length > 0 ? (
        <div className={style.sheet}>
          {rest.map(({ command, does }) => (
            <button
              key={command}
              type="button"
              onClick={() => {
                setMore(false)
                dispatch({ type: 'command', command })
              }}
            >
              {t(does, { order_no })}
            </button>
          ))}
        </div>
      ) : null}
      {back ? (
        <button type="button" className={style.esc} onClick={() => dispatch({ type: 'back' })}>
          <kbd>Esc</kbd> {t('Back')}
        </button>
      ) : null}
    </footer>
  )
}

/** A frame of colour around everything, for the corner of the eye. */
function Flash() {
  const { state } = useStation()
  const { message } = state
  if (!message || message.tone === 'ignored') return null
  return <div key={message.nth} className={`${style.flash} ${style[`flash_${message.tone}`]}`} aria-hidden />
}

/** After a pause names and addresses leave the screen. A key, a touch or a scan brings them back. */
function Privacy() {
  const t = useT()
  const { dispatch, state } = useStation()
  const { user } = useSignedIn()
  const now = useClock(30)
  // The outside system is the person who touches the device.
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const touched = () => {
      clearTimeout(timer)
      timer = setTimeout(() => dispatch({ type: 'hide' }), privateAfter * 60_000)
    }
    touched()
    const signs = ['keydown', 'pointerdown', 'pointermove'] as const
    for (const sign of signs) window.addEventListener(sign, touched, { capture: true, passive: true })
    return () => {
      clearTimeout(timer)
      for (const sign of signs) window.removeEventListener(sign, touched, { capture: true })
    }
  }, [dispatch])
  if (!state.hidden) return null
  return (
    <button type="button" className={style.privacy} onClick={() => dispatch({ type: 'back' })} ref={focusFirst}>
      <Logo size={72} />
      <span className={style.privacyTime}>{time(now)}</span>
      <span>{t('Press a key or scan to go on, {{name}}', { name: user.name })}</span>
    </button>
  )
}
