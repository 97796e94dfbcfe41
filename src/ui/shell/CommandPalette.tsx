/** The command palette: one box that jumps to pages, finds orders and acts, as far as the person may. */
import '@mantine/spotlight/styles.layer.css'
import { createSpotlight, Spotlight } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useMemo, useState } from 'react'
import { Slot } from '#ui/kit/Slot.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useNavigate } from '#ui/kit/url-state.ts'
import { useOfferedScreens } from '#ui/navigation/menu.ts'
import { allScreens } from '#ui/navigation/screen.ts'
import { onSessionEnd, signOut } from '#ui/query/session.ts'
import {
  forgetEntries,
  openPalette,
  type PaletteEntry,
  type PaletteSource,
  recentEntries,
  rememberEntry,
  takeEarlyLetters,
  usePaletteOpen,
  usePaletteSources,
} from './palette.ts'
import { useScreenWords } from './screen-words.client.ts'

onSessionEnd(forgetEntries)

const [store, spotlight] = createSpotlight()

interface Group {
  title: string
  entries: readonly PaletteEntry[]
}

/** Pauses shorter than this are still typing. */
const pause = 120
const most = 12

const fits = (entry: { title: string; detail?: string; words?: string }, text: string): boolean => {
  const all = `${entry.title} ${entry.detail ?? ''} ${entry.words ?? ''}`.toLowerCase()
  return text
    .toLowerCase()
    .split(/\s+/)
    .every(word => all.includes(word))
}

/** What begins with the text comes before what only holds it. */
const best = <T extends { title: string }>(entries: readonly T[], text: string): readonly T[] => {
  const begins = (entry: T) => entry.title.toLowerCase().startsWith(text.trim().toLowerCase())
  return entries.toSorted((one, other) => Number(begins(other)) - Number(begins(one))).slice(0, most)
}

function selectFirst(): void {
  const list = document.getElementById(store.getState().listId)
  list?.querySelector('[data-selected]')?.removeAttribute('data-selected')
  list?.querySelector('[data-action]')?.setAttribute('data-selected', 'true')
  store.updateState(state => ({ ...state, selected: 0 }))
}

export function CommandPalette() {
  const t = useT()
  const go = useNavigate()
  const open = usePaletteOpen()
  const offered = useOfferedScreens()
  const sources = usePaletteSources()
  const words = useScreenWords()
  const [text, setText] = useState('')
  const [found, setFound] = useState<readonly Group[]>([])
  /** Titles of the sources that have not answered yet, and whether one could not. */
  const [asked, setAsked] = useState<{ waiting: readonly string[]; failed: boolean }>({ waiting: [], failed: false })

  // The outside system is the keyboard, which was heard before this was here.
  useEffect(() => setText(takeEarlyLetters()), [])

  // The outside system is the kit's own store of what is open.
  useEffect(() => {
    if (open) spotlight.open()
    else {
      spotlight.close()
      setText('')
    }
  }, [open])

  const pages = useMemo(
    () =>
      offered.map(screen => {
        const parent = allScreens().find(one => one.path === screen.parent)
        return {
          id: screen.path,
          title: t(screen.title),
          detail: parent && t(parent.title) !== t(screen.title) ? t(parent.title) : undefined,
          words: words[screen.path] && t(words[screen.path] ?? ''),
          to: screen.path,
        }
      }),
    [offered, words, t],
  )

  // The outside systems are the sources, which may ask the server.
  useEffect(() => {
    const query = text.trim()
    const able = open ? sources.filter(source => query.length >= (source.fewest ?? 1)) : []
    setFound([])
    setAsked({ waiting: able.map(({ title }) => title), failed: false })
    if (able.length === 0) return
    const stop = new AbortController()
    const answered = (title: string, failed: boolean) =>
      setAsked(before => ({ waiting: before.waiting.filter(one => one !== title), failed: before.failed || failed }))
    const timer = setTimeout(() => {
      for (const { title, search } of able) {
        void Promise.resolve(search(query, stop.signal)).then(
          entries => {
            if (stop.signal.aborted) return
            setFound(groups => [...groups, { title, entries }])
            answered(title, false)
          },
          () => stop.signal.aborted || answered(title, true),
        )
      }
    }, pause)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [open, text, sources])

  const actions: PaletteEntry[] = [{ id: 'sign-out', title: t('Sign out'), run: () => void signOut() }]
  const isSetting = ({ id }: PaletteEntry) => id.startsWith('/settings')
  const fitting = pages.filter(page => fits(page, text))
  // Always in the order of the sources, whichever answers first.
  const foundBy = (wanted: (source: PaletteSource) => boolean) =>
    sources.filter(wanted).flatMap(({ title }) => found.filter(group => group.title === title))
  const groups: Group[] = [
    { title: t('Recent'), entries: text.trim() === '' ? recentEntries() : [] },
    ...foundBy(source => !source.last),
    {
      title: t('Pages'),
      entries: best(
        fitting.filter(page => !isSetting(page)),
        text,
      ),
    },
    { title: t('Settings'), entries: best(fitting.filter(isSetting), text) },
    { title: t('Actions'), entries: actions.filter(action => fits(action, text)) },
    ...foundBy(source => source.last === true),
  ].filter(group => group.entries.length > 0)

  const first = groups[0]?.entries[0]?.id
  const [moved, setMoved] = useState(false)
  // The outside system is the kit, which selects the first entry when letters change, and keeps it when others come before it.
  useEffect(() => {
    if (first !== undefined && !moved) selectFirst()
  }, [first, moved])

  const take = (entry: PaletteEntry) => {
    openPalette(false)
    rememberEntry(entry)
    if (entry.run) entry.run()
    else if (entry.to) {
      const [path = '/', search = ''] = entry.to.split('?')
      go(path, Object.fromEntries(new URLSearchParams(search)))
    }
  }

  return (
    <Spotlight.Root
      store={store}
      query={text}
      onQueryChange={typed => {
        setText(typed)
        setMoved(false)
      }}
      shortcut={null}
      onSpotlightClose={() => openPalette(false)}
      clearQueryOnClose
      attributes={{ content: { 'aria-label': t('Orders, products, pages, actions') } }}
      maxHeight="min(26rem, 60dvh)"
      scrollable
      transitionProps={{ duration: 0 }}
      overlayProps={{ backgroundOpacity: 0.4, blur: 0 }}
      centered={false}
      yOffset="12vh"
    >
      <Slot name="palette" />
      <Spotlight.Search
        placeholder={t('Orders, products, pages, actions')}
        aria-label={t('Orders, products, pages, actions')}
        leftSection={<IconSearch size={16} />}
        onKeyDown={({ key }) => {
          if (key === 'ArrowDown' || key === 'ArrowUp') setMoved(true)
        }}
      />
      <Spotlight.ActionsList>
        {groups.map(group => (
          <Spotlight.ActionsGroup key={group.title} label={group.title} role="group" aria-label={group.title}>
            {group.entries.map(entry => (
              <Spotlight.Action
                key={entry.id}
                label={entry.title}
                description={entry.detail ?? ''}
                onClick={() => take(entry)}
                closeSpotlightOnTrigger={false}
              />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {asked.waiting.length > 0 ? (
          <Spotlight.Empty role="status">{t('Searching…')}</Spotlight.Empty>
        ) : asked.failed ? (
          <Spotlight.Empty role="alert">{t('Not everything could be searched. Try again.')}</Spotlight.Empty>
        ) : groups.length === 0 ? (
          <Spotlight.Empty>{t('Nothing fits “{{text}}”', { text: text.trim() })}</Spotlight.Empty>
        ) : null}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}
