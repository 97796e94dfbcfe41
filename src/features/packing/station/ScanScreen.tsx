/** Scan and pack: the screen of a packer who never touches the mouse. */
import { ActionIcon, Popover, Slider } from '@mantine/core'
import { IconCloudOff, IconEyeOff, IconVolume, IconVolumeOff } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import * as z from 'zod'
import type { Command } from '#domain/codes.ts'
import { device, useDevice } from '#ui/device/device-storage.ts'
import { time } from '#ui/kit/format.ts'
import { Logo } from '#ui/kit/Logo.tsx'
import { useNoShortcuts } from '#ui/kit/shortcuts.ts'
import { useT } from '#ui/kit/translate.ts'
import { UnsentBadge } from '#ui/kit/UnsentBadge.tsx'
import { useUrlState } from '#ui/kit/url-state.ts'
import { useBlockReload } from '#ui/query/app-config.ts'
import { keyOf, saveFile, send } from '#ui/query/calls.ts'
import { onReconnect, useChanges } from '#ui/query/change-stream.ts'
import { invalidate } from '#ui/query/query-invalidation.ts'
import { currentSession, onSessionEnd, useSignedIn } from '#ui/query/session.ts'
import { ScannerProvider, saveScannerProfile, useHasScanner, useScanHandler, useScanner, useScannerProfile } from '#ui/scanner/handlers.tsx'
import { vibrate } from '#ui/scanner/vibrate.ts'
import { FullPage } from '#ui/shell/FullPage.tsx'
import { BenchClosing, BenchLabelCheck, BenchLabelError, BenchWaiting } from './ClosingView.tsx'
import { BenchChoose, BenchIdle } from './IdleView.tsx'
import { BenchPacking } from './PackingView.tsx'
import { PrintTrouble } from './PrintProblem.tsx'
import { haveLabel, orderOnScreen } from './packing-state.rules.ts'
import { BenchLooking } from './ReadOnlyView.tsx'
import style from './ScanScreen.module.css'
import { StationSetup } from './StationSetup.tsx'
import { openScanShelf } from './scan-store.client.ts'
import { bench as benchCalls } from './station.contract.ts'
import type { BenchDoors } from './station-core.client.ts'
import parts from './station-parts.module.css'
import { BenchContext, focusFirst, Prompt, useClock, useCompanyColor, useTheBench } from './station-parts.tsx'
import { createBench } from './station-services.tsx'

const Url = z.object({ order: z.coerce.number().int().min(0).default(0) })

/** Minutes without a hand on anything, after which customers' names leave the screen. */
const privateAfter = 5

/** What the screen lends to the bench while it is shown. */
const lent: Pick<BenchDoors, 'play' | 'remember' | 'changed'> = {
  play: () => undefined,
  remember: () => undefined,
  changed: () => undefined,
}

/** One bench for the page: leaving the screen and coming back changes nothing of what is in hand. */
const theBench = createBench({
  send,
  shelf: openScanShelf(),
  play: sound => {
    lent.play(sound)
    if (sound === 'error') vibrate([200, 80, 200])
    else if (sound !== 'ignored') vibrate(30)
  },
  remember: id => lent.remember(id),
  changed: () => lent.changed(),
  me: () => {
    const session = currentSession()
    return session && { user_id: session.user.user_id, permissions: session.permissions }
  },
  device: () => {
    const printer = device.read('printer')
    return {
      station: device.read('packingStation') ?? '',
      label_printer_id: printer?.labelPrinter ?? null,
      a4_printer_id: printer?.A4Printer ?? null,
    }
  },
  save: saveFile,
  newId: () => crypto.randomUUID(),
})
onSessionEnd(() => theBench.forget())
onReconnect(() => theBench.hurry())
if (typeof window !== 'undefined') window.addEventListener('online', () => theBench.hurry())

export function ScanScreen() {
  // The page may have a scanner already; two would hear every code twice.
  const above = useHasScanner()
  if (above) return <Bench />
  return (
    <ScannerProvider onUnknown={() => undefined}>
      <Bench />
    </ScannerProvider>
  )
}

function Bench() {
  return (
    <BenchContext value={theBench}>
      <BenchPage />
    </BenchContext>
  )
}

