/** The settings that this person may open, in their groups, searchable by the words on the pages. */
import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useRouterState } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { Link } from '#ui/kit/Link.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useNavigate } from '#ui/kit/url-state.ts'
import { useOfferedScreens } from '#ui/navigation/menu.ts'
import { railOf, type ShownGroup } from '#ui/navigation/rail.ts'
import { settingsGroups } from '#ui/navigation/settings-groups.ts'
import style from './Shell.module.css'

export function useSettingsGroups(): readonly ShownGroup[] {
  const open = useOfferedScreens()
  return useMemo(() => railOf(settingsGroups, open), [open])
}

export function SettingsList() {
  const t = useT()
  const go = useNavigate()
  const groups = useSettingsGroups()
  const open = useOfferedScreens()
  const [text, setText] = useState('')
  const path = useRouterState({ select: state => (state.resolvedLocation ?? state.location).pathname })
  const wanted = text.trim().toLowerCase()
  const fits = (page: string) => {
    const screen = open.find(one => one.path === page)
    return screen && `${t(screen.title)} ${screen.words ? t(screen.words) : ''} ${screen.words ?? ''}`.toLowerCase().includes(wanted)
  }
  const found = groups.flatMap(group => {
    const pages = group.pages.filter(page => fits(page.path))
    return pages.length > 0 ? [{ ...group, pages }] : []
  })
  return (
    <>
      <TextInput
        type="search"
        size="sm"
        leftSection={<IconSearch size={16} />}
        placeholder={t('Search settings')}
        aria-label={t('Search settings')}
        value={text}
        onChange={event => setText(event.currentTarget.value)}
        onKeyDown={event => {
          const [first] = found.flatMap(group => group.pages)
          if (event.key === 'Enter' && first) go(first.path)
          if (event.key === 'Escape') setText('')
        }}
      />
      <nav className={style.settingsNav} aria-label={t('Settings')}>
        {found.map(({ caption = '', pages }) => (
          <div key={caption} className={style.group}>
            <div className={style.caption}>{t(caption)}</div>
            {pages.map(page => (
              <Link key={page.path} to={page.path} className={style.item} aria-current={page.path === path ? 'page' : undefined}>
                <span>{t(page.title)}</span>
              </Link>
            ))}
          </div>
        ))}
        {found.length === 0 ? <span role="status">{t('No results')}</span> : null}
      </nav>
    </>
  )
}
