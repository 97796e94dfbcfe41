/** A settings page beside the list of all; on a narrow screen the list is a page of its own, to which each page leads back. */
import { IconChevronLeft } from '@tabler/icons-react'
import type { ReactNode } from 'react'
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
  return (
    <div className={style.settings}>
      <aside className={style.settingsList}>
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
