/** Personal data: find a person, hand out a copy of what is stored, erase it, and see what was asked for before. */
import { Alert, Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconDownload, IconEraser, IconSearch } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { PhaseBadge } from '#features/orders/orders/order.labels.tsx'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { dayOf } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { pageState } from '#ui/kit/list-state.ts'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { SettingsSection } from '#ui/kit/SettingsSection.tsx'
import { StateBadge, type Tone } from '#ui/kit/StateBadge.tsx'
import { toastError } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { urlNumber, urlText } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { type Received, saveFile, send, useCall, useSend } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import { erasures } from './erasure.contract.ts'
import type { DataRequest } from './erasure.schemas.ts'
import style from './PersonalData.module.css'

const View = {
  query: urlText(),
  page: urlNumber(1),
}

type Found = Received<typeof erasures.orders>
type PersonOrder = Found['rows'][number]

/** How often the list of requests is read again, in milliseconds: their jobs run for seconds to minutes. */
const every = 5_000

export function PersonalDataScreen() {
  const t = useT()
  const [url, setUrl] = useUrlState(View)
  const [typed, setTyped] = useState(url.query)
  const found = useCall(erasures.orders, { query: url.query }, { enabled: url.query !== '' })
  return (
    <Page
      title={t('Personal data')}
      note={t('What is stored about a person: a copy for them, or its erasure. Orders, parcels and figures stay without the person.')}
    >
      <SettingsSection
        title={t('Find a person')}
        help={t('By e-mail address, phone number or order number. All orders of the same customer are found.')}
      >
        <form
          onSubmit={event => {
            event.preventDefault()
            setUrl({ query: typed.trim() })
          }}
        >
          <Group align="flex-end" wrap="nowrap">
            <TextInput
              style={{ flex: 1 }}
              label={t('E-mail, phone or order')}
              value={typed}
              maxLength={254}
              autoComplete="off"
              onChange={event => setTyped(event.currentTarget.value)}
            />
            <Button
              type="submit"
              leftSection={<IconSearch size={16} />}
              {...disabledBecause(typed.trim() === '' && t('Enter an e-mail, a phone number or an order number first'))}
            >
              {t('Search')}
            </Button>
          </Group>
        </form>
        {url.query === '' ? null : (
          <QueryState of={found} shape="rows">
            {answer =>
              answer.rows.length === 0 ? (
                <Text c="dimmed">{t('No order is stored under {{query}}.', { query: url.query })}</Text>
              ) : (
                <Person key={answer.rows.map(row => row.order_id).join()} found={answer} clear={() => setUrl({ query: '' })} />
              )
            }
          </QueryState>
        )}
      </SettingsSection>
      <Requests page={url.page} setPage={page => setUrl({ page })} />
    </Page>
  )
}

/** The orders of the search, of which those that are not erased are chosen. */
function Person({ found: { rows, more }, clear }: { found: Found; clear: () => void }) {
  const t = useT()
  const { init } = useSignedIn()
  const stored = rows.filter(row => row.erased_at === null)
  const [left, setLeft] = useState<readonly number[]>([])
  const [erasing, setErasing] = useState(false)
  const chosen = stored.filter(row => !left.includes(row.order_id))
  const companyOf = (row: PersonOrder) => init.CompanyLookup.find(company => company.id === row.company_id)?.name
  const copy = useSend(erasures.request, { refreshes: [erasures.list], said: t('The copy is being made'), done: clear })
  const order_ids = chosen.map(row => row.order_id)
  return (
    <Stack gap="sm">
      {more ? <Alert color="yellow">{t('There are more orders: ask again for the rest when these are done.')}</Alert> : null}
      <ul className={style.orders}>
        {rows.map(row => (
          <li key={row.order_id}>
            <Checkbox
              aria-label={t('Order {{order_no}}', { order_no: row.order_no })}
              checked={chosen.includes(row)}
              {...disabledBecause(row.erased_at !== null && t('This order is erased already'))}
              onChange={event => setLeft(event.currentTarget.checked ? left.filter(id => id !== row.order_id) : [...left, row.order_id])}
            />
            <div className={style.order}>
              <Group gap="xs" justify="space-between">
                <Link to="/parcels/orders" search={{ id: row.order_id }}>
                  {row.order_no}
                </Link>
                {row.erased_at === null ? <PhaseBadge phase={row.phase} /> : <StateBadge tone="quiet">{t('Erased')}</StateBadge>}
              </Group>
              <Text size="sm" c="dimmed">
                {[row.customer_name, row.customer_email, row.customer_phone, companyOf(row), dayOf(row.ordered_at)]
                  .filter(Boolean)
                  .join(' · ')}
              </Text>
            </div>
          </li>
        ))}
      </ul>
      <Group>
        <Button
          leftSection={<IconDownload size={16} />}
          {...disabledBecause(chosen.length === 0 && t('Select at least one order'))}
          loading={copy.isPending}
          onClick={() => copy.mutate({ body: { kind: 'report', order_ids } })}
        >
          {t('Create copy')}
        </Button>
        <Button
          variant="default"
          color="brick"
          leftSection={<IconEraser size={16} />}
          {...disabledBecause(chosen.length === 0 && t('Select at least one order'))}
          onClick={() => setErasing(true)}
        >
          {t('Erase…')}
        </Button>
      </Group>
      {erasing ? <EraseDialog orders={chosen} close={() => setErasing(false)} done={clear} /> : null}
    </Stack>
  )
}

