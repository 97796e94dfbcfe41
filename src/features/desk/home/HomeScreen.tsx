/** Home: how much waits for a decision or is late, each number with the list behind it. */
import { Button } from '@mantine/core'
import { orders } from '#features/orders/orders/orders.contract.ts'
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
import { firstSteps } from '../first-steps/first-steps.contract.ts'
import style from './Home.module.css'

interface Tile {
  title: string
  counted: { count: number; is_more?: boolean } | undefined
  to: string
  search: UrlSearch
}

export function HomeScreen() {
  const t = useT()
  const [ordersOffered, tasksOffered] = [useIsOffered('/parcels/orders'), useIsOffered('/lists/pick/tasks')]
  const stepsOffered = useIsOffered('/settings/first-steps')
  const counts = useCall(orders.count, {}, { enabled: ordersOffered, live: ['order'], fresh: 5_000 })
  const tasks = useCall(pickTasks.count, {}, { enabled: tasksOffered, live: ['pick_task'], fresh: 5_000 })
  const steps = useCall(firstSteps.get, {}, { enabled: stepsOffered })

  const tiles: Tile[] = []
  if (counts.data) {
    const { views } = counts.data
    const list = (title: string, view: string, search: UrlSearch) =>
      tiles.push({ title, counted: views[view], to: '/parcels/orders', search })
    list(t('Overdue'), 'overdue', { due: 'late' })
    list(t('Due today'), 'due_today', { due: 'today' })
    list(t('Label error'), 'label_error', { phase: ['label_error'] })
    list(t('On hold'), 'held', { phase: ['held'] })
    list(t('Short'), 'short', { phase: ['short'] })
  }
  if (tasks.data) {
    const { shorts, counts: bins, put_backs } = tasks.data
    const list = (title: string, count: number, tab: string) =>
      tiles.push({ title, counted: { count }, to: '/lists/pick/tasks', search: { tab } })
    list(t('Shortages to decide'), shorts, 'shorts')
    list(t('Bins to count'), bins, 'counts')
    list(t('Items to put back'), put_backs, 'put_backs')
  }
  const waiting = tiles.filter(tile => tile.counted && tile.counted.count > 0)
  const failed = [counts, tasks].find(one => one.error && one.data === undefined)
  const asking = [counts, tasks].some(one => one.isLoading)
  const stepsLeft = steps.data && Object.values(steps.data).some(done => !done)

  return (
    <Page
      title={t('Home')}
      actions={
        stepsLeft ? (
          <Button component={Link} to="/settings/first-steps" variant="default">
            {t('First steps')}
          </Button>
        ) : undefined
      }
    >
      {failed ? <ErrorState error={failed.error} again={() => void failed.refetch()} /> : null}
      {waiting.length > 0 ? (
        <ul className={style.tiles} aria-label={t('Needs action')}>
          {waiting.map(({ title, counted, to, search }) => (
            <li key={title}>
              <Link to={to} search={search} className={style.tile}>
                <span className={style.title}>{title}</span>
                <span className={style.figure}>
                  {number(counted?.count ?? 0)}
                  {counted?.is_more ? '+' : ''}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      ) : asking ? (
        <Skeleton shape="rows" />
      ) : failed ? null : (
        <EmptyList title={t('Nothing needs action')} />
      )}
    </Page>
  )
}
