/** Campaigns: pictures and offers on the tracking page, with what was shown and clicked. */
import { Anchor, Button, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMemo } from 'react'
import { locales } from '#contract/limits.ts'
import { isOneOf } from '#domain/objects.ts'
import { confirm } from '#ui/kit/Confirm.tsx'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { ExportButton } from '#ui/kit/ExportButton.tsx'
import { FilterBar } from '#ui/kit/FilterBar.tsx'
import { instant, number, percent } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { usePagedList } from '#ui/kit/list-state.ts'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { localeNames, useT } from '#ui/kit/translate.ts'
import { urlChoice, urlNumber, urlText } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { saveFile, send, useCall, useCommand, useSend } from '#ui/query/calls.ts'
import { CampaignForm, removal } from './CampaignForm.tsx'
import { campaignSorts, campaignStates } from './campaigns.codes.ts'
import { campaigns } from './campaigns.contract.ts'
import { CampaignStateBadge, stageLabels, stateLabels } from './campaigns.labels.tsx'
import type { CampaignRow } from './campaigns.schemas.ts'

const path = '/settings/campaign-config'
const View = {
  query: urlText(),
  state: urlChoice(['', ...campaignStates], ''),
  locale: urlChoice(['', ...locales], ''),
  sort: urlChoice(campaignSorts, '-changed'),
  page: urlNumber(1),
  /** Id of the open campaign, or `new`. */
  id: urlText(),
}
const keyOf = (row: CampaignRow) => row.id
const refreshes = [campaigns.search, campaigns.get]