/** Erasing cannot be undone: the person's name is typed first. */
function EraseDialog({ orders, close, done }: { orders: readonly PersonOrder[]; close: () => void; done: () => void }) {
  const t = useT()
  const [typed, setTyped] = useState('')
  const erase = useSend(erasures.request, { refreshes: [erasures.list, erasures.orders], said: t('The erasure begins'), done })
  const name = orders[0]?.customer_name || orders[0]?.order_no || ''
  const same = typed.trim().toLocaleLowerCase() === name.trim().toLocaleLowerCase()
  return (
    <Dialog opened onClose={close} title={t('Erase {{name}}?', { name })}>
      <form
        onSubmit={event => {
          event.preventDefault()
          if (same) erase.mutate({ body: { kind: 'erase', order_ids: orders.map(row => row.order_id) } })
        }}
      >
        <Stack>
          <Text>
            {t(
              'Names, addresses, messages, labels and files of {{count}} orders are erased for good. While one of them is open, the erasure waits for it.',
              {
                count: orders.length,
              },
            )}
          </Text>
          <TextInput
            label={t('Type {{name}} to confirm', { name })}
            value={typed}
            autoComplete="off"
            data-autofocus
            onChange={event => setTyped(event.currentTarget.value)}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {t('Cancel')}
            </Button>
            <Button
              type="submit"
              color="brick"
              {...disabledBecause(!same && t('Type {{name}} to confirm', { name }))}
              loading={erase.isPending}
            >
              {t('Erase person')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

const keyOf = (row: DataRequest) => row.id
const tones: Record<DataRequest['state'], Tone> = { waiting: 'soon', running: 'busy', done: 'done', failed: 'stop' }
const limit = 25

function RequestState({ row: { state, orders, done } }: { row: DataRequest }) {
  const t = useT()
  const words: Record<DataRequest['state'], string> = {
    waiting: t('Waits for open orders'),
    running: orders === null ? t('Running') : t('{{done}} of {{total}}', { done, total: orders }),
    done: t('Done'),
    failed: t('Failed'),
  }
  return <StateBadge tone={tones[state]}>{words[state]}</StateBadge>
}

function SaveCopy({ id }: { id: number }) {
  const t = useT()
  const save = async () => {
    try {
      saveFile(await send(erasures.file, { id }))
    } catch (error) {
      toastError(error)
    }
  }
  return (
    <Button size="compact-sm" variant="default" leftSection={<IconDownload size={16} />} onClick={() => void save()}>
      {t('Save copy')}
    </Button>
  )
}

function Requests({ page, setPage }: { page: number; setPage: (page: number) => void }) {
  const t = useT()
  const { init } = useSignedIn()
  const list = pageState(useCall(erasures.list, { page, limit }, { keep: true, every }), { page, limit })
  const columns = useMemo<Column<DataRequest>[]>(
    () => [
      { key: 'kind', title: t('What'), flex: 1, cell: row => (row.kind === 'erase' ? t('Erasure') : t('Data copy')) },
      { key: 'state', title: t('Status'), cell: row => <RequestState row={row} /> },
      { key: 'orders', title: t('Orders'), align: 'end', cell: row => row.orders ?? t('All') },
      { key: 'created_at', title: t('Requested'), cell: row => <RelativeTime at={row.created_at} as="age" /> },
      { key: 'by', title: t('By'), cell: row => row.requested_by ?? t('The shop') },
      { key: 'reason', title: t('Reason'), flex: 2, cell: row => row.reason || '–' },
      {
        key: 'company',
        title: t('Company'),
        hidden: true,
        cell: row => init.CompanyLookup.find(company => company.id === row.company_id)?.name ?? '',
      },
      { key: 'file', title: t('File'), cell: row => (row.has_file ? <SaveCopy id={row.id} /> : null) },
    ],
    [t, init],
  )
  return (
    <section aria-labelledby="data-requests" className={style.requests}>
      <Text component="h2" id="data-requests" fw={600} fz="lg" m={0}>
        {t('Requests')}
      </Text>
      <Text size="sm" c="dimmed">
        {t('A copy can be saved for seven days.')}
      </Text>
      <DataTable
        name="data-requests"
        label={t('Requests')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        onPage={setPage}
        empty={<EmptyList title={t('Nothing was asked for yet')}>{t('Requests that shops send by webhook stand here too.')}</EmptyList>}
        card={row => (
          <RowCard>
            <RowCardLine>
              <span>{row.kind === 'erase' ? t('Erasure') : t('Data copy')}</span>
              <RequestState row={row} />
            </RowCardLine>
            <RowCardLine>
              <Text size="sm" c="dimmed">
                {row.reason || row.requested_by || t('The shop')}
              </Text>
              {row.has_file ? <SaveCopy id={row.id} /> : <RelativeTime at={row.created_at} as="age" />}
            </RowCardLine>
          </RowCard>
        )}
      />
    </section>
  )
}
