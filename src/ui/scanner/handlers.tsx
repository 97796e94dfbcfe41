/** The scanner for screens: one provider for the page, and a hook by which a screen says which codes it understands. */
import { createContext, type ReactNode, use, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { type Code, readCode } from '#domain/codes.ts'
import { device, useDevice } from '#ui/device/device-storage.ts'
import { type Capture, type RecordedKey, startCapture } from './capture.ts'
import { trapFocus } from './focus-trap-input.ts'
import type { Scan } from './keyboard-wedge.ts'
import { createRegistry, type Layer, type Registry, type ScanHandler } from './registry.ts'
import { profileFrom, type ScannerProfile } from './scanner-profile.ts'
import { createSounds, type Sound } from './sounds.ts'

export const scannerSentences = {
  unknown: 'Unknown barcode: {{text}}',
  broken: 'The scan came in pieces. Scan again.',
  input: 'Scanner input',
} as const

interface Scanner {
  registry: Registry
  /** Takes a code that came another way, such as from the camera, as if it had been scanned. */
  emit: (text: string) => void
  /** Raw keys instead of scans, for the calibration; the answer ends it. */
  record: (heard: (keys: RecordedKey[]) => void) => () => void
  play: (sound: Sound) => void
}

const ScannerContext = createContext<Scanner | null>(null)

/**
 * Captures the scanner for everything below; mounted once. `onUnknown` hears a code that no handler understood, after the error sound: show
 * `Unknown barcode: {{text}}`, or `code.reason` of a refused one. `dev` is the development rule for order codes. `inputLabel` names the hidden input of
 * phones to screen readers.
 */
export function ScannerProvider({
  children,
  onUnknown,
  dev = false,
  inputLabel = scannerSentences.input,
}: {
  children: ReactNode
  onUnknown: (code: Code, scan: Scan) => void
  dev?: boolean
  inputLabel?: string
}) {
  const profile = useScannerProfile()
  const [parts] = useState(() => createParts())
  const { registry } = parts

  const hear = useEffectEvent((scan: Scan) => {
    const code = readCode(scan.text, { dev })
    if (registry.offer(code, scan)) return
    parts.play('error')
    onUnknown(code, scan)
  })
  const hearBroken = useEffectEvent((scan: Scan) => {
    parts.play('error')
    onUnknown({ kind: 'refused', text: scan.text, reason: scannerSentences.broken }, scan)
  })
  const currentProfile = useEffectEvent(() => profile)

  // The window's keys and the loudspeaker.
  useEffect(() => {
    const start = currentProfile()
    const sounds = createSounds(start.volume)
    const capture = startCapture({
      profile: start,
      onScan: scan => hear(scan),
      onIgnored: (kind, scan) => (kind === 'broken' ? hearBroken(scan) : sounds.play('ignored')),
    })
    parts.attach({ capture, sounds, hear: scan => hear(scan) })
    return () => {
      parts.detach()
      capture.stop()
      sounds.stop()
    }
  }, [parts])

  // The running capture takes a changed profile from the next key on.
  useEffect(() => parts.setProfile(profile), [parts, profile])

  // The focus of phones.
  useEffect(() => trapFocus(inputLabel), [inputLabel])

  return <ScannerContext value={parts}>{children}</ScannerContext>
}

/** A scanner for a screen that may stand outside a `ScannerProvider`: the one above where there is one, else one of its own. */
export function ScannerHere({ children, onUnknown }: { children: ReactNode; onUnknown: (code: Code, scan: Scan) => void }) {
  return use(ScannerContext) ? children : <ScannerProvider onUnknown={onUnknown}>{children}</ScannerProvider>
}

type Running = { capture: Capture; sounds: ReturnType<typeof createSounds>; hear: (scan: Scan) => void }

/** What screens hold on to, though capture and sounds start only when the page is there. */
function createParts() {
  let running: Running | undefined
  return {
    registry: createRegistry(error => reportError(error)),
    emit(text: string) {
      running?.hear({ text, raw: text, keys: [], at: performance.now(), gap: 0 })
    },
    record: (heard: (keys: RecordedKey[]) => void) => running?.capture.record(heard) ?? (() => undefined),
    play(sound: Sound) {
      running?.sounds.play(sound)
    },
    setProfile(profile: ScannerProfile) {
      running?.capture.setProfile(profile)
      running?.sounds.setVolume(profile.volume)
    },
    attach(now: Running) {
      running = now
    },
    detach() {
      running = undefined
    },
  }
}

/** The scanner of this page; throws outside a `ScannerProvider`. */
export function useScanner(): Scanner {
  const scanner = use(ScannerContext)
  if (!scanner) throw new Error('There is no ScannerProvider above this component')
  return scanner
}

/** True below a `ScannerProvider`: a second one would hear every code twice. */
export const useHasScanner = (): boolean => use(ScannerContext) !== null

/**
 * Says which codes this component understands while it is shown. `match` and `handle` may be new functions on every render. `active: false` steps aside
 * without unmounting. Order: dialog, screen, global; within a layer the component that appeared last.
 */
export function useScanHandler<Match>({
  layer = 'screen',
  match,
  handle,
  active = true,
}: ScanHandler<Match> & { layer?: Layer; active?: boolean }) {
  const { registry } = useScanner()
  const latestMatch = useEffectEvent(match)
  const latestHandle = useEffectEvent(handle)
  // The registry stands outside React.
  useEffect(() => {
    if (!active) return
    return registry.add<Match>(layer, {
      match: (code, scan) => latestMatch(code, scan),
      handle: (found, code, scan) => latestHandle(found, code, scan),
    })
  }, [registry, layer, active])
}

/** The station's scanner profile, always usable. */
export function useScannerProfile(): ScannerProfile {
  const stored = useDevice('scanner')
  return useMemo(() => profileFrom(stored), [stored])
}

/** Changes parts of the station's scanner profile; every part of the page follows at once. */
export function saveScannerProfile(changes: Partial<ScannerProfile>) {
  device.write('scanner', { ...profileFrom(device.read('scanner')), ...changes })
}
