/** The measured results of one map side by side: how far each walks, which one counts, and a walk to try before it does. */

import { Alert, Button, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { FloorPlan } from '#features/warehouse/warehouse-maps/FloorPlan.tsx'
import { MapChoice } from '#features/warehouse/warehouse-maps/MapChoice.tsx'
import { RouteView } from '#features/warehouse/warehouse-maps/RouteView.tsx'
import { mapEditors, warehouseMaps } from '#features/warehouse/warehouse-maps/warehouse-maps.contract.ts'
import type { WarehouseMap } from '#features/warehouse/warehouse-maps/warehouse-maps.schemas.ts'
import { confirm } from '#ui/kit/Confirm.tsx'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { bytes, dayOf, number, percent } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { Page } from '#ui/kit/Page.tsx'
import { Progress } from '#ui/kit/Progress.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { StateBadge, type Tone } from '#ui/kit/StateBadge.tsx'
import { errorSentence } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { urlNumber } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import { mapResults, mapResultsOwn } from './map-results.contract.ts'
import type { ResultRow, Simulation } from './map-results.schemas.ts'
import style from './Results.module.css'

const resultStateLabels: Record<ResultRow['state'], string> = {
  computing: 'Being computed',
  ready: 'Ready',
  active: 'Active',
  superseded: 'Was active',
  failed: 'Failed',
}

const View = {
  id: urlNumber(0),
  /** The result whose walk is tried. */
  walk: urlNumber(0),
}

const tones: Record<ResultRow['state'], Tone> = { computing: 'busy', ready: 'plain', active: 'done', superseded: 'quiet', failed: 'stop' }
/** Results side by side; older ones than these have no place on any screen. */
const shown = 12

export function MapResultsScreen() {
  const [{ id }] = useUrlState(View)
  return id === 0 ? <MapChoice to="/settings/warehouse-map/results" /> : <ChosenMap />
}

function ChosenMap() {
  const t = useT()
  const [{ id, walk }, setUrl] = useUrlState(View)
  const map = useCall(warehouseMaps.get, { id }, { live: ['map'] })
  const mayDraw = useIsAllowed(mapEditors)
  const results = useCall(mapResults.search, { map_id: id, limit: shown }, { live: ['map', 'job'], keep: true })
  return (
    <QueryState of={map}>
      {answer => (
        <Page
          title={t('Results of {{map}}', { map: answer.title })}
          back={{ to: '/settings/warehouse-map', label: t('All maps') }}
          actions={
            mayDraw ? (
              <>
                <Button component={Link} to="/settings/warehouse-map/edit" search={{ id }} variant="default">
                  {t('Draw')}
                </Button>
                <Compute map={answer} />
              </>
            ) : null
          }
        >
          <QueryState of={results} shape="rows">
            {({ rows }) =>
              rows.length === 0 ? (
                <EmptyList title={t('Nothing computed yet')} action={mayDraw ? <Compute map={answer} /> : undefined}>
                  {t('Computing measures all routes on the map. Then pick lists can use it.')}
                </EmptyList>
              ) : (
                <>
                  <SideBySide rows={rows} walk={walk} setWalk={result => setUrl({ walk: result })} />
                  {rows.some(row => row.result_id === walk && walkable(row)) ? <TryWalk key={walk} result_id={walk} /> : null}
                </>
              )
            }
          </QueryState>
        </Page>
      )}
    </QueryState>
  )
}

const walkable = ({ state }: ResultRow): boolean => state !== 'computing' && state !== 'failed'

function Compute({ map }: { map: WarehouseMap }) {
  const t = useT()
  const [open, setOpen] = useState(false)
  const [title, setTitle] = useState('')
  const calc = useSend(mapResults.calc, {
    quiet: true,
    refreshes: [mapResults.search, warehouseMaps.search],
    done: () => setOpen(false),
  })
  return (
    <>
      <Button
        onClick={() => {
          setTitle(`${map.title} ${dayOf(new Date())}`)
          calc.reset()
          setOpen(true)
        }}
      >
        {t('Compute')}
      </Button>
      <Dialog opened={open} onClose={() => setOpen(false)} title={t('Compute the ways of this map')}>
        <form
          onSubmit={event => {
            event.preventDefault()
            if (title.trim() !== '') calc.mutate({ id: map.map_id, body: { title: title.trim() } })
          }}
        >
          <Stack gap="md">
            <Text>{t('It works on the map as it is saved now, and changes nothing until you set the result active.')}</Text>
            <TextInput
              label={t('Title of the result')}
              value={title}
              maxLength={120}
              data-autofocus
              onChange={event => setTitle(event.currentTarget.value)}
            />
            {calc.error ? <Alert color="brick" role="alert" title={errorSentence(calc.error)} /> : null}
            <Button
              type="submit"
              loading={calc.isPending}
              {...disabledBecause(title.trim() === '' && t('Enter a name first'))}
              style={{ alignSelf: 'end' }}
            >
              {t('Compute')}
            </Button>
          </Stack>
        </form>
      </Dialog>
    </>
  )
}

function SideBySide({ rows, walk, setWalk }: { rows: readonly ResultRow[]; walk: number; setWalk: (result_id: number) => void }) {
  const t = useT()
  const longest = Math.max(1, ...rows.map(row => row.quality?.bin_order_metres ?? 0))
  const line = (title: string, cell: (row: ResultRow) => React.ReactNode) => (
    <tr>
      <th scope="row">{title}</th>
      {rows.map(row => (
        <td key={row.result_id} className={row.result_id === walk ? style.chosen : ''}>
          {cell(row)}
        </td>
      ))}
    </tr>
  )
  const metres = (value: number | null | undefined, own = false) =>
    value === null || value === undefined ? (
      '–'
    ) : (
      <>
        <span className={own ? style.figure : ''}>{t('{{metres}} m', { metres: number(value) })}</span>
        <span className={`${style.bar} ${own ? style.this : ''}`} style={{ width: `${(value / longest) * 100}%` }} />
      </>
    )
  return (
    <div className={style.scroll}>
      <table className={style.table}>
        <thead>
          <tr>
            <th scope="row">{t('Result')}</th>
            {rows.map(row => (
              <td key={row.result_id} className={row.result_id === walk ? style.chosen : ''}>
                <div className={style.title}>{row.title}</div>
                <div className={style.dim}>
                  <RelativeTime at={row.created_at} /> · {row.created_by}
                </div>
              </td>
            ))}
          </tr>
        </thead>
        <tbody>
          {line(t('Status'), row => (
            <State row={row} />
          ))}
          {line(t('Drawing'), row =>
            row.outdated ? (
              <StateBadge tone="soon">{t('Changed since')}</StateBadge>
            ) : (
              <StateBadge tone="done">{t('As it is now')}</StateBadge>
            ),
          )}
          {line(t('Walked in a week by this result'), row =>
            metres(row.quality && row.quality.walks > 0 ? row.quality.metres : null, true),
          )}
          {line(t('By the one active then'), row => metres(row.quality && row.quality.walks > 0 ? row.quality.active_metres : null))}
          {line(t('In the order of bin texts'), row => metres(row.quality && row.quality.walks > 0 ? row.quality.bin_order_metres : null))}
          {line(t('Shorter than by bin text'), row =>
            row.quality && row.quality.bin_order_metres > 0 ? (
              <span className={style.figure}>{percent(1 - row.quality.metres / row.quality.bin_order_metres, 1)}</span>
            ) : (
              '–'
            ),
          )}
          {line(t('Measured on'), row => (
            <Measured row={row} />
          ))}
          {line(t('Access points'), row => (
            <>
              {row.cells === null ? '–' : number(row.cells)}
              <div className={style.dim}>
                {t('{{count}} locations', { count: row.location_count })}
                {row.bytes === null ? '' : ` · ${bytes(row.bytes)}`}
              </div>
            </>
          ))}
          {line(t('Lists still walked by it'), row => number(row.living_lists))}
          {line(t('Actions'), row => (
            <ResultActions row={row} walk={walk} setWalk={setWalk} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function State({ row }: { row: ResultRow }) {
  const t = useT()
  const stop = useSend(mapResultsOwn.cancelCalc, { refreshes: [mapResults.search] })
  if (row.state === 'computing')
    return (
      <Progress
        label={t('Being computed')}
        done={row.job_done ?? 0}
        total={row.job_total}
        began={row.created_at}
        cancel={() => stop.mutate({ id: row.result_id })}
        cancelling={stop.isPending}
      />
    )
  return (
    <>
      <StateBadge tone={tones[row.state]}>{t(resultStateLabels[row.state])}</StateBadge>
      {row.error ? <div className={style.dim}>{t(row.error)}</div> : null}
      {row.activated_at ? (
        <div className={style.dim}>
          {t('Made active')} <RelativeTime at={row.activated_at} />
        </div>
      ) : null}
    </>
  )
}

function Measured({ row: { quality } }: { row: ResultRow }) {
  const t = useT()
  if (!quality || quality.walks === 0)
    return <span className={style.dim}>{quality ? t('Nothing was ordered in the week before') : '–'}</span>
  return (
    <>
      {quality.from === 'lists'
        ? t('{{count}} wagons of real lists', { count: quality.walks })
        : t('{{count}} routes of ten orders each', { count: quality.walks })}
      <div className={style.dim}>
        {dayOf(quality.since)} – {dayOf(quality.until)} · {t('{{count}} stops', { count: quality.stops })}
      </div>
      {quality.off_map > 0 ? <div className={style.dim}>{t('{{count}} bins are not on the map', { count: quality.off_map })}</div> : null}
      {quality.no_way > 0 ? <div className={style.dim}>{t('{{count}} bins cannot be walked to', { count: quality.no_way })}</div> : null}
    </>
  )
}

function ResultActions({ row, walk, setWalk }: { row: ResultRow; walk: number; setWalk: (result_id: number) => void }) {
  const t = useT()
  const mayDraw = useIsAllowed(mapEditors)
  const refreshes = [mapResults.search, warehouseMaps.search, mapResults.active]
  const activate = useSend(mapResults.setActive, { refreshes, said: t('New lists are walked by {{title}}', { title: row.title }) })
  const remove = useSend(mapResults.remove, { refreshes, said: t('Result deleted') })
  return (
    <div className={style.actions}>
      {walkable(row) ? (
        <Button size="compact-sm" variant="default" onClick={() => setWalk(walk === row.result_id ? 0 : row.result_id)}>
          {walk === row.result_id ? t('Close route') : t('Try a route')}
        </Button>
      ) : null}
      {mayDraw && (row.state === 'ready' || row.state === 'superseded') ? (
        <Button
          size="compact-sm"
          loading={activate.isPending}
          onClick={async () => {
            const sure = await confirm({
              title: t('Use {{title}} for new pick lists?', { title: row.title }),
              body: row.outdated
                ? t('New pick lists follow this result. The map has been changed since it was computed. Lists that exist keep theirs.')
                : t('New pick lists follow this result. Lists that exist keep theirs.'),
              action: t('Activate'),
            })
            if (sure) activate.mutate({ id: row.result_id })
          }}
        >
          {t('Activate')}
        </Button>
      ) : null}
      {mayDraw && row.state !== 'computing' ? (
        <Button
          size="compact-sm"
          variant="subtle"
          color="brick"
          loading={remove.isPending}
          onClick={async () => {
            const sure = await confirm({
              title: t('Delete the result {{title}}?', { title: row.title }),
              body: t('It has to be computed again if you want it back.'),
              action: t('Delete result'),
              danger: true,
            })
            if (sure) remove.mutate({ id: row.result_id })
          }}
        >
          {t('Delete')}
        </Button>
      ) : null}
    </div>
  )
}

function TryWalk({ result_id }: { result_id: number }) {
  const t = useT()
  const [text, setText] = useState('')
  const result = useCall(mapResults.get, { id: result_id }, { fresh: 600_000 })
  const simulate = useSend(mapResultsOwn.simulate, { quiet: true })
  const bins = text
    .split(/[\n,;\t]+/)
    .map(bin => bin.trim())
    .filter(bin => bin !== '')
  return (
    <section className={style.part}>
      <h2>{t('Try a route')}</h2>
      <div className={style.beside}>
        <QueryState of={result}>
          {({ drawing }) => (
            <FloorPlan
              floor={drawing}
              locations={drawing.locations}
              label={t('The route drawn on the floor. The same stops stand in the list beside it.')}
              height="66vh"
              over={k => (simulate.data ? <RouteView path={simulate.data.path} stops={simulate.data.stops} k={k} /> : null)}
            />
          )}
        </QueryState>
        <Stack gap="sm">
          <Textarea
            label={t('Bins')}
            description={t('One per line, or parted by commas. At most {{most}}.', { most: 300 })}
            rows={5}
            value={text}
            onChange={event => setText(event.currentTarget.value)}
            error={bins.length > 300 ? t('{{count}} bins are too many', { count: bins.length }) : null}
          />
          <div className={style.actions}>
            <Button
              {...disabledBecause((bins.length === 0 || bins.length > 300) && t('Enter 1 to 300 bins'))}
              loading={simulate.isPending}
              onClick={() => simulate.mutate({ body: { result_id, bins } })}
            >
              {t('Draw route')}
            </Button>
            <Button variant="default" loading={simulate.isPending} onClick={() => simulate.mutate({ body: { result_id, bins: [] } })}>
              {t('Take the newest list')}
            </Button>
          </div>
          {simulate.error ? <Alert color="brick" role="alert" title={errorSentence(simulate.error)} /> : null}
          {simulate.data ? <Simulated walk={simulate.data} /> : null}
        </Stack>
      </div>
    </section>
  )
}

function Simulated({ walk }: { walk: Simulation }) {
  const t = useT()
  const { metres, bin_order_metres, stops, list, proven, off_map, no_way } = walk
  return (
    <>
      <div className={style.figures} role="status">
        <div>
          <span className={style.figure}>{t('{{metres}} m', { metres: number(metres) })}</span>
          <small>{proven ? t('proven to be the shortest') : t('by this result')}</small>
        </div>
        <div>
          <span className={style.figure}>{t('{{metres}} m', { metres: number(bin_order_metres) })}</span>
          <small>{t('in the order of bin texts')}</small>
        </div>
      </div>
      {list ? (
        <span className={style.dim}>{t('Wagon {{wagon}} of list {{list}}', { wagon: list.wagon_no, list: list.pick_list_id })}</span>
      ) : null}
      {off_map.length > 0 ? (
        <Alert color="amber" title={t('{{count}} bins are not on the map', { count: off_map.length })}>
          {off_map.join(', ')}
        </Alert>
      ) : null}
      {no_way.length > 0 ? (
        <Alert color="amber" title={t('{{count}} bins cannot be walked to', { count: no_way.length })}>
          {no_way.join(', ')}
        </Alert>
      ) : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls has to be reached by keys */}
      <ol tabIndex={0} className={style.stops} aria-label={t('Stops in the order of the route')}>
        {stops.map(stop => (
          <li key={stop.no}>
            <span>{stop.no}</span>
            <b>{stop.bins.join(', ')}</b>
          </li>
        ))}
      </ol>
    </>
  )
}
