/** The building blocks in all their states, for developers of screens. Development only. */

import {
  Button,
  Checkbox,
  Group,
  NativeSelect,
  NumberInput,
  SegmentedControl,
  Stack,
  Switch,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core'
import { type ReactNode, useMemo, useState } from 'react'
import * as z from 'zod'
import { call, contract } from '#contract/endpoint.ts'
import { elementAt } from '#domain/objects.ts'
import { ActionBar } from '#ui/kit/ActionBar.tsx'
import { confirm } from '#ui/kit/Confirm.tsx'
import { CopyButton } from '#ui/kit/CopyButton.tsx'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { AccessDenied, EmptyList, NoMatches } from '#ui/kit/EmptyState.tsx'
import { ErrorState } from '#ui/kit/ErrorState.tsx'
import { FilterBar } from '#ui/kit/FilterBar.tsx'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { bytes, country, day, duration, list as listed, money, number, percent, size, week, weight } from '#ui/kit/format.ts'
import { ImageView } from '#ui/kit/ImageView.tsx'
import { Kbd } from '#ui/kit/Kbd.tsx'
import { Logo } from '#ui/kit/Logo.tsx'
import { type ListState, staticList, useSelection } from '#ui/kit/list-state.ts'
import { Page } from '#ui/kit/Page.tsx'
import { Progress } from '#ui/kit/Progress.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { SecretInput } from '#ui/kit/SecretInput.tsx'
import { SettingsSection } from '#ui/kit/SettingsSection.tsx'
import { Skeleton } from '#ui/kit/Skeleton.tsx'
import { StateBadge, type Tone } from '#ui/kit/StateBadge.tsx'
import { useNoShortcuts } from '#ui/kit/shortcuts.ts'
import { toastError, toastInfo, toastSuccess, toastWithUndo } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { urlChoice, urlNumber, urlText, urlTexts } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { CallError, noAnswer } from '#ui/query/call-error.ts'
import { send } from '#ui/query/calls.ts'
import { LookChoice } from './UserMenu.tsx'

/** The screen speaks to builders, so its own words are English only: samples, not interface. */
const sample = {
  part: (title: string, children: ReactNode) => (
    <section style={{ borderTop: '1px solid var(--edge)', paddingTop: 16 }}>
      <Title order={2} mb="sm">
        {title}
      </Title>
      {children}
    </section>
  ),
}

interface Row {
  id: number
  number: string
  customer: string
  state: Tone
  sku: string
  lines: number
  total: number
  created_at: string
}
const names = ['Anne Sørensen', 'Lars Bæk', 'Ingrid Müller', 'Oskar Nyström', 'Kari Nordmann', 'Jürgen Groß']
const tones: readonly Tone[] = ['plain', 'busy', 'done', 'soon', 'stop', 'quiet']
const rowsOf = (count: number): Row[] =>
  Array.from({ length: count }, (_, place) => ({
    id: place + 1,
    number: String(100_000 + place),
    customer: elementAt(names, place % names.length),
    state: elementAt(tones, place % tones.length),
    sku: `SKU-${(place * 7919) % 4000}`,
    lines: (place % 9) + 1,
    total: ((place * 7919) % 200_000) + 995,
    created_at: new Date(Date.UTC(2026, 10, 20, 12) - place * 317_000).toISOString(),
  }))

const View = {
  rows: urlChoice(['0', '1', '40', '100000'], '40'),
  query: urlText(),
  state: urlTexts(),
  sort: urlText('-number'),
  page: urlNumber(1),
}

export function BuildingBlocksScreen() {
  const t = useT()
  useNoShortcuts()
  return (
    <Page
      title="Building blocks"
      note="Every part in every state"
      actions={<Button>Print label</Button>}
      badge={<StateBadge tone="busy">Development</StateBadge>}
    >
      <Group align="flex-start" gap="xl" maw={320}>
        <Stack gap="sm">
          <LookChoice />
        </Stack>
      </Group>
      {sample.part(
        'Mark',
        <Group style={{ color: 'var(--action)' }}>
          {[16, 20, 24, 32, 48, 96].map(pixels => (
            <Logo key={pixels} size={pixels} />
          ))}
        </Group>,
      )}
      {sample.part(
        'Buttons',
        <Stack>
          <Group>
            <Button>Print label</Button>
            <Button variant="default">Reprint</Button>
            <Button variant="light">Show orders</Button>
            <Button variant="subtle">Clear</Button>
            <Button color="brick">Cancel label</Button>
            <Button loading>Saving</Button>
            <Button {...disabledBecause('The order is packed')}>Not now</Button>
          </Group>
          <Group>
            <Button onClick={() => toastSuccess('Order 100023 is pinned')}>It worked</Button>
            <Button variant="default" onClick={() => toastInfo('The import goes on in the background')}>
              To know
            </Button>
            <Button variant="default" onClick={() => toastWithUndo('12 orders are cancelled', () => toastSuccess('They are back'))}>
              With undo
            </Button>
            <Button variant="default" onClick={() => toastError(new CallError(409, 'A sent order cannot change state'))}>
              It failed
            </Button>
            <Button
              variant="default"
              onClick={() =>
                void confirm({
                  title: 'Cancel the label?',
                  body: 'GLS 3450 0021 for order 100023 is cancelled with the courier. This cannot be taken back.',
                  action: 'Cancel label',
                  danger: true,
                })
              }
            >
              Ask first
            </Button>
          </Group>
        </Stack>,
      )}
      {sample.part(
        'States',
        <Group gap="xs">
          <StateBadge tone="plain">New</StateBadge>
          <StateBadge tone="busy">Packing now</StateBadge>
          <StateBadge tone="done">Packed</StateBadge>
          <StateBadge tone="soon">Before 16:00</StateBadge>
          <StateBadge tone="stop">Address is wrong</StateBadge>
          <StateBadge tone="quiet">Cancelled</StateBadge>
        </Group>,
      )}
      {sample.part('List', <SampleList />)}
      {sample.part('Form', <SampleForm />)}
      {sample.part(
        'Settings',
        <div>
          <SettingsSection title="PrintNode" help="Prints labels and slips on the printers of the warehouse.">
            <SampleSecret />
            <Switch label="Use PrintNode" defaultChecked />
          </SettingsSection>
          <SettingsSection title="Cut-off" help="Orders that come later leave the next day.">
            <TextInput label="Time" type="time" defaultValue="16:00" w={140} />
          </SettingsSection>
        </div>,
      )}
      {sample.part(
        'Values',
        <Group gap="xl">
          <span>{money(1_234_560, 'DKK')}</span>
          <span>{money(12_345, 'ISK')}</span>
          <span>{number(1_234_567)}</span>
          <span>{percent(0.257)}</span>
          <span>{weight(850)}</span>
          <span>{weight(12_500)}</span>
          <span>{size(300, 205, 100)}</span>
          <span>{bytes(1_400_000)}</span>
          <RelativeTime at="2026-11-20T13:05:00Z" />
          <RelativeTime at="2026-11-20T13:05:00Z" as="time" />
          <RelativeTime at={Date.now() - 300_000} as="age" />
          <span>{day('2026-11-20')}</span>
          <span>{week('2026-11-20')}</span>
          <span>{duration(5040)}</span>
          <span>{country('DK')}</span>
          <span>{listed(['a', 'b', 'c'])}</span>
          <span>{money(-995, 'EUR')}</span>
          <Kbd keys="Ctrl K" />
          <Group gap={4}>
            100023 <CopyButton text="100023" />
          </Group>
        </Group>,
      )}
      {sample.part(
        'Pictures',
        <Group>
          {['85123A', '71053', '84406B-XL-BLUE'].map(sku => (
            <ImageView key={sku} from={null} sku={sku} name="Cream hanging heart" size={72} />
          ))}
          <ImageView from={null} sku="22423" size={160} />
        </Group>,
      )}
      {sample.part(
        'Progress',
        <Stack maw={520}>
          <Progress
            label="Importing orders.csv"
            done={3120}
            total={10_000}
            began={new Date(Date.now() - 60_000).toISOString()}
            cancel={() => {}}
          />
          <Progress label="Counting" done={512} total={null} cancel={() => {}} />
          <Progress label="Import finished" done={10_000} total={10_000} state="done" />
          <Progress label="Import stopped at a wrong line" done={4100} total={10_000} state="failed" />
        </Stack>,
      )}
      {sample.part(
        'Nothing there',
        <div style={{ display: 'grid', gridTemplateColumns: 'repeat(auto-fit, minmax(18rem, 1fr))', gap: 16 }}>
          <EmptyList title="No orders yet" action={<Button>Import a file</Button>}>
            They come from a shop or from a file.
          </EmptyList>
          <NoMatches clear={() => {}} />
          <AccessDenied code="parcels_admin" />
        </div>,
      )}
      {sample.part(
        'Waiting and failed',
        <div style={{ display: 'grid', gridTemplateColumns: 'repeat(auto-fit, minmax(18rem, 1fr))', gap: 16 }}>
          <Skeleton shape="rows" rows={6} />
          <Skeleton shape="form" rows={3} />
          <ErrorState error={noAnswer()} again={() => {}} />
          <ErrorState
            error={new CallError(423, '{{name}} has it at {{station}}', { values: { name: 'Mette', station: 'Bench 1' } })}
            again={() => {}}
          />
          <ErrorState error={new CallError(403)} />
        </div>,
      )}
      <p style={{ color: 'var(--ink-dim)' }}>{t('{{count}} selected', { count: 1 })}</p>
    </Page>
  )
}

const keyOf = (row: Row) => row.id

function SampleList() {
  const t = useT()
  const [url, setUrl] = useUrlState(View)
  const [state, setState] = useState<'there' | 'waiting' | 'failed' | 'refreshing'>('there')
  const [opened, setOpened] = useState<number | null>(null)
  const all = useMemo(() => rowsOf(Number(url.rows)), [url.rows])
  const list: ListState<Row> = useMemo(() => {
    const found = all.filter(
      row =>
        (url.state.length === 0 || url.state.includes(row.state)) &&
        `${row.number} ${row.customer}`.toLowerCase().includes(url.query.toLowerCase()),
    )
    const key = url.sort.replace('-', '') as keyof Row
    const sorted = found.toSorted(
      (one, other) => (one[key] < other[key] ? -1 : one[key] > other[key] ? 1 : 0) * (url.sort.startsWith('-') ? -1 : 1),
    )
    const rows = staticList(sorted)
    if (state === 'waiting') return { ...rows, isLoading: true }
    if (state === 'failed') return { ...rows, error: new CallError(503) }
    return { ...rows, refreshing: state === 'refreshing', news: 3 }
  }, [all, url, state])
  const selection = useSelection([url.query, url.state, url.rows])
  const columns = useMemo<Column<Row>[]>(
    () => [
      { key: 'number', title: 'Order', sort: true, cell: row => <b style={{ fontWeight: 600 }}>{row.number}</b> },
      { key: 'state', title: 'Status', cell: row => <StateBadge tone={row.state}>{row.state}</StateBadge> },
      { key: 'customer', title: 'Customer', flex: 1, sort: true, cell: row => row.customer },
      { key: 'sku', title: 'First product', flex: 1, cell: row => row.sku },
      { key: 'lines', title: 'Lines', align: 'end', sort: true, cell: row => row.lines },
      { key: 'total', title: 'Total', align: 'end', sort: true, cell: row => money(row.total, 'DKK') },
      { key: 'created_at', title: 'Created', sort: true, cell: row => <RelativeTime at={row.created_at} /> },
      { key: 'id', title: 'Id', align: 'end', hidden: true, cell: row => row.id },
    ],
    [],
  )
  return (
    <Stack>
      <Group>
        <SegmentedControl value={url.rows} onChange={rows => setUrl({ rows })} data={['0', '1', '40', '100000']} />
        <SegmentedControl value={state} onChange={value => setState(value)} data={['there', 'waiting', 'refreshing', 'failed']} />
      </Group>
      <div style={{ height: 560, display: 'flex' }}>
        <DataTable
          name="building-blocks"
          label="Orders"
          columns={columns}
          list={list}
          keyOf={keyOf}
          open={row => setOpened(row.id)}
          opened={opened}
          sort={url.sort}
          onSort={sort => setUrl({ sort })}
          onPage={page => setUrl({ page })}
          selection={selection}
          exports={{ start: format => toastInfo(`An export as ${format} would start`) }}
          rowActions={row => [
            { label: 'Open', run: () => setOpened(row.id) },
            { label: 'Pin', run: () => toastSuccess(`Order ${row.number} is pinned`) },
            {
              label: 'Cancel order',
              danger: true,
              why: row.state === 'done' ? 'It is packed already' : null,
              run: () => toastSuccess('Cancelled'),
            },
          ]}
          toolbar={
            <FilterBar
              name="building-blocks"
              search={{ value: url.query, set: query => setUrl({ query }, { replace: true }), label: 'Search number, name, phone' }}
              filters={[
                {
                  key: 'state',
                  label: 'Status',
                  kind: 'many',
                  options: tones.map(tone => ({ value: tone, label: tone })),
                  value: url.state,
                  set: value => setUrl({ state: [...value] }),
                },
              ]}
              views={[
                { key: 'all', title: 'All', search: {}, count: all.length },
                { key: 'soon', title: 'Before the truck', search: { state: 'soon' } },
                { key: 'wrong', title: 'Needs attention', search: { state: ['stop', 'soon'] } },
              ]}
            />
          }
          bulk={
            <ActionBar selection={selection} list={list} canTakeAll>
              <Button>Print labels</Button>
              <Button variant="default">Set state</Button>
            </ActionBar>
          }
          filtered={url.query !== '' || url.state.length > 0}
          clearFilters={() => setUrl({ query: '', state: [] })}
          empty={<EmptyList title={t('Nothing here yet')} />}
          card={row => (
            <Group justify="space-between" wrap="nowrap">
              <div>
                <b>{row.number}</b> {row.customer}
              </div>
              <StateBadge tone={row.state}>{row.state}</StateBadge>
            </Group>
          )}
        />
      </div>
    </Stack>
  )
}

const SampleBody = z.object({
  name: z.string().min(1).max(40),
  email: z.email(),
  weight: z.number().int().min(1).max(30_000),
  note: z.string().max(200),
  active: z.boolean(),
  locale: z.string(),
})
/** There is no such call, so saving shows the refusal of the server. */
const { send: noCall } = contract<{ calls: { send: { body: typeof SampleBody } } }>({
  name: 'buildingBlocks',
  area: 'company',
  access: 'anyone',
  internal: true,
}).calls({ send: call('POST building_blocks/sample') })

function SampleForm() {
  const edit = useEdit({
    schema: SampleBody,
    initial: { name: 'Nordhavn Lager', email: 'lager@example.dk', weight: 1200, note: '', active: true, locale: 'da_DK' },
    save: body => send(noCall, { body }),
    said: 'Saved',
  })
  return (
    <div style={{ maxWidth: 560 }}>
      <Form edit={edit} action="Save company" note="Changed by Mette Holm, 10:42" beside={<Button variant="default">Send a test</Button>}>
        <TextInput label="Name" {...edit.of('name')} />
        <TextInput label="E-mail" description="Answers go there" {...edit.of('email')} />
        <NumberInput label="Heaviest parcel, grams" {...edit.of('weight')} />
        <NativeSelect label="Language" data={['da_DK', 'de_DE', 'en_GB']} {...edit.of('locale')} />
        <Textarea label="Note" autosize minRows={2} {...edit.of('note')} />
        <Checkbox label="Check the label by scanning it" {...edit.of('active', 'checkbox')} />
      </Form>
    </div>
  )
}

function SampleSecret() {
  const [secret, setSecret] = useState('')
  return (
    <SecretInput label="PrintNode key" last4="9f2c" value={secret} onChange={setSecret} remove={() => toastInfo('It would be removed')} />
  )
}
