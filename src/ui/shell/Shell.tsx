/** The shell: a slim rail of areas, a top bar with what must always be at hand, and the page. */
import { Burger, Kbd as Key } from '@mantine/core'
import { IconCloudOff, IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand, IconMapPin, IconSearch } from '@tabler/icons-react'
import { useRouterState } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { device, useDevice } from '#ui/device/device-storage.ts'
import { useKeyWord } from '#ui/kit/Kbd.tsx'
import { Link } from '#ui/kit/Link.tsx'
import { Logo } from '#ui/kit/Logo.tsx'
import { Slot } from '#ui/kit/Slot.tsx'
import { useT } from '#ui/kit/translate.ts'
import { groupPathOf, type MenuGroup, screenPathsOf, useMenu, useOfferedScreens } from '#ui/navigation/menu.ts'
import { useConnection } from '#ui/query/change-stream.ts'
import { companyOfHost } from '#ui/query/request-context.ts'
import { useSignedIn } from '#ui/query/session.ts'
import { NewVersionBanner, OfflineBanner, SenderBanner } from './banners.tsx'
import { screenIcons } from './icons.tsx'
import { openPalette } from './palette.ts'
import style from './Shell.module.css'

const UserMenu = lazy(() => import('./UserMenu.tsx').then(module => ({ default: module.UserMenu })))
const PhoneMenu = lazy(() => import('./PhoneMenu.tsx').then(module => ({ default: module.PhoneMenu })))

export function Shell({ children }: { children: ReactNode }) {
  const t = useT()
  const menu = useMenu()
  const path = useRouterState({ select: state => (state.resolvedLocation ?? state.location).pathname })
  const slim = (useDevice('rail') ?? (window.innerWidth < 1200 ? 'slim' : 'wide')) === 'slim'
  const [drawer, setDrawer] = useState(false)
  const [shownPath, setShownPath] = useState(path)
  if (path !== shownPath) {
    setShownPath(path)
    setDrawer(false)
  }
  const group = menu.find(one => one.screen.path === groupPathOf(path))
  return (
    <div className={`${style.shell} ${slim ? style.slim : ''}`}>
      <button type="button" className={style.skip} onClick={() => document.getElementById('page')?.focus()}>
        {t('To the content')}
      </button>
      <Rail menu={menu} current={group} slim={slim} />
      <Suspense>
        {drawer ? (
          <PhoneMenu close={() => setDrawer(false)}>
            <Rail menu={menu} current={group} slim={false} fixed />
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
        <SenderBanner path={path} />
        {group && group.pages.length > 1 && group.screen.path !== '/settings' ? <Tabs group={group} path={path} /> : null}
        <main id="page" className={style.main} tabIndex={-1}>
          {children}
        </main>
      </div>
    </div>
  )
}

function Rail({
  menu,
  current,
  slim,
  fixed,
}: {
  menu: readonly MenuGroup[]
  current: MenuGroup | undefined
  slim: boolean
  fixed?: boolean
}) {
  const t = useT()
  const Collapse = slim ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse
  const word = slim ? t('Show the words') : t('Collapse menu')
  return (
    <nav className={style.rail} aria-label={t('Main menu')}>
      <Link to="/" className={style.brand} aria-label="Pakhus">
        <Logo size={24} />
        <b>Pakhus</b>
      </Link>
      <div className={style.items}>
        {menu.map(group => {
          const Icon = group.screen.icon ? screenIcons[group.screen.icon] : undefined
          return (
            <Link
              key={group.screen.path}
              to={group.to}
              className={`${style.item} ${group.screen.path === '/settings' ? style.last : ''}`}
              aria-current={current === group ? 'page' : undefined}
            >
              {Icon ? <Icon size={20} stroke={1.6} /> : null}
              <span>{t(group.screen.title)}</span>
            </Link>
          )
        })}
        {fixed ? null : (
          <button
            type="button"
            className={`${style.item} ${menu.some(group => group.screen.path === '/settings') ? '' : style.last}`}
            onClick={() => device.write('rail', slim ? 'wide' : 'slim')}
            aria-label={word}
          >
            <Collapse size={20} stroke={1.6} />
            {slim ? null : <span>{word}</span>}
          </button>
        )}
      </div>
    </nav>
  )
}

function Tabs({ group, path }: { group: MenuGroup; path: string }) {
  const t = useT()
  const bar = useRef<HTMLElement>(null)
  // On a phone the tabs are wider than the screen: the open one is brought into sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path says which one that is
  useEffect(() => {
    bar.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [path])
  // A page without a tab of its own lies under the nearest one above it.
  const open = screenPathsOf(path).find(one => group.pages.some(page => page.path === one))
  return (
    <nav ref={bar} className={style.tabs} aria-label={t(group.screen.title)}>
      {group.pages.map(screen => (
        <Link
          key={screen.path}
          to={screen.path}
          className={style.tab}
          aria-current={screen.path === path ? 'page' : screen.path === open ? true : undefined}
        >
          {t(screen.title)}
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

const initials = (name: string): string =>
  name
    .split(/\s+/)
    .map(part => [...part][0] ?? '')
    .filter((_letter, place, all) => place === 0 || place === all.length - 1)
    .join('')
    .toUpperCase()

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
