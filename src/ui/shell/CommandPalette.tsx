/** The command palette: one box that jumps to pages, finds orders and acts, as far as the person may. */
import '@mantine/spotlight/styles.layer.css'
import { Spotlight, spotlight } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useMemo, useState } from 'react'
import { useT } from '#ui/kit/translate.ts'
import { useNavigate } from '#ui/kit/url-state.ts'
import { useOfferedScreens } from '#ui/navigation/menu.ts'
import { allScreens } from '#ui/navigation/screen.ts'
import { signOut } from '#ui/query/session.ts'
import { openPalette, type PaletteEntry, usePaletteOpen, usePaletteSources } from './palette.ts'

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

export function CommandPalette() {
  const t = useT()
  const go = useNavigate()
  const open = usePaletteOpen()
  const offered = useOfferedScreens()
  const sources = usePaletteSources()
  const [text, setText] = useState('')
  const [found, setFound] = useState<readonly Group[]>([])

  // The outside system is the kit's own store of what is open.
  useEffect(() => {
    if (open) spotlight.open()
    else spotlight.close()
  }, [open])

  const pages = useMemo(
    () =>
      offered.map(screen => {
        const parent = allScreens().find(one => one.path === screen.parent)
        return {
          id: screen.path,
          title: t(screen.title),
          detail: parent && t(parent.title) !== t(screen.title) ? t(parent.title) : undefined,
          words: screen.words ? t(screen.words) : undefined,
          to: screen.path,
        }
      }),
    [offered, t],
  )

  // The outside systems are the sources, which may ask the server.
  useEffect(() => {
    if (!open || text.trim() === '') {
      setFound([])
      return
    }
    const stop = new AbortController()
    const timer = setTimeout(() => {
      for (const source of sources) {
        void Promise.resolve(source.search(text.trim(), stop.signal)).then(
          entries => {
            if (stop.signal.aborted) return
            setFound(groups => [...groups.filter(group => group.title !== source.title), { title: source.title, entries }])
          },
          () => undefined,
        )
      }
    }, pause)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [open, text, sources])

  const actions: PaletteEntry[] = [{ id: 'sign-out', title: t('Sign out'), run: () => void signOut() }]
  const groups: Group[] = [
    ...found,
    {
      title: t('Pages'),
      entries: best(
        pages.filter(page => fits(page, text)),
        text,
      ),
    },
    { title: t('Actions'), entries: actions.filter(action => fits(action, text)) },
  ].filter(group => group.entries.length > 0)

  const take = (entry: PaletteEntry) => {
    openPalette(false)
    if (entry.run) entry.run()
    else if (entry.to) {
      const [path = '/', search = ''] = entry.to.split('?')
      go(path, Object.fromEntries(new URLSearchParams(search)))
    }
  }

  return (
    <Spotlight.Root
      query={text}
      onQueryChange={setText}
      shortcut={null}
      onSpotlightClose={() => openPalette(false)}
      clearQueryOnClose
      attributes={{ content: { 'aria-label': t('Search orders, pages and actions') } }}
      maxHeight="min(26rem, 60dvh)"
      scrollable
      transitionProps={{ duration: 0 }}
      overlayProps={{ backgroundOpacity: 0.4, blur: 0 }}
      centered={false}
      yOffset="12vh"
    >
      <Spotlight.Search
        placeholder={t('Search orders, pages and actions')}
        aria-label={t('Search orders, pages and actions')}
        leftSection={<IconSearch size={16} />}
      />
      <Spotlight.ActionsList>
        {groups.map(group => (
          <Spotlight.ActionsGroup key={group.title} label={group.title}>
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
        {groups.length === 0 ? <Spotlight.Empty>{t('No results')}</Spotlight.Empty> : null}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}
