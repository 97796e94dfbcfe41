/** The frame of every page: it puts the routed screen into the shell, the full window or a public page, as the table says. */
import { Outlet, useRouterState } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useState } from 'react'
import { ConfirmHost } from '#ui/kit/Confirm.tsx'
import { AccessDenied } from '#ui/kit/EmptyState.tsx'
import { useFallbackTitle } from '#ui/kit/page-title.ts'
import { Skeleton } from '#ui/kit/Skeleton.tsx'
import { Slot } from '#ui/kit/Slot.tsx'
import { type Shortcut, useNoShortcuts, useShortcuts } from '#ui/kit/shortcuts.ts'
import { useT } from '#ui/kit/translate.ts'
import { useNavigate } from '#ui/kit/url-state.ts'
import { useOfferedScreens } from '#ui/navigation/menu.ts'
import { resolveNavigation } from '#ui/navigation/navigation.ts'
import { navigationContext } from '#ui/navigation/navigation-context.ts'
import { allScreens } from '#ui/navigation/screen.ts'
import { useAppConfig } from '#ui/query/app-config.ts'
import { useSession } from '#ui/query/session.ts'
import { NewVersionBanner, OfflineBanner } from './banners.tsx'
import { NotFound } from './NotFound.tsx'
import { openPalette, usePaletteOpen } from './palette.ts'
import { Shell } from './Shell.tsx'

const LockedByAddress = lazy(() => import('./AddressNotAllowed.tsx').then(module => ({ default: module.LockedByAddress })))
const SettingsLayout = lazy(() => import('./SettingsLayout.tsx').then(module => ({ default: module.SettingsLayout })))
const CommandPalette = lazy(() => import('./CommandPalette.tsx').then(module => ({ default: module.CommandPalette })))
const Refused = lazy(() => import('./Refused.tsx').then(module => ({ default: module.Refused })))
const ShortcutsHelp = lazy(() => import('./ShortcutsHelp.tsx').then(module => ({ default: module.ShortcutsHelp })))

export function Frame() {
  const t = useT()
  const session = useSession()
  useAppConfig()
  const place = useRouterState({ select: state => state.resolvedLocation ?? state.location })
  const verdict = resolveNavigation(place.pathname, place.searchStr, navigationContext(session), allScreens())
  const screen = verdict.kind === 'show' ? verdict.screen : undefined
  useFallbackTitle('screen' in verdict ? t(verdict.screen.title) : 'Pakhus')
  const scanning = screen?.look === 'full'

  let page: ReactNode
  if (verdict.kind === 'lockedByAddress') page = <LockedByAddress screen={verdict.screen} />
  else if (verdict.kind === 'refused') page = <Refused screen={verdict.screen} />
  else if (verdict.kind === 'nothingAllowed')
    page = <AccessDenied>{t('Your user has no permissions yet. An administrator of users can give them.')}</AccessDenied>
  else if (verdict.kind === 'notFound') page = <NotFound />
  else if (verdict.kind === 'show') page = <Outlet />
  else page = <Skeleton />
  if (screen?.parent === '/settings') page = <SettingsLayout>{page}</SettingsLayout>
  page = <Suspense fallback={<Skeleton />}>{page}</Suspense>

  return (
    <>
      {session && !scanning && screen?.look !== 'public' ? (
        <Shell>{page}</Shell>
      ) : (
        <Bare fixed={scanning} offline={screen?.offline}>
          {page}
        </Bare>
      )}
      {session && screen?.look !== 'public' ? (
        <Keys silent={scanning} to={'to' in verdict && place.pathname !== '/login' && verdict.to} />
      ) : null}
      {session && screen && screen.look !== 'public' ? <Slot name="over" /> : null}
      <ConfirmHost />
    </>
  )
}

/** Full-bleed and public pages: no rail, no top bar; a banner only when something is wrong. `fixed` pages scroll inside themselves. */
function Bare({ fixed, offline = false, children }: { fixed: boolean; offline?: boolean | undefined; children: ReactNode }) {
  const session = useSession()
  return (
    <div style={{ [fixed ? 'height' : 'minHeight']: '100dvh', display: 'flex', flexDirection: 'column' }}>
      {session && !offline ? <OfflineBanner /> : null}
      <NewVersionBanner />
      <main id="page" style={{ flex: 1, display: 'flex', flexDirection: 'column', minHeight: 0 }}>
        {children}
      </main>
    </div>
  )
}

/** Ctrl-K, `?` and the jumps; and the jump `to` another page, where rights end while a page is open. */
function Keys({ silent, to }: { silent: boolean; to: string | false }) {
  const t = useT()
  const go = useNavigate()
  // The router decides at its own steps only.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `go` stays the same
  useEffect(() => {
    if (to) go(to)
  }, [to])
  const open = useOfferedScreens()
  const paletteOpen = usePaletteOpen()
  const [wasOpen, setWasOpen] = useState(false)
  if (paletteOpen && !wasOpen) setWasOpen(true)
  const [help, setHelp] = useState(false)
  useNoShortcuts(silent)
  const shortcuts = useMemo<Shortcut[]>(
    () => [
      { keys: '?', does: t('Show shortcuts'), run: () => setHelp(true) },
      ...open.flatMap(screen => (screen.key ? [{ keys: `g ${screen.key}`, does: t(screen.title), run: () => go(screen.path) }] : [])),
    ],
    [t, go, open],
  )
  useShortcuts(shortcuts)
  // The outside system is the keyboard.
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      openPalette()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
  return (
    <Suspense>
      {wasOpen ? <CommandPalette /> : null}
      {help ? <ShortcutsHelp close={() => setHelp(false)} /> : null}
    </Suspense>
  )
}
