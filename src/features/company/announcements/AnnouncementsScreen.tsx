/** Announcements: what people of the company have to read or agree with, and who has. */
import { Anchor, Button, Tabs } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMemo } from 'react'
import { isOneOf } from '#domain/objects.ts'
import { confirm } from '#ui/kit/Confirm.tsx'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { ExportButton } from '#ui/kit/ExportButton.tsx'
import { FilterBar } from '#ui/kit/FilterBar.tsx'
import { instant, number } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { usePagedList } from '#ui/kit/list-state.ts'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { useT } from '#ui/kit/translate.ts'
import { urlChoice, urlNumber, urlText } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { saveFile, send, useCall, useCommand, useSend } from '#ui/query/calls.ts'
import { AnnouncementForm } from './AnnouncementForm.tsx'
import { AnnouncementReaders } from './AnnouncementReaders.tsx'
import { modeLabels, PhaseBadge, phaseLabels } from './announcement.labels.tsx'
import { announcementModes, announcementPhases, announcementSorts } from './announcements.codes.ts'
import { announcements } from './announcements.contract.ts'
import type { AnnouncementRow } from './announcements.schemas.ts'

const path = '/settings/announcement-config'
const View = {
  query: urlText(),
  phase: urlChoice(['', ...announcementPhases], ''),
  mode: urlChoice(['', ...announcementModes], ''),
  sort: urlChoice(announcementSorts, '-changed'),
  page: urlNumber(1),
  id: urlText(),
  tab: urlChoice(['text', 'readers'], 'text'),
}
const keyOf = (row: AnnouncementRow) => row.id
const refreshes = [announcements.list, announcements.get, announcements.waiting, announcements.readers]

