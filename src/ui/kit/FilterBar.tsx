/** Search, filters and saved views of a list. All of it lives in the address, so a view is a link. */
import { ActionIcon, Button, Checkbox, CloseButton, Group, Menu, Popover, Stack, TextInput, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconDotsVertical, IconFilter, IconSearch, IconUsers } from '@tabler/icons-react'
import { useRouterState } from '@tanstack/react-router'
import { type FormEvent, type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { Dialog } from './Dialog.tsx'
import style from './FilterBar.module.css'
import { number } from './format.ts'
import { Link } from './Link.tsx'
import { usePageTabs } from './page-tabs.ts'
import { useOwnViews, type View, type ViewStore } from './saved-views.ts'
import { useShortcuts } from './shortcuts.ts'
import { useT } from './translate.ts'
import { parseSearch, type UrlSearch, useNavigate } from './url-state.ts'

interface FilterOption {
  value: string
  label: string
}

export interface Filter {
  key: string
  /** Translated. */
  label: string
  /** `many` may have several values, `one` a single one, `day` a calendar day, `text` free text. */
  kind: 'many' | 'one' | 'day' | 'text'
  /** A function is asked when the choices are shown: many of them need not be made with the list. */
  options?: readonly FilterOption[] | (() => readonly FilterOption[])
  /** Empty when it is not set. */
  value: readonly string[]
  set: (value: readonly string[]) => void
}

export type { View } from './saved-views.ts'

export interface FilterBarProps {
  /** The list's name: own views are remembered under it. */
  name: string
  search?: { value: string; set: (value: string) => void; label: string }
  filters?: readonly Filter[]
  /** Presets; the first shows everything. People add their own beside them. */
  views?: readonly View[]
  /** Where saved views are kept: `useSavedViews('orders')`; without it they are the person's own. */
  store?: ViewStore
}

/** These say where one looks, not what one looks at. */
const notOfView = new Set(['page', 'open', 'id', 'tab'])

const essence = (search: UrlSearch): string =>
  JSON.stringify(
    Object.entries(search)
      .filter(([name]) => !notOfView.has(name))
      .map(([name, value]) => [name, [value].flat().toSorted()])
      .toSorted(([one], [other]) => String(one).localeCompare(String(other))),
  )

export function FilterBar({ name, search, filters = [], views = [], store }: FilterBarProps) {
  const t = useT()
  const set = filters.filter(filter => filter.value.length > 0)
  const clear = () => {
    for (const filter of set) filter.set([])
    search?.set('')
  }
  return (
    <div className={style.bar}>
      {views.length === 0 ? null : store ? <Views store={store} presets={views} /> : <OwnViews name={name} presets={views} />}
      <div className={style.line}>
        {search ? <SearchBox {...search} /> : null}
        {filters.length > 0 ? <AddFilter filters={filters} /> : null}
      </div>
      {set.length > 0 ? (
        <div className={style.badges}>
          {set.map(filter => (
            <FilterBadge key={filter.key} filter={filter} />
          ))}
          <Button size="compact-sm" variant="subtle" color="gray" onClick={clear}>
            {t('Clear filters')}
          </Button>
        </div>
      ) : null}
    </div>
  )
}

/** The rows under the bar, which arrow keys go through from then on. */
const intoTheList = (): void => document.querySelector<HTMLElement>('table[role="grid"]')?.focus()

/** Milliseconds after the last letter. */
const debounce = 250

function SearchBox({ value, set, label }: { value: string; set: (value: string) => void; label: string }) {
  const t = useT()
  const [typed, setTyped] = useState(value)
  const sent = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const box = useRef<HTMLInputElement>(null)
  // The address changed by other means: back, a view, a cleared filter.
  useEffect(() => {
    if (value === sent.current) return
    sent.current = value
    setTyped(value)
  }, [value])
  const shortcuts = useMemo(
    () => [
      {
        keys: '/',
        does: label,
        run: () => {
          box.current?.focus()
          box.current?.select()
        },
      },
      { keys: 'j', does: t('Into the list'), run: intoTheList },
    ],
    [label, t],
  )
  useShortcuts(shortcuts)
  useEffect(() => () => clearTimeout(timer.current), [])
  const give = (text: string) => {
    clearTimeout(timer.current)
    if (text === sent.current) return
    sent.current = text
    set(text)
  }
  return (
    <TextInput
      ref={box}
      type="search"
      className={style.search ?? ''}
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} />}
      rightSection={
        typed ? (
          <CloseButton
            size="sm"
            aria-label={t('Clear search')}
            onClick={() => {
              setTyped('')
              give('')
              box.current?.focus()
            }}
          />
        ) : undefined
      }
      value={typed}
      onChange={event => {
        const text = event.currentTarget.value
        setTyped(text)
        clearTimeout(timer.current)
        timer.current = setTimeout(() => give(text.trim()), debounce)
      }}
      onKeyDown={event => {
        if (event.key === 'Enter') give(typed.trim())
        if (event.key === 'ArrowDown') {
          event.preventDefault()
          intoTheList()
        }
        if (event.key === 'Escape' && typed !== '') {
          event.stopPropagation()
          setTyped('')
          give('')
        }
      }}
    />
  )
}