function BenchPage() {
  const t = useT()
  const { bench, state } = useTheBench()
  const station = useDevice('packingStation')
  const { play } = useScanner()
  const cache = useQueryClient()
  const [url, setUrl] = useUrlState(Url)
  useNoShortcuts()
  useBlockReload(state.order !== null || state.unsent + state.unsentElsewhere > 0, 'a pack is open')

  const remember = useEffectEvent((id: number | null) => setUrl({ order: id ?? 0 }, { replace: true }))
  const changed = useEffectEvent(() => {
    for (const call of [benchCalls.waiting, benchCalls.recent]) void invalidate(cache, { queryKey: keyOf(call) })
  })
  const sound = useEffectEvent(play)
  const begin = useEffectEvent(() => {
    // What another page of this device left behind.
    void bench.restore()
    if (url.order === 0 && bench.read().order) setUrl({ order: bench.read().order?.order_id ?? 0 }, { replace: true })
  })
  const openAsked = useEffectEvent(() => {
    if (url.order > 0 && bench.read().order?.order_id !== url.order) void bench.open(url.order)
  })
  // The outside system is the bench, which outlives this screen.
  useEffect(() => {
    lent.play = name => sound(name)
    lent.remember = id => remember(id)
    lent.changed = () => changed()
    begin()
    return () => {
      lent.remember = () => undefined
    }
  }, [])
  // The order in the address opens once there is a station to pack it at.
  const hasStation = station !== undefined
  useEffect(() => {
    if (hasStation) openAsked()
  }, [hasStation])

  useChanges(['packing', 'order'], ({ topic, id }) => bench.noticed(topic, id))
  useScanHandler({
    layer: 'screen',
    match: code => code,
    handle: (code, _, scan) => bench.scanned(code, scan.keys.length === 0 ? 'camera' : 'scan'),
  })
  useKeys()

  const { order, view } = state
  return (
    <FullPage
      title={order ? t('Order {{order_no}}', { order_no: order.order_no }) : t('Scan and pack')}
      beside={order ? <span className={style.customer}>{order.customer_name}</span> : null}
      state={
        <>
          <Unsent />
          <span className={style.deskOnly}>
            <Volume />
          </span>
          <ActionIcon
            className={style.deskOnly}
            size="lg"
            aria-label={t('Hide the screen')}
            title={t('Hide the screen')}
            onClick={bench.hide}
          >
            <IconEyeOff size={20} />
          </ActionIcon>
        </>
      }
    >
      <div className={style.bench} data-view={view}>
        {order ? <CompanyBand name={order.company_name} color={order.company_color} /> : null}
        {state.cutOff || state.unreached ? (
          <p className={style.cutOff} role="status">
            <IconCloudOff size={20} aria-hidden />{' '}
            {t('No connection. Scans are kept here and sent by themselves; labels need the connection.')}
          </p>
        ) : null}
        <PrintTrouble />
        <div className={style.view}>{station ? <Shown /> : <StationSetup />}</div>
        <Footer />
        <Flash />
        <Privacy />
      </div>
    </FullPage>
  )
}

/** A stripe of the company's colour above its order, for the corner of the eye; on a phone with the name, which stands below the fold there. */
function CompanyBand({ name, color }: { name: string; color: string | null }) {
  const paint = useCompanyColor(color)
  return (
    <div className={`${style.companyBand} ${paint ? '' : style.companyBandPlain}`} style={paint} aria-hidden>
      <span>{name}</span>
    </div>
  )
}

function Shown() {
  const t = useT()
  const { state } = useTheBench()
  const { view, order } = state
  if (view === 'opening')
    return (
      <div className={parts.middle}>
        <Prompt
          eyebrow={state.unreached ? t('No connection') : t('Opening')}
          detail={state.unreached ? t('It opens as soon as the connection is back. Scan another order, or go back.') : null}
        >
          {state.opening || '…'}
        </Prompt>
      </div>
    )
  if (view === 'choose') return <BenchChoose />
  if (!order || view === 'idle') return <BenchIdle />
  if (view === 'packing') return <BenchPacking order={order} />
  if (view === 'closing') return <BenchClosing order={order} />
  if (view === 'label_error') return <BenchLabelError key={order.order_id} order={order} />
  if (view === 'label_check') return <BenchLabelCheck order={order} />
  if (view === 'waiting') return <BenchWaiting order={order} />
  return <BenchLooking order={order} />
}

const functionKeys: Record<string, Command> = { F2: 'UNDO', F4: 'NEXT', F7: 'FINALIZE', F8: 'REPRINT', F9: 'HOSPITAL', F10: 'ABORT' }

/** Milliseconds for which a digit must stand alone: a scanner types the next one sooner. */
const alone = 60

