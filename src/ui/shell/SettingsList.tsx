/** The settings that this person may open, in their groups, searchable by the words on the pages. */
import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { searchedField, settingsSearch } from '#contract/settings-search.ts'
import { Link } from '#ui/kit/Link.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useNavigate } from '#ui/kit/url-state.ts'
import { useOfferedScreens } from '#ui/navigation/menu.ts'
import { railOf, type ShownGroup } from '#ui/navigation/rail.ts'
import { settingsGroups } from '#ui/navigation/settings-groups.ts'
import { useCall } from '#ui/query/calls.ts'
import style from './Shell.module.css'
import { useScreenWords } from './screen-words.client.ts'
import { settingDetail } from './setting-detail.ts'

export function useSettingsGroups(): readonly ShownGroup[] {
  const open = useOfferedScreens()
  return useMemo(() => railOf(settingsGroups, open), [open])
}

/** Letters from which on fields are searched, and as many are shown. */
const fewest = 3
const most = 12

export function SettingsList() {
  const t = useT()
  const go = useNavigate()
  const groups = useSettingsGroups()
  const open = useOfferedScreens()
  const [text, setText] = useState('')
  const path = useRouterState({ select: state => (state.resolvedLocation ?? state.location).pathname })
  const nav = useRef<HTMLElement>(null)
  const showOpen = useEffectEvent(() => {
    if (text === '') nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  })
  // The list is longer than the screen: the open page's entry is brought into sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path says which one that is
  useEffect(() => showOpen(), [path])
  // It stays there when the list grows (a setting is offered later, a name takes two lines) and when what it scrolls in becomes lower.
  useEffect(() => {
    const sized = new ResizeObserver(() => showOpen())
    for (const element of [nav.current, nav.current?.parentElement]) if (element) sized.observe(element)
    return () => sized.disconnect()
  }, [])
  const words = useScreenWords()
  const wanted = text.trim().toLowerCase()
  const fits = (page: string) => {
    const screen = open.find(one => one.path === page)
    const more = words[page] ?? ''
    return screen && `${t(screen.title)} ${more && t(more)} ${more}`.toLowerCase().includes(wanted)
  }
  const [asked] = useDebouncedValue(text.trim(), 150)
  const answer = useCall(settingsSearch.find, { query: asked }, { enabled: asked.length >= fewest, keep: true })
  const fields =
    wanted.length < fewest
      ? []
      : (answer.data ?? []).filter(one => !one.is_page && open.some(page => page.path === one.path)).slice(0, most)
  const inOtherLanguage = (page: string) => wanted.length >= fewest && (answer.data ?? []).some(one => one.is_page && one.path === page)
  const found = groups.flatMap(group => {
    const pages = group.pages.filter(page => fits(page.path) || inOtherLanguage(page.path))
    return pages.length > 0 ? [{ ...group, pages }] : []
  })
  return (
    <>
      <TextInput
        type="search"
        size="sm"
        leftSection={<IconSearch size={16} />}
        placeholder={t('Search')}
        aria-label={t('Search settings')}
        value={text}
        onChange={event => setText(event.currentTarget.value)}
        onKeyDown={event => {
          const [first] = found.flatMap(group => group.pages)
          const [field] = fields
          if (event.key === 'Enter' && field) go(field.path, { [searchedField]: field.label })
          else if (event.key === 'Enter' && first) go(first.path)
          if (event.key === 'Escape') setText('')
        }}
      />
      <nav ref={nav} className={style.settingsNav} aria-label={t('Settings')}>
        {fields.length > 0 ? (
          <div className={style.group}>
            <div className={style.caption}>{t('Fields')}</div>
            {fields.map(one => (
              <Link key={`${one.path} ${one.label}`} to={one.path} search={{ [searchedField]: one.label }} className={style.item}>
                <span>
                  {t(one.label)}
                  <small className={style.itemNote}>{settingDetail(t, open, one)}</small>
                </span>
              </Link>
            ))}
          </div>
        ) : null}
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
        {found.length === 0 && fields.length === 0 && !answer.isFetching ? <span role="status">{t('No setting fits')}</span> : null}
      </nav>
    </>
  )
}
