/** The shell: a slim rail of areas, a top bar with what must always be at hand, and the page. */
import { Burger, Kbd as Key } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconCloudOff, IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand, IconMapPin, IconSearch } from '@tabler/icons-react'
import { useRouterState } from '@tanstack/react-router'
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { device, useDevice } from '#ui/device/device-storage.ts'
import { initials } from '#ui/kit/initials.ts'
import { useKeyWord } from '#ui/kit/Kbd.tsx'
import { Link } from '#ui/kit/Link.tsx'
import { Logo } from '#ui/kit/Logo.tsx'
import { optionalPart } from '#ui/kit/optional-part.ts'
import { PageTabs } from '#ui/kit/page-tabs.ts'
import { Slot } from '#ui/kit/Slot.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useOfferedScreens, useRail } from '#ui/navigation/menu.ts'
import { worksOnFloor } from '#ui/navigation/navigation.ts'
import { railPageAt, type ShownGroup, type ShownPage, tabAt } from '#ui/navigation/rail.ts'
import type { ScreenIcon } from '#ui/navigation/screen.ts'
import { useConnection } from '#ui/query/change-stream.ts'
import { companyOfHost } from '#ui/query/request-context.ts'
import { useSignedIn } from '#ui/query/session.ts'
import { NewVersionBanner, OfflineBanner } from './banners.tsx'
import { screenIcons } from './icons.tsx'
import { openPalette } from './palette.ts'
import style from './Shell.module.css'

const SenderBanner = optionalPart(() => import('./SenderBanner.tsx').then(module => module.SenderBanner))
const UserMenu = lazy(() => import('./UserMenu.tsx').then(module => ({ default: module.UserMenu })))
const PhoneBar = lazy(() => import('./PhoneBar.tsx').then(module => ({ default: module.PhoneBar })))
const PhoneMenu = lazy(() => import('./PhoneMenu.tsx').then(module => ({ default: module.PhoneMenu })))

export function Shell({ children }: { children: ReactNode }) {
  const t = useT()
  const rail = useRail()
  const path = useRouterState({ select: state => (state.resolvedLocation ?? state.location).pathname })
  const slim = (useDevice('rail') ?? (window.innerWidth < 1200 ? 'slim' : 'wide')) === 'slim'
  const [drawer, setDrawer] = useState(false)
  const phone = useMediaQuery(phoneWidth, window.matchMedia(phoneWidth).matches)
  const { permissions, init } = useSignedIn()
  const bar = !worksOnFloor(permissions) && phone
  const [shownPath, setShownPath] = useState(path)
  if (path !== shownPath) {
    setShownPath(path)
    setDrawer(false)
  }
  const current = railPageAt(rail, path)
  return (
    <div className={`${style.shell} ${slim ? style.slim : ''} ${bar ? style.barred : ''}`}>
      <button type="button" className={style.skip} onClick={() => document.getElementById('page')?.focus()}>
        {t('To the content')}
      </button>
      <Rail groups={rail} current={current} path={path} slim={slim} />
      <Suspense>
        {drawer ? (
          <PhoneMenu close={() => setDrawer(false)}>
            <Rail groups={rail} current={current} path={path} slim={false} fixed />
          </PhoneMenu>
        ) : null}
      </Suspense>
      <TopBar
        burger={
          <Burger className={style.burger ?? ''} opened={drawer} onClick={() => setDrawer(!drawer)} size="sm" aria-label={t('Menu')} />
        }
      />
      <div className={style.center}>
        <OfflineBanner />
        <NewVersionBanner />
        <Suspense>{init.settings.sender_missing ? <SenderBanner path={path} /> : null}</Suspense>
        <main id="page" className={style.main} tabIndex={-1}>
          <PageTabs value={current && current.tabs.length > 1 ? <Tabs page={current} path={path} /> : null}>{children}</PageTabs>
        </main>
      </div>
      <Suspense>{bar ? <PhoneBar path={path} openMenu={() => setDrawer(true)} /> : null}</Suspense>
    </div>
  )
}

const phoneWidth = '(max-width: 48em)'

function Rail({
  groups,
  current,
  path,
  slim,
  fixed,
}: {
  groups: readonly ShownGroup[]
  current: ShownPage | undefined
  path: string
  slim: boolean
  fixed?: boolean
}) {
  const t = useT()
  const Collapse = slim ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse
  const word = slim ? t('Expand menu') : t('Collapse menu')
  const settings = useOfferedScreens().find(screen => screen.path === '/settings' || screen.parent === '/settings')
  return (
    <nav className={style.rail} aria-label={t('Main menu')}>
      <Link to="/dashboard" className={style.brand} aria-label="Pakhus">
        <Logo size={24} />
        <b>Pakhus</b>
      </Link>
      <div className={style.items}>
        {groups.map(({ caption, pages }) => (
          <div key={caption ?? ''} className={style.group}>
            {caption ? <div className={style.caption}>{t(caption)}</div> : null}
            {pages.map(page => (
              <RailItem key={page.to} to={page.to} icon={page.icon} title={t(page.title)} current={page === current} Count={page.Count} />
            ))}
          </div>
        ))}
        <div className={`${style.group} ${style.last}`}>
          {settings ? <RailItem to="/settings" icon="settings" title={t('Settings')} current={path.startsWith('/settings')} /> : null}
          {fixed ? null : (
            <button
              type="button"
              className={style.item}
              onClick={() => device.write('rail', slim ? 'wide' : 'slim')}
              aria-label={word}
              title={word}
            >
              <Collapse size={20} stroke={1.6} />
              <span>{word}</span>
            </button>
          )}
        </div>
      </div>
    </nav>
  )
}

