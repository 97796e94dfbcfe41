/** The settings: on the left what there is for this person, searchable by the words on the pages; on the right the page. */
import { NativeSelect, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useRouterState } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { Link } from '#ui/kit/Link.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useNavigate } from '#ui/kit/url-state.ts'
import { useOfferedScreens } from '#ui/navigation/menu.ts'
import style from './Shell.module.css'

export function SettingsLayout({ children }: { children: ReactNode }) {
  const t = useT()
  const go = useNavigate()
  const [text, setText] = useState('')
  const path = useRouterState({ select: state => (state.resolvedLocation ?? state.location).pathname })
  const pages = useOfferedScreens().filter(screen => screen.parent === '/settings')
  const found = pages.filter(page =>
    `${t(page.title)} ${page.words ? t(page.words) : ''} ${page.words ?? ''}`.toLowerCase().includes(text.trim().toLowerCase()),
  )
  return (
    <div className={style.settings}>
      <aside className={style.settingsList}>
        <TextInput
          type="search"
          size="sm"
          leftSection={<IconSearch size={16} />}
          placeholder={t('Search settings')}
          aria-label={t('Search settings')}
          value={text}
          onChange={event => setText(event.currentTarget.value)}
          onKeyDown={event => {
            const [first] = found
            if (event.key === 'Enter' && first) go(first.path)
            if (event.key === 'Escape') setText('')
          }}
        />
        <nav aria-label={t('Settings')}>
          {found.map(page => (
            <Link key={page.path} to={page.path} className={style.item} aria-current={page.path === path ? 'page' : undefined}>
              <span>{t(page.title)}</span>
            </Link>
          ))}
          {found.length === 0 ? <span role="status">{t('No results')}</span> : null}
        </nav>
      </aside>
      <div className={style.settingsOpen}>
        <NativeSelect
          aria-label={t('Settings')}
          value={path}
          data={pages.map(page => ({ value: page.path, label: t(page.title) }))}
          onChange={event => go(event.currentTarget.value)}
        />
      </div>
      <div style={{ minWidth: 0 }}>{children}</div>
    </div>
  )
}