/** Function keys, Enter, Esc and the digits of numbered answers. Letters belong to the scanner. */
function useKeys() {
  const { bench } = useTheBench()
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
        if (!event.repeat) bench.command(command)
        return
      }
      const target = event.target instanceof Element ? event.target : null
      if (event.key === 'Escape') {
        if (target instanceof HTMLElement && target.closest('input, textarea, select')) target.blur()
        return bench.back()
      }
      if (event.repeat || target?.closest('input, textarea, select, button, a, [contenteditable="true"]')) return
      if (event.key === 'Enter') return bench.primary()
      if (/^[1-9]$/.test(event.key) && !quick && bench.choices().length > 0)
        timer = setTimeout(() => bench.choose(Number(event.key)), alone)
    }
    window.addEventListener('keydown', press)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('keydown', press)
    }
  }, [bench])
}

function Unsent() {
  const { state } = useTheBench()
  const count = state.unsent + state.unsentElsewhere
  if (count === 0 || !(state.cutOff || state.unsentElsewhere > 0)) return null
  return <UnsentBadge count={count} />
}

function Volume() {
  const t = useT()
  const { volume } = useScannerProfile()
  const { play } = useScanner()
  return (
    <Popover position="bottom-end" width={220}>
      <Popover.Target>
        <ActionIcon size="lg" aria-label={t('Volume')} title={t('Volume')}>
          {volume === 0 ? <IconVolumeOff size={20} /> : <IconVolume size={20} />}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <Slider
          label={value => `${value} %`}
          thumbLabel={t('Volume')}
          value={Math.round(volume * 100)}
          step={10}
          onChange={value => saveScannerProfile({ volume: value / 100 })}
          onChangeEnd={() => play('ok')}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

const legend: readonly { key: string; command: Command; does: string; views: readonly string[] }[] = [
  { key: 'F2', command: 'UNDO', does: 'Undo', views: ['packing'] },
  { key: 'F4', command: 'NEXT', does: 'Next parcel', views: ['packing'] },
  { key: 'F7', command: 'FINALIZE', does: 'Send in part', views: ['packing'] },
  { key: 'F8', command: 'REPRINT', does: 'Print again', views: ['idle', 'packing', 'looking', 'label_check', 'label_error', 'waiting'] },
  { key: 'F9', command: 'HOSPITAL', does: 'Set aside', views: ['packing', 'label_error', 'label_check'] },
  { key: 'F10', command: 'ABORT', does: 'Give back', views: ['packing'] },
]

function Footer() {
  const t = useT()
  const { bench, state } = useTheBench()
  const printable = haveLabel(orderOnScreen(state)?.parcels ?? [])
  const shown = legend.filter(entry => entry.views.includes(state.view) && (entry.command !== 'REPRINT' || printable))
  const esc =
    ['looking', 'choose', 'opening', 'waiting'].includes(state.view) ||
    (state.view === 'closing' && state.unreached) ||
    Boolean(state.wrong || state.dialog || state.choosing || state.linking || state.other || state.asking || state.readdressed)
  return (
    <footer className={style.footer}>
      {shown.map(entry => (
        <button key={entry.key} type="button" onClick={() => bench.command(entry.command)}>
          <kbd>{entry.key}</kbd> {t(entry.does)}
        </button>
      ))}
      {esc ? (
        <button type="button" className={style.esc} onClick={bench.back}>
          <kbd>Esc</kbd> {t('Back')}
        </button>
      ) : null}
    </footer>
  )
}

/** A frame of colour around everything, for the corner of the eye. */
function Flash() {
  const { state } = useTheBench()
  const { message } = state
  if (!message || message.tone === 'ignored') return null
  return <div key={message.nth} className={`${style.flash} ${style[`flash_${message.tone}`]}`} aria-hidden />
}

/** Nobody is here: names and addresses leave the screen. A key, a touch or a scan brings them back. */
function Privacy() {
  const t = useT()
  const { bench, state } = useTheBench()
  const { user } = useSignedIn()
  const now = useClock(30)
  // The outside system is whoever touches the device.
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const touched = () => {
      clearTimeout(timer)
      timer = setTimeout(bench.hide, privateAfter * 60_000)
    }
    touched()
    const signs = ['keydown', 'pointerdown', 'pointermove'] as const
    for (const sign of signs) window.addEventListener(sign, touched, { capture: true, passive: true })
    return () => {
      clearTimeout(timer)
      for (const sign of signs) window.removeEventListener(sign, touched, { capture: true })
    }
  }, [bench])
  if (!state.hidden) return null
  return (
    <button type="button" className={style.privacy} onClick={bench.back} ref={focusFirst}>
      <Logo size={72} />
      <span className={style.privacyTime}>{time(now)}</span>
      <span>{t('Press a key or scan to go on, {{name}}', { name: user.name })}</span>
    </button>
  )
}
