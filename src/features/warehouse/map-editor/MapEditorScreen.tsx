/** The editor of one warehouse map. */

import { ActionIcon, Alert, Button, Group, Menu, Tabs, Tooltip } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconAlertTriangle, IconArrowBackUp, IconArrowForwardUp, IconDots } from '@tabler/icons-react'
import { useBlocker } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { isOneOf } from '#domain/objects.ts'
import { mapResults } from '#features/warehouse/map-results/map-results.contract.ts'
import { findingsOf } from '#features/warehouse/warehouse-maps/drawing.rules.ts'
import { MapChoice } from '#features/warehouse/warehouse-maps/MapChoice.tsx'
import { warehouseMaps, warehouseMapsOwn } from '#features/warehouse/warehouse-maps/warehouse-maps.contract.ts'
import { WarehouseMap } from '#features/warehouse/warehouse-maps/warehouse-maps.schemas.ts'
import { confirm } from '#ui/kit/Confirm.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { Link } from '#ui/kit/Link.tsx'
import { MenuAction } from '#ui/kit/MenuAction.tsx'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { errorSentence, toastError, toastInfo, toastSuccess } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { urlChoice, urlNumber } from '#ui/kit/url-fields.ts'
import { useNavigate, useUrlState } from '#ui/kit/url-state.ts'
import { useBlockReload } from '#ui/query/app-config.ts'
import { CallError } from '#ui/query/call-error.ts'
import { saveFile, send, useCall, useSend } from '#ui/query/calls.ts'
import { oddPlaces } from './drawing-edits.rules.ts'
import style from './Editor.module.css'
import { EditorToolbar } from './EditorToolbar.tsx'
import { useEditor } from './editor-state.client.ts'
import { LocationsPanel } from './LocationsPanel.tsx'
import { MapCanvas, type Underlay } from './MapCanvas.tsx'
import { MapImport } from './MapImport.tsx'
import { MapPanel } from './MapPanel.tsx'
import { NamingDialog } from './NamingDialog.tsx'
import { PrintSheet } from './PrintSheet.tsx'
import { type Problem, ProblemsPanel } from './ProblemsPanel.tsx'
import { SelectionPanel } from './SelectionPanel.tsx'

const panels = ['choice', 'map', 'locations', 'problems'] as const
const View = {
  id: urlNumber(0),
  panel: urlChoice(panels, 'choice'),
}

export function MapEditorScreen() {
  const [{ id }] = useUrlState(View)
  return id === 0 ? <MapChoice to="/settings/warehouse-map/edit" /> : <ChosenMap />
}

function ChosenMap() {
  const [{ id, panel }, setUrl] = useUrlState(View)
  const map = useCall(warehouseMaps.get, { id }, { live: ['map'] })
  return (
    <QueryState of={map} shape="page">
      {answer => <MapEditor key={id} latest={answer} panel={panel} setPanel={next => setUrl({ panel: next }, { replace: true })} />}
    </QueryState>
  )
}