export function AnnouncementsScreen() {
  const t = useT()
  const [url, setUrl, urlWith] = useUrlState(View)
  const question = { query: url.query, sort: url.sort, ...(url.phase && { phase: url.phase }), ...(url.mode && { mode: url.mode }) }
  const list = usePagedList(announcements.list, { ...question, page: url.page, limit: 50 }, { live: ['announcement'], keyOf })
  const save = useCommand(() => send(announcements.export, question), { done: saveFile })
  const id = Number(url.id)
  const isOpen = Number.isInteger(id) && id > 0
  const close = () => setUrl({ id: '', tab: 'text' })
  const remove = useSend(announcements.remove, {
    refreshes,
    said: (_answer, row) =>
      list.rows.find(one => one.id === row.id)?.phase === 'draft' ? t('Draft removed') : t('Announcement withdrawn'),
    done: () => {
      close()
      list.showPendingChanges()
    },
  })
  const askRemove = async ({ id: removed, title, phase }: Pick<AnnouncementRow, 'id' | 'title' | 'phase'>) => {
    const isDraft = phase === 'draft'
    const sure = await confirm({
      title: isDraft ? t('Remove this draft?') : t('Withdraw this announcement?'),
      body: isDraft ? title : t('No one is asked to read it any more. Who has read it or agreed stays recorded.'),
      action: isDraft ? t('Remove draft') : t('Withdraw'),
      danger: true,
    })
    if (sure) remove.mutate({ id: removed })
  }
  const columns = useMemo<Column<AnnouncementRow>[]>(() => {
    const audience = (row: AnnouncementRow) =>
      row.everyone ? t('Everyone') : [...row.groups, ...row.people].map(one => one.name).join(', ')
    return [
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
      { key: 'state', title: t('Status'), cell: row => <PhaseBadge phase={row.phase} /> },
      { key: 'mode', title: t('Kind'), cell: row => t(modeLabels[row.mode]) },
      { key: 'audience', title: t('For'), flex: 2, cell: row => <span title={audience(row)}>{audience(row)}</span> },
      { key: 'from', title: t('From'), sort: true, cell: row => instant(row.from_at) },
      { key: 'to', title: t('Until'), cell: row => (row.to_at === null ? '–' : instant(row.to_at)) },
      { key: 'agreed', title: t('Read'), align: 'end', cell: row => <ReadCount of={row} /> },
      { key: 'changed', title: t('Changed'), sort: true, hidden: true, cell: row => instant(row.changed_at) },
      { key: 'version', title: t('Version'), align: 'end', hidden: true, cell: row => number(row.version_no) },
    ]
  }, [t, urlWith])
  const filtered = url.query !== '' || url.phase !== '' || url.mode !== ''
  return (
    <Page
      title={t('Announcements')}
      fill
      actions={
        list.total > 0 || filtered ? (
          <>
            <ExportButton save={save} />
            <Button leftSection={<IconPlus size={16} />} onClick={() => setUrl({ id: 'new' })}>
              {t('New announcement')}
            </Button>
          </>
        ) : null
      }
    >
      <DataTable
        name="announcements"
        label={t('Announcements')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        open={row => setUrl({ id: String(row.id) })}
        opened={isOpen ? id : null}
        sort={url.sort}
        onSort={sort => setUrl({ sort: announcementSorts.find(one => one === sort) ?? '-changed' })}
        onPage={page => setUrl({ page })}
        rowActions={row => [
          { label: t('Edit'), run: () => setUrl({ id: String(row.id) }) },
          ...(row.version_no > 0 ? [{ label: t('Who has read it'), run: () => setUrl({ id: String(row.id), tab: 'readers' }) }] : []),
          ...(row.phase === 'withdrawn'
            ? []
            : [{ label: row.phase === 'draft' ? t('Remove draft') : t('Withdraw'), danger: true, run: () => void askRemove(row) }]),
        ]}
        toolbar={
          <FilterBar
            name="announcements"
            search={{ value: url.query, set: query => setUrl({ query, page: 1 }, { replace: true }), label: t('Title') }}
            filters={[
              {
                key: 'phase',
                label: t('Status'),
                kind: 'one',
                options: announcementPhases.map(value => ({ value, label: t(phaseLabels[value]) })),
                value: url.phase ? [url.phase] : [],
                set: ([value = '']) => setUrl({ phase: isOneOf(announcementPhases, value) ? value : '', page: 1 }),
              },
              {
                key: 'mode',
                label: t('Kind'),
                kind: 'one',
                options: announcementModes.map(value => ({ value, label: t(modeLabels[value]) })),
                value: url.mode ? [url.mode] : [],
                set: ([value = '']) => setUrl({ mode: isOneOf(announcementModes, value) ? value : '', page: 1 }),
              },
            ]}
          />
        }
        filtered={filtered}
        clearFilters={() => setUrl({ query: '', phase: '', mode: '', page: 1 })}
        empty={
          <EmptyList
            title={t('No announcements yet')}
            action={<Button onClick={() => setUrl({ id: 'new' })}>{t('New announcement')}</Button>}
          >
            {t('People read it after they sign in, never in the middle of an order.')}
          </EmptyList>
        }
        card={row => (
          <RowCard>
            <RowCardLine>
              <span>{row.title}</span>
              <PhaseBadge phase={row.phase} />
            </RowCardLine>
            <RowCardLine>
              <span>{t(modeLabels[row.mode])}</span>
              <ReadCount of={row} />
            </RowCardLine>
          </RowCard>
        )}
      />
      <Drawer opened={url.id !== ''} onClose={close} size={640} title={url.id === 'new' ? t('New announcement') : t('Announcement')}>
        {url.id === 'new' ? (
          <AnnouncementForm announcement={null} close={close} refreshes={refreshes} saved={list.showPendingChanges} />
        ) : null}
        {isOpen ? (
          <OpenAnnouncement
            key={id}
            id={id}
            tab={url.tab}
            choose={tab => setUrl({ tab }, { replace: true })}
            close={close}
            saved={list.showPendingChanges}
            remove={row => void askRemove(row)}
          />
        ) : null}
      </Drawer>
    </Page>
  )
}

function ReadCount({ of }: { of: AnnouncementRow }) {
  const t = useT()
  if (of.version_no === 0 || of.asked === null || of.agreed === null) return <span>–</span>
  return <span className="num">{t('{{count}} of {{total}}', { count: of.agreed, total: of.asked })}</span>
}

interface OpenProps {
  id: number
  tab: 'text' | 'readers'
  choose: (tab: 'text' | 'readers') => void
  close: () => void
  saved: () => void
  remove: (row: AnnouncementRow) => void
}

function OpenAnnouncement({ id, tab, choose, close, saved, remove }: OpenProps) {
  const t = useT()
  const answer = useCall(announcements.get, { id }, { live: ['announcement'] })
  return (
    <QueryState of={answer} shape="form">
      {announcement => {
        const form = <AnnouncementForm announcement={announcement} close={close} refreshes={refreshes} saved={saved} remove={remove} />
        if (announcement.version_no === 0) return form
        return (
          <Tabs value={tab} onChange={value => choose(value === 'readers' ? 'readers' : 'text')} keepMounted={false}>
            <Tabs.List mb="md">
              <Tabs.Tab value="text">{t('Announcement')}</Tabs.Tab>
              <Tabs.Tab value="readers">{t('Who has read it')}</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="text">{form}</Tabs.Panel>
            <Tabs.Panel value="readers">
              <AnnouncementReaders announcement={announcement} refreshes={refreshes} />
            </Tabs.Panel>
          </Tabs>
        )
      }}
    </QueryState>
  )
}
