/** Pickups: couriers asked to collect, and taken back. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconDownload, IconPlus } from '@tabler/icons-react'
import { useMemo } from 'react'
import { confirm } from '#ui/kit/Confirm.tsx'
import { useCompanyFilter } from '#ui/kit/company-filter.ts'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { DescriptionItem, DescriptionList } from '#ui/kit/DescriptionList.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { FilterBar, type View } from '#ui/kit/FilterBar.tsx'
import { day, weight } from '#ui/kit/format.ts'
import { usePagedList } from '#ui/kit/list-state.ts'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { toastSuccess } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { urlChoice, urlNumber, urlText } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { saveFile, send, useCall, useCommand, useSend } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import { PickupForm } from './PickupForm.tsx'
import { PickupBadge } from './pickup.labels.tsx'
import { pickupSorts, pickupViews } from './pickups.codes.ts'
import { pickups } from './pickups.contract.ts'
import type { Pickup } from './pickups.schemas.ts'

const Url = {
  query: urlText(),
  view: urlChoice(pickupViews, 'open'),
  agent: urlText(),
  company: urlText(),
  sort: urlChoice(pickupSorts, '-day'),
  page: urlNumber(1),
  id: urlNumber(0),
  add: urlChoice(['', 'yes'], ''),
}
const keyOf = (row: Pickup) => row.id
const live = ['pickup'] as const
const refreshes = [pickups.list]
const hours = (row: Pickup) => `${row.from_time}–${row.to_time}`

export function PickupsScreen() {
  const t = useT()
  const { init } = useSignedIn()
  const [url, setUrl] = useUrlState(Url)
  const company_id = url.company ? Number(url.company) : undefined
  const question = {
    query: url.query,
    view: url.view,
    sort: url.sort,
    ...(url.agent && { agent_code: url.agent }),
    ...(company_id && { company_id }),
  }
  const many = init.CompanyLookup.length > 1
  const list = usePagedList(pickups.list, { ...question, page: url.page, limit: 50 }, { live, keyOf })
  const save = useCommand(() => send(pickups.exportAll, question), { done: saveFile })
  const courierName = useMemo(() => new Map(init.ParcelAgentCode.map(agent => [agent.agent_code, agent.name])), [init])
  const nameOf = (row: Pickup) => t(courierName.get(row.agent_code) ?? row.agent_code)
  const close = () => setUrl({ id: 0, add: '' })
  const columns = useMemo<Column<Pickup>[]>(
    () => [
      { key: 'day', title: t('Day'), sort: true, cell: row => day(row.comes_on ?? row.day) },
      { key: 'hours', title: t('Time'), cell: hours },
      { key: 'courier', title: t('Courier'), sort: true, cell: row => t(courierName.get(row.agent_code) ?? row.agent_code) },
      { key: 'state', title: t('Status'), cell: row => <PickupBadge state={row.state} /> },
      { key: 'parcels', title: t('Parcels'), align: 'end', cell: row => row.parcels },
      { key: 'weight', title: t('Weight'), align: 'end', cell: row => weight(row.weight_g) },
      { key: 'number', title: t('Number'), cell: row => row.courier_no ?? '–' },
      { key: 'note', title: t('Note'), flex: 2, cell: row => row.words ?? row.note },
      { key: 'created', title: t('Ordered'), sort: true, hidden: true, cell: row => <RelativeTime at={row.created_at} as="age" /> },
      { key: 'created_by', title: t('Created by'), hidden: true, cell: row => row.created_by },
      ...(many ? [{ key: 'company', title: t('Company'), cell: (row: Pickup) => row.company }] : []),
    ],
    [t, many, courierName],
  )
  const views: View[] = [
    { key: 'open', title: t('Coming'), search: {} },
    { key: 'unknown', title: t('Not confirmed'), search: { view: 'unknown' } },
    { key: 'all', title: t('All'), search: { view: 'all' } },
  ]
  const byCompany = useCompanyFilter({ kind: 'one', value: url.company ? [url.company] : [], set: ([company = '']) => setUrl({ company }) })
  const opened = list.rows.find(row => row.id === url.id)
  return (
    <Page
      title={t('Pickups')}
      fill
      actions={
        <>
          <Button
            visibleFrom="sm"
            variant="default"
            leftSection={<IconDownload size={16} />}
            loading={save.isPending}
            onClick={() => save.mutate(undefined)}
          >
            {t('Export')}
          </Button>
          <Button leftSection={<IconPlus size={16} />} onClick={() => setUrl({ add: 'yes', id: 0 })}>
            {t('Order pickup')}
          </Button>
        </>
      }
    >
      <DataTable
        name="pickups"
        label={t('Pickups')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        open={row => setUrl({ id: row.id, add: '' })}
        opened={url.id || null}
        sort={url.sort}
        onSort={sort => setUrl({ sort: pickupSorts.find(one => one === sort) ?? '-day' })}
        onPage={page => setUrl({ page })}
        toolbar={
          <FilterBar
            name="pickups"
            search={{ value: url.query, set: query => setUrl({ query }, { replace: true }), label: t('Number or note') }}
            filters={[
              {
                key: 'agent',
                label: t('Courier'),
                kind: 'one',
                options: init.ParcelAgentCode.map(agent => ({ value: agent.agent_code, label: t(agent.name) })),
                value: url.agent ? [url.agent] : [],
                set: ([agent = '']) => setUrl({ agent }),
              },
              ...byCompany,
            ]}
            views={views}
          />
        }
        filtered={url.query !== '' || url.view !== 'open' || url.agent !== '' || url.company !== ''}
        clearFilters={() => setUrl({ query: '', view: 'open', agent: '', company: '' })}
        empty={
          <EmptyList
            title={t('No pickups')}
            action={
              <Button variant="default" onClick={() => setUrl({ add: 'yes' })}>
                {t('Order pickup')}
              </Button>
            }
          >
            {t('Order one where the courier does not come every day.')}
          </EmptyList>
        }
        card={row => (
          <RowCard>
            <RowCardLine>
              <strong>{nameOf(row)}</strong>
              <PickupBadge state={row.state} />
            </RowCardLine>
            <RowCardLine>
              <span>{[day(row.comes_on ?? row.day), hours(row)].join(', ')}</span>
              <span>{weight(row.weight_g)}</span>
            </RowCardLine>
          </RowCard>
        )}
      />
      <Drawer
        opened={url.add === 'yes' || opened !== undefined}
        onClose={close}
        size={560}
        title={opened ? nameOf(opened) : t('Order pickup')}
      >
        {url.add === 'yes' ? (
          <NewPickupForm
            company_id={company_id}
            cancel={close}
            done={pickup => {
              close()
              list.showPendingChanges()
              if (pickup.state === 'ordered') toastSuccess(t('The pickup is ordered'))
            }}
          />
        ) : opened ? (
          <Opened pickup={opened} changed={list.showPendingChanges} />
        ) : null}
      </Drawer>
    </Page>
  )
}

function NewPickupForm({ company_id, ...rest }: { company_id: number | undefined; cancel: () => void; done: (pickup: Pickup) => void }) {
  const t = useT()
  const couriers = useCall(pickups.couriers, company_id ? { company_id } : {})
  return (
    <QueryState of={couriers} shape="form">
      {known =>
        known.length === 0 ? (
          <Alert title={t('No courier collects on request')}>{t('Set up Bring, FedEx, GLS or UPS under Shipping methods first.')}</Alert>
        ) : (
          <PickupForm couriers={known} company_id={company_id} {...rest} />
        )
      }
    </QueryState>
  )
}

function Opened({ pickup, changed }: { pickup: Pickup; changed: () => void }) {
  const t = useT()
  const cancel = useSend(pickups.cancel, { refreshes, said: t('The pickup is cancelled'), done: changed })
  const settle = useSend(pickups.settle, { refreshes, said: t('Recorded'), done: changed })
  const takeBack = async () => {
    const sure = await confirm({
      title: t('Cancel pickup?'),
      body: t('The courier is told not to come.'),
      action: t('Cancel pickup'),
      keep: t('Keep pickup'),
      danger: true,
    })
    if (sure) cancel.mutate({ id: pickup.id })
  }
  return (
    <Stack gap="md">
      <Group>
        <PickupBadge state={pickup.state} />
      </Group>
      {pickup.words ? <Alert color="brick">{pickup.words}</Alert> : null}
      {pickup.comes_on !== null && pickup.comes_on !== pickup.day ? (
        <Alert color="amber">{t('The courier comes on {{day}}.', { day: day(pickup.comes_on) })}</Alert>
      ) : null}
      {pickup.state === 'unknown' ? (
        <Alert color="amber" title={t('Ask the courier whether it comes')}>
          <Stack gap="sm">
            <Text size="sm">
              {t('The courier did not answer. Until someone enters the outcome, no second pickup is ordered for this day.')}
            </Text>
            <Group gap="xs">
              <Button
                variant="default"
                loading={settle.isPending}
                onClick={() => settle.mutate({ id: pickup.id, body: { ordered: true } })}
              >
                {t('It comes')}
              </Button>
              <Button
                variant="default"
                loading={settle.isPending}
                onClick={() => settle.mutate({ id: pickup.id, body: { ordered: false } })}
              >
                {t('It does not come')}
              </Button>
            </Group>
          </Stack>
        </Alert>
      ) : null}
      <DescriptionList>
        <DescriptionItem name={t('Day')}>{day(pickup.day)}</DescriptionItem>
        <DescriptionItem name={t('Time')}>{hours(pickup)}</DescriptionItem>
        <DescriptionItem name={t('Parcels')}>{`${pickup.parcels}, ${weight(pickup.weight_g)}`}</DescriptionItem>
        {pickup.courier_no ? <DescriptionItem name={t('Number')}>{pickup.courier_no}</DescriptionItem> : null}
        {pickup.note ? <DescriptionItem name={t('Note to the driver')}>{pickup.note}</DescriptionItem> : null}
        <DescriptionItem name={t('Created by')}>{pickup.created_by}</DescriptionItem>
      </DescriptionList>
      {pickup.can_cancel ? (
        <Group>
          <Button variant="subtle" color="brick" loading={cancel.isPending} onClick={() => void takeBack()}>
            {t('Cancel pickup')}
          </Button>
        </Group>
      ) : pickup.state === 'ordered' ? (
        <Text size="sm" c="dimmed">
          {t('This courier takes no cancellation here. Call it.')}
        </Text>
      ) : null}
    </Stack>
  )
}