function MapEditor({
  latest,
  panel,
  setPanel,
}: {
  latest: WarehouseMap
  panel: (typeof panels)[number]
  setPanel: (panel: (typeof panels)[number]) => void
}) {
  const t = useT()
  const go = useNavigate()
  const editor = useEditor(latest.drawing)
  const { drawing, history } = editor
  /** What the server has, as far as this page knows and works on. */
  const [base, setBase] = useState(latest)
  const [title, setTitle] = useState(latest.title)
  const [theirs, setTheirs] = useState<WarehouseMap | null>(null)
  const [dialog, setDialog] = useState<'naming' | 'import' | 'print' | null>(null)
  const [underlay, setUnderlay] = useState<Underlay | null>(null)
  const dirty = drawing !== base.drawing || title !== base.title
  const unsaved = dirty && t('Save the changes first.')

  const takeTheirs = (map: WarehouseMap) => {
    setBase(map)
    setTitle(map.title)
    setTheirs(null)
    editor.begin(map.drawing)
  }
  const save = useSend(warehouseMaps.update, {
    quiet: true,
    refreshes: [warehouseMaps.search, mapResults.search],
    done: (answer, { body }) => {
      // What was drawn while it was being saved stays unsaved. A live notice may have brought the same version before.
      setBase(before =>
        before.version >= answer.version ? before : { ...answer, drawing: body.drawing as WarehouseMap['drawing'], title: body.title },
      )
      setTheirs(null)
      toastSuccess(t('Map saved'))
    },
  })
  if (latest.version > base.version && latest.version > (theirs?.version ?? 0) && !save.isPending) {
    if (dirty) setTheirs(latest)
    else takeTheirs(latest)
  }

  const saveNow = (version = base.version) => {
    if (save.isPending) return
    if (title.trim() === '') {
      setPanel('map')
      return
    }
    save.mutate(
      { id: base.map_id, body: { version, title: title.trim(), drawing } },
      {
        onError: error => {
          const current = WarehouseMap.safeParse(error instanceof CallError ? error.current : null)
          if (current.success) setTheirs(current.data)
          else toastError(error)
        },
      },
    )
  }

  useBlockReload(dirty || save.isPending, 'a map with changes')
  useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      if (!dirty || current.pathname === next.pathname) return false
      return !(await confirm({
        title: t('Leave without saving?'),
        body: t('What you changed here is not saved.'),
        action: t('Leave without saving'),
        danger: true,
      }))
    },
    enableBeforeUnload: () => dirty,
  })

  const press = useRef<(event: KeyboardEvent) => void>(undefined)
  useEffect(() => {
    press.current = event => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || document.querySelector('[role="dialog"]')) return
      const key = event.key.toLowerCase()
      const inField = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement
      if (key === 's') saveNow()
      // A text box takes its own letters back.
      else if (inField && event.target.type !== 'radio' && event.target.type !== 'checkbox') return
      else if (key === 'z') event.shiftKey ? editor.redo() : editor.undo()
      else if (key === 'y') editor.redo()
      else return
      event.preventDefault()
    }
  })
  // The outside system is the keyboard.
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => press.current?.(event)
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])

  // Looking for problems walks over the whole floor: not at every step of a drag.
  const [settled] = useDebouncedValue(drawing, 350)
  const problems = useMemo<Problem[]>(
    () => [
      ...findingsOf(settled),
      ...oddPlaces(settled).map(one => ({ ...one, severity: 'note' as const, count: one.items.length, items: one.items.slice(0, 200) })),
    ],
    [settled],
  )
  const grave = problems.filter(one => one.severity !== 'note')
  const wrong = useMemo(
    () =>
      problems.flatMap(one =>
        one.severity === 'note' ? [] : one.items.flatMap(({ x, y }) => (x === null || y === null ? [] : [{ x, y }])),
      ),
    [problems],
  )

  const download = (call: typeof warehouseMapsOwn.exportCsv | typeof warehouseMapsOwn.exportJson) =>
    void send(call, { id: base.map_id }).then(file => saveFile(file), toastError)
  const remove = useSend(mapResults.removeMap, {
    refreshes: [warehouseMaps.search],
    said: t('Map deleted'),
    done: () => go('/settings/warehouse-map'),
  })
  const endPrint = useCallback(() => setDialog(null), [])

  return (
    <Page
      title={title.trim() === '' ? t('Warehouse map') : title}
      fill
      back={{ to: '/settings/warehouse-map', label: t('All maps') }}
      badge={
        dirty ? (
          <StateBadge tone="soon">{t('Not saved')}</StateBadge>
        ) : base.active_result_id !== null ? (
          <StateBadge tone="done">{t('In use')}</StateBadge>
        ) : null
      }
      actions={
        <>
          <Group gap={2} wrap="nowrap">
            <Tooltip label={`${t('Undo')} (Ctrl Z)`}>
              <ActionIcon
                size="lg"
                aria-label={t('Undo')}
                {...disabledBecause(history.past.length === 0 && t('No change to undo'))}
                onClick={editor.undo}
              >
                <IconArrowBackUp size={20} />
              </ActionIcon>
            </Tooltip>
            <Tooltip label={`${t('Redo')} (Ctrl Y)`}>
              <ActionIcon
                size="lg"
                aria-label={t('Redo')}
                {...disabledBecause(history.future.length === 0 && t('No change to redo'))}
                onClick={editor.redo}
              >
                <IconArrowForwardUp size={20} />
              </ActionIcon>
            </Tooltip>
            <Menu position="bottom-end">
              <Menu.Target>
                <ActionIcon size="lg" aria-label={t('More')}>
                  <IconDots size={20} />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item onClick={() => setDialog('import')}>{t('Import CSV or JSON')}</Menu.Item>
                <MenuAction why={unsaved} onClick={() => download(warehouseMapsOwn.exportCsv)}>
                  {t('Export locations as CSV')}
                </MenuAction>
                <MenuAction why={unsaved} onClick={() => download(warehouseMapsOwn.exportJson)}>
                  {t('Export the map as JSON')}
                </MenuAction>
                <Menu.Item onClick={() => setDialog('print')}>{t('Print map')}</Menu.Item>
                <Menu.Divider />
                <Menu.Item
                  color="brick"
                  onClick={async () => {
                    const sure = await confirm({
                      title: t('Delete the map {{title}}?', { title: base.title }),
                      body: t('Its results go with it. This cannot be undone.'),
                      action: t('Delete map'),
                      danger: true,
                    })
                    if (!sure) return
                    setBase({ ...base, drawing, title })
                    remove.mutate({ id: base.map_id })
                  }}
                >
                  {t('Delete map')}
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          </Group>
          <Button component={Link} to="/settings/warehouse-map/results" search={{ id: base.map_id }} variant="default">
            {t('Results')}
          </Button>
          <Button loading={save.isPending} onClick={() => (dirty ? saveNow() : toastInfo(t('Everything is saved')))}>
            {t('Save map')}
          </Button>
        </>
      }
    >
      {theirs ? (
        <Alert color="amber" icon={<IconAlertTriangle size={16} />} title={t('Someone else changed this map')} role="alert">
          <p>
            {t('They saved {{count}} locations. Your drawing is still here and not saved.', { count: theirs.drawing.locations.length })}
          </p>
          <Group gap="xs" mt="xs">
            <Button size="compact-sm" variant="default" onClick={() => takeTheirs(theirs)}>
              {t('Discard my changes')}
            </Button>
            <Button size="compact-sm" variant="default" loading={save.isPending} onClick={() => saveNow(theirs.version)}>
              {t('Overwrite with mine')}
            </Button>
          </Group>
        </Alert>
      ) : null}
      {save.error && !theirs ? <Alert color="brick" role="alert" title={errorSentence(save.error)} /> : null}
      <div className={style.editor}>
        <EditorToolbar editor={editor} />
        <MapCanvas editor={editor} wrong={wrong} underlay={underlay} />
        <aside className={style.side} aria-label={t('Details')}>
          <Tabs
            value={panel}
            onChange={next => isOneOf(panels, next) && setPanel(next)}
            keepMounted={false}
            style={{ display: 'flex', flexDirection: 'column', minHeight: 0, flex: 1 }}
          >
            <Tabs.List grow>
              <Tabs.Tab value="choice" px={8}>
                {t('Choice')}
              </Tabs.Tab>
              <Tabs.Tab value="map" px={8}>
                {t('Map')}
              </Tabs.Tab>
              <Tabs.Tab value="locations" px={8}>
                {t('Locations')}
              </Tabs.Tab>
              <Tabs.Tab
                value="problems"
                px={8}
                {...(grave.length > 0 ? { leftSection: <IconAlertTriangle size={16} color="var(--soon)" /> } : {})}
              >
                {t('Problems')}
              </Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="choice" className={style.panel}>
              <SelectionPanel editor={editor} nameThem={() => setDialog('naming')} />
            </Tabs.Panel>
            <Tabs.Panel value="map" className={style.panel}>
              <MapPanel editor={editor} title={title} setTitle={setTitle} underlay={underlay} setUnderlay={setUnderlay} />
            </Tabs.Panel>
            <Tabs.Panel value="locations" className={style.panel}>
              <LocationsPanel editor={editor} />
            </Tabs.Panel>
            <Tabs.Panel value="problems" className={style.panel}>
              <ProblemsPanel editor={editor} problems={problems} />
            </Tabs.Panel>
          </Tabs>
        </aside>
      </div>
      {dialog === 'naming' ? <NamingDialog editor={editor} close={() => setDialog(null)} /> : null}
      {dialog === 'import' ? (
        <MapImport
          onto={drawing}
          close={() => setDialog(null)}
          take={imported => {
            editor.change(() => imported.drawing)
            if (imported.title) setTitle(imported.title)
            setDialog(null)
          }}
        />
      ) : null}
      {dialog === 'print' ? <PrintSheet title={title} drawing={drawing} done={endPrint} /> : null}
    </Page>
  )
}
