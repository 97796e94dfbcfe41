/** Home: what needs action, how far today's orders are, and which courier comes next; each number opens the list behind it. */
import { Button } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { HomeFigures } from '#features/insight/figures/HomeFigures.tsx'
import { orderImports } from '#features/orders/order-imports/order-imports.contract.ts'
import { phaseWord } from '#features/orders/orders/order.labels.tsx'
import { orders } from '#features/orders/orders/orders.contract.ts'
import type { Phase } from '#features/orders/orders/orders.rules.ts'
import { exceptionReaders, exceptions } from '#features/packing/exceptions/exceptions.contract.ts'
import { printJobs } from '#features/printing/print-jobs/print-jobs.contract.ts'
import { claims } from '#features/shipping/claims/claims.contract.ts'
import { shipmentExceptions } from '#features/shipping/shipment-exceptions/shipment-exceptions.contract.ts'
import { CageMark, CutOffClock, Scanned } from '#features/warehouse/collect-lists/collect-list.labels.tsx'
import { collectListsOwn } from '#features/warehouse/collect-lists/collect-lists.contract.ts'
import { pickTasks } from '#features/warehouse/pick-tasks/pick-tasks.contract.ts'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { ErrorState } from '#ui/kit/ErrorState.tsx'
import { number } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { Page } from '#ui/kit/Page.tsx'
import { Skeleton } from '#ui/kit/Skeleton.tsx'
import { useT } from '#ui/kit/translate.ts'
import type { UrlSearch } from '#ui/kit/url-state.ts'
import { useIsOffered } from '#ui/navigation/menu.ts'
import { useCall } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import { useFirstSteps } from '../first-steps/first-steps.client.ts'
import { firstSteps } from '../first-steps/first-steps.contract.ts'
import type { FirstSteps } from '../first-steps/first-steps.schemas.ts'
import style from './Home.module.css'

interface Count {
  count: number
  is_more?: boolean
}
interface Line {
  title: string
  counted: Count | undefined
  to: string
  search?: UrlSearch
  /** Somebody waits for it, or it is late. */
  urgent?: boolean
}

/** The way of an order through the warehouse, as far as people work on it. */
const way = ['ready', 'in_pick', 'picked', 'in_pack', 'packed'] as const satisfies readonly Phase[]

export function HomeScreen() {
  const t = useT()
  const stepsOffered = useIsOffered('/settings/first-steps')
  const steps = useCall(firstSteps.get, {}, { enabled: stepsOffered })
  const ordersOffered = useIsOffered('/parcels/orders')
  const counts = useCall(orders.count, {}, { enabled: ordersOffered, live: ['order'], fresh: 5_000 })
  return (
    <Page title={t('Home')}>
      {steps.data ? <NextStep done={steps.data} /> : null}
      <div className={style.columns}>
        <div className={style.main}>
          {counts.data ? <OrdersNow phases={counts.data.phases} /> : null}
          <HomeFigures />
          <NextPickups />
        </div>
        <NeedsAction counts={counts} />
      </div>
    </Page>
  )
}

/** A new company begins here; the panel is gone when its steps are done. */
function NextStep({ done }: { done: FirstSteps }) {
  const t = useT()
  const steps = useFirstSteps(done)
  const next = steps.find(step => !step.done)
  // A device of the office needs neither a station nor a printer.
  if (!next || Object.values(done).every(Boolean)) return null
  const finished = steps.filter(step => step.done).length
  return (
    <section className={`${style.panel} ${style.step}`} aria-label={t('First steps')}>
      <div className={style.words}>
        <p className={style.title}>{t('{{done}} of {{all}} steps are done.', { done: finished, all: steps.length })}</p>
        <h2>{next.title}</h2>
        <p>{next.why}</p>
      </div>
      <Button component={Link} to="/settings/first-steps" variant="default">
        {t('First steps')}
      </Button>
      {next.offered ? (
        <Button component={Link} to={next.to} search={next.search}>
          {next.action}
        </Button>
      ) : null}
    </section>
  )
}

