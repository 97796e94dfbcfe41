/** The walk of one wagon on a phone, for everyone with the link: the next stop, the drawing, and a list of the stops. */

import { ActionIcon, Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useMemo } from 'react'
import { FloorPlan } from '#features/warehouse/warehouse-maps/FloorPlan.tsx'
import { turned } from '#features/warehouse/warehouse-maps/floor-plan.rules.ts'
import { RouteView } from '#features/warehouse/warehouse-maps/RouteView.tsx'
import type { Stop } from '#features/warehouse/warehouse-maps/warehouse-maps.schemas.ts'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { instant, number } from '#ui/kit/format.ts'
import { Logo } from '#ui/kit/Logo.tsx'
import { usePageTitle } from '#ui/kit/page-title.ts'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { useT } from '#ui/kit/translate.ts'
import { urlNumber, urlText } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { useCall } from '#ui/query/calls.ts'
import style from './Route.module.css'
import { wagonRoutesOwn } from './wagon-routes.contract.ts'
import type { Route } from './wagon-routes.schemas.ts'

export const walkUrl = {
  list: urlNumber(0),
  wagon: urlNumber(0),
  key: urlText(),
  /** Which stop comes next, counted from 1; one more than there are means the end. */
  stop: urlNumber(1),
}

export function WalkByLink() {
  const t = useT()
  const [{ list, wagon, key, stop }, setUrl] = useUrlState(walkUrl)
  const route = useCall(wagonRoutesOwn.route, { list, wagon, key }, { fresh: 300_000 })
  usePageTitle(t('Wagon {{wagon}} of list {{list}}', { wagon, list }))
  return (
    <div className={style.page}>
      <QueryState of={route}>
        {answer => (
          <Walking
            route={answer}
            next={Math.min(stop, answer.stops.length + 1) - 1}
            go={index => setUrl({ stop: index + 1 }, { replace: true })}
          />
        )}
      </QueryState>
    </div>
  )
}

function Walking({ route, next, go }: { route: Route; next: number; go: (index: number) => void }) {
  const t = useT()
  const tall = useMediaQuery('(orientation: portrait)', window.matchMedia('(orientation: portrait)').matches)
  const { stops, metres, map_title, expires_at } = route
  const shown = useMemo(() => (tall && route.floor.width > route.floor.height * 1.25 ? turned(route) : route), [route, tall])
  const stop = stops[next]
  const place = shown.stops[next]
  const end = shown.floor.stations[0] ?? shown.floor.starts[0]
  const focus = place ? (place.x !== null && place.y !== null ? { x: place.x, y: place.y } : null) : (end ?? null)
  return (
    <>
      <header className={style.head}>
        <Logo size={26} />
        <div>
          <h1>{t('Wagon {{wagon}} of list {{list}}', { wagon: route.wagon, list: route.list })}</h1>
          <p>
            {t('{{count}} stops', { count: stops.length })} · {t('{{metres}} m', { metres: number(metres) })}
          </p>
        </div>
      </header>
      <section className={style.next} aria-live="polite">
        <small>{stop ? t('Stop {{no}} of {{count}}', { no: stop.no, count: stops.length }) : t('All stops are done')}</small>
        <div className={style.bins}>
          {stop
            ? stop.bins.length === 0
              ? t('Without a bin')
              : stop.bins.map(bin => <span key={bin}>{bin} </span>)
            : (route.floor.stations[0]?.name ?? t('Back to the start'))}
        </div>
        <div className={style.more}>
          {stop ? <Pieces stop={stop} /> : null}
          {stop && stop.x === null ? ` · ${t('not on the map')}` : null}
        </div>
        <div className={style.steps}>
          <ActionIcon
            variant="default"
            size="xl"
            aria-label={t('Stop before')}
            {...disabledBecause(next === 0 && t('This is the first stop'))}
            onClick={() => go(next - 1)}
          >
            <IconChevronLeft size={24} />
          </ActionIcon>
          <ActionIcon
            variant="filled"
            color="harbour"
            size="xl"
            aria-label={t('Next stop')}
            {...disabledBecause(!stop && t('This is the last stop'))}
            onClick={() => go(next + 1)}
          >
            <IconChevronRight size={24} />
          </ActionIcon>
        </div>
      </section>
      <FloorPlan
        floor={shown.floor}
        label={t('The route drawn on the floor. The same stops stand in the list below.')}
        focus={focus}
        height="56vh"
        over={k => <RouteView path={shown.path} stops={shown.stops} k={k} next={next} />}
      />
      <ol className={style.list} aria-label={t('Stops in the order of the route')}>
        {stops.map((one, i) => (
          <li key={one.no}>
            <button
              type="button"
              className={i < next ? style.done : ''}
              aria-current={i === next ? 'step' : undefined}
              onClick={() => go(i)}
            >
              <span className={style.no}>{one.no}</span>
              <span>
                <b>{binsOf(one, t('Without a bin'))}</b>
                {one.x === null ? (
                  <>
                    <br />
                    <small>{t('not on the map')}</small>
                  </>
                ) : null}
              </span>
              <span className={style.count}>
                <Pieces stop={one} />
              </span>
            </button>
          </li>
        ))}
      </ol>
      {next > 0 ? (
        <Button variant="default" onClick={() => go(0)}>
          {t('Start again')}
        </Button>
      ) : null}
      <p className={style.more}>{t('By the map {{map}}. The link opens until {{time}}.', { map: map_title, time: instant(expires_at) })}</p>
    </>
  )
}

const binsOf = (stop: Stop, none: string): string => (stop.bins.length === 0 ? none : stop.bins.join(', '))

function Pieces({ stop }: { stop: Stop }) {
  const t = useT()
  return <>{t('{{count}} items', { count: stop.pieces })}</>
}