const optionsOf = ({ options = [] }: Filter): readonly FilterOption[] => (typeof options === 'function' ? options() : options)
const wordOf = (filter: Filter, value: string): string => optionsOf(filter).find(option => option.value === value)?.label ?? value

function FilterBadge({ filter }: { filter: Filter }) {
  const t = useT()
  const [open, setOpen] = useState(false)
  return (
    <span className={style.badge}>
      <Popover opened={open} onChange={setOpen} position="bottom-start" trapFocus returnFocus>
        <Popover.Target>
          <button type="button" onClick={() => setOpen(!open)}>
            {filter.label}: <b>{filter.value.map(value => wordOf(filter, value)).join(', ')}</b>
          </button>
        </Popover.Target>
        <Popover.Dropdown>
          <FilterChoice filter={filter} close={() => setOpen(false)} />
        </Popover.Dropdown>
      </Popover>
      <CloseButton size="sm" aria-label={t('Remove the filter {{filter}}', { filter: filter.label })} onClick={() => filter.set([])} />
    </span>
  )
}

function AddFilter({ filters }: { filters: readonly Filter[] }) {
  const t = useT()
  const [open, setOpen] = useState(false)
  const [key, setKey] = useState<string | null>(null)
  const filter = filters.find(one => one.key === key)
  const unset = filters.filter(one => one.value.length === 0)
  const close = () => {
    setOpen(false)
    setKey(null)
  }
  return (
    <Popover opened={open} onChange={opened => (opened ? setOpen(true) : close())} position="bottom-start" trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconFilter size={16} />}
          rightSection={<IconChevronDown size={16} />}
          aria-expanded={open}
          onClick={() => (open ? close() : setOpen(true))}
        >
          {t('Filter')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={filter ? undefined : 4} miw={200}>
        {filter ? (
          // It keeps the focus that the list of filters had, and stays until it is closed: several may be wanted.
          <div ref={focusFirst}>
            <FilterChoice filter={filter} close={close} />
          </div>
        ) : (
          <Stack gap={0} onKeyDown={walk}>
            {unset.map(one => (
              <UnstyledButton key={one.key} px="sm" py={8} onClick={() => setKey(one.key)} className="choice">
                {one.label}
              </UnstyledButton>
            ))}
          </Stack>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}

const focusable = 'input, button'
const focusFirst = (element: HTMLElement | null): void => element?.querySelector<HTMLElement>(focusable)?.focus()

/** Up and down go through the choices of a list. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  event.preventDefault()
  const choices = [...event.currentTarget.querySelectorAll<HTMLElement>(focusable)]
  const at = choices.findIndex(choice => choice.matches(':focus'))
  choices[(at + step + choices.length) % choices.length]?.focus()
}

/** A longer list of choices has a search. */
const readAtOnce = 20

function FilterChoice({ filter, close }: { filter: Filter; close: () => void }) {
  const t = useT()
  const options = optionsOf(filter)
  const many = filter.kind === 'many'
  const listed = many || filter.kind === 'one'
  const [text, setText] = useState(listed ? '' : (filter.value[0] ?? ''))
  if (listed) {
    const sought = text.trim().toLocaleLowerCase()
    const fitting = options.filter(option => option.label.toLocaleLowerCase().includes(sought))
    const choose = (value: string) => {
      const others = filter.value.filter(one => one !== value)
      filter.set(many && others.length === filter.value.length ? [...others, value] : many ? others : [value])
      if (!many) close()
    }
    return (
      <Stack gap={8} role="group" aria-label={filter.label} onKeyDown={walk}>
        {options.length > readAtOnce ? (
          <TextInput
            size="sm"
            leftSection={<IconSearch size={16} />}
            aria-label={t('Search')}
            placeholder={t('Search')}
            value={text}
            onChange={event => setText(event.currentTarget.value)}
            onKeyDown={event => {
              if (event.key === 'Enter' && fitting[0]) {
                choose(fitting[0].value)
                setText('')
              }
            }}
          />
        ) : null}
        <Stack gap={many ? 8 : 0} style={{ maxHeight: '50dvh', overflow: 'auto' }}>
          {fitting.length === 0 ? <span className={style.none}>{t('No results')}</span> : null}
          {fitting.map(({ value, label }) =>
            many ? (
              <Checkbox key={value} size="sm" label={label} checked={filter.value.includes(value)} onChange={() => choose(value)} />
            ) : (
              <UnstyledButton
                key={value}
                px="sm"
                py={8}
                className="choice"
                aria-pressed={filter.value.includes(value)}
                onClick={() => choose(value)}
              >
                {label}
              </UnstyledButton>
            ),
          )}
        </Stack>
      </Stack>
    )
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    filter.set(text.trim() === '' ? [] : [text.trim()])
    close()
  }
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <TextInput
          type={filter.kind === 'day' ? 'date' : 'text'}
          label={filter.label}
          value={text}
          onChange={event => setText(event.currentTarget.value)}
          data-autofocus
        />
        <Button type="submit">{t('Apply')}</Button>
      </Group>
    </form>
  )
}

function OwnViews({ name, presets }: { name: string; presets: readonly View[] }) {
  return <Views store={useOwnViews(name)} presets={presets} />
}

function Views({ store, presets }: { store: ViewStore; presets: readonly View[] }) {
  const t = useT()
  const go = useNavigate()
  const tabs = usePageTabs()
  const { pathname, searchStr } = useRouterState({ select: state => state.location })
  const [naming, setNaming] = useState(false)
  const now = parseSearch(searchStr)
  const mark = essence(now)
  const all = [...presets, ...store.views]
  const exact = all.find(view => essence(view.search) === mark)
  // What was last chosen is what "save" would change.
  const [last, setLast] = useState<string | null>(exact?.key ?? null)
  if (exact && exact.key !== last) setLast(exact.key)
  const own = store.views.find(view => view.key === last && view.own)
  const essential = Object.fromEntries(Object.entries(now).filter(([param]) => !notOfView.has(param)))
  return (
    <div className={style.viewBar}>
      {tabs ? <ViewMenu views={all} current={exact} word={t('View')} /> : <ViewChips views={all} current={exact} />}
      {!exact && own ? (
        <Button
          size="compact-sm"
          variant="subtle"
          className={style.save ?? ''}
          onClick={() => store.save(own.title, essential, own.shared ?? false)}
        >
          {t('Save "{{view}}"', { view: own.title })}
        </Button>
      ) : null}
      {!exact ? (
        <Button size="compact-sm" variant="subtle" className={style.save ?? ''} onClick={() => setNaming(true)}>
          {t('Save as a view')}
        </Button>
      ) : null}
      {own && exact?.key === own.key ? (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon size="sm" aria-label={t('Change this view')} className={style.save ?? ''}>
              <IconDotsVertical size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item
              color="brick"
              onClick={() => {
                store.remove(own)
                go(pathname, presets[0]?.search ?? {})
              }}
            >
              {t('Remove this view')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      ) : null}
      {naming ? (
        <NameView
          close={() => setNaming(false)}
          canShare={store.canShare}
          save={(title, shared) => {
            store.save(title, essential, shared)
            setNaming(false)
          }}
        />
      ) : null}
    </div>
  )
}

interface ViewsShown {
  views: readonly View[]
  current: View | undefined
}

/** As many as fit in one line; the others stand in a menu at its end. On a phone the line is pushed sideways instead. */
function ViewChips({ views, current }: ViewsShown) {
  const t = useT()
  const { pathname } = useRouterState({ select: state => state.location })
  const line = useRef<HTMLElement>(null)
  const [fit, setFit] = useState(views.length)
  const words = views.map(view => `${view.title} ${view.count}`).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: other words have other widths
  useLayoutEffect(() => {
    const box = line.current
    if (!box) return
    const measure = () => {
      const { right } = box.getBoundingClientRect()
      const beyond = [...box.children].findIndex(chip => chip.getBoundingClientRect().right > right + 1)
      setFit(beyond === -1 ? box.children.length : beyond)
    }
    const observer = new ResizeObserver(measure)
    observer.observe(box)
    return () => observer.disconnect()
  }, [words])
  const beyond = views.slice(fit)
  return (
    <>
      <nav ref={line} className={style.views} aria-label={t('Views')}>
        {views.map((view, at) => (
          <Link
            key={view.key}
            to={pathname}
            search={view.search}
            className={style.view}
            data-beyond={at >= fit || undefined}
            aria-current={current?.key === view.key ? 'page' : undefined}
          >
            <ViewWords view={view} />
          </Link>
        ))}
      </nav>
      {beyond.length === 0 ? null : (
        <ViewMenu views={beyond} current={beyond.find(view => view.key === current?.key)} word={t('More views')} more />
      )}
    </>
  )
}

/** Views as one button that names the current one. */
export function ViewMenu({ views, current, word, more }: ViewsShown & { word: string; more?: boolean }) {
  const t = useT()
  const { pathname } = useRouterState({ select: state => state.location })
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button
          size="compact-md"
          variant="default"
          className={[style.viewMenu, more ? style.more : ''].join(' ')}
          title={word}
          rightSection={<IconChevronDown size={16} />}
        >
          {current ? <ViewWords view={current} /> : more ? t('More') : word}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {views.map(view => (
          <Menu.Item
            key={view.key}
            component={Link}
            to={pathname}
            search={view.search}
            aria-current={current?.key === view.key ? 'page' : undefined}
          >
            <span className={style.words}>
              <ViewWords view={view} />
            </span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function ViewWords({ view }: { view: View }) {
  const t = useT()
  return (
    <>
      {view.title}
      {view.shared ? <IconUsers size={16} aria-label={t('Shared')} /> : null}
      {view.count === undefined ? null : <span className={style.count}>{number(view.count)}</span>}
    </>
  )
}

interface NameViewProps {
  close: () => void
  canShare: boolean
  save: (title: string, shared: boolean) => void
}

function NameView({ close, canShare, save }: NameViewProps) {
  const t = useT()
  const [title, setTitle] = useState('')
  const [shared, setShared] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (title.trim() !== '') save(title.trim(), shared)
  }
  return (
    <Dialog opened onClose={close} title={t('Save as a view')}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={t('Name of the view')}
            value={title}
            maxLength={40}
            data-autofocus
            onChange={event => setTitle(event.currentTarget.value)}
          />
          {canShare ? (
            <Checkbox label={t('Everyone here may see it')} checked={shared} onChange={event => setShared(event.currentTarget.checked)} />
          ) : null}
          <Group justify="flex-end">
            <Button type="submit">{t('Save view')}</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