interface RailItemProps {
  to: string
  icon: ScreenIcon | undefined
  title: string
  current: boolean
  Count?: ComponentType | undefined
}

/** In the slim rail the word is hidden from the eye; it stands in the tooltip. */
function RailItem({ to, icon, title, current, Count }: RailItemProps) {
  const Icon = icon ? screenIcons[icon] : undefined
  return (
    <Link to={to} className={style.item} aria-current={current ? 'page' : undefined} title={title}>
      {Icon ? <Icon size={20} stroke={1.6} /> : null}
      <span>{title}</span>
      {Count ? (
        <Suspense fallback={null}>
          <Count />
        </Suspense>
      ) : null}
    </Link>
  )
}

function Tabs({ page, path }: { page: ShownPage; path: string }) {
  const t = useT()
  const bar = useRef<HTMLElement>(null)
  const asked = useRouterState({ select: state => new URLSearchParams((state.resolvedLocation ?? state.location).searchStr).get('tab') })
  // On a phone the tabs are wider than the screen: the open one is brought into sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path says which one that is
  useEffect(() => {
    bar.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [path, asked])
  const open = tabAt(page.tabs, path, asked ?? undefined)
  return (
    <nav ref={bar} className={style.tabs} aria-label={t(page.title)}>
      {page.tabs.map(one => (
        <Link
          key={`${one.path} ${one.tab ?? ''}`}
          to={one.path}
          search={one.tab === undefined ? {} : { tab: one.tab }}
          className={style.tab}
          aria-current={one === open ? 'page' : undefined}
        >
          {t(one.title)}
        </Link>
      ))}
    </nav>
  )
}

function TopBar({ burger }: { burger: ReactNode }) {
  const t = useT()
  const keyWord = useKeyWord()
  const { init } = useSignedIn()
  return (
    <header className={style.top}>
      {burger}
      <div className={style.company} title={companyOfHost()}>
        {init.settings.company_name}
      </div>
      <button type="button" className={style.find} onClick={() => openPalette()}>
        <IconSearch size={16} />
        <span>{t('Search or jump to')}</span>
        <Key size="xs" aria-hidden="true">
          {keyWord('Ctrl')} K
        </Key>
      </button>
      <div className={style.right}>
        <ConnectionState />
        <StationState />
        <UserButton />
      </div>
    </header>
  )
}

/** Said only when something is wrong: a quiet line is a good line. */
export function ConnectionState() {
  const t = useT()
  const connection = useConnection()
  if (connection !== 'lost') return null
  return (
    <span className={`${style.chip} ${style.chipStop}`} role="status">
      <IconCloudOff size={16} />
      <span>{t('No connection')}</span>
    </span>
  )
}

/** The station of this device with the way to change it, and how its printers are. */
export function StationState() {
  const t = useT()
  const station = useDevice('packingStation')
  const chosen = useDevice('printer')
  const settings = useOfferedScreens().find(screen => screen.path === '/settings/printer')
  if (!station && !chosen?.labelPrinter && !chosen?.A4Printer && !settings) return null
  const name = (
    <>
      <IconMapPin size={16} />
      <span>{station ?? t('No station')}</span>
    </>
  )
  const className = `${style.chip} ${style.wideOnly}`
  return (
    <>
      {settings ? (
        <Link to={settings.path} className={className} title={t('Station and printers')}>
          {name}
        </Link>
      ) : (
        <span className={className}>{name}</span>
      )}
      <Slot name="topBar" />
    </>
  )
}

/** The person's initials, drawn and not read out; the menu behind them is loaded when it is first wanted. */
export function UserButton() {
  const t = useT()
  const { user } = useSignedIn()
  const [open, setOpen] = useState(false)
  const button = (
    <button
      type="button"
      className={style.user}
      aria-label={t('Your menu, {{name}}', { name: user.name })}
      aria-haspopup="dialog"
      data-initials={initials(user.name)}
      onClick={() => setOpen(!open)}
    />
  )
  if (!open) return button
  return (
    <Suspense fallback={button}>
      <UserMenu user={user} close={() => setOpen(false)}>
        {button}
      </UserMenu>
    </Suspense>
  )
}
