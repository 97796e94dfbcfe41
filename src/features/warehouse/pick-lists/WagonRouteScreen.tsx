/** The walk of one wagon by its link; without one, the wagons of the lists in progress to choose from. */
import { Button, NavLink, Stack } from '@mantine/core'
import { useState } from 'react'
import { listCode } from '#domain/codes.ts'
import { WalkByLink, walkUrl } from '#features/warehouse/wagon-routes/RouteScreen.tsx'
import { wagonRoutes } from '#features/warehouse/wagon-routes/wagon-routes.contract.ts'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { number } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { usePageTitle } from '#ui/kit/page-title.ts'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { toastError } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { useIsOffered } from '#ui/navigation/menu.ts'
import { send, useCall } from '#ui/query/calls.ts'
import { WagonBadge } from './pick-list.labels.tsx'
import { pickLists } from './pick-lists.contract.ts'
import type { PickListRow } from './pick-lists.schemas.ts'
import style from './WagonRoute.module.css'

export function WagonRouteScreen() {
  const [{ list, wagon, key }] = useUrlState(walkUrl)
  const offered = useIsOffered('/lists/pick')
  if (list > 0 && wagon > 0 && key !== '') return <WalkByLink />
  return <div className={style.page}>{offered ? <WagonChoice /> : <NoLink />}</div>
}

/** For somebody who is not signed in, or may not see lists. */
function NoLink() {
  const t = useT()
  usePageTitle(t('Distance per wagon'))
  return (
    <EmptyList
      title={t('The link is not complete')}
      action={
        <Button component={Link} to="/login">
          {t('Sign in')}
        </Button>
      }
    >
      {t('Open the whole link of the wagon, or sign in to choose one.')}
    </EmptyList>
  )
}

function WagonChoice() {
  const t = useT()
  usePageTitle(t('Select a wagon'))
  const lists = useCall(pickLists.search, { state: ['open', 'picking', 'picked'], limit: 50 }, { live: ['pick_list'] })
  return (
    <>
      <h1>{t('Select a wagon')}</h1>
      <QueryState of={lists} shape="rows">
        {({ rows }) =>
          rows.length === 0 ? (
            <EmptyList
              title={t('No list in progress')}
              action={
                <Button component={Link} to="/lists/pick">
                  {t('Pick lists')}
                </Button>
              }
            />
          ) : (
            rows.map(row => <WagonsOf key={row.id} list={row} />)
          )
        }
      </QueryState>
    </>
  )
}

function WagonsOf({ list }: { list: PickListRow }) {
  const t = useT()
  const [opening, setOpening] = useState<number | null>(null)
  const busy = opening !== null
  const open = async (wagon: number) => {
    setOpening(wagon)
    try {
      location.assign((await send(wagonRoutes.link, { id: list.id, wagon })).url)
    } catch (error) {
      toastError(error)
      setOpening(null)
    }
  }
  return (
    <section aria-label={listCode('PL', list.id)}>
      <h2>{listCode('PL', list.id)}</h2>
      <Stack gap={4}>
        {list.wagons.map(wagon => (
          <NavLink
            key={wagon.wagon_no}
            component="button"
            disabled={busy}
            onClick={() => void open(wagon.wagon_no)}
            label={t('Wagon {{number}}', { number: wagon.wagon_no })}
            description={[wagon.user_name, t('{{done}} of {{all}} lines', { done: number(wagon.lines_done), all: number(wagon.lines) })]
              .filter(Boolean)
              .join(' · ')}
            rightSection={<WagonBadge state={wagon.state} />}
          />
        ))}
      </Stack>
    </section>
  )
}
