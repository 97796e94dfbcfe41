/** A settings page beside the list of all; on a narrow screen the list is a page of its own, to which each page leads back. */
import { IconChevronLeft } from '@tabler/icons-react'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { Link } from '#ui/kit/Link.tsx'
import { PageNote } from '#ui/kit/page-note.ts'
import { Slot } from '#ui/kit/Slot.tsx'
import { useT } from '#ui/kit/translate.ts'
import { SettingsList } from './SettingsList.tsx'
import style from './Shell.module.css'
import { useSearchedField } from './searched-field.ts'

export function SettingsLayout({ children }: { children: ReactNode }) {
  const t = useT()
  useSearchedField()
  const list = useRef<HTMLElement>(null)
  useLayoutEffect(() => followHeight(list.current), [])
  return (
    <div className={style.settings}>
      <aside ref={list} className={style.settingsList}>
        <SettingsList />
      </aside>
      <Link to="/settings" className={style.settingsBack}>
        <IconChevronLeft size={20} />
        <span>{t('Settings')}</span>
      </Link>
      <div className={style.settingsPage}>
        <PageNote.Provider value={<Slot name="settings" />}>{children}</PageNote.Provider>
      </div>
    </div>
  )
}

/** The list is as high as the page at most: a banner above the page takes from both, and a higher list would push the page's title out of sight. */
function followHeight(list: HTMLElement | null): (() => void) | undefined {
  const page = list?.closest('main')
  if (!list || !page) return
  const follow = () => list.style.setProperty('--page-height', `${page.clientHeight}px`)
  follow()
  const sized = new ResizeObserver(follow)
  sized.observe(page)
  return () => sized.disconnect()
}