function OrdersNow({ phases }: { phases: Record<string, Count> }) {
  const t = useT()
  return (
    <Panel title={t('Orders now')}>
      <ul className={style.tiles} aria-label={t('Orders now')}>
        {way.map(phase => (
          <li key={phase}>
            <Link to="/parcels/orders" search={{ phase: [phase] }} className={style.tile}>
              <span className={style.title}>{phaseWord(phase)}</span>
              <span className={style.figure}>
                <Figure of={phases[phase]} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** The cages with their couriers, the one that comes first on top. */
function NextPickups() {
  const t = useT()
  const offered = useIsOffered('/lists/collect')
  const overview = useCall(collectListsOwn.overview, {}, { enabled: offered, live: ['collect_list', 'shipment'], every: 60_000 })
  const tiles = (overview.data?.tiles ?? []).toSorted((one, other) => (one.cut_off_at ?? '9').localeCompare(other.cut_off_at ?? '9'))
  if (tiles.length === 0) return null
  return (
    <Panel title={t('Next pickups')}>
      <ul className={style.lines} aria-label={t('Next pickups')}>
        {tiles.map(tile => (
          <li key={tile.key}>
            <Link to="/lists/collect" className={style.line}>
              <span className={style.words}>
                <CageMark name={tile.cage.name} colour={tile.cage.colour} />{' '}
                {tile.cage.name === tile.cage.agent ? null : <span className={style.title}>{t(tile.cage.agent)}</span>}
              </span>
              <CutOffClock at={tile.cut_off_at} late={tile.late} />
              <span className={style.bar}>
                <Scanned scanned={tile.scanned} expected={Math.max(tile.expected, tile.scanned + tile.waiting)} />
              </span>
              <IconChevronRight size={16} aria-hidden />
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

type Counts = ReturnType<typeof useCall<typeof orders.count>>

function NeedsAction({ counts }: { counts: Counts }) {
  const t = useT()
  const tasksOffered = useIsOffered('/lists/pick/tasks')
  const importsOffered = useIsOffered('/parcels/orders/import')
  const printersOffered = useIsOffered('/settings/printer')
  const seesExceptions = useIsAllowed(exceptionReaders)
  const open = useCall(exceptions.count, {}, { enabled: seesExceptions, live: ['exception'], fresh: 5_000 })
  const shipmentsOffered = useIsOffered('/parcels/shipments/exceptions')
  const shipped = useCall(shipmentExceptions.count, {}, { enabled: shipmentsOffered, live: ['shipment_exception'], fresh: 5_000 })
  const claimed = useCall(claims.count, {}, { enabled: shipmentsOffered, live: ['claim'], fresh: 60_000 })
  const tasks = useCall(pickTasks.count, {}, { enabled: tasksOffered, live: ['pick_task'], fresh: 5_000 })
  const imports = useCall(orderImports.list, { problems: 'recent', limit: 1 }, { enabled: importsOffered, live: ['import'], fresh: 60_000 })
  const prints = useCall(printJobs.list, { limit: 1, state: 'failed' }, { enabled: printersOffered, live: ['print'], fresh: 30_000 })

  const lines: Line[] = []
  if (open.data) {
    const { overdue, mine_overdue, open: all } = open.data
    lines.push({
      title: t('Your overdue exceptions'),
      counted: { count: mine_overdue },
      to: '/parcels/exceptions',
      search: { view: 'mine' },
      urgent: true,
    })
    lines.push({
      title: t('Overdue exceptions'),
      counted: { count: overdue },
      to: '/parcels/exceptions',
      search: { view: 'overdue' },
      urgent: true,
    })
    lines.push({ title: t('Exceptions'), counted: { count: all - overdue }, to: '/parcels/exceptions' })
  }
  if (counts.data) {
    const { views } = counts.data
    const list = (title: string, view: string, search: UrlSearch, urgent = false) =>
      lines.push({ title, counted: views[view], to: '/parcels/orders', search, urgent })
    list(t('Overdue'), 'overdue', { due: 'late' }, true)
    list(t('Label error'), 'label_error', { phase: ['label_error'] }, true)
    list(t('Short'), 'short', { phase: ['short'] }, true)
    list(t('Due today'), 'due_today', { due: 'today' })
    list(t('On hold'), 'held', { phase: ['held'] })
  }
  if (shipped.data) {
    const { overdue, open: all } = shipped.data
    const list = (title: string, count: number, search: UrlSearch, urgent: boolean) =>
      lines.push({ title, counted: { count }, to: '/parcels/shipments/exceptions', search, urgent })
    list(t('Overdue shipment exceptions'), overdue, { view: 'overdue' }, true)
    list(t('Shipment exceptions'), all - overdue, {}, false)
  }
  if (claimed.data)
    lines.push({
      title: t('Claims to send'),
      counted: { count: claimed.data.due },
      to: '/parcels/shipments/claims',
      search: { view: 'due' },
      urgent: true,
    })
  if (prints.data)
    lines.push({
      title: t('Failed print jobs'),
      counted: { count: prints.data.total },
      to: '/settings/printer',
      search: { state: 'failed' },
      urgent: true,
    })
  if (imports.data)
    lines.push({
      title: t('Import problems'),
      counted: { count: imports.data.total },
      to: '/parcels/orders/import',
      search: { problems: 'recent' },
    })
  if (tasks.data) {
    const { shorts, counts: bins, put_backs } = tasks.data
    const list = (title: string, count: number, tab: string) =>
      lines.push({ title, counted: { count }, to: '/lists/pick/tasks', search: { tab } })
    list(t('Shortages to decide'), shorts, 'shorts')
    list(t('Bins to count'), bins, 'counts')
    list(t('Items to put back'), put_backs, 'put_backs')
  }
  const asked = [counts, open, shipped, claimed, tasks, imports, prints]
  const failed = asked.find(one => one.error && one.data === undefined)
  const waiting = lines.filter(line => line.counted && line.counted.count > 0)
  return (
    <Panel title={t('Needs action')}>
      {failed ? <ErrorState error={failed.error} again={() => void failed.refetch()} /> : null}
      {waiting.length > 0 ? (
        <ul className={style.lines} aria-label={t('Needs action')}>
          {waiting.map(({ title, counted, to, search, urgent }) => (
            <li key={title}>
              <Link to={to} search={search ?? {}} className={style.line}>
                <span className={style.words}>{title}</span>
                <strong className={urgent ? style.urgent : ''}>
                  <Figure of={counted} />
                </strong>
                <IconChevronRight size={16} aria-hidden />
              </Link>
            </li>
          ))}
        </ul>
      ) : asked.some(one => one.isLoading) ? (
        <Skeleton shape="rows" />
      ) : failed ? null : (
        <EmptyList title={t('Nothing needs action')} />
      )}
    </Panel>
  )
}

const Figure = ({ of }: { of: Count | undefined }): string => `${number(of?.count ?? 0)}${of?.is_more ? '+' : ''}`

const Panel = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={style.panel} aria-label={title}>
    <h2>{title}</h2>
    {children}
  </section>
)
