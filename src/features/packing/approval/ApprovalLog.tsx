/** The log of approvals: who asked, who answered, how long it took, and what was refused. */
import { ActionIcon, Button, Group, Modal, Text } from '@mantine/core'
import { IconDownload, IconPhoto } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { access } from '#contract/access.ts'
import { isOneOf } from '#domain/objects.ts'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { type Filter, FilterBar } from '#ui/kit/FilterBar.tsx'
import { number } from '#ui/kit/format.ts'
import { ImageView } from '#ui/kit/ImageView.tsx'
import { Link } from '#ui/kit/Link.tsx'
import { usePagedList } from '#ui/kit/list-state.ts'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import { urlChoice, urlNumber, urlText } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { saveFile, send, useCommand } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import { ApprovalTotals } from './ApprovalTotals.tsx'
import { approvalActs, approvalStates, approvedActs } from './approval.codes.ts'
import { approvals } from './approval.contract.ts'
import { actLabels, methodLabels, stateLabels, stateTones } from './approval.labels.ts'
import type { ApprovalLogEntry } from './approval.schemas.ts'

const View = {
  tab: urlChoice(['rules', 'log'], 'rules'),
  query: urlText(),
  state: urlChoice(['', ...approvalStates], ''),
  act: urlChoice(['', ...approvalActs], ''),
  from: urlText(),
  to: urlText(),
  page: urlNumber(1),
}
/** The name of the rule, or the other act. */
const nameOf = ({ act, rule }: ApprovalLogEntry) => (act === 'rule' ? rule : actLabels[act])
const keyOf = (row: ApprovalLogEntry) => row.id