export function CampaignsScreen() {
  const t = useT()
  const [url, setUrl, urlWith] = useUrlState(View)
  const question = {
    query: url.query,
    sort: url.sort,
    ...(url.state && { state: url.state }),
    ...(url.locale && { locale: url.locale }),
  }
  const list = usePagedList(campaigns.search, { ...question, page: url.page, limit: 50 }, { live: ['campaign'], keyOf })
  const save = useCommand(() => send(campaigns.export, question), { done: saveFile })
  const id = Number(url.id)
  const isOpen = Number.isInteger(id) && id > 0
  const close = () => setUrl({ id: '' })
  const turn = useSend(campaigns.setActive, { refreshes, done: () => list.showPendingChanges() })
  const remove = useSend(campaigns.remove, {
    refreshes,
    done: () => {
      close()
      list.showPendingChanges()
    },
  })
  const askRemove = async (row: CampaignRow) => {
    if (await confirm(removal(row, t))) remove.mutate({ id: row.id })
  }
  const columns = useMemo<Column<CampaignRow>[]>(
    () => [
      {
        key: 'title',
        title: t('Title'),
        flex: 3,
        sort: true,
        cell: row => (
          <Anchor component={Link} underline="always" to={path} search={urlWith({ id: String(row.id) })}>
            {row.title}
          </Anchor>
        ),
      },
      { key: 'state', title: t('Status'), cell: row => <CampaignStateBadge state={row.state} /> },
      { key: 'from', title: t('From'), sort: true, cell: row => instant(row.from_at) },
      { key: 'to', title: t('Until'), cell: row => (row.to_at === null ? '–' : instant(row.to_at)) },
      { key: 'locales', title: t('Languages'), flex: 2, cell: row => row.locales.map(locale => localeNames[locale]).join(', ') },
      { key: 'shown', title: t('Shown'), align: 'end', sort: true, cell: row => number(row.shown) },
      { key: 'clicked', title: t('Clicked'), align: 'end', sort: true, cell: row => number(row.clicked) },
      { key: 'rate', title: t('Rate'), align: 'end', cell: row => (row.shown === 0 ? '–' : percent(row.rate, 1)) },
      { key: 'priority', title: t('Priority'), align: 'end', sort: true, cell: row => number(row.priority) },
      {
        key: 'stages',
        title: t('Stages'),
        flex: 2,
        hidden: true,
        cell: row => row.stages.map(stage => t(stageLabels[stage])).join(', '),
      },
      {
        key: 'test',
        title: t('Variant B'),
        align: 'end',
        hidden: true,
        cell: row => (row.ab_share === null ? '–' : percent(row.ab_share / 100)),
      },
      { key: 'changed', title: t('Changed'), sort: true, hidden: true, cell: row => instant(row.changed_at) },
    ],
    [t, urlWith],
  )
  const filtered = url.query !== '' || url.state !== '' || url.locale !== ''
  return (
    <Page
      title={t('Campaigns')}
      fill
      actions={
        list.total > 0 || filtered ? (
          <>
            <ExportButton save={save} />
            <Button leftSection={<IconPlus size={16} />} onClick={() => setUrl({ id: 'new' })}>
              {t('New campaign')}
            </Button>
          </>
        ) : null
      }
    >
      <DataTable
        name="campaigns"
        label={t('Campaigns')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        open={row => setUrl({ id: String(row.id) })}
        opened={isOpen ? id : null}
        sort={url.sort}
        onSort={sort => setUrl({ sort: campaignSorts.find(one => one === sort) ?? '-changed' })}
        onPage={page => setUrl({ page })}
        rowActions={row => [
          { label: t('Edit'), run: () => setUrl({ id: String(row.id) }) },
          ...(row.state === 'active' || row.state === 'scheduled'
            ? [{ label: t('Pause'), run: () => turn.mutate({ id: row.id, active: 'false' }) }]
            : []),
          ...(row.state === 'paused' ? [{ label: t('Resume'), run: () => turn.mutate({ id: row.id, active: 'true' }) }] : []),
          ...(row.state === 'ended' ? [] : [{ label: removal(row, t).action, danger: true, run: () => void askRemove(row) }]),
        ]}
        toolbar={
          <FilterBar
            name="campaigns"
            search={{ value: url.query, set: query => setUrl({ query, page: 1 }, { replace: true }), label: t('Search title') }}
            filters={[
              {
                key: 'state',
                label: t('Status'),
                kind: 'one',
                options: campaignStates.map(value => ({ value, label: t(stateLabels[value]) })),
                value: url.state ? [url.state] : [],
                set: ([value = '']) => setUrl({ state: isOneOf(campaignStates, value) ? value : '', page: 1 }),
              },
              {
                key: 'locale',
                label: t('Language'),
                kind: 'one',
                options: locales.map(value => ({ value, label: localeNames[value] })),
                value: url.locale ? [url.locale] : [],
                set: ([value = '']) => setUrl({ locale: isOneOf(locales, value) ? value : '', page: 1 }),
              },
            ]}
          />
        }
        filtered={filtered}
        clearFilters={() => setUrl({ query: '', state: '', locale: '', page: 1 })}
        empty={
          <EmptyList
            title={t('No campaigns yet')}
            action={
              <Button leftSection={<IconPlus size={16} />} onClick={() => setUrl({ id: 'new' })}>
                {t('New campaign')}
              </Button>
            }
          >
            {t('An image with a link on the tracking page, for a period, by language, country and stage.')}
          </EmptyList>
        }
        card={row => (
          <RowCard>
            <RowCardLine>
              <span>{row.title}</span>
              <CampaignStateBadge state={row.state} />
            </RowCardLine>
            <Text size="sm" c="dimmed">
              {t('{{shown}} shown · {{clicked}} clicked', { shown: number(row.shown), clicked: number(row.clicked) })}
            </Text>
          </RowCard>
        )}
      />
      <Drawer opened={url.id !== ''} onClose={close} size="min(100%, 68rem)" title={url.id === 'new' ? t('New campaign') : t('Campaign')}>
        {url.id === 'new' ? (
          <CampaignForm
            campaign={null}
            close={close}
            changed={list.showPendingChanges}
            made={made => setUrl({ id: String(made.id) }, { replace: true })}
          />
        ) : isOpen ? (
          <Opened id={id} close={close} changed={list.showPendingChanges} />
        ) : null}
      </Drawer>
    </Page>
  )
}

function Opened({ id, ...rest }: { id: number; close: () => void; changed: () => void }) {
  const one = useCall(campaigns.get, { id }, { live: ['campaign'] })
  return (
    <QueryState of={one} shape="form">
      {campaign => <CampaignForm key={campaign.id} campaign={campaign} {...rest} />}
    </QueryState>
  )
}
