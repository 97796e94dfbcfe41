/** A page that fills the window: scan, kiosk and dashboard screens. A thin bar keeps station, printers and connection in sight. */
import { type ReactNode, useLayoutEffect } from 'react'
import { Link } from '#ui/kit/Link.tsx'
import { Logo } from '#ui/kit/Logo.tsx'
import { usePageTitle } from '#ui/kit/page-title.ts'
import { useT } from '#ui/kit/translate.ts'
import { useOfferedScreens } from '#ui/navigation/menu.ts'
import style from './FullPage.module.css'
import { ConnectionState, StationState, UserButton } from './Shell.tsx'

export interface FullPageProps {
  /** Translated. */
  title: string
  /** In the bar, beside the title: the open order, a count. */
  beside?: ReactNode
  /** In the bar, before the station: an indicator of a recording, a button. */
  state?: ReactNode
  /** The person who works here walks: no station, no printers, and the page itself says when the network is gone. */
  stationless?: boolean
  children: ReactNode
}

export function FullPage({ title, beside, state, stationless = false, children }: FullPageProps) {
  const t = useT()
  usePageTitle(title)
  // The letters of the floor reach menus and dialogs too, which stand outside of this page.
  useLayoutEffect(() => {
    const { dataset } = document.documentElement
    dataset.floor = ''
    return () => {
      delete dataset.floor
    }
  }, [])
  const away = useOfferedScreens().find(screen => screen.look !== 'full')
  return (
    <div className={style.page}>
      <header className={style.top}>
        {away ? (
          <Link
            to={away.path}
            className={style.home}
            aria-label={t('Leave this screen, to {{screen}}', { screen: t(away.title) })}
            title={t(away.title)}
          >
            <Logo size={22} />
          </Link>
        ) : (
          <span className={style.home}>
            <Logo size={22} />
          </span>
        )}
        <h1>{title}</h1>
        {beside}
        <div className={style.right}>
          {state}
          {stationless ? null : (
            <>
              <ConnectionState />
              <StationState />
            </>
          )}
          <UserButton />
        </div>
      </header>
      <div className={style.body}>{children}</div>
    </div>
  )
}