export function ApprovalLog() {
  const t = useT()
  const [url, setUrl] = useUrlState(View)
  const question = {
    ...(url.query && { query: url.query }),
    ...(url.state && { state: url.state }),
    ...(url.act && { act: url.act }),
    ...(url.from && { from: url.from }),
    ...(url.to && { to: url.to }),
  }
  const list = usePagedList(approvals.log, { ...question, page: url.page, limit: 50 }, { live: ['approval'], keyOf })
  const save = useCommand((asked: typeof question) => send(approvals.export, asked), { done: saveFile })
  const columns = useMemo<Column<ApprovalLogEntry>[]>(
    () => [
      { key: 'at', title: t('When'), cell: row => <RelativeTime at={row.asked_at} /> },
      { key: 'rule', title: t('Rule'), flex: 2, cell: row => t(nameOf(row)) },
      { key: 'order', title: t('Order'), cell: row => <OrderOf row={row} /> },
      { key: 'asked_by', title: t('Asked by'), flex: 1, cell: row => row.asked_by },
      { key: 'state', title: t('Status'), cell: row => <Answer row={row} /> },
      { key: 'answered_by', title: t('Answered by'), flex: 1, cell: row => row.answered_by ?? '–' },
      { key: 'waited', title: t('Waited'), align: 'end', cell: row => <Waited ms={row.waited_ms} /> },
      {
        key: 'reason',
        title: t('Reason'),
        flex: 2,
        cell: row => <span title={row.reason ?? ''}>{row.reason === null ? '–' : t(row.reason)}</span>,
      },
      { key: 'item', title: t('Item'), flex: 2, cell: row => row.item ?? '–' },
      { key: 'method', title: t('How'), flex: 1, hidden: true, cell: row => (row.method === null ? '–' : t(methodLabels[row.method])) },
      { key: 'station', title: t('Station'), hidden: true, cell: row => row.station },
      { key: 'company', title: t('Company'), hidden: true, cell: row => row.company },
    ],
    [t],
  )
  const day = (key: 'from' | 'to', label: string): Filter => ({
    key,
    label,
    kind: 'day',
    value: url[key] ? [url[key]] : [],
    set: ([value = '']) => setUrl({ [key]: value }),
  })
  return (
    <>
      <ApprovalTotals question={question} />
      <DataTable
        name="approval-log"
        label={t('Log')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        onPage={page => setUrl({ page })}
        toolbar={
          <Group gap="xs" align="flex-start">
            <FilterBar
              name="approval-log"
              search={{ value: url.query, set: query => setUrl({ query }, { replace: true }), label: t('Person or order number') }}
              filters={[
                {
                  key: 'state',
                  label: t('Status'),
                  kind: 'one',
                  options: approvalStates.map(value => ({ value, label: t(stateLabels[value]) })),
                  value: url.state ? [url.state] : [],
                  set: ([value = '']) => setUrl({ state: isOneOf(approvalStates, value) ? value : '' }),
                },
                {
                  key: 'act',
                  label: t('What'),
                  kind: 'one',
                  options: [{ value: 'rule', label: t('Rule') }, ...approvedActs.map(value => ({ value, label: t(actLabels[value]) }))],
                  value: url.act ? [url.act] : [],
                  set: ([value = '']) => setUrl({ act: isOneOf(approvalActs, value) ? value : '' }),
                },
                day('from', t('From')),
                day('to', t('Until')),
              ]}
            />
            <Button
              size="compact-md"
              variant="default"
              leftSection={<IconDownload size={16} />}
              loading={save.isPending}
              onClick={() => save.mutate(question)}
            >
              {t('Export')}
            </Button>
          </Group>
        }
        filtered={Object.keys(question).length > 0}
        clearFilters={() => setUrl({ query: '', state: '', act: '', from: '', to: '' })}
        empty={
          <EmptyList
            title={t('No station has asked yet')}
            action={
              <Button component={Link} to="/settings/approval">
                {t('Rules')}
              </Button>
            }
          >
            {t('Each question to a lead stands here, with who answered and how long it took.')}
          </EmptyList>
        }
        card={row => (
          <RowCard>
            <RowCardLine>
              <span>{t(nameOf(row))}</span>
              <Answer row={row} />
            </RowCardLine>
            <RowCardLine>
              <span>{[row.order_no, row.asked_by, row.answered_by].filter(Boolean).join(' · ')}</span>
              <RelativeTime at={row.asked_at} as="age" />
            </RowCardLine>
          </RowCard>
        )}
      />
    </>
  )
}

function Answer({ row }: { row: ApprovalLogEntry }) {
  const t = useT()
  return (
    <Group gap={4} wrap="nowrap">
      <StateBadge tone={stateTones[row.state]}>{t(stateLabels[row.state])}</StateBadge>
      {row.has_photo ? <ApprovalPhoto row={row} /> : null}
    </Group>
  )
}

/** The photo that is the answer, small until it is opened. */
function ApprovalPhoto({ row }: { row: ApprovalLogEntry }) {
  const t = useT()
  const [opened, setOpened] = useState(false)
  const from = { call: approvals.photo, input: { id: row.id } }
  const title = t('Photo for {{rule}}', { rule: nameOf(row) })
  return (
    <>
      <ActionIcon aria-label={t('Show photo')} title={t('Show photo')} onClick={() => setOpened(true)}>
        <IconPhoto size={16} />
      </ActionIcon>
      <Modal opened={opened} onClose={() => setOpened(false)} size="auto" title={title}>
        {opened ? (
          <>
            <ImageView from={from} sku={title} size="whole" />
            <Text size="sm" mt="sm">
              {t('Taken by {{name}} at {{station}}', { name: row.answered_by ?? row.asked_by, station: row.station })},{' '}
              <RelativeTime at={row.asked_at} />
            </Text>
          </>
        ) : null}
      </Modal>
    </>
  )
}

function Waited({ ms }: { ms: number | null }) {
  const t = useT()
  return ms === null ? '–' : t('{{seconds}} s', { seconds: number(Math.round(ms / 1000)) })
}

/** A link for those who may open orders. */
function OrderOf({ row }: { row: ApprovalLogEntry }) {
  return useIsAllowed(access.parcels) ? (
    <Link to="/parcels/orders" search={{ id: row.order_id }}>
      {row.order_no}
    </Link>
  ) : (
    row.order_no
  )
}
